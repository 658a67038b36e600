package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/ui/internal/workbenchtest"
	"docket/ui/line"

	tea "github.com/charmbracelet/bubbletea"
)

// reads notes which packets are opened. That of one id waits until nobody waits for it any more.
type reads struct {
	*workbenchtest.Workbench
	mutex   sync.Mutex
	opened  []terms.ID
	waits   terms.ID
	waiting chan struct{}
	fails   error
}

func (r *reads) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	r.mutex.Lock()
	r.opened = append(r.opened, id)
	waits, fails := id == r.waits, r.fails
	r.mutex.Unlock()
	if waits {
		close(r.waiting)
		<-ctx.Done()
		return queue.CaseFile{}, ctx.Err()
	}
	if fails != nil {
		return queue.CaseFile{}, fails
	}
	return r.Workbench.Open(ctx, table, id, revision)
}

// ids are the packets that were opened since it was asked last.
func (r *reads) ids() (opened []terms.ID) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	opened, r.opened = r.opened, nil
	return opened
}

// besideList is what stands right of the list, without its frame.
func (b *harness) besideList() string {
	var out []string
	for _, l := range strings.Split(b.frame(), "\n") {
		if _, right, beside := strings.Cut(l, " │ "); beside {
			out = append(out, strings.TrimSpace(right))
		}
	}
	return strings.Join(out, " ")
}

// previews fails unless the preview shows each text.
func (b *harness) previews(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if !strings.Contains(b.besideList(), text) {
			b.t.Fatalf("the preview does not show %q:\n%s", text, b.frame())
		}
	}
}

// saying is a workbench of cases that each say what they are.
func saying(t testing.TB, count int) *reads {
	workbench := workbenchtest.New(t)
	for i := range count {
		record := workbenchtest.Case(fmt.Sprintf("AC-%03d", i), time.Duration(i+1)*time.Hour)
		record["evidenceScope"].(workbenchtest.Record)["statement"] = fmt.Sprintf("statement number %d", i)
		workbench.Add(terms.AppealCases, record, nil)
	}
	return &reads{Workbench: workbench, waiting: make(chan struct{})}
}

func TestThePreviewFollowsTheCursor(t *testing.T) {
	b := newHarness(t, saying(t, 9), 180, 40)
	for i := range 9 {
		b.previews(fmt.Sprintf("AC-%03d", i), "PASS", fmt.Sprintf("statement number %d", i), "Timeline", "filed", "deadline")
		b.press("j")
	}
	b.press("g", "beside statement number 0")
}

func TestNoPacketIsReadForAPreviewThatHasNoRoom(t *testing.T) {
	workbench := saying(t, 3)
	b := newHarness(t, workbench, 109, 15)
	b.press("j", "j")
	if got := workbench.ids(); len(got) > 0 {
		t.Errorf("%v were read", got)
	}
	b.hides("statement number")
}

func TestUntilAPacketIsReadThePreviewShowsItsRow(t *testing.T) {
	b, _ := sample(t, 180, 40)
	b.press("hold", "size 180x40")
	b.press("G", "g", "pgdown") // onto cases that were not read ahead
	b.press("3 k")
	row := b.cursor()
	id := strings.Fields(strings.TrimLeft(row, "❯ ✗✓"))[1]
	b.previews(id, "BLOCKED", "Blockers", "→")
	if strings.Contains(b.besideList(), "What is said") {
		t.Fatalf("it was not held:\n%s", b.frame())
	}
	before := b.besideList()
	b.hold = false
	b.press("release", "beside "+id, "beside BLOCKED", "beside Blockers", "beside What is said")
	for i, text := range strings.Fields(before)[:12] {
		if after := strings.Fields(b.besideList()); after[i] != text {
			t.Errorf("%q became %q when the packet came", text, after[i])
		}
	}
}

func TestTheNewestCursorWinsAndAReadThatItLeftBehindIsDropped(t *testing.T) {
	workbench := saying(t, 40)
	b := newHarness(t, workbench, 180, 40)
	workbench.waits = "AC-033"
	workbench.ids()
	b.hold = true
	b.press("pgdown") // whose read waits
	b.hold = false
	answers := make(chan tea.Msg, 9)
	var running sync.WaitGroup
	var run func(cmd tea.Cmd)
	run = func(cmd tea.Cmd) {
		running.Go(func() {
			switch msg := cmd().(type) {
			case nil:
			case tea.BatchMsg:
				for _, one := range msg {
					if one != nil {
						run(one)
					}
				}
			default:
				answers <- msg
			}
		})
	}
	for _, cmd := range b.held {
		run(cmd)
	}
	<-workbench.waiting
	b.press("g", "j", "j", "j", "j", "j", "j") // which cancels it: nothing else would end it
	b.previews("AC-006", "PASS")
	same(t, "read at once", fmt.Sprint(workbench.ids()), "[AC-033]")
	running.Wait()
	close(answers)
	for msg := range answers {
		b.send(msg)
	}
	b.press("beside AC-006", "beside statement number 6", "pgdown")
	same(t, "the cursor", b.caseHere(), "AC-039")
}

func TestAPreviewIsReadAgainWhenItsRowOrTheLogHasChanged(t *testing.T) {
	workbench := saying(t, 3)
	b := newHarness(t, workbench, 180, 40)
	b.previews("statement number 0", "No blockers")
	workbench.Decide("AC-000", terms.UpholdDecision)
	b.press("pass 0s", "G", "beside AC-000", "beside statement number 0", "beside in force")
}

