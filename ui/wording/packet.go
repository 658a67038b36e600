package wording

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// Passed is the text for a gate that passes: what was decided, or whether this reviewer may decide.
func Passed(d *queue.CaseFile, ready bool) string {
	switch {
	case d.Decided():
		return strings.TrimSuffix(fmt.Sprintf("%s Decided: %s", NoBlockers, DecidedAs(d)), ": ") + "."
	case ready:
		return Ready
	}
	return NoBlockers
}

// RowPassed is the same of a row, which does not hold what was decided, nor who else may decide
// than the reviewer it is assigned to.
func RowPassed(row *queue.Row, reviewer terms.ID) string {
	switch {
	case row.Decided:
		return NoBlockers + " Decided."
	case row.Workable() && row.AssignedTo == reviewer:
		return Ready
	}
	return NoBlockers
}

// RecordInForce is the record in force on a revision; nil if none is, or it is not held here.
func RecordInForce(d *queue.CaseFile) *records.Members {
	for i := range d.Records {
		if one := &d.Records[i]; one.Unreadable == "" && one.Receipt.RecordID == d.InForce {
			return one.Record.Members()
		}
	}
	return d.ServiceRecordInForce()
}

// DecidedAs is the outcome, for amendments the gate, of the record in force; "" if not held here.
func DecidedAs(d *queue.CaseFile) string {
	m := RecordInForce(d)
	switch {
	case m == nil:
		return ""
	case m.Outcome.Present():
		return m.Outcome.Label()
	}
	return m.Gate.String()
}

// Ready is the text for a gate that passes if this reviewer may decide, NoBlockers if not.
const (
	Ready      = NoBlockers + " Ready for your decision."
	NoBlockers = "No blockers."
)

// HeldBack replaces a value that reveals the advice, where blind-first mode holds it back.
const (
	HeldBack    = "held back for now"
	HeldBackHow = "You give it when you decide."
)

const (
	Fits             = "fits the trigger"
	FitsNot          = "does not fit the trigger, so docket does not advise it"
	FitsHeldBack     = "whether it fits is " + HeldBack
	PolicyDefault    = "the policy's default for the trigger"
	ParentSame       = "unchanged"
	ParentDiffers    = "differs"
	ParentUnknown    = "not known"
	Advises          = "It advises; a human decides."
	NoPrivateMembers = "The packet came without private members."
	RevisionsTitle   = "Revisions and records"
	NoNewer          = "this is the newest revision held"
	FoundByRules     = "found by the rules"
	NoOlder          = "no older revision is held"
	NotOpened        = "It cannot be opened"
	RecordsNotRead   = "The records cannot be read"
	NoJudgeAgain     = "Nothing to judge again"
	NotBlocked       = "No open case is blocked."
	NextCase         = "open the next open case of the queue"
	PreviousCase     = "open the previous open case of the queue"
	NextOpen         = "open the next open case"
	ToQueue          = "go back to the queue"
	SearchTexts      = "A word is part of an id or a code; text: before it looks in the texts."
	NoSavedFilters   = "no saved filters; they are lines below [filters] in the config file"
	DraftNotDropped  = "the draft could not be discarded"
	NoDraft          = "there is no draft here"
	Erased           = "erased"
	TextsErased      = "texts erased"
	Departs          = "departs from the advice"
	ReasonNeeded     = "a reason is needed"
	DraftBegun       = "a decision was begun"
	RecordUnreadable = "this record cannot be read"
	ReadAgain        = "read this again from the store"
	LogChecked       = "log checked"
	LogNotChecked    = "the log could not be checked"
	NothingUntil     = "Nothing can be recorded, imported or skipped here until this is resolved. Packets and records can be read; " +
		"`docket verify` checks every one of them."
)

// Evaluated says when a packet was evaluated and from what, EvaluatedAt just when.
func Evaluated(v *views.View) string {
	return fmt.Sprintf("%s from packets on this machine", EvaluatedAt(v))
}

func EvaluatedAt(v *views.View) string { return fmt.Sprintf("Evaluated %s", Moment(v.EvaluatedAt())) }

func RuledOut(count, all int) string {
	if count == all {
		return fmt.Sprintf("all %s effects are ruled out", Thousands(all))
	}
	return fmt.Sprintf("the other %s ruled out", Plural(count, "effect is", "effects are"))
}

func Protected(v *views.View) string {
	if boundary := v.Evaluation().ProtectedBoundary(); boundary != "" {
		return boundary
	}
	return "The transition is not known, so every action that any transition guards is held back."
}

// Altered says that the log has findings, and Locked what to do about them. Unanchored and
// Unaccepted are for a user who has no anchor of the log.
const (
	Altered    = "recording is off: the log was changed, rolled back or damaged"
	Locked     = Altered + "; run `docket verify`"
	Unanchored = "recording is off: you have no anchor of this log on this machine yet"
	Unaccepted = Unanchored + "; run `docket accept anchor`"
)

// Unsigned is why nothing can be recorded where the signing key cannot be used for a reason.
func Unsigned(reason string) string { return fmt.Sprintf("no record can be signed here: %s", reason) }

// UnsignedAdvice is its cure; UnsignedStill says what still works.
const (
	UnsignedAdvice = "Correct that, then start docket again. `docket doctor` checks the key again. To set up another identity, " +
		"move identity.toml away and run `docket identity init`."
	UnsignedStill = "Nothing can be recorded until then. Packets and records can be read."
)

// UntilRevised is how long a blocker holds that a human has added.
const UntilRevised = "stays until the platform sends a new revision"

