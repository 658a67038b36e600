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

// A Member is one line of a record, of a receipt, or of the review: a label and a value, which is "" if absent.
type Member struct {
	Label  string
	Value  string
	Remark string // the meaning or the consequence of the value; "" for none
}

// A Group is the members of a record that are about one thing. What only a check needs is Folded.
type Group struct {
	Title   string
	Members []Member
	Folded  bool
}

// RecordGroups are the members of a record that can be read: what was decided, with the statement of
// its reasons, "" for none, on what, by whom, and the hashes that prove it. See AtService for the rest.
func RecordGroups(logged *records.LoggedRecord, reasons string) []Group {
	m := logged.Record.Members()
	seen := strings.Join(Headings(m.SectionsViewed, func(name views.SectionName) string { return views.HeadingFor(m.Area, name) }), ", ")
	hashes := []Member{{"content hash", m.ContentHash.String(), ""}}
	if m.Area == terms.Appeals {
		hashes = append(hashes, Member{"scope hash", m.ScopeHash.String(), ""})
	} else {
		hashes = append(hashes, Member{"terms before", m.BeforeTermsHash.String(), ""}, Member{"terms after", m.AfterTermsHash.String(), ""})
	}
	hashes = append(hashes,
		Member{"policy hash", m.PolicyHash.String(), ""},
		Member{"packet digest", m.PacketDigest.String(), ""},
		Member{"note digest", m.NoteDigest.String(), ""},
		Member{"log seen, size", Thousands(int(m.LogHead.Size)), ""},
		Member{"log seen, root", m.LogHead.Root.String(), ""})
	return []Group{
		{Title: "Decided", Members: decidedMembers(logged, reasons)},
		{Title: "Judged", Members: judgedMembers(m)},
		{Title: "By whom and when", Members: []Member{
			{"reviewer", string(m.Reviewer.ID), ""},
			{"role", m.Reviewer.Role.Label(), ""},
			{"key", m.Reviewer.KeyFingerprint, ""},
			{"opened", m.OpenedAt.String(), ""},
			{"evaluated", m.EvaluatedAt.String(), ""},
			{"recorded", m.RecordedAt.String(), ""},
			{FullySeen, seen, ""},
		}},
		{Title: "Hashes and place in the log", Members: append(hashes, ReceiptMembers(&logged.Receipt)...), Folded: true},
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
func ErasedMembers(list []records.LogStatement) (members []Member) {
	for i := range list {
		if e, is := list[i].Erasure(); is {
			members = append(members, Member{e.What.Label(), Erased + " " + Moment(list[i].At) + ": " + records.ErasureMeaning(e.Reason), ""})
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
func ReceiptMembers(r *records.Receipt) []Member {
	return []Member{
		{"sequence", Thousands(int(r.Sequence)), ""},
		{"leaf hash", r.LeafHash.String(), ""},
		{"tree size", Thousands(int(r.TreeSize)), ""},
		{"root", r.Root.String(), ""},
	}
}

func decidedMembers(logged *records.LoggedRecord, reasons string) (members []Member) {
	m := logged.Record.Members()
	appeal := m.Area == terms.Appeals
	gate := Member{Gate, m.Gate.String(), ""}
	if appeal {
		members = append(members,
			Member{"outcome", m.Outcome.Label(), ""},
			Member{"advice", advice(logged), ""},
			Member{"reasons", Listed(m.Factors), ""},
			Member{"statement", reasons, ""},
			gate)
	} else {
		members = append(members, gate, Member{"statement", reasons, ""})
	}
	members = append(members,
		Member{Standing, standing(logged), ""},
		Member{FoundByRules, Listed(m.ComputedBlockers), ""},
		Member{"added by the reviewer", Listed(m.ReviewerBlockers), ""})
	if len(m.CarriedBlockers) > 0 {
		members = append(members, Member{CarriedOver, Listed(m.CarriedBlockers), ""})
	}
	if !appeal {
		members = append(members, Member{"held back", Listed(m.Blocked), ""})
	}
	if m.Supersedes.Present() {
		members = append(members, Member{"supersedes", string(m.Supersedes), ""})
	}
	if appeal {
		effect := views.EffectOf(m.Outcome)
		if members = append(members, Member{"asked for", m.Requested.Label(), ""}); m.Preliminary.Present() {
			members = append(members, Member{"before the advice", m.Preliminary.Label(), ""})
		}
		members = append(members,
			Member{"provenance activity", Spaced(effect.ProvenanceActivity), ""},
			Member{"business step", Spaced(effect.TraceabilityStep), ""})
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

func judgedMembers(m *records.Members) []Member {
	members := []Member{
		{"packet", string(m.Key.ID), ""},
		{"revision", Thousands(int(m.Key.Number)), ""},
		{"latest revision", Thousands(int(m.Latest.Revision)), ""},
	}
	if m.Area == terms.Appeals {
		members = append(members,
			Member{"subject", m.Subject.Label(), ""},
			Member{"subject id", string(m.SubjectID), ""},
			Member{"trigger", m.Trigger.Label(), ""})
	} else {
		members = append(members,
			Member{"owner", string(m.OwnerID), ""},
			Member{"agreement", string(m.AgreementID), ""},
			Member{"transition", m.Transition.Label(), ""},
			Member{"subject type", m.SubjectType.Label(), ""},
			Member{"amendment type", m.AmendmentType.Label(), ""})
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy = fmt.Sprintf("%s version %s", policy, Thousands(int(m.Policy.Number)))
	}
	return append(members,
		Member{"policy", policy, ""},
		Member{"latest policy version", Thousands(int(m.Latest.PolicyVersion)), ""},
		Member{"contract", m.ContractVersion, ""},
		Member{"rules", m.RulesVersion, ""})
}

// AtService is the group of a record with the service's answer. The first member is the answer.
func AtService(logged *records.LoggedRecord) Group {
	h := &logged.HandIn
	var members []Member
	switch h.State {
	case records.Accepted:
		members = []Member{
			{Answer, HandedIn, ""},
			{"answered", toSecond(h.At), ""},
			{"sequence there", Thousands(int(h.Receipt.Sequence)), ""},
			{"tree size there", Thousands(int(h.Receipt.TreeSize)), ""},
			{"root there", h.Receipt.Root.String(), ""},
		}
		if h.Receipt.Caution != "" {
			members = append(members, Member{"caution", h.Receipt.Caution, ""})
		}
	case records.Rejected:
		members = []Member{{Answer, Rejected + ": " + WhyRejected(h.Rejection.Reason), ""}}
		for _, change := range h.Changes {
			members = append(members, Member{"had changed", strings.TrimSpace(change), ""})
		}
		if len(h.Changes) == 0 {
			members = append(members, Member{"had changed", "not given", ""})
		}
		members = append(members,
			Member{"in force there", InForceThere(&h.Rejection, logged.InForceHere), ""},
			Member{"rejected", toSecond(h.Rejection.At), ""},
			Member{"by", h.Rejection.Origin, ""},
			Member{"code", h.Rejection.Reason.String(), ""})
	case records.Kept:
		members = []Member{{Answer, KeptHere, ""}}
	default:
		members = []Member{{Answer, NotHandedIn + "; " + NotHandedInHow, ""}}
		if h.By.Present() {
			members = append(members, Member{"hand in by", Moment(h.By), ""})
		}
	}
	return Group{Title: "At the service", Members: members}
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
	return fmt.Sprintf("The log of the service was set back: %s. Pull and push are off; ask its operator, and accept it with `docket accept service`.", setback.Sentence())
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

// HandInBy says by when a record has to be handed in, a clause without a full stop; "" if there is no limit.
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

// SignerRevoked is why a record whose key was revoked does not count, a clause without a full stop. RevokedKey marks such a record in a list.
const (
	SignerRevoked = "the key that signed it was revoked"
	RevokedKey    = "revoked key"
	// NotInForce follows the reason why a record is not in force.
	NotInForce        = ", so not in force"
	RejectedByService = Rejected + " by the service"
	// NoStatement says that there is no statement of a record to the parties.
	NoStatement = "There is no statement"
)

// WhyVoid says why a record is not in force and its packet is judged again, a clause without a full stop.
func WhyVoid(logged *records.LoggedRecord) string {
	if logged.HandIn.State == records.Rejected {
		return fmt.Sprintf("the service rejected it: %s", WhyRejected(logged.HandIn.Rejection.Reason))
	}
	return SignerRevoked
}

// RejectedBy says when the service rejected the decision on a packet, and why: "by the service at …", or which decision was
// rejected if it was on another revision.
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

// InForceThere names the record that is in force at the service according to a rejection; here reports whether that record is in this log, too.
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
