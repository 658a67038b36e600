package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

var sampleKey = packets.Key{ID: "AC-2041", Number: 2}

// forgetful is a workbench that cannot keep drafts.
type forgetful struct {
	*workbenchtest.Workbench
	well bool // it can again
}

var errFull = errors.New("the disk is full")

func (f *forgetful) SaveDraft(ctx context.Context, table terms.Table, key packets.Key, draft records.Draft) error {
	if !f.well {
		return errFull
	}
	return f.Workbench.SaveDraft(ctx, table, key, draft)
}

func (f *forgetful) DropDraft(context.Context, terms.Table, packets.Key) error { return errFull }

func TestADecisionIsKeptAfterEachAnswer(t *testing.T) {
	script := lines("open AC-2041", "decide", "2", "two receipts", "factors", "1", "", "blockers", "standing_missing", "", "note", "half a note")
	for n, want := range []struct {
		kept    bool
		step    string
		factors int
		added   int
		note    string
	}{
		{}, {}, {}, {true, "statement", 8, 0, ""}, {true, "review", 8, 0, ""}, {true, "review", 8, 0, ""}, {true, "review", 7, 0, ""},
		{true, "review", 7, 0, ""}, {true, "review", 7, 0, ""}, {true, "review", 7, 1, ""}, {true, "review", 6, 1, ""}, {true, "note", 6, 1, ""},
		{true, "review", 6, 1, "half a note"},
	} {
		workbench := workbenchtest.Sample(t)
		if err := newHarness(t, workbench, script[:n]...).run(nil); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		kept := workbench.Draft(sampleKey)
		if kept.Present() != want.kept || kept.Step != want.step || kept.Factors.Len() != want.factors || kept.Added.Len() != want.added ||
			kept.Note != want.note || kept.Outcome.Present() != want.kept {
			t.Errorf("after %q %+v is kept", script[:n], kept)
		}
	}
}

func TestADraftGoesOnAtOnceWhereItWasLeft(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AC-2043", "decide", "6", "note", "a secret", "quit")
	workbench.Pass(26 * time.Hour)
	output := works(t, workbench, "appeals", "open AC-2043", "decide", "note", "quit")
	says(t, output, "Your earlier choices are kept.", "AC-2043 revision 1, review. This will be signed", "AC-2043, note.\nA note", "The note so far: a secret")
	saysNot(t, works(t, workbench, "open AC-2043", "quit"), "a secret")
}

func TestADraftThatIsDiscardedOrRecordedIsGone(t *testing.T) {
	for _, rest := range [][]string{{"discard", "discard", "quit"}, {"decide", "record", "quit"}} {
		workbench := workbenchtest.Sample(t)
		works(t, workbench, lines("open AC-2041", toReview("8"), "quit")...)
		if !workbench.Draft(sampleKey).Present() {
			t.Fatal("no draft is kept")
		}
		works(t, workbench, lines("open AC-2041", rest)...)
		if workbench.Draft(sampleKey).Present() {
			t.Errorf("after %q it still is kept", rest)
		}
	}
}

func TestReadingAloneLeavesNoDraft(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	works(t, workbench, "open AC-2041", "decide", "", "99", "repeat", "help", "leave", "decide", "back", "quit")
	if kept := workbench.Draft(sampleKey); kept.Present() {
		t.Errorf("kept is %+v", kept)
	}
}

func TestADraftThatCannotBeWrittenIsSaidAndKeptUntilDocketEnds(t *testing.T) {
	workbench := &forgetful{Workbench: workbenchtest.Sample(t)}
	output := works(t, workbench, "open AC-2041", "decide", "8", "leave", "open AC-2042", "open AC-2041", "decide", "", "quit")
	says(t, output, "The draft could not be written: the disk is full. Your choices are kept until docket ends.",
		"Your choices are kept until docket ends; decide continues it.", "Your earlier choices are kept.", "AC-2041 revision 2, review.")
}

func TestADraftThatCouldNotBeWrittenIsWrittenWithTheNextAnswer(t *testing.T) {
	workbench := &forgetful{Workbench: workbenchtest.Sample(t)}
	h := newHarness(t, workbench, "open AC-2041", "decide", "8", "leave", "decide", "99", "leave", "quit")
	h.keys.before = func(line string) { workbench.well = line == "99" || workbench.well }
	h.works()
	same(t, "kept", workbench.Draft(sampleKey).Outcome, terms.CorrectRecord)
}

