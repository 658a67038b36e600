package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

const NoRecords = "Nothing has been recorded yet."

// NotExported is the title of why a log was not exported.
const NotExported = "Nothing was exported"

// Exported says that a log was exported, a clause without a full stop.
func Exported(head *records.LogHead, folder string) string {
	return fmt.Sprintf("%s exported to %s, read back and checked", Plural(int(head.Size), "record", "records"), folder)
}

func RecordsInLog(n int) string { return Plural(n, "record in the log", "records in the log") }

func row(label, value string) pages.Row { return pages.Row{Label: label, Value: value} }

// RecordGroups are the members of a record that can be read: what was decided, with the statement
// of its reasons, "" for none, on what, by whom, and the hashes that prove it. See AtService for
// the rest.
func RecordGroups(logged *records.LoggedRecord, reasons string) []pages.Part {
	m := logged.Record.Members()
	seen := strings.Join(Headings(m.SectionsViewed, func(name views.SectionName) string { return views.HeadingFor(m.Area, name) }), ", ")
	hashes := []pages.Row{row("content hash", m.ContentHash.String())}
	if m.Area == terms.Appeals {
		hashes = append(hashes, row("scope hash", m.ScopeHash.String()))
	} else {
		hashes = append(hashes, row("terms before", m.BeforeTermsHash.String()), row("terms after", m.AfterTermsHash.String()))
	}
	hashes = append(hashes,
		row("policy hash", m.PolicyHash.String()),
		row("packet digest", m.PacketDigest.String()),
		row("note digest", m.NoteDigest.String()),
		row("log seen, size", Thousands(int(m.LogHead.Size))),
		row("log seen, root", m.LogHead.Root.String()))
	return []pages.Part{
		{Title: "Decided", Rows: decidedMembers(logged, reasons)},
		{Title: "Judged", Rows: judgedMembers(m)},
		{Title: "By whom and when", Rows: []pages.Row{
			row("reviewer", string(m.Reviewer.ID)),
			row("role", m.Reviewer.Role.Label()),
			row("key", m.Reviewer.KeyFingerprint),
			row("opened", m.OpenedAt.String()),
			row("evaluated", m.EvaluatedAt.String()),
			row("recorded", m.RecordedAt.String()),
			row(FullySeen, seen),
		}},
		{Title: "Hashes and place in the log", Rows: append(hashes, ReceiptMembers(&logged.Receipt)...), Folded: true},
	}
}

// Headings are those of sections, each once.
func Headings(names []views.SectionName, of func(views.SectionName) string) (headings []string) {
	for _, name := range names {
		if heading := of(name); !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
	}
	return headings
}

// ErasedMembers are the erasures of a record and of the texts that it judged, with time and reason.
func ErasedMembers(list []records.LogStatement) (members []pages.Row) {
	for i := range list {
		if e, is := list[i].Erasure(); is {
			members = append(members, row(e.What.Label(), Erased+" "+Moment(list[i].At)+": "+records.ErasureMeaning(e.Reason)))
		}
	}
	return members
}

func standing(logged *records.LoggedRecord) string {
	switch {
	case logged.HandIn.State == records.Rejected:
		return RejectedByService + NotInForce
	case logged.Revoked:
		return SignerRevoked + NotInForce
	case logged.SupersededBy.Present():
		return fmt.Sprintf("superseded by %s", logged.SupersededBy)
	}
	return "in force"
}

// ReceiptMembers say where a record stands in the log.
func ReceiptMembers(r *records.Receipt) []pages.Row {
	return []pages.Row{
		row("sequence", Thousands(int(r.Sequence))),
		row("leaf hash", r.LeafHash.String()),
		row("tree size", Thousands(int(r.TreeSize))),
		row("root", r.Root.String()),
	}
}

func decidedMembers(logged *records.LoggedRecord, reasons string) (members []pages.Row) {
	m := logged.Record.Members()
	appeal := m.Area == terms.Appeals
	gate := row(Gate, m.Gate.String())
	if appeal {
		members = append(members,
			row("outcome", m.Outcome.Label()),
			row("advice", advice(logged)),
			row("reasons", Listed(m.Factors)),
			row("statement", reasons),
			gate)
	} else {
		members = append(members, gate, row("statement", reasons))
	}
	members = append(members,
		row(Standing, standing(logged)),
		row(FoundByRules, Listed(m.ComputedBlockers)),
		row("added by the reviewer", Listed(m.ReviewerBlockers)))
	if len(m.CarriedBlockers) > 0 {
		members = append(members, row(CarriedOver, Listed(m.CarriedBlockers)))
	}
	if !appeal {
		members = append(members, row("held back", Listed(m.Blocked)))
	}
	if m.Supersedes.Present() {
		members = append(members, row("supersedes", string(m.Supersedes)))
	}
	if appeal {
		effect := views.EffectOf(m.Outcome)
		if members = append(members, row("asked for", m.Requested.Label())); m.Preliminary.Present() {
			members = append(members, row("before the advice", m.Preliminary.Label()))
		}
		members = append(members,
			row("provenance activity", Spaced(effect.ProvenanceActivity)),
			row("business step", Spaced(effect.TraceabilityStep)))
	}
	return members
}

