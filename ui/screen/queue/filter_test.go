package queue

import (
	"context"
	"slices"
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// room is a queue whose jobs wait until they are run, over a workbench with the sample.
type room struct {
	queue *Screen
	scene screen.Scene
	jobs  []func(context.Context) tea.Msg
}

// answers runs the jobs that wait, and those that come of them.
func (r *room) answers() {
	for len(r.jobs) > 0 {
		jobs := r.jobs
		r.jobs = nil
		for _, job := range jobs {
			if e, is := job(context.Background()).(screen.Result); is {
				e.Then(&r.scene)
			}
		}
		r.queue.filterRows(&r.scene)
	}
}

// newRoom has read both queues.
func newRoom(t *testing.T) *room {
	t.Helper()
	r, workbench := &room{queue: New(0, 0, nil)}, workbenchtest.Sample()
	r.scene.Stage = &screen.Stage{Host: screen.Host{Workbench: workbench, Run: func(_ string, job func(context.Context) tea.Msg) tea.Cmd {
		r.jobs = append(r.jobs, job)
		return nil
	}}}
	r.queue.AtOnce = 0 // as for a queue that is too long to be filtered at once
	r.scene.Width, r.scene.Height, r.scene.Now, r.scene.Reviewer = 120, 40, workbench.Now(), workbench.Reviewer()
	r.queue.ReadTop(&r.scene)
	r.answers()
	return r
}

// still fails unless nothing is under way.
func (r *room) still(t *testing.T) {
	t.Helper()
	for _, area := range terms.Areas.All() {
		if d := r.queue.areas[area]; d.outdated() || d.running || d.readers != 0 || len(d.pending) != 0 {
			t.Errorf("%s: generation %d, shows %d, lent %d, %d changes wait", area, d.generation, d.shows, d.readers, len(d.pending))
		}
	}
}

func TestRowsJudgedAgainWhileTheQueueIsReadAreTakenAfterwards(t *testing.T) {
	r := newRoom(t)
	d := r.queue.current()
	d.setFilter("is:skipped", &r.scene)
	r.queue.filterRows(&r.scene)
	at, _ := d.queue.Find("AC-2043")
	row := d.queue.Row(at)
	row.Skipped = "it waits"
	writes := d.queue.Writes()
	d.update([]queue.Row{row}, &r.scene)
	if d.queue.Writes() != writes {
		t.Fatal("a docket is written to that a command reads")
	}
	r.answers()
	if len(d.shown) != 2 || d.tally.Skipped != 2 || d.line("AC-2043") < 0 {
		t.Errorf("%d rows show, %d are skipped", len(d.shown), d.tally.Skipped)
	}
	r.still(t)
}

func TestSortingOneQueueWhileTheOtherIsFilteredLeavesNothingUnderWay(t *testing.T) {
	r := newRoom(t)
	r.queue.Handle(action.ChangeOrder, &r.scene)
	r.queue.filterRows(&r.scene)
	r.queue.Handle(action.NextDocket, &r.scene)
	r.queue.current().setFilter("AM-311", &r.scene)
	r.queue.filterRows(&r.scene)
	if busy := slices.ContainsFunc(terms.Areas.All(), func(a terms.Area) bool { return r.queue.areas[a].running }); !busy {
		t.Fatal("nothing is under way")
	}
	r.answers()
	r.still(t)
	if n := len(r.queue.current().shown); n != 1 {
		t.Errorf("%d rows show", n)
	}
}

func TestAQueueThatMakesRoomDropsTheFilterUnderWay(t *testing.T) {
	r := newRoom(t)
	d := r.queue.current()
	d.setFilter("AC-2043", &r.scene)
	r.queue.filterRows(&r.scene)
	d.drop()
	r.queue.filterRows(&r.scene)
	r.answers()
	if d.queue.Len() != 0 || len(d.shown) != 0 || d.outdated() {
		t.Errorf("%d rows, %d of them show", d.queue.Len(), len(d.shown))
	}
}
