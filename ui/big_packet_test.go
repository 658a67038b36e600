package ui

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// largeWorkbench holds an amendment with so many confirmations, each a row and two moments.
func largeWorkbench(confirmations int) *workbenchtest.Workbench {
	workbench := workbenchtest.New()
	workbench.Add(terms.AmendmentPolicies, workbenchtest.AmendmentPolicy(), nil)
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
	return workbench
}

// largePacket is a console over such an amendment.
func largePacket(tb testing.TB, confirmations int) *console {
	tb.Helper()
	workbench := largeWorkbench(confirmations)
	c := newConsole(workbench, &work{ctx: context.Background()}, Options{Output: io.Discard})
	c.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.Update(screen.ReviewerRead{Reviewer: workbench.Reviewer(), Now: workbench.Now()})
	c.Update(screen.OpenPacket{Request: screen.Request{Table: terms.AmendmentRecords, ID: "AM-1", Revision: 2}}.CarryOut(c)())
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