// advice says whether an outcome is the one that docket advised; "" where that is not known.
func advice(logged *records.LoggedRecord) string {
	switch {
	case !logged.Advised.Present():
		return ""
	case logged.Departs():
		return "departs: docket advised " + logged.Advised.Label()
	}
	return "as advised"
}

func judgedMembers(m *records.Members) []pages.Row {
	members := []pages.Row{
		row("packet", string(m.Key.ID)),
		row("revision", Thousands(int(m.Key.Number))),
		row("latest revision", Thousands(int(m.Latest.Revision))),
	}
	if m.Area == terms.Appeals {
		members = append(members,
			row("subject", m.Subject.Label()),
			row("subject id", string(m.SubjectID)),
			row("trigger", m.Trigger.Label()))
	} else {
		members = append(members,
			row("owner", string(m.OwnerID)),
			row("agreement", string(m.AgreementID)),
			row("transition", m.Transition.Label()),
			row("subject type", m.SubjectType.Label()),
			row("amendment type", m.AmendmentType.Label()))
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy = fmt.Sprintf("%s version %s", policy, Thousands(int(m.Policy.Number)))
	}
	return append(members,
		row("policy", policy),
		row("latest policy version", Thousands(int(m.Latest.PolicyVersion))),
		row("contract", m.ContractVersion),
		row("rules", m.RulesVersion))
}

// AtService is the group of a record with the service's answer. The first member is the answer.
func AtService(logged *records.LoggedRecord) pages.Part {
	h := &logged.HandIn
	var members []pages.Row
	switch h.State {
	case records.Accepted:
		members = []pages.Row{
			row(Answer, HandedIn),
			row("answered", toSecond(h.At)),
			row("sequence there", Thousands(int(h.Receipt.Sequence))),
			row("tree size there", Thousands(int(h.Receipt.TreeSize))),
			row("root there", h.Receipt.Root.String()),
		}
		if h.Receipt.Caution != "" {
			members = append(members, row("caution", h.Receipt.Caution))
		}
	case records.Rejected:
		members = []pages.Row{row(Answer, Rejected+": "+WhyRejected(h.Rejection.Reason))}
		for _, change := range h.Changes {
			members = append(members, row("had changed", strings.TrimSpace(change)))
		}
		if len(h.Changes) == 0 {
			members = append(members, row("had changed", "not given"))
		}
		members = append(members,
			row("in force there", InForceThere(&h.Rejection, logged.InForceHere)),
			row("rejected", toSecond(h.Rejection.At)),
			row("by", h.Rejection.Origin),
			row("code", h.Rejection.Reason.String()))
	case records.Kept:
		members = []pages.Row{row(Answer, KeptHere)}
	default:
		members = []pages.Row{row(Answer, NotHandedIn+"; "+NotHandedInHow)}
		if h.By.Present() {
			members = append(members, row("hand in by", Moment(h.By)))
		}
	}
	return pages.Part{Title: "At the service", Rows: members}
}

// toSecond writes a time without a fraction of a second.
func toSecond(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return terms.InstantOf(at.Time().Truncate(time.Second)).String()
}

// SetBack says that the service's log does not extend the known one, and which commands are off.
func SetBack(setback *records.Setback) string {
	return fmt.Sprintf(
		"The log of the service was set back: %s. Pull and push are off; ask its operator, and accept it with `docket accept service`.",
		setback.Sentence())
}

// Listed joins words with commas; "" for none.
func Listed[W fmt.Stringer](words []W) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.String()
	}
	return strings.Join(texts, ", ")
}

// Labels joins the labels of words with commas; "" for none.
func Labels[W interface{ Label() string }](words []W) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Label()
	}
	return strings.Join(texts, ", ")
}

func OrNone(text string) string { return cmp.Or(text, "none") }

