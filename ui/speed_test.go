package ui

import (
	"context"
	"fmt"
	"io"
	"testing"

	"docket/domain"
	"docket/ui/internal/deskfake"

	tea "github.com/charmbracelet/bubbletea"
)

// longQueue is a console over so many cases.
func longQueue(count int) *console {
	c := newConsole(deskfake.New(), &work{ctx: context.Background()}, Options{Output: io.Discard})
	rows := make([]domain.QueueRow, count)
	for i := range rows {
		rows[i] = domain.QueueRow{Table: domain.AppealCases, ID: domain.ID(fmt.Sprintf("AC-%07d", i)), Revision: 1, Status: "filed",
			Subject: "claim", Trigger: "duplicate_proof", Blockers: domain.Codes{Area: domain.Appeals,
				Set: domain.SetOf(domain.NoticeMissing, domain.Blocker(1+i%17))}}
	}
	c.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.Update(wholeQueue(rows))
	return c
}

func BenchmarkMovingInALongQueue(b *testing.B) {
	c := longQueue(100_000)
	for b.Loop() {
		c.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
}

func BenchmarkTypingAFilterOverALongQueue(b *testing.B) {
	c := longQueue(100_000)
	c.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/")})
	for b.Loop() {
		c.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("9")})
		c.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	}
}

func BenchmarkDrawingAPacket(b *testing.B) {
	desk := deskfake.Sample()
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
