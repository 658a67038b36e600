package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/decide"

	tea "github.com/charmbracelet/bubbletea"
)

func TestWithoutAReviewerOrAKeyNothingIsDecided(t *testing.T) {
	for name, who := range map[string]records.Reviewer{
		"no reviewer is set up": {},
		"no signing key":        {ID: "rev-marsh", Role: terms.NeutralReviewer},
	} {
		workbench := workbenchtest.Sample(t)
		workbench.Who = who
		b := newHarness(t, workbench, 120, 40)
		b.press("open AC-2041", "d", "at packet", "shows ✗", "shows "+name)
	}
}

func TestWaysThroughADecision(t *testing.T) {
	walks(t, []walk{
		{"an outcome with an obstacle cannot be chosen", nil, 80, 24, way{"open AC-2042", "d", "g",
			"shows uphold decision        the gate is blocked", "enter", "at decision", "shows [1 outcome]",
			"shows ✗ uphold decision may not be chosen: the gate is blocked", "space", "enter",
			"shows [1 outcome]", "choose request evidence", "at statement", "esc",
			"shows ● request evidence"}},
		{"a code that an added blocker contradicts is dropped", nil, 120, 40, way{
			"open AC-2042", "d", "choose block reliance", "factors", "shows [x] standing_established",
			"blockers", "/", "type standing_missing", "enter", "space", "enter", "at statement",
			"shows Factor code standing_established is dropped", "factors",
			"hides standing_established  "}},
		{"a blocker that the rules found cannot be taken away", nil, 80, 24, way{"open AC-2042", "d",
			"choose request evidence", "blockers", "/", "type notice_missing", "enter", "space",
			"shows [✗] notice_missing", "shows nobody can remove notice_missing: found by the rules"}},
		{"Esc goes one step back and loses nothing", nil, 80, 24, way{"open AC-2041", "d",
			"choose request evidence", "at statement", "type two receipts", "factors", "space", "note",
			"type my note", "enter", "at review", "type rec", "esc", "at statement", "shows two receipts",
			"factors", "shows [ ] specific_reviewed_claim", "note", "shows my note", "esc", "at review",
			"1", "shows ● request evidence", "esc", "at packet", "shows your choices are saved as a draft",
			"d", "shows [6 review]", "shows outcome         request evidence"}},
		{"the reason of a code stands uncut in a step after it", nil, 120, 60, way{"open AC-2041", "d", "choose correct record",
			"note", "shows ✓ factors", "shows │         a subject and its id"}},
		{"a departure is marked from then on", nil, 120, 40, way{"open AC-2041", "d", "8", "at review",
			"hides departs", "1", "1", "shows ! departs from the advice: correct record", "at statement",
			"shows It is required", "type the scope is right", "ctrl+j",
			"type and the receipts are of the north", "enter", "at review", "shows departs",
			"shows not read", "hides not seen in full", "read"}},
		{"the time gives way to a status that needs the room", nil, 80, 24, way{
			"open AC-2041", "d", "shows 09:00Z", "enter",
			"shows is not chosen: press its number or Space to choose it", "j", "shows 09:00Z"}},
		{"a decision goes from the queue to a receipt", nil, 80, 24, way{"j", "enter", "d",
			"choose correct record", "note", "type ask the school", "enter", "shows AC-2041 revision 2",
			"shows correct record", "shows rev-marsh", "record", "at receipt", "shows ✓ recorded",
			"shows ✓ decision  correct record, pass", "shows open cases in the list", "hides leaf hash", "z",
			"shows sequence   20", "shows tree size", "shows leaf hash", "shows root",
			"recorded outcome correct record", "recorded no first outcome", "recorded note ask the school",
			"enter", "at packet", "shows case AC-2042", "shows ✓ recorded AC-2041", "esc",
			"shows 1 decided"}},
		{"an amendment is decided without an outcome", nil, 80, 24, way{"open AM-310", "d", "at review",
			"hides outcome", "hides factors", "shows ✓ pass", "record", "at receipt", "recorded no outcome",
			"recorded no factors"}},
		{"an added blocker forces another outcome", nil, 80, 24, way{"open AC-2041", "d",
			"choose correct record", "blockers", "/", "type notice_missing", "enter", "space",
			"shows gate to record: ✗ blocked", "shows that you added correct record may not be recorded",
			"enter", "shows [1 outcome]", "shows may not be", "shows Choose the outcome again",
			"choose request evidence", "blockers", "shows added by you", "review", "size 80x60",
			"shows added blockers", "shows notice_missing", "record", "at receipt",
			"recorded outcome request evidence", "recorded added notice_missing"}},
		{"a record in force is superseded", nil, 160, 40, way{"decide", "record", "esc", "open AC-2041",
			"shows ■ decided", "shows is in force; a", "d", "choose request evidence", "review",
			"shows supersedes", "shows #0", "shows it stays in", "record",
			"at receipt", "recorded supersedes #0", "esc", "r",
			"shows superseded"}},
		{"a changed packet is shown and the decision is kept", nil, 120, 40, way{"open AC-2041", "d",
			"choose correct record", "note", "type my note", "enter", "revise", "record",
			"at changed packet", "shows revision 3 has arrived", "shows Nothing was written", "enter",
			"at packet", "shows revision 3", "shows and saved", "d", "review", "record", "at receipt",
			"recorded outcome correct record", "recorded note my note"}},
		{"a recusal is one action with its reason", nil, 120, 40, way{"open AC-2041", "u", "enter",
			"at statement", "shows Why can you not decide this case neutrally?",
			"type ask jane@example.org", "shows private details", "enter", "at statement", "ctrl+u",
			"type I advised one of the parties", "enter", "at review", "record", "at receipt",
			"recorded outcome route human review", "recorded added neutral_review_missing",
			"recorded statement I advised one of the parties"}},
		{"a recusal keeps the statement that was begun", keeping(sampleKey, records.Draft{Outcome: terms.UpholdDecision, Statement: "the scope is right", Step: "statement"}), 80, 24, way{
			"open AC-2041", "u", "at statement", "shows the scope is right", "kept statement the scope is right"}},
		{"a recusal from an amendment is the blocker alone", nil, 80, 24, way{
			"open AM-310", "u", "type I know the owner", "enter", "record",
			"at receipt", "recorded no outcome", "recorded added neutral_review_missing"}},
		{"a reader who leaves too late is shown the receipt", nil, 80, 24, way{
			"decide", "read", "type record",
			func(b *harness) {
				b.over.Appended = func(ctx context.Context) {
					b.press("ctrl+c")
					<-ctx.Done()
				}
			},
			"enter", "at receipt", "shows ✓ recorded",
			func(b *harness) {
				if b.quit || len(b.over.Choices()) != 1 {
					b.t.Errorf("quit %v, %d records", b.quit, len(b.over.Choices()))
				}
			},
			"ctrl+c", "quits"}},
		{"a receipt is shown also where another page lies over the decision", nil, 80, 24, way{
			"decide", "read", "type record", "hold", "enter",
			func(b *harness) {
				b.run(b.console.stage.Decision().Answered(&decision.Answer{Result: decision.Changed, Changes: []string{"it has changed"}}, records.Receipt{}, 0, &b.console.scene))
			},
			"at changed packet", "release", "at receipt", "shows ✓ recorded"}},
		{"a refusal is shown to a reader who wanted to leave", nil, 80, 24, way{
			"decide", "read", "type record",
			func(b *harness) {
				b.over.Signing = func(context.Context) error {
					b.press("ctrl+c")
					return &records.Refusal{Reason: "you are recused from this case"}
				}
			},
			"enter", "shows you are recused from this case", "stays"}},
		{"while a security key waits it is to be touched", over(workbenchtest.Sample, Options{Touch: true}), 80, 24, way{
			"decide", "read", "type record", "hold", "enter", "shows recording … touch your key", "release", "at receipt"}},
		{"while it is being recorded no key counts", nil, 80, 24, way{"decide", "read", "type record",
			"hold", "enter", "shows recording …",
			func(b *harness) { same(b.t, "the footer", strings.TrimSpace(b.footerLine()), "^C cancel") },
			"enter", "esc", "q", "release", "at receipt",
			func(b *harness) {
				if len(b.over.Choices()) != 1 || b.quit {
					b.t.Errorf("%d records, quit %v", len(b.over.Choices()), b.quit)
				}
			}}},
		{"a recused reviewer is told before the decision opens", nil, 160, 40, way{
			"open AC-2045", "shows ! not yours to decide: you are recused from this case", "d", "at packet",
			"shows ✗ you are recused from this case"}},
		{"a reviewer of another case is told before the decision opens", nil, 160, 40, way{
			"open AC-2046", "shows ! not yours to decide: it is assigned to another neutral reviewer", "d", "at packet",
			"shows ✗ it is assigned to another neutral reviewer"}},
		{"the first decider is told before the decision opens", nil, 160, 40, way{
			"open AC-2051", "shows ! not yours to decide: you took the decision that is challenged here", "d", "at packet",
			"shows ✗ you took the decision that is challenged here"}},
		{"after the last open case the receipt says so", numbered(1), 80, 24, way{
			"enter", "d", "review", "record", "enter", "at receipt", "shows no other open case"}},
		{"a decision on a changed packet keeps the choices still allowed", nil, 120, 40, way{
			"open AC-2041", "d", "choose correct record", "review", "overtake", "record", "enter", "d",
			"shows correct record may no longer be recorded", "hides ●"}},
		{"a safety admin may only block another's case", as("adm-osei", terms.SafetyAdmin), 120, 40, way{
			"open AC-2041", "hides Ready for your decision",
			"shows ! it is assigned to another neutral reviewer; a safety admin may only block it", "d",
			"shows you may only block it: add a blocker", "hides gate to record",
			"hides the gate is blocked", "shows ✗ correct record", "shows you may only block it",
			"shows ○ block reliance", "shows advised if blocked", "1",
			"shows may not be chosen: you may only block it", "choose block reliance", "hides departs",
			"at blocking", "enter", "shows a safety admin may only block it",
			"reads Which blocker do you add? You may only block it", "space",
			"shows gate to record: ✗ blocked", "enter", "at statement", "review", "record", "at receipt"}},
		{"a safety admin may only block another's amendment", as("adm-osei", terms.SafetyAdmin), 120, 40, way{
			"tab", "/", "type gate:pass", "enter", "enter", "hides Ready for your decision", "d",
			"at blocking", "shows you may only block it: add a blocker", "enter", "at blocking", "space",
			"enter", "at statement", "review", "record", "at receipt", "records 1",
			func(b *harness) {
				if b.over.Choices()[0].AddedBlockers.Empty() {
					b.t.Error("no blocker is added")
				}
			}}},
		{"a case is ready for its reviewer", nil, 120, 40, way{"to AC-2041", "shows Ready for your decision"}},
		{"a case is ready for nobody else", as("adm-osei", terms.SafetyAdmin), 120, 40, way{
			"to AC-2041", "hides Ready for your decision"}},
	})
}

