package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain"
	"docket/ui/internal/desktest"

	tea "github.com/charmbracelet/bubbletea"
)

// slowDesk finds the top of the queue at once and all of it once it is told to.
type slowDesk struct {
	*desktest.Desk
	read  map[domain.Area]int // how often a docket was read
	asked []domain.ID         // which rows were judged again
}

func (d *slowDesk) Docket(ctx context.Context, area domain.Area, progress func(done, total int64)) (*domain.Docket,
	domain.QueueMark, error) {
	d.read[area]++
	return d.Desk.Docket(ctx, area, progress)
}

func (d *slowDesk) Rows(ctx context.Context, area domain.Area, ids []domain.ID) ([]domain.QueueRow, error) {
	d.asked = append(d.asked, ids...)
	return d.Desk.Rows(ctx, area, ids)
}

// atSlowDesk is a console that has the top of its queue on the screen, while reading all of it waits to be released.
func atSlowDesk(t *testing.T) (*bench, *slowDesk) {
	t.Helper()
	desk := &slowDesk{Desk: desktest.Sample(), read: map[domain.Area]int{}}
	b := startBench(t, desk, 120, 40)
	b.run(b.console.work.do("", b.console.arrive))
	top := b.console.readTop(domain.Appeals)()
	_, cmd := b.console.Update(top)
	all := cmd().(tea.BatchMsg)
	b.run(all[len(all)-1]) // the top is sifted
	b.hold = true
	b.run(tea.Batch(all[:len(all)-1]...))
	return b, desk
}

func TestTheTopOfTheQueueIsThereBeforeAllOfItIsRead(t *testing.T) {
	b, desk := atSlowDesk(t)
	b.shows("AC-2044", "reading …")
	b.hides("pass ·", "skipped ·")
	if desk.read[domain.Appeals] != 0 {
		t.Error("all of it was read")
	}
	b.console.queue.dockets[domain.Appeals].progress.total.Store(120_000)
	b.console.queue.dockets[domain.Appeals].progress.done.Store(34_000)
	b.send(progressed{})
	b.shows("reading 34,000 of 120,000")
	b.release()
	b.shows("1 skipped")
	b.hides("reading")
	if desk.read[domain.Appeals] != 1 || desk.read[domain.Amendments] != 1 {
		t.Errorf("read %v", desk.read)
	}
}

func TestTheCursorStaysOnItsCaseWhenTheRestArrives(t *testing.T) {
	b, _ := atSlowDesk(t)
	b.press("j", "j")
	before, _ := b.console.queue.docket().selected()
	b.release()
	if after, _ := b.console.queue.docket().selected(); after.ID != before.ID {
		t.Errorf("the cursor went from %s to %s", before.ID, after.ID)
	}
}

func TestTheLogIsCheckedOnceBothDocketsAreRead(t *testing.T) {
	desk := &slowDesk{Desk: desktest.Sample(), read: map[domain.Area]int{}}
	b := startBench(t, desk, 120, 40)
	seen := -1
	b.console.prove = func(context.Context) ([]Finding, error) {
		seen = desk.read[domain.Appeals] + desk.read[domain.Amendments]
		return nil, nil
	}
	b.run(b.console.Init())
	if seen != 2 {
		t.Errorf("it was checked after %d of 2 dockets", seen)
	}
	b.press("R")
	b.shows("✓ log checked")
}

func TestAfterADecisionOnlyItsCaseIsJudgedAgain(t *testing.T) {
	desk := &slowDesk{Desk: desktest.Sample(), read: map[domain.Area]int{}}
	b := newBench(t, desk, 120, 40)
	review(b)
	desk.asked = nil
	b.recordIt()
	b.press("esc")
	b.shows("1 decided")
	if desk.read[domain.Appeals] != 1 || len(desk.asked) == 0 {
		t.Errorf("read %d times, judged again %v", desk.read[domain.Appeals], desk.asked)
	}
}

func TestACaseThatAnotherConsoleDecidedShowsSoWithoutAKey(t *testing.T) {
	b, desk := sample(t, 120, 40)
	b.shows("0 decided")
	other := newBench(t, desk, 120, 40)
	review(other)
	other.recordIt()
	b.send(ticked{desk.Now()})
	b.shows("1 decided")
}

func TestTimeThatPassesIsInTheQueueWithoutAKey(t *testing.T) {
	b, desk := sample(t, 120, 40)
	b.press("/")
	b.typeText("blocker:deadline_expired")
	b.press("enter")
	before := len(b.console.queue.docket().shown)
	desk.Pass(30 * 24 * time.Hour)
	b.send(ticked{desk.Now()})
	if after := len(b.console.queue.docket().shown); after <= before {
		t.Errorf("%d deadlines are past, before it were %d", after, before)
	}
}

func TestNewsThatCannotBeReadSaysSoAndKeepsTheQueue(t *testing.T) {
	b, desk := sample(t, 120, 40)
	desk.Failing = errors.New("the store is locked")
	b.send(ticked{desk.Now()})
	b.shows("could not be read again", "the store is locked")
	b.shows("AC-2044")
}

func TestMuchNewsReadsTheDocketAnew(t *testing.T) {
	desk := &slowDesk{Desk: desktest.Sample(), read: map[domain.Area]int{}}
	b := newBench(t, desk, 120, 40)
	b.send(queueChanged{area: domain.Appeals, everything: true})
	stranger := domain.QueueRow{Table: domain.AppealCases, ID: "AC-9999", Revision: 1}
	b.send(queueChanged{area: domain.Appeals, rows: []domain.QueueRow{stranger}})
	if desk.read[domain.Appeals] != 3 || desk.read[domain.Amendments] != 1 {
		t.Errorf("read %v", desk.read)
	}
}

func TestALargeQueueMakesRoomWhileItIsReadAnew(t *testing.T) {
	desk := &slowDesk{Desk: desktest.Sample(), read: map[domain.Area]int{}}
	b := newBench(t, desk, 120, 40)
	rows := make([]domain.QueueRow, keptWhileReading+1)
	for i := range rows {
		rows[i] = domain.QueueRow{Table: domain.AppealCases, ID: domain.ID("AC-" + strings.Repeat("0", i%3) + time.Duration(i).String()), Revision: 1}
	}
	b.send(wholeQueue(rows))
	b.hold = true
	b.press("R")
	b.shows("Reading the queue")
	b.release()
	b.shows("AC-2044")
}
