package ui

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
)

// slowWorkbench finds the top of the queue at once and all of it once it is told to.
type slowWorkbench struct {
	*workbenchtest.Workbench
	read  map[terms.Area]int // how often a queue was read
	asked []terms.ID         // which rows were judged again

	reading func(area terms.Area, progress func(done, total int64)) // while a queue is read; nil: nothing
	news    *queue.Changes                                          // the next of the appeals; nil: the sample's
	strange []queue.Row                                             // what judging again comes to; nil: the sample's
	many    []queue.Row                                             // the next queue of appeals; nil: the sample
}

func (d *slowWorkbench) Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (*queue.Queue,
	queue.Watermark, error) {
	d.read[area]++
	if d.reading != nil {
		d.reading(area, progress)
	}
	if d.many != nil && area == terms.Appeals {
		rows := d.many
		d.many = nil
		return queue.New(area, rows), queue.Watermark{}, nil
	}
	return d.Workbench.Queue(ctx, area, progress)
}

func (d *slowWorkbench) Changes(ctx context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error) {
	if d.news != nil && area == terms.Appeals {
		news := *d.news
		d.news = nil
		return news, nil
	}
	return d.Workbench.Changes(ctx, area, since)
}

func (d *slowWorkbench) Rows(ctx context.Context, area terms.Area, ids []terms.ID) ([]queue.Row, error) {
	d.asked = append(d.asked, ids...)
	if len(d.strange) > 0 {
		return d.strange, nil
	}
	return d.Workbench.Rows(ctx, area, ids)
}

// atSlowWorkbench is a console that has the top of its queue on the screen, while reading all of it waits to be released.
func atSlowWorkbench(t *testing.T) (*harness, *slowWorkbench) {
	t.Helper()
	workbench := &slowWorkbench{Workbench: workbenchtest.Sample(t), read: map[terms.Area]int{}}
	b := startHarness(t, workbench, 120, 40)
	first := b.console.Init()().(tea.BatchMsg)
	b.run(first[0])
	top := first[1]().(tea.BatchMsg)
	_, cmd := b.console.Update(top[0]())
	all := cmd().(tea.BatchMsg)
	b.run(all[len(all)-1]) // the top is filtered
	b.hold = true
	b.run(tea.Batch(append(all[:len(all)-1:len(all)-1], top[1])...))
	return b, workbench
}

func TestTheTopOfTheQueueIsThereBeforeAllOfItIsRead(t *testing.T) {
	b, workbench := atSlowWorkbench(t)
	b.press("shows AC-2044", "shows reading …", "hides pass ·", "hides skipped ·")
	same(t, "whole readings", workbench.read[terms.Appeals], 0)
	workbench.reading = func(area terms.Area, progress func(done, total int64)) {
		if area == terms.Appeals {
			progress(34_000, 120_000)
			b.send(nil)
			b.shows("reading 34,000 of 120,000")
		}
	}
	b.press("release", "shows 1 skipped", "hides reading")
	if workbench.read[terms.Appeals] != 1 || workbench.read[terms.Amendments] != 1 {
		t.Errorf("read %v", workbench.read)
	}
}

func TestTheCursorStaysOnItsCaseWhenTheRestArrives(t *testing.T) {
	b, _ := atSlowWorkbench(t)
	b.press("j", "j")
	before := b.caseHere()
	b.release()
	same(t, "the cursor", b.caseHere(), before)
}

// caseHere is the id of the case of the queue that the cursor is on.
func (b *harness) caseHere() string {
	b.t.Helper()
	return caseID.FindString(b.cursor())
}

var caseID = regexp.MustCompile(`A[CM]-[0-9]+`)

// rows is how many rows the filter lets through.
func (b *harness) rows() string {
	b.t.Helper()
	for _, l := range strings.Split(b.frame(), "\n") {
		if found := rowsShown.FindStringSubmatch(l); found != nil && strings.HasPrefix(l, "/ ") {
			return found[1]
		}
	}
	b.t.Fatalf("there is no filter:\n%s", b.frame())
	return ""
}

func TestTheLogIsCheckedOnceBothQueuesAreRead(t *testing.T) {
	workbench := &slowWorkbench{Workbench: workbenchtest.Sample(t), read: map[terms.Area]int{}}
	b := startHarness(t, workbench, 120, 40)
	seen := -1
	b.console.check = task.NewLogCheck(func(context.Context) error {
		seen = workbench.read[terms.Appeals] + workbench.read[terms.Amendments]
		return nil
	}, nil, 0)
	b.run(b.console.Init())
	same(t, "dockets read before the check", seen, 2)
	b.press("R", "shows ✓ log checked")
}

func TestAfterADecisionOnlyItsCaseIsJudgedAgain(t *testing.T) {
	workbench := &slowWorkbench{Workbench: workbenchtest.Sample(t), read: map[terms.Area]int{}}
	b := newHarness(t, workbench, 120, 40)
	b.press("decide")
	workbench.asked = nil
	b.press("record", "esc", "shows 1 decided")
	if workbench.read[terms.Appeals] != 1 || len(workbench.asked) == 0 {
		t.Errorf("read %d times, judged again %v", workbench.read[terms.Appeals], workbench.asked)
	}
}

func TestTimeThatPassesIsInTheQueueWithoutAKey(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("/", "type blocker:deadline_expired", "enter")
	before := b.rows()
	b.pass(workbench, 30*24*time.Hour)
	if after := b.rows(); len(after) < len(before) || len(after) == len(before) && after <= before {
		t.Errorf("%s deadlines are past, before it were %s", after, before)
	}
}

func TestManyChangesReadTheQueueAnew(t *testing.T) {
	workbench := &slowWorkbench{Workbench: workbenchtest.Sample(t), read: map[terms.Area]int{}}
	b := newHarness(t, workbench, 120, 40)
	workbench.news = &queue.Changes{Everything: true}
	b.pass(workbench, 0)
	workbench.news, workbench.strange = &queue.Changes{IDs: []terms.ID{"AC-9999"}}, []queue.Row{{Table: terms.AppealCases, ID: "AC-9999", Revision: 1}}
	b.pass(workbench, 0)
	if workbench.read[terms.Appeals] != 3 || workbench.read[terms.Amendments] != 1 {
		t.Errorf("read %v", workbench.read)
	}
}

func TestALargeQueueMakesRoomWhileItIsReadAnew(t *testing.T) {
	workbench := &slowWorkbench{Workbench: workbenchtest.Sample(t), read: map[terms.Area]int{}}
	workbench.many = make([]queue.Row, 250_001) // more than are kept
	for i := range workbench.many {
		workbench.many[i] = queue.Row{Table: terms.AppealCases, ID: terms.ID("AC-" + strings.Repeat("0", i%3) + time.Duration(i).String()), Revision: 1}
	}
	b := newHarness(t, workbench, 120, 40)
	b.press("hold", "R", "shows Reading the queue", "release", "shows AC-2044")
}