func TestOnlyCodesOfTheOutcomeAreOfferedAndSomeAlwaysStand(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("open AC-2041", "d", "choose open challenge window", "factors",
		"shows [x] standing_established", "shows [✓] wrong_scope_evidence_review", "shows always requir",
		"shows challenge_window_required", "hides duplicate_proof_review", "esc", "1",
		"choose correct record", "factors", "hides challenge_window_required")
	for range len(b.console.stage.Top().(*decide.Screen).Codes()) {
		b.press("space", "j")
	}
	b.press("review", "record", "at receipt")
	if got := workbench.Choices()[0].Factors; got != terms.SetOf(terms.WrongScopeEvidenceReview, terms.HumanReviewRequired, terms.ProvenanceActivityRequired) {
		t.Errorf("recorded %v", got.Terms())
	}
}

func TestOnlyTheWordRecords(t *testing.T) {
	for _, text := range []string{"", "recor", "records", "Record", "yes"} {
		b, _ := sample(t, 80, 24)
		b.press("decide", "read", "type "+text, "enter", "at review", "shows type the word record",
			"records 0")
	}
}

func TestKeysTypedBeforeTheLastPageCouldBeReadDoNotAnswerIt(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "d", "choose correct record", "review")
	for _, letter := range "record" {
		b.clock = b.clock.Add(decision.Grace / 2) // each of them begins the wait again
		b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{letter}})
	}
	b.press("burst enter", "enter", "at review", "record", "at receipt", "records 1")
}

