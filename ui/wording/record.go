package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

const NoRecords = "Nothing has been recorded yet."

// HashesTitle heads what proves a record.
const HashesTitle = "Hashes and place in the log"

// NotExported is the title of why a log was not exported.
const NotExported = "Nothing was exported"

// Exported says that a log was exported, a clause without a full stop.
func Exported(head *records.LogHead, folder string) string {
	return fmt.Sprintf("%s exported to %s, read back and checked", records.Count(head.Size), folder)
}

func RecordsInLog(n int) string { return Plural(n, "record in the log", "records in the log") }

// Headings are those of sections, each once.
func Headings(names []views.SectionName, of func(views.SectionName) string) (headings []string) {
	for _, name := range names {
		if heading := of(name); !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
	}
	return headings
}

// ReceiptMembers say where a record stands in the log, and what its leaf was made with.
func ReceiptMembers(r *records.Receipt) []pages.Row {
	return []pages.Row{
		{Label: "sequence", Value: Thousands(int(r.Sequence))},
		{Label: "at", Value: r.At},
		{Label: "leaf hash", Value: r.LeafHash.String()},
		{Label: "tree size", Value: Thousands(int(r.TreeSize))},
		{Label: "root", Value: r.Root.String()},
	}
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
	KeptHere        = "kept on this machine"
	NotHandedIn     = "not handed in"
	ServiceSetBack  = "service set back"
	NotHandedInHow  = "`docket push` hands it in"
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

// HandedIn says what the service has answered to a record, and what is to be done. judged: its
// packet was judged again since; judge is the key or command that does it, "" for none.
func HandedIn(h *records.HandIn, judged bool, judge string, now terms.Instant) (mark pages.Mark, said string) {
	switch h.State {
	case records.Kept:
		return pages.None, KeptHere
	case records.Accepted:
		return pages.Good, fmt.Sprintf("handed in: number %s in the service's log", Thousands(int(h.Receipt.Sequence)))
	case records.Rejected:
		return pages.Bad, Rejected + ": " + WhyRejected(h.Rejection.Reason) + JudgeNext(judged, judge)
	}
	said = NotHandedIn + " to a service; " + NotHandedInHow
	if by := HandInBy(h.By, now); by != "" {
		said += "; " + by
	}
	return pages.Open, said
}

// JudgeNext follows what is said of a record that is not in force.
func JudgeNext(judged bool, judge string) string {
	switch {
	case judged:
		return "; its packet has been judged again"
	case judge == "":
		return ""
	}
	return fmt.Sprintf("; %s judges its packet again", judge)
}

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

// Verified says that all of them hold.
var Verified = Sides[0].holds + "; " + Sides[1].holds + "; " + Sides[2].holds

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