func TestADraftThatCannotBeDroppedStays(t *testing.T) {
	workbench := &forgetful{Workbench: workbenchtest.Sample(t)}
	workbench.Keep(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Step: "note"})
	says(t, works(t, workbench, "open AC-2041", "discard", "discard", "decide", "back", "quit"),
		"The draft could not be discarded: the disk is full.\n\nAC-2041. Enter for Reviewed item", "Your earlier choices are kept.")
}

func TestADraftIsWrittenAlsoWhenTheSessionIsToldToStopMeanwhile(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, "open AC-2041", "decide", "8")
	h.ctx = ctx
	h.when("8", func() { stop(errors.New("enough")) })
	_ = h.run(nil)
	if !workbench.Draft(sampleKey).Present() || !h.interrupted {
		t.Errorf("kept is %+v, interrupted %v", workbench.Draft(sampleKey), h.interrupted)
	}
}

func TestWhetherADecisionIsKeptIsToldWhereTheSessionIsStopped(t *testing.T) {
	for _, test := range []struct {
		script []string
		kept   bool
	}{
		{lines("open AC-2041"), false}, {lines("open AC-2041", "decide"), false}, {lines("open AC-2041", "decide", "8"), true},
		{lines("open AC-2041", "decide", "8", "leave", "decide"), true}, {lines("open AC-2041", "decide", "8", "leave"), false},
		{lines("open AC-2041", "decide", "8", "leave", "discard", "discard"), false}, {lines("open AC-2041", toReview("8"), "record"), false},
	} {
		h := newHarness(t, workbenchtest.Sample(t), test.script...)
		if err := h.run(nil); !errors.Is(err, io.EOF) || h.interrupted != test.kept {
			t.Errorf("after %q: %v, %v", test.script, h.interrupted, err)
		}
	}
	h := newHarness(t, &forgetful{Workbench: workbenchtest.Sample(t)}, "open AC-2041", "decide", "8")
	if _ = h.run(nil); h.interrupted {
		t.Error("a draft that is in memory only is said to be kept")
	}
}

func TestARecusalGoesToTheReviewWithItsReason(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, "open AC-2041", "recuse", "ask jane@example.org", "I advised one of the parties", "", "record", "quit")
	says(t, output, "Why can you not decide this case neutrally?", "private details", "Statement: I advised one of the parties", "Recorded: AC-2041")
	saysNot(t, output, "Statement: ask")
	if got := workbench.Choices(); len(got) != 1 || got[0].Outcome != terms.RouteHumanReview || got[0].AddedBlockers != terms.SetOf(terms.NeutralReviewMissing) {
		t.Errorf("recorded %+v", got)
	}
}

func TestALongListIsSaidInPartUntilTheReaderAsksForMore(t *testing.T) {
	workbench := workbenchtest.New(t)
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	var items []string
	for i := range 25 {
		items = append(items, fmt.Sprintf("item-%02d", i))
	}
	record.In("evidenceScope")["items"] = items
	workbench.Add(terms.AppealCases, record, nil)
	short := works(t, workbench, "open AC-1", "5", "quit")
	says(t, short, "Items: 25, the first 20: item-00", "There is more; type more to hear it.")
	saysNot(t, short, "item-24")
	says(t, works(t, workbench, "open AC-1", "5", "more", "quit"), "Items, the rest: item-20, item-21, item-22, item-23, item-24.")
}

func TestAStatementThatHoldsPrivateDetailsIsRefusedAndNowhereKept(t *testing.T) {
	for _, text := range []string{"write to jane@example.org", "call +49 170 1234567", "\u200b", "\u2800"} {
		workbench := workbenchtest.Sample(t)
		output := works(t, workbench, "open AC-2041", "decide", "1", "", "", "", text, "leave", "quit")
		says(t, output, "It is required: the outcome is not the advised one; docket advises correct record.", "A statement of reasons is required",
			"The statement of reasons")
		if kept := workbench.Draft(sampleKey); kept.Statement != "" || kept.Step != "statement" {
			t.Errorf("of %q the draft keeps %+v", text, kept)
		}
	}
}