func TestAReaderWhoLeavesBeforeTheRecordIsAppendedLeavesAndRecordsNothing(t *testing.T) {
	for _, small := range []bool{false, true} {
		b, workbench := sample(t, 80, 24)
		b.press("decide", "read", "type record")
		workbench.Signing = func(ctx context.Context) error { // it hangs until it is not waited for
			b.press("enter", "esc", "q")
			if small {
				b.resize(18, 6)
			}
			b.press("ctrl+c")
			b.clock = b.clock.Add(time.Second)
			if <-ctx.Done(); b.quit {
				t.Error("the console ends while the workbench works")
			}
			return fmt.Errorf("not signed: %w", context.Cause(ctx))
		}
		b.press("enter")
		if !b.quit || len(workbench.Choices()) != 0 {
			t.Errorf("quit %v, %d records", b.quit, len(workbench.Choices()))
		}
		if want := "the decision on AC-2041 revision 2 is not recorded"; b.console.recording.Farewell() != want {
			t.Errorf("it says %q", b.console.recording.Farewell())
		}
		if !keepsDraft(b.console) {
			t.Error("the decision is not kept")
		}
	}
}

// lockedAnchor makes the workbench say that the anchor is locked, once, and go on as again says.
func lockedAnchor(workbench *workbenchtest.Workbench, b *harness, again func(context.Context) error) {
	workbench.Signing = func(context.Context) error {
		workbench.Signing = nil
		record := func(ctx context.Context) (records.Receipt, error) {
			if err := again(ctx); err != nil {
				return records.Receipt{}, err
			}
			d := b.console.stage.Decision().(*decide.Screen)
			return workbench.Record(ctx, d.Decision.View(), d.Choice(d.Packet.Seen), d.Note)
		}
		return &decision.WaitingError{Cause: errors.New("another program keeps the checkpoint outside the store locked"), Again: record}
	}
}

