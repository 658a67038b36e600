package ui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
)

// longWorkbench is a workbench over many cases.
type longWorkbench struct {
	*workbenchtest.Workbench
	rows    []queue.Row
	changed []queue.Row // since the queue was read
	file    queue.CaseFile
}

// manyCases is a workbench over so many.
func manyCases(tb testing.TB, count int) *longWorkbench {
	rows := make([]queue.Row, count)
	for i := range rows {
		rows[i] = queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprintf("AC-%07d", i)), Revision: 1, Status: "filed",
			Subject: "claim", Trigger: "duplicate_proof", Blockers: queue.Codes{Area: terms.Appeals,
				Set: terms.SetOf(terms.NoticeMissing, terms.Blocker(1+i%17))}}
	}
	return &longWorkbench{Workbench: workbenchtest.New(tb), rows: rows, file: workbenchtest.Sample(tb).Latest(terms.AppealCases, "AC-2044")}
}

// Open returns the same packet for every row.
func (d *longWorkbench) Open(context.Context, terms.Table, terms.ID, int64) (queue.CaseFile, error) {
	return d.file, nil
}

func (d *longWorkbench) Top(context.Context, terms.Area, int) ([]queue.Row, error) { return nil, nil }

func (d *longWorkbench) Queue(_ context.Context, area terms.Area, _ func(done, total int64)) (*queue.Queue, queue.Watermark, error) {
	if area == terms.Appeals {
		return queue.New(area, d.rows), queue.Watermark{}, nil
	}
	return queue.New(area, nil), queue.Watermark{}, nil
}

func (d *longWorkbench) Changes(_ context.Context, area terms.Area, _ queue.Watermark) (news queue.Changes, err error) {
	for i := range d.changed {
		if area == terms.Appeals {
			news.IDs = append(news.IDs, d.changed[i].ID)
		}
	}
	return news, nil
}

func (d *longWorkbench) Rows(context.Context, terms.Area, []terms.ID) ([]queue.Row, error) {
	return d.changed, nil
}

// longQueue is a console over so many cases.
func longQueue(tb testing.TB, count int) (*console, *longWorkbench) {
	workbench := manyCases(tb, count)
	c := newConsole(workbench, &work{ctx: context.Background()}, Options{Output: io.Discard})
	tell(c, tea.WindowSizeMsg{Width: 120, Height: 40})
	runAll(c, c.Init())
	return c, workbench
}

// tell delivers a message and everything that comes of it; it returns how long the longest Update took.
func tell(c *console, msg tea.Msg) time.Duration {
	began := time.Now()
	_, cmd := c.Update(msg)
	return max(time.Since(began), runAll(c, cmd))
}

func runAll(c *console, cmd tea.Cmd) (longest time.Duration) {
	if cmd == nil {
		return 0
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			longest = max(longest, runAll(c, one))
		}
	default:
		return tell(c, msg)
	}
	return longest
}

// The longest Update among those that a few keys, or a change in the store, set off in a queue of a million cases: on
// average of the rounds.
func BenchmarkUpdateAtAMillion(b *testing.B) {
	c, workbench := longQueue(b, 1_000_000)
	row := workbench.rows[7]
	letter := func(text string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
	for _, one := range []struct {
		name string
		msgs []tea.Msg
	}{
		{"filtering", []tea.Msg{letter("/"), letter("9"), letter("8"), tea.KeyMsg{Type: tea.KeyEsc}}},
		{"sorting", []tea.Msg{letter("o")}},
		{"skipping", []tea.Msg{screen.Result{Then: task.Clock(0).Tick(terms.InstantOf(time.Now()))}}},
		{"telling the time", []tea.Msg{screen.Result{Then: task.Clock(0).Tick(terms.InstantOf(time.Now()))}}},
	} {
		b.Run(one.name, func(b *testing.B) {
			var sum time.Duration
			for n := 0; b.Loop(); n++ {
				var longest time.Duration
				if workbench.changed = nil; one.name == "skipping" && n%2 == 0 {
					row.Skipped += "x"
					workbench.changed = []queue.Row{row}
				}
				for _, msg := range one.msgs {
					longest = max(longest, tell(c, msg))
				}
				sum += longest
			}
			b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "longest-ms")
		})
	}
}

// The longest Update that a key sets off where the preview follows the cursor, its own and those of the packets that come.
func BenchmarkMovingBesideThePreview(b *testing.B) {
	for _, size := range [][2]int{{120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			c, _ := longQueue(b, 100_000)
			tell(c, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			var took []time.Duration
			for b.Loop() {
				took = append(took, tell(c, tea.KeyMsg{Type: tea.KeyDown}))
			}
			b.ReportMetric(float64(percentile(took, 95).Microseconds())/1000, "p95-ms")
		})
	}
}

// keyBudget is what a key may take: a frame at 60 a second.
const keyBudget = 16 * time.Millisecond

// percentile is the duration below which so many percent are.
func percentile(took []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}

// largePacket is a console over an amendment with so many confirmations, each a row and two moments.
func largePacket(tb testing.TB, confirmations int) *console {
	tb.Helper()
	workbench := workbenchtest.New(tb)
	for revision := 1; revision <= 2; revision++ {
		record := workbenchtest.Amendment("AM-1")
		record["revision"] = revision
		var list []workbenchtest.Record
		for i := range confirmations {
			list = append(list, workbenchtest.Record{"partyRef": fmt.Sprintf("party-%04d", i*revision), "covers": []string{"exposureIncrease"},
				"confirmedAt": "2026-02-01T00:00:00Z", "expiresAt": fmt.Sprintf("2026-03-%02dT00:00:00Z", 1+i%28)})
		}
		record["confirmations"] = list
		workbench.Add(terms.AmendmentRecords, record, nil)
	}
	c := newConsole(workbench, &work{ctx: context.Background()}, Options{Output: io.Discard})
	c.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.Update(c.scene.ReadReviewer()())
	c.Update(c.scene.OpenPacket(screen.OpenPacket{Request: screen.Request{Table: terms.AmendmentRecords, ID: "AM-1", Revision: 2}})())
	return c
}

const many = 400

// The time of a key is asserted with much room, for busy machines; the benchmarks measure it.
func TestALargePacketFollowsTheKeys(t *testing.T) {
	c := largePacket(t, many)
	for _, key := range []string{"Z", "pgdown", "j", "J", "z", "t", "esc", "y", "esc", "G", "g"} {
		start := time.Now()
		c.Update(keyMsg(key))
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q took %v", key, took)
		}
	}
}