// Carried says of each carried blocker of a packet where it comes from.
func Carried(d *queue.CaseFile) []string {
	var said []string
	for _, code := range (queue.Codes{Area: d.View.Area(), Set: d.View.Carried()}).List() {
		said = append(said, code.String()+": "+CarriedFrom(d, code))
	}
	return said
}

// CarriedFrom says by which record a carried blocker was added, and how long it holds.
func CarriedFrom(d *queue.CaseFile, code terms.Blocker) string {
	by := "another record"
	for i := range d.Records {
		logged := &d.Records[i]
		if logged.Unreadable == "" && logged.HandIn.State != records.Rejected &&
			slices.Contains(logged.Record.Members().ReviewerBlockers, code) {
			by = fmt.Sprintf("record %s", logged.Receipt.RecordID)
			break
		}
	}
	for i := range d.AtService {
		if m := d.AtService[i].Members(); slices.Contains(m.ReviewerBlockers, code) {
			by = fmt.Sprintf("record %s by %s", m.RecordID, m.Reviewer.ID)
			break
		}
	}
	return fmt.Sprintf("added by a human in %s; %s", by, UntilRevised)
}

// AddedEarlier is said of a blocker added on an earlier revision and not answered since.
const AddedEarlier = "added on an earlier revision"

// Unanswered says of each such blocker who added it, and what is owed.
func Unanswered(d *queue.CaseFile) (said []string) {
	for i := range d.Unanswered {
		one := &d.Unanswered[i]
		codes := one.Codes & d.View.Unanswered()
		if codes.Empty() {
			continue
		}
		by := "a person whose record the service has"
		if one.Record.Present() {
			by = fmt.Sprintf("%s in record %s", one.Reviewer, one.Record)
		}
		said = append(said, fmt.Sprintf("%s: added on revision %s by %s; add it again, or say in your statement why it no longer stands",
			Listed(queue.Codes{Area: d.View.Area(), Set: codes}.List()), Thousands(int(one.Revision)), by))
	}
	return said
}

// EarlierCodes names the blockers of a row that are so; "" if there are none.
func EarlierCodes(row *queue.Row) string {
	if codes := Listed(row.Unanswered().List()); codes != "" {
		return codes + ", " + AddedEarlier
	}
	return ""
}

// InForce says which record is in force and would be superseded, with a mark; "" if none is.
func InForce(d *queue.CaseFile) (standing, text string) {
	elsewhere := d.ServiceRecordInForce()
	switch {
	case !d.InForce.Present():
		return "", ""
	case elsewhere != nil:
		return "in force at the service", fmt.Sprintf("record %s %s; a new decision supersedes it",
			d.InForce, ServiceRecordInShort(elsewhere))
	case d.InForceElsewhere():
		return "in force at the service", fmt.Sprintf("record %s, %s; a new decision supersedes it", d.InForce, AnotherConsoles)
	case !d.Decided():
		return "still in force", fmt.Sprintf("record %s; a new decision supersedes it", d.InForce)
	}
	text = fmt.Sprintf("record %s is in force; a new decision supersedes it", d.InForce)
	if as := DecidedAs(d); as != "" {
		text = as + "; " + text
	}
	return "decided", text
}

// Reliance says whether a case or an amendment may be relied on, and what holds that.
func Reliance(r records.Reliance) string {
	if r.Gate == terms.Pass {
		return "may be relied on now"
	}
	blockers, held := 0, []string{}
	for _, reason := range r.Reasons {
		if _, err := terms.Blockers.Parse(reason); err == nil {
			blockers++
			continue
		}
		clause := strings.TrimSuffix(records.PartyReason(reason), ".")
		held = append(held, strings.ToLower(clause[:1])+clause[1:])
	}
	if blockers > 0 {
		held = append([]string{Plural(blockers, "blocker", "blockers")}, held...)
	}
	return "nobody may rely on it now: " + strings.Join(held, "; ")
}

// ServiceRecordInShort says who decided at another console, when, what, and which blockers were
// added.
func ServiceRecordInShort(m *records.Members) string {
	text := fmt.Sprintf("by %s at %s: %s", m.Reviewer.ID, Moment(m.RecordedAt), m.Gate)
	if m.Outcome.Present() {
		text += ", " + m.Outcome.Label()
	}
	if len(m.ReviewerBlockers) > 0 {
		text += fmt.Sprintf(", added %s", Listed(m.ReviewerBlockers))
	}
	return text
}

// NotInThisLog is why the page of such a record cannot be opened.
const NotInThisLog = "the record is in the service's log, not in this one"

// StaysWhere says that the superseded record is not lost.
func StaysWhere(d *queue.CaseFile) string {
	if d.InForceElsewhere() {
		return fmt.Sprintf("%s, in force at the service; it stays in the log there", AnotherConsoles)
	}
	return "it stays in the log"
}

// ContractsNotShown is the title of why the contracts cannot be read.
const ContractsNotShown = "The contracts cannot be shown"

// TimelineTitle heads the times that a packet states; NoEvents is said where there are none.
const (
	TimelineTitle = "Timeline"
	NoEvents      = "Nothing in the packet states a time."
)

// Events counts the events of a timeline.
func Events(count, ahead int) string {
	return fmt.Sprintf("%s, %s ahead", Plural(count, "event", "events"), Thousands(ahead))
}

// Unchanged says that two revisions do not differ.
const Unchanged = "Nothing that a packet shows has changed."

// Differences counts the differences of two revisions by their kind.
func Differences(list []views.Difference) string {
	var count [3]int
	for i := range list {
		count[list[i].Kind]++
	}
	return fmt.Sprintf("%s changed, %s added, %s removed",
		Thousands(count[views.Altered]), Thousands(count[views.Added]), Thousands(count[views.Removed]))
}
