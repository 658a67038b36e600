package decision

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// An UnknownOutcomeError says that a record may be in the log or not: looking it up failed too.
type UnknownOutcomeError struct {
	RecordID records.RecordID
	Cause    error
}

func (e *UnknownOutcomeError) Error() string {
	return fmt.Sprintf("it is not known whether record %s is in the log: %v", e.RecordID, e.Cause)
}

func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// A WaitingError says that a record is signed and waits to be appended: another program holds the
// lock of the anchor, the checkpoint outside the store. Nothing was written.
type WaitingError struct {
	Cause error
	// Again waits for the anchor and appends the record as it was signed. It answers as
	// Workbench.Record, but with no WaitingError.
	Again func(ctx context.Context) (records.Receipt, error)
}

func (e *WaitingError) Error() string { return e.Cause.Error() }

func (e *WaitingError) Unwrap() error { return e.Cause }

// A Result is the result of recording a decision.
type Result uint8

const (
	Failed   Result = iota // nothing was written
	Recorded               // it is durable
	Changed                // nothing was written, because the packet has changed
	Refused                // nothing was written, because it may not be recorded
	Unknown                // it may be in the log or not
)

// ChangedTitle says that a changed packet kept a decision from being recorded. The changes follow
// it.
const ChangedTitle = "Nothing was written. The packet has changed since you opened it"

// An Answer is the answer to a decision that was sent to be recorded.
type Answer struct {
	Result  Result
	Title   string   // what happened, without a full stop; "" if Recorded
	Text    string   // why, and what to do; a clause without a full stop
	Changes []string // of the packet, if Changed
	Record  records.RecordID
	Locked  string // why nothing can be recorded any more; "" if that is still possible
}

// AnswerOf explains the error of Workbench.Record, which is no *WaitingError.
func AnswerOf(err error) Answer {
	var stale *records.StaleError
	var unknown *UnknownOutcomeError
	answer := Answer{Title: "The decision could not be recorded"}
	var stops interface{ StopsRecording() bool }
	if errors.As(err, &stops) && stops.StopsRecording() {
		answer.Locked = err.Error()
	}
	switch {
	case err == nil:
		return Answer{Result: Recorded}
	case errors.As(err, &stale):
		answer.Result, answer.Title, answer.Changes = Changed, ChangedTitle, stale.Changes
	case errors.Is(err, records.ErrRefused):
		answer.Result, answer.Title, answer.Text = Refused, "Not recorded", Reason(err)
	case errors.As(err, &unknown):
		answer.Result, answer.Title, answer.Record = Unknown, "It is not known whether it is recorded", unknown.RecordID
		answer.Text =
			fmt.Sprintf("look up record %s in the list of records before you try again; the cause: %s",
				unknown.RecordID, unknown.Cause)
	default:
		answer.Text = err.Error()
	}
	return answer
}

// On names a decision within a sentence.
func On(key packets.Key) string {
	return fmt.Sprintf("the decision on %s revision %s", key.ID, wording.Thousands(int(key.Number)))
}

// NotKnown says that a decision may be recorded or not; record is its id, "" if not known either.
func NotKnown(key packets.Key, record records.RecordID) string {
	if record == "" {
		return fmt.Sprintf("it is not known whether %s is recorded; see `docket records`", On(key))
	}
	return fmt.Sprintf("it is not known whether %s is recorded; look record %s up with `docket records`", On(key), record)
}

// Receipt is the page of what was recorded. service: records are handed in to one. left counts the
// other open cases of the list; negative: it is not known.
func (d *Decision) Receipt(of *records.Receipt, service bool, left int) pages.Page {
	decided := pages.Row{Mark: pages.Bad, Label: "decision", Value: d.Gate().String()}
	if d.Gate() == terms.Pass {
		decided.Mark = pages.Good
	}
	if d.Outcome.Present() {
		decided.Value = d.Outcome.Label() + ", " + decided.Value
	}
	rows := []pages.Row{decided, {Label: "reliance", Value: d.Reliance()}, {Label: "record", Value: string(of.RecordID)}}
	if left >= 0 {
		rows = append(rows, pages.Row{Label: "left", Value: wording.Plural(left, "open case", "open cases") + " in the list"})
	}
	said := pages.Part{Blocks: []pages.Block{{Text: Durable}}}
	if of.Caution != "" {
		said.Rows = []pages.Row{{Mark: pages.Open, Label: "caution", Value: of.Caution}}
	}
	if service {
		said.Blocks = append(said.Blocks, pages.Block{Text: NotHandedIn(d.View())})
	}
	key := d.View().Key()
	return pages.Page{Title: fmt.Sprintf("%s, revision %s: %s", key.ID, wording.Thousands(int(key.Number)), decided.Value),
		Parts: []pages.Part{{Rows: rows}, said, {Title: wording.HashesTitle, Rows: wording.ReceiptMembers(of), Folded: true}}}
}

// Durable is what a receipt says of its record.
const Durable = "The record is on disk and in the log. It can be superseded, never changed. `docket records` shows it again."

// NotHandedIn says, where there is a service, how the record is handed in, and by when if limited.
func NotHandedIn(v *views.View) string {
	if by := rules.UnchangedUntil(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt()); by.Present() {
		return fmt.Sprintf("It is not handed in yet: %s. %s: after that the service rejects it.", wording.NotHandedInHow,
			wording.Capital(wording.HandInBy(by, v.EvaluatedAt())))
	}
	return fmt.Sprintf("It is not handed in yet: %s.", wording.NotHandedInHow)
}
