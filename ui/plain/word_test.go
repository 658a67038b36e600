package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
	"docket/ui/tty"
)

// answering is a session that is asked the final question on AC-2041 and gets the answers.
func answering(t *testing.T, answers ...string) (*workbenchtest.Workbench, string) {
	t.Helper()
	workbench := workbenchtest.Sample(t)
	return workbench, works(t, workbench, lines("open AC-2041", toReview("correct record"), answers)...)
}

func TestTheWordTypedByAPersonRecords(t *testing.T) {
	for _, answers := range [][]string{
		{"record"}, {"", "no", "record"}, {"rez\x7fcord"}, {"x\b\x7f\x7frecord"},
		{pasted + "record", "record"}, {pasted + "record", pasted + "record 4711"},
		{pasted + "record", "record 4711"}, {ahead + "record", "record"}, {pieces + "re|cord|\n"},
		{pieces + "r|ecord\n"}, {pieces + "recor|d\n"}, {pieces + "recx|\x7f|ord\n"},
		{pieces + "record|\n", "record"},
	} {
		workbench, output := answering(t, answers...)
		if len(workbench.Choices()) != 1 {
			t.Errorf("%q records %d times", answers, len(workbench.Choices()))
		}
		says(t, output, "Recorded: AC-2041, revision 2:")
	}
}

func TestNothingButTheWordTypedByAPersonRecords(t *testing.T) {
	for _, answers := range [][]string{
		{}, {""}, {"yes"}, {"Record"}, {"record it"}, {"records"}, {"recor"},
		{"record 4711"}, // before any number was shown
		{pasted + "record"}, {pasted + "record", pasted + "record"},
		{pasted + "record", pasted + "record 4712"}, {pasted + "record\nrecord"}, {pasted + "x\nrecord"},
		{ahead + "record"}, {ahead + "record", ahead + "record", ahead + "record"}, {burst + "record"},
		{pieces + "record|\n"}, // the whole word at once, and Enter by hand
		{pieces + "recorx\x7fd|\n"}, {pieces + "x|\x7frecord|\n"}, {pieces + "record\n|record\n"},
		{"\x04", "record"}, {"back", "leave", "record"}, {"leave", "record"}, {"quit", "record"},
	} {
		workbench, output := answering(t, answers...)
		if len(workbench.Choices()) != 0 {
			t.Errorf("%q records", answers)
		}
		saysNot(t, output, "Recorded")
	}
}

func TestAnUnknownOutcomeIsReportedWithTheRecordsID(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Signing = func(context.Context) error {
		return &decision.UnknownOutcomeError{RecordID: "0195582c-7c00-7000-8a00-00000000000a", Cause: errors.New("the disk is gone")}
	}
	h := newHarness(t, workbench, lines("open AC-2041", toReview("correct record"), "record", "quit")...)
	says(t, h.works(), "It is not known whether it is recorded: look up record 0195582c-7c00-7000-8a00-00000000000a in the list of records",
		"the disk is gone")
	if !strings.Contains(h.untold, "AC-2041") {
		t.Errorf("at the end it says %q", h.untold)
	}
}

func TestALockedAnchorIsSaidAndWaitedFor(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		workbench := workbenchtest.Sample(t)
		h := newHarness(t, workbench, lines("open AC-2041", toReview("correct record"), "record", "quit")...)
		workbench.Signing = func(context.Context) error {
			workbench.Signing = nil
			return &decision.WaitingError{Cause: errors.New("it is locked"), Again: func(ctx context.Context) (records.Receipt, error) {
				if leaves {
					return records.Receipt{}, errors.New("not recorded: the reviewer leaves")
				}
				d := h.session.decision
				return workbench.Record(ctx, d.View(), d.Choice(h.session.packet.seen), d.Note)
			}}
		}
		out := h.works()
		says(t, out, "Waiting for the anchor, the checkpoint outside the store: another program holds its lock. The decision is recorded once it is free")
		if recorded := len(workbench.Choices()); (recorded == 1) == leaves {
			t.Errorf("leaves %v: %d records", leaves, recorded)
		}
		if leaves {
			says(t, out, "The decision could not be recorded: not recorded: the reviewer leaves.")
		} else {
			says(t, out, "Recorded: AC-2041")
		}
	}
}

func TestAKeyThatIsHeldDownNeverGetsThroughTheWait(t *testing.T) {
	h := newHarness(t, workbenchtest.Sample(t))
	var keys []typedKeys
	for range 50 {
		for _, key := range decision.Word + "\n" {
			keys = append(keys, typedKeys{decision.Grace - time.Millisecond, string(key)})
		}
	}
	held := &heldKeys{h.keys, keys}
	h.session.keys = held
	if _, err := h.takeWord(decision.Word, "?"); !errors.Is(err, io.EOF) {
		t.Errorf("an answer was taken: %v", err)
	}
	same(t, "times the reader is told", strings.Count(flat(h.output.String()), "it does not count"), 1)
}

// heldKeys are keys without an end to the lines.
type heldKeys struct {
	*typist
	script []typedKeys
}

func (h *heldKeys) Letters() (tty.Letters, error) { return h, nil }
func (h *heldKeys) Hidden() bool                  { return false }
func (h *heldKeys) Done() error                   { return nil }
func (h *heldKeys) Next() ([]byte, error) {
	if len(h.script) == 0 {
		return nil, io.EOF
	}
	one := h.script[0]
	h.script, h.now = h.script[1:], h.now.Add(one.after)
	return []byte(one.keys), nil
}