// HandInBy says in a clause by when a record has to be handed in; "" if there is no limit.
func HandInBy(by, now terms.Instant) string {
	switch {
	case !by.Present():
		return ""
	case by.Before(now):
		return fmt.Sprintf("too late to hand in since %s: what was judged has changed with time, and the service will reject it", Moment(by))
	}
	return fmt.Sprintf("hand in by %s", Moment(by))
}

// CarriedOver labels the blockers that people added in earlier records on a revision.
const CarriedOver = "carried over"

const (
	Gate     = "gate"
	Standing = "standing"
	Answer   = "answer"
)

// FullySeen labels the sections that a reviewer has seen as a whole.
const FullySeen = "fully seen"

const (
	KeptHere        = "kept on this machine"
	NotHandedIn     = "not handed in"
	ServiceSetBack  = "service set back"
	NotHandedInHow  = "`docket push` hands it in"
	HandedIn        = "handed in"
	Rejected        = "rejected"
	AnotherConsoles = "a record of another console"
)

var rejections = map[records.RejectionReason]string{
	records.PacketStale:       "what was judged had changed",
	records.RecordSuperseded:  "another record is in force there than the one that it supersedes",
	records.RecordConflict:    "the service holds another record under its id",
	records.EvaluationDiffers: "the service finds that it does not follow from the packets that it names",
	records.RecordRefused:     "the service finds that it may not be recorded",
	records.SignerRevoked:     "the key that signed it was revoked before it came in",
}

// WhyRejected is the reason for a rejection in plain words, a clause without a full stop.
func WhyRejected(reason records.RejectionReason) string {
	if why, known := rejections[reason]; known {
		return why
	}
	return "the service gave no reason that is known here"
}

// SignerRevoked is a clause why a record with a revoked key does not count; RevokedKey marks it.
const (
	SignerRevoked = "the key that signed it was revoked"
	RevokedKey    = "revoked key"
	// NotInForce follows the reason why a record is not in force.
	NotInForce        = ", so not in force"
	RejectedByService = Rejected + " by the service"
	// NoStatement says that there is no statement of a record to the parties.
	NoStatement = "There is no statement"
)

// WhyVoid says in a clause why a record is not in force and its packet is judged again.
func WhyVoid(logged *records.LoggedRecord) string {
	if logged.HandIn.State == records.Rejected {
		return fmt.Sprintf("the service rejected it: %s", WhyRejected(logged.HandIn.Rejection.Reason))
	}
	return SignerRevoked
}

// RejectedBy says when the service rejected the decision on a packet, and why: "by the service at
// …", or which decision was rejected if it was on another revision.
func RejectedBy(d *queue.CaseFile) string {
	rejected := d.Rejected()
	if rejected.HandIn.State != records.Rejected {
		return fmt.Sprintf("because %s.", SignerRevoked)
	}
	text := fmt.Sprintf("by the service at %s: %s.", Moment(rejected.HandIn.Rejection.At), WhyRejected(rejected.HandIn.Rejection.Reason))
	if number := rejected.Record.Members().Key.Number; number != d.View.Key().Number {
		text = fmt.Sprintf("the decision on revision %s was rejected %s", Thousands(int(number)), text)
	}
	return text
}

// DecideAgain follows RejectedBy.
const DecideAgain = "A new decision is needed."

// InForceThere names the record that a rejection says is in force; here: it is in this log, too.
func InForceThere(rejection *records.Rejection, here bool) string {
	switch {
	case !rejection.InForce.Present():
		return "nothing"
	case here:
		return fmt.Sprintf("record %s", rejection.InForce)
	}
	return fmt.Sprintf("record %s, %s", rejection.InForce, AnotherConsoles)
}

// StatementFile is the file that is offered for a statement.
func StatementFile(d *pages.Page) string {
	return "~/statement-of-record-" + strconv.FormatInt(d.Sequence, 10) + ".txt"
}

// A Side is one of the things that are checked of a record.
type Side struct {
	Label             string
	Of                func(*records.State) records.Check
	holds, unexamined string
}

// Sides are the proof, the signature and the evaluation of a record.
var Sides = [...]Side{
	{"proof", func(s *records.State) records.Check { return s.Proof }, "inclusion proof valid", "inclusion not checked"},
	{"signature", func(s *records.State) records.Check { return s.Signature }, "signature valid", "signature not checked"},
	{"judged again", func(s *records.State) records.Check { return s.Replay }, "re-evaluated: same result", "not re-evaluated"},
}

// Said says whether it holds, or what was found of it.
func (d *Side) Said(s *records.State) string {
	switch check := d.Of(s); check.Verdict {
	case records.Holds:
		return d.holds
	case records.Fails:
		return strings.Join(check.Found, " ")
	}
	return d.unexamined
}