func TestALockedAnchorIsWaitedForAndTheRecordGoesOn(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("decide", "read", "type record")
	waited := false
	lockedAnchor(workbench, b, func(context.Context) error {
		waited = true
		b.press("enter", "esc", "q", "shows waiting for the anchor: another program keeps it locked")
		return nil
	})
	b.press("enter")
	if !waited || len(workbench.Choices()) != 1 {
		t.Errorf("waited %v, %d records", waited, len(workbench.Choices()))
	}
	b.press("at receipt", "shows ✓ recorded", "hides waiting for the anchor")
}

func TestAReaderWhoLeavesWhileTheAnchorIsLockedLeavesAndRecordsNothing(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("decide", "read", "type record")
	lockedAnchor(workbench, b, func(ctx context.Context) error {
		b.press("ctrl+c")
		<-ctx.Done()
		return context.Cause(ctx)
	})
	b.press("enter")
	if !b.quit || len(workbench.Choices()) != 0 || !keepsDraft(b.console) {
		t.Errorf("quit %v, %d records, kept %v", b.quit, len(workbench.Choices()), keepsDraft(b.console))
	}
	if want := "the decision on AC-2041 revision 2 is not recorded"; b.console.recording.Farewell() != want {
		t.Errorf("it says %q", b.console.recording.Farewell())
	}
}

