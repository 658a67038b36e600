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

// largePacket is a console over an amendment with so many confirmations, each a row and two moments.
func largePacket(tb testing.TB, confirmations int) *console {
	tb.Helper()
	desk := desktest.New()
	desk.Add(domain.AmendmentPolicies, desktest.AmendmentPolicy(), nil)
	for revision := 1; revision <= 2; revision++ {
		record := desktest.Amendment("AM-1")
		record["revision"] = revision
		var list []desktest.Record
		for i := range confirmations {
			list = append(list, desktest.Record{"partyRef": fmt.Sprintf("party-%04d", i*revision), "covers": []string{"exposureIncrease"},
				"confirmedAt": "2026-02-01T00:00:00Z", "expiresAt": fmt.Sprintf("2026-03-%02dT00:00:00Z", 1+i%28)})
		}
		record["confirmations"] = list
		desk.Add(domain.AmendmentRecords, record, nil)
	}
	c := newConsole(desk, &work{ctx: context.Background()}, Options{Output: io.Discard})
	c.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.Update(arrived{desk.Reviewer(), desk.Now()})
	openInto(tb, c, desk, "AM-1", 2)
	return c
}

// openInto opens a packet on a console without running commands.
func openInto(tb testing.TB, c *console, desk *desktest.Desk, id domain.ID, revision int64) {
	tb.Helper()
	r := request{table: domain.AmendmentRecords, id: id, revision: revision, ticket: 77}
	if _, is := c.top().(reader); !is {
		c.apply(show{newPacketScreen(r)})
	}
	c.top().(reader).asked(r)
	dossier, err := desk.Open(context.Background(), r.table, r.id, r.revision)
	if err != nil {
		tb.Fatal(err)
	}
	c.Update(opened{request: r, dossier: &dossier, openedAt: desk.Now()})
}

const many = 400

func BenchmarkMovingInALargePacket(b *testing.B) {
	c := largePacket(b, many)
	keys := []string{"pgdown", "j", "j", "k", "J", "pgdown", "j", "g"}
	for i := 0; b.Loop(); i++ {
		c.Update(keyMsg(keys[i%len(keys)]))
	}
}

func BenchmarkFoldingALargePacket(b *testing.B) {
	c := largePacket(b, many)
	for b.Loop() {
		c.Update(keyMsg("Z"))
	}
}

func BenchmarkComparingLargePackets(b *testing.B) {
	c := largePacket(b, many)
	c.apply(c.press(press{name: "="}))
	older := largePacket(b, many/2).top().(*packetScreen)
	c.top().(*differenceScreen).views[1] = &older.dossier.View
	for i := 0; b.Loop(); i++ {
		c.Update(tea.WindowSizeMsg{Width: 120 + i%2, Height: 40}) // laid out anew
	}
}

// What a key takes is asserted with much room, for machines that do other things besides; the benchmarks measure it.
func TestALargePacketFollowsTheKeys(t *testing.T) {
	c := largePacket(t, many)
	for _, key := range []string{"Z", "pgdown", "j", "J", "z", "t", "esc", "y", "esc", "G", "g"} {
		start := time.Now()
		c.Update(keyMsg(key))
		if took := time.Since(start); took > 500*time.Millisecond {
			t.Errorf("%q took %v", key, took)
		}
	}
}
