package ui

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"docket/domain"
	"docket/ui/internal/desktest"

	tea "github.com/charmbracelet/bubbletea"
)

// longQueue is a console over so many cases.
func longQueue(count int) *console {
	c := newConsole(desktest.New(), &work{ctx: context.Background()}, Options{Output: io.Discard})
	rows := make([]domain.QueueRow, count)
	for i := range rows {
		rows[i] = domain.QueueRow{Table: domain.AppealCases, ID: domain.ID(fmt.Sprintf("AC-%07d", i)), Revision: 1, Status: "filed",
			Subject: "claim", Trigger: "duplicate_proof", Blockers: domain.Codes{Area: domain.Appeals,
				Set: domain.SetOf(domain.NoticeMissing, domain.Blocker(1+i%17))}}
	}
	tell(c, tea.WindowSizeMsg{Width: 120, Height: 40})
	tell(c, wholeQueue(rows))
	return c
}

// tell delivers a message and everything that comes of it; it returns how long the longest Update took.
func tell(c *console, msg tea.Msg) time.Duration {
	began := time.Now()
	_, cmd := c.Update(msg)
	return max(time.Since(began), carryOut(c, cmd))
}

func carryOut(c *console, cmd tea.Cmd) (longest time.Duration) {
	if cmd == nil {
		return 0
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			longest = max(longest, carryOut(c, one))
		}
	default:
		return tell(c, msg)
	}
	return longest
}

// The longest Update among those that a few keys, or a change in the store, set off in a queue of a million cases: on
// average of the rounds.
func BenchmarkUpdateAtAMillion(b *testing.B) {
	c := longQueue(1_000_000)
	row := c.queue.docket().queue.Row(7)
	letter := func(text string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
	for _, one := range []struct {
		name string
		msgs []tea.Msg
	}{
		{"filtering", []tea.Msg{letter("/"), letter("9"), letter("8"), tea.KeyMsg{Type: tea.KeyEsc}}},
		{"sorting", []tea.Msg{letter("o")}},
		{"skipping", []tea.Msg{queueChanged{area: domain.Appeals, rows: []domain.QueueRow{row}}}},
		{"telling the time", []tea.Msg{ticked{domain.InstantOf(time.Now())}}},
	} {
		b.Run(one.name, func(b *testing.B) {
			var sum time.Duration
			for n := 0; b.Loop(); n++ {
				var longest time.Duration
				for _, msg := range one.msgs {
					if change, is := msg.(queueChanged); is && n%2 == 0 {
						change.rows[0].Skipped += "x"
					}
					longest = max(longest, tell(c, msg))
				}
				sum += longest
			}
			b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "longest-ms")
		})
	}
}

func BenchmarkMovingInALongQueue(b *testing.B) {
	c := longQueue(100_000)
	for b.Loop() {
		c.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
}

func BenchmarkTypingAFilterOverALongQueue(b *testing.B) {
	c := longQueue(100_000)
	tell(c, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/")})
	for b.Loop() {
		tell(c, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("9")})
		tell(c, tea.KeyMsg{Type: tea.KeyBackspace})
	}
}

func BenchmarkDrawingAPacket(b *testing.B) {
	desk := desktest.Sample()
	c := newConsole(desk, &work{ctx: context.Background()}, Options{Output: io.Discard})
	c.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	r := request{table: domain.AppealCases, id: "AC-2049", revision: 1}
	packet := newPacketScreen(r)
	c.apply(show{packet})
	dossier, err := desk.Open(context.Background(), r.table, r.id, r.revision)
	if err != nil {
		b.Fatal(err)
	}
	c.Update(opened{request: r, dossier: &dossier, openedAt: desk.Now()})
	for b.Loop() {
		c.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
}