func TestAnUnknownOutcomeIsReportedWithTheRecordsID(t *testing.T) {
	for _, leaving := range []bool{false, true} {
		b, workbench := sample(t, 80, 24)
		b.press("decide", "read", "type record")
		workbench.Signing = func(ctx context.Context) error {
			if leaving {
				b.press("ctrl+c")
			}
			return &decision.UnknownOutcomeError{RecordID: "019cadc6-9a80-7000-8a00-00000000000a", Cause: errors.Join(errors.New("the disk is gone"), context.Cause(ctx))}
		}
		b.press("enter", "stays", "shows It is not known whether it is recorded",
			"shows 019cadc6-9a80-7000-8a00-00000000000a", "shows the disk is gone")
	}
}

func TestARefusalIsShownAndTheWordHasToBeTypedAgain(t *testing.T) {
	for _, refusal := range []error{&records.Refusal{Reason: "you are recused from this case"}, errors.New("the disk is full")} {
		b, workbench := sample(t, 80, 24)
		b.press("decide")
		workbench.Refusing = refusal
		b.press("record", "at review", "shows "+strings.TrimPrefix(refusal.Error(), "not recorded: "),
			"kept")
		workbench.Refusing = nil
		b.press("enter", "enter", "shows type the word record", "record", "at receipt")
	}
}

func TestNothingIsChosenForTheReviewer(t *testing.T) {
	b, _ := sample(t, 100, 40)
	b.press("open AC-2041", "d")
	chosen := func() terms.Outcome { return b.console.stage.Top().(*decide.Screen).Outcome }
	b.press("enter")
	b.shows("[1 outcome]", "is not chosen: press its number or Space to choose it")
	if chosen().Present() {
		t.Errorf("Enter chose %s", chosen())
	}
	b.press("g", "space", "j", "enter")
	b.shows("[1 outcome]", "is not chosen: press its number or Space to choose it")
	want := chosen()
	b.press("k", "enter", "at statement")
	if !want.Present() || chosen() != want {
		t.Errorf("chosen is %s, not %s", chosen(), want)
	}
}

func TestTheSameKeyShowsThePacketAndReturnsToTheStep(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		b, _ := sample(t, size[0], size[1])
		b.press("open AC-2041", "d", "choose uphold decision", "statement", "type two receipts\tq")
		for _, place := range []action.Place{action.InReading, action.InStatement} {
			b.press("tab")
			b.at(place)
		}
		b.press("shows two receipts", "tab", "J", "at packet of a decision")
		if b.underCursor() == "" {
			t.Errorf("at %v the packet has no cursor:\n%s", size, b.frame())
		}
		b.press("/", "at finding", "type receipts", "enter", "at packet of a decision", "esc",
			"at statement")
	}
}

func TestAStepThatIsChangedFromTheReviewLeadsBackToIt(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d", "8", "at review", "4", "at statement", "type two receipts", "enter",
		"at review", "2", "esc", "at review", "7")
	b.press("type rec") // a number that is no step is a letter that is not in the word
	b.press("3", "space", "enter")
	b.at(action.InDecision) // the blocker rules the outcome out
	b.press("choose request evidence", "review", "record", "at receipt")
	if got := workbench.Choices()[0]; got.Statement.Text != "two receipts" || got.AddedBlockers.Len() != 1 {
		t.Errorf("recorded %+v", got)
	}
}

func TestADepartureIsMarkedInWordsThatAreNotCut(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {100, 30}, {110, 40}, {120, 40}, {200, 60}} {
		b, _ := sample(t, size.width, size.height)
		b.press("open AC-2041", "d", "choose uphold decision", "shows ! departs")
		for said := range strings.SplitSeq(b.frame(), "\n") {
			if _, mark, found := strings.Cut(said, "! departs"); found && strings.Contains(mark, "…") {
				t.Errorf("%d wide: %q is cut", size.width, said)
			}
		}
	}
}