func TestAPreviewThatCannotBeReadSaysWhy(t *testing.T) {
	workbench := saying(t, 3)
	workbench.fails = errors.New("the disk is gone")
	b := newHarness(t, workbench, 180, 40)
	b.previews("AC-000", "It cannot be opened: the disk is gone")
	workbench.ids()
	b.send(tea.WindowSizeMsg{Width: 181, Height: 40})
	if len(workbench.ids()) > 0 {
		t.Error("it is read again with every message")
	}
	workbench.fails = nil
	b.press("R", "beside statement number 0")
}

func TestThePreviewHoldsTheAdviceBackUntilTheReviewerHasJudged(t *testing.T) {
	for _, width := range []int{160, 200} {
		b := newHarness(t, saying(t, 1), width, 60, Options{BlindFirst: true})
		b.previews("statement number 0")
		for _, text := range []string{"advises", "fits the trigger"} {
			if strings.Contains(b.besideList(), text) {
				t.Errorf("%d columns: the preview says %q:\n%s", width, text, b.frame())
			}
		}
	}
}

func TestAMaskedTextStaysMaskedBehindABar(t *testing.T) {
	workbench := workbenchtest.New(t)
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	record.In("evidenceScope")["statement"] = "write to ana@example.org"
	workbench.AddUnsealed(terms.AppealCases, record)
	for _, width := range []int{160, 200} {
		b := newHarness(t, workbench, width, 60)
		b.press("beside BLOCKED", "beside private_details_unredacted", "beside "+bar+" [masked: ",
			"hides example.org", "hides ana@", "enter", "to "+bar+" [masked: ", "hides example.org",
			"hides ana@")
	}
}

func TestNoHostileTextReachesThePreview(t *testing.T) {
	for _, text := range workbenchtest.HostileTexts {
		b := newHarness(t, &workbenchtest.Hostile{Workbench: workbenchtest.Sample(t), Text: "<" + text + ">"}, 200, 60)
		for range 3 {
			for _, shown := range strings.Split(b.console.View(), "\n") {
				if !visible.Clean(shown) {
					t.Fatalf("%q gets through: %q", text, shown)
				}
			}
			b.previews(visible.String("<" + text)[:2])
			b.fits("preview")
			b.press("j", "tab")
		}
	}
}

func TestWhileNothingCanBeRecordedThePreviewSaysSoToo(t *testing.T) {
	workbench := saying(t, 1)
	workbench.Who.ID = ""
	b := newHarness(t, workbench, 180, 40)
	b.press("shows READ-ONLY", "beside not yours to decide", "beside No blockers")
	if strings.Contains(b.besideList(), "Ready for your decision") {
		t.Errorf("it says that the reader may decide:\n%s", b.frame())
	}
}

// prosa is a word that no screen has of its own.
const prosa = "prosa"

// prose fails where a line of prosa is wider than a sentence may be.
func (b *harness) prose(about string) {
	b.t.Helper()
	if !strings.Contains(b.frame(), prosa) {
		b.t.Errorf("%s shows no prose:\n%s", about, b.frame())
	}
	for _, width := range []int{200, 260, 400} {
		b.send(tea.WindowSizeMsg{Width: width, Height: 60})
		for _, l := range strings.Split(b.frame(), "\n") {
			for part := range strings.SplitSeq(l, "│") {
				from, to := strings.Index(part, prosa), strings.LastIndex(part, prosa)
				if from >= 0 && line.Width(part[from:to+len(prosa)]) > 90 {
					b.t.Errorf("%s at %d columns: %q", about, width, part)
				}
			}
		}
	}
}

func TestNoSentenceIsWiderThan90Columns(t *testing.T) {
	text := strings.Repeat(prosa+" ", 60)
	workbench := workbenchtest.New(t)
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	record.In("evidenceScope")["statement"] = text
	workbench.Add(terms.AppealCases, record, nil)
	b := newHarness(t, workbench, 200, 60)
	b.prose("the queue")
	b.press("enter")
	b.prose("the packet")
	b.press("d")
	b.prose("the decision")
	b.press("choose uphold decision", "enter", "enter", "at statement", "type "+text)
	b.prose("the statement")
	b.press("review")
	b.prose("the review")
	b.press("size 100x60", "record", "at receipt")
}

func TestTheOrderShowsInTheHeadOfItsColumnAndTheSameKeyReversesIt(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		b, _ := sample(t, size[0], size[1])
		b.press("shows TIME LEFT ↑", "j", "j")
		here := b.caseHere()
		for _, want := range []string{"TIME LEFT ↓", "BLOCKERS ↑", "BLOCKERS ↓", "ID ↑", "ID ↓", "TIME LEFT ↑"} {
			b.press("o")
			for strings.Contains(b.frame(), "sorted by arrival") { // which no column shows
				b.press("o")
			}
			b.shows(want)
			if strings.Count(b.frame(), "↑")+strings.Count(b.frame(), "↓") != 1 {
				t.Errorf("two arrows:\n%s", b.frame())
			}
			if got := b.caseHere(); got != here {
				t.Errorf("%s: the cursor went from %s to %s", want, here, got)
			}
		}
		b.press("o", "shows sorted by deadline, reversed", "tab")
		b.shows("ID ↓") // amendments have no deadline
	}
}