func TestAStatementIsRecordedAndABlockerThatWasAddedIsCarriedOver(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, "open AC-2041", "decide", "5", "the notice came late", "blockers", "notice_missing", "", "record",
		"open AC-2041", "decide", "5", "blockers", "notice_missing", "", "record", "quit")
	first := lastRecord(t, workbench).Supersedes
	says(t, output, "Added blockers: notice missing; stays until the platform sends a new revision.",
		"blocked: notice missing: added by a human in record "+string(first),
		"notice missing: added by a human in record", "Nobody can remove notice missing", "Carried over: notice missing", "Statement: the notice came late.")
	if got := workbench.Choices(); len(got) != 2 || got[0].Statement.Text != "the notice came late" || got[1].Statement.Text != "" {
		t.Errorf("recorded %+v", got)
	}
	if m := lastRecord(t, workbench); m.Gate != terms.Blocked || len(m.CarriedBlockers) != 1 {
		t.Errorf("recorded %+v", m)
	}
}

func TestTheLastLineOfAPasteIsTakenWithoutItsEnd(t *testing.T) {
	for _, paste := range []string{"one\ntwo\n" + openEnd + "three", "one\n" + openEnd + "two", ahead + "one\n" + openEnd + "two"} {
		workbench := workbenchtest.Sample(t)
		output := works(t, workbench, "AC-2041", "decide", "8", "statement", paste, "", "quit")
		says(t, output, "This came in several lines, or was typed before the question was put:")
		got := workbench.Draft(sampleKey).Statement
		same(t, "the statement", got, strings.NewReplacer(ahead, "", openEnd, "").Replace(paste))
	}
}

// eraseTexts goes to the word that erases the texts of the sample appeal.
var eraseTexts = []string{"open AC-2041", "erase", "1", "2"}

func TestErasingListsWhatStaysAndTakesTheWordLineByLine(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, lines(eraseTexts, "erase", "all", "quit")...)
	says(t, output, "1. To be erased: the texts of AC-2041 revision 2.", "By mistake: it should not have been written.",
		"To be erased: the texts of AC-2041 revision 2 (", "caseHash and scopeHash stay", "Bundles and backups",
		"Erased; a signed statement of the erasure is kept.", "erased on 2026-03-02, ")
	want := []records.Erasure{{What: records.ErasableTexts, Table: terms.AppealCases, Key: sampleKey, Reason: records.ErasedPrivateDetail}}
	same(t, "erased", fmt.Sprint(workbench.Erasures()), fmt.Sprint(want))
}

func TestNothingButANumberAndTheWordTypedInTimeErases(t *testing.T) {
	scripts := [][]string{{"erase", ""}, {"erase", "7"}, {"erase", "1", ""}, {"erase", "1", "0"}}
	for _, answer := range []string{"", "yes", "record", pasted + "erase", ahead + "erase", burst + "erase"} {
		scripts = append(scripts, lines(eraseTexts[1:], answer, ""))
	}
	for _, script := range scripts {
		workbench := workbenchtest.Sample(t)
		says(t, works(t, workbench, lines("open AC-2041", script, "quit")...), "Nothing is erased.")
		if got := workbench.Erasures(); len(got) > 0 {
			t.Errorf("%q: erased: %v", script, got)
		}
	}
}

func TestAReadOnlySessionErasesNothingAndSaysWhy(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Who = records.Reviewer{}
	says(t, works(t, workbench, "open AC-2041", "erase", "quit"), "Nothing is erased: no reviewer is set up on this machine")
}

func TestAnErasedDraftDoesNotComeBack(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	output := works(t, workbench, lines("open AC-2041", "decide", "8", "leave", "erase", "2", "1", "erase", "discard", "quit")...)
	says(t, output, "To be erased: the draft on AC-2041 revision 2", "There is no draft")
	for _, e := range workbench.Erasures() {
		if e.What != records.ErasableDraft || e.Key != (packets.Key{ID: "AC-2041", Number: 2}) {
			t.Errorf("erased: %v", e)
		}
	}
}