func TestNothingIsRecordedIfKeysCannotBeTakenOneByOne(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, lines("open AC-2041", toReview("8"), "record", "record", "quit")...)
	h.keys.blind = fmt.Errorf("%w: it is a picture of one", tty.ErrNoLetters)
	output := h.works()
	says(t, output, "It cannot be recorded at this terminal: keys cannot be taken one by one here: it is a picture of one.")
	same(t, "records", len(workbench.Choices()), 0)
}

func TestAFindingOfTheProofStopsTheRecordThatIsAboutToBeMade(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, lines("open AC-2041", toReview("8"), "record", "skip it waits", "quit")...)
	var met []ui.Finding
	h.met = func() []ui.Finding { return met }
	h.when("record", func() { met = []ui.Finding{{Found: "record 3 was altered", Advice: "restore the backup"}} })
	output := h.works()
	says(t, output, "Found: record 3 was altered", "What to do: restore the backup", "Nothing is recorded: recording is off: the log was changed, rolled back or damaged",
		"It cannot be skipped: recording is off: the log was changed, rolled back or damaged")
	same(t, "records", len(workbench.Choices()), 0)
}

func TestACheckOfTheLogThatCannotEndIsReported(t *testing.T) {
	proof := make(chan error, 1)
	proof <- errors.New("the disk does not answer")
	h := newHarness(t, workbenchtest.Sample(t), "quit")
	h.proof = proof
	says(t, h.works(), "The log could not be checked: the disk does not answer.")
	same(t, "locked", h.locked, "")
}

func TestTheRecordHoldsTheChoices(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AC-2041", "7", "decide", "request_evidence", "two receipts", "factors", "1", "", "blockers", "notice_missing", "", "note", "ask the school", "record", "quit")
	if len(workbench.Choices()) != 1 {
		t.Fatalf("%d decisions are recorded", len(workbench.Choices()))
	}
	got := workbench.Choices()[0]
	if got.Outcome != terms.RequestEvidence || got.Factors.Has(terms.SpecificReviewedClaim) || !got.Factors.Has(terms.HumanReviewRequired) ||
		got.AddedBlockers != terms.SetOf(terms.NoticeMissing) || !got.OpenedAt.Present() || got.Preliminary.Present() || workbench.Notes()[0] != "ask the school" {
		t.Errorf("recorded is %+v with the note %q", got, workbench.Notes()[0])
	}
	if fmt.Sprint(got.SectionsViewed) != "[gate blockers advisory]" {
		t.Errorf("sections %v", got.SectionsViewed)
	}
}

func TestASafetyAdminOnlyTightensAnothersCase(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Who.Role = terms.SafetyAdmin
	output := works(t, workbench, "open AC-2046", "decide", "block reliance", "notice_missing", "", "two receipts", "record", "quit")
	says(t, output, "You may only block it", "Which blocker do you add?", "It is assigned to another neutral reviewer; a safety admin may only block it", "Recorded: AC-2046")
}

func TestAStaleDecisionIsKeptAsFarAsItCanBe(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, lines("open AC-2041", toReview("correct record"), "record", "decide", "5", "record", "quit")...)
	h.when("record", func() {
		newer := workbenchtest.Case("AC-2041", 5*time.Hour)
		newer["revision"] = 3
		newer["notice"] = workbenchtest.Record{"state": "queued"}
		workbench.Add(terms.AppealCases, newer, nil)
	})
	output := h.works()
	says(t, output, "Nothing was written.", "Changed: revision 3 has arrived.", "Case AC-2041, revision 3.",
		"This was begun on revision 2; look at each step again.",
		"Correct record may no longer be recorded: the gate is blocked.", "Recorded: AC-2041, revision 3:")
	if got := workbench.Choices(); len(got) != 1 || got[0].Outcome != terms.BlockReliance {
		t.Errorf("recorded are %+v", got)
	}
}

func TestTheInputMayEndAnywhereAndNothingIsRecorded(t *testing.T) {
	script := lines("a", "open AC-2041", "2", "skip", "it waits", "skip", toReview("8"))
	for n := range script {
		workbench := workbenchtest.Sample(t)
		if err := newHarness(t, workbench, script[:n]...).run(nil); !errors.Is(err, io.EOF) {
			t.Errorf("after %q it ended with %v", script[:n], err)
		}
		if len(workbench.Choices()) != 0 {
			t.Errorf("after %q something is recorded", script[:n])
		}
	}
}

func TestAContextThatEndsEndsTheSessionAtItsNextStep(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	workbench := workbenchtest.Sample(t)
	workbench.Failing = context.Canceled
	h := newHarness(t, workbench, "appeals", "quit")
	h.ctx = ctx
	stop(reason)
	if err := h.run(nil); !errors.Is(err, reason) {
		t.Errorf("it ended with %v", err)
	}
}

func TestATextOfOnesOwnIsAddedByItsNumber(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, "appeals", "AC-2041", "decide", "1", "own 3", "It is so.", "statement", "own 2", "own 1", "record", "quit")
	h.prepared = []decision.Prepared{{Heading: "receipt missing", Text: "One receipt\nis missing."},
		{Heading: "who is it", Text: "Write to ann@example.org."}, {Heading: "of another outcome", Outcome: terms.BlockReliance, Text: "No."}}
	output := h.works()
	says(t, output, "own 1 adds your text: receipt missing.", "There is no text of your own with that number.", "holds private details (e-mail address)")
	if strings.Contains(output, "of another outcome") || strings.Contains(output, "ann@") {
		t.Errorf("said: %s", output)
	}
	if choices := workbench.Choices(); len(choices) != 1 || choices[0].Statement.Text != "It is so.\nOne receipt\nis missing." {
		t.Errorf("recorded: %+v", choices)
	}
}
