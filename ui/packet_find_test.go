package ui

import (
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestASearchFindsFoldedTextAndGoesFromMatchToMatch(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "n", "shows no search yet; / begins one", "/", "at finding",
		"type effective from", "shows 1 match", "enter", "at packet", "shows ▾ Policy",
		"shows 1 of 1 match", "on effective from", "g", "/", "ctrl+u", "type CONFLICT", "enter", "n")
	first := b.underCursor()
	b.press("n", "N")
	if got := b.underCursor(); got != first || !strings.Contains(strings.ToLower(got), "conflict") {
		t.Errorf("forth and back: %q, then %q", first, got)
	}
}

func TestWaysThroughALongPacket(t *testing.T) {
	walks(t, []walk{
		{"a dropped search goes back to where it began", nil, 80, 24, way{"open AC-2041",
			"to ✓ standing", "/", "type recomputed", "esc", "on ✓ standing", "/", "type no such text",
			"shows 0 matches", "enter", "shows nothing in this packet matches"}},
		{"a long list shows its count and the first twenty until it is unfolded", items(300), 120, 40, way{
			"to 280 more", "shows 300: item-", "shows Enter shows all 300", "enter",
			"hides 280 more", "to Enter shows the first 20 only", "enter", "shows 280 more"}},
	})
}

// items begins on a case with so many evidence items.
func items(count int) beginning {
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	list := make([]string, count)
	for i := range list {
		list[i] = "item-" + terms.HashOf([]byte{byte(i), byte(i >> 8)}).String()[7:23]
	}
	record.In("evidenceScope")["items"] = list
	return func(t *testing.T, width, height int) *harness {
		t.Helper()
		workbench := workbenchtest.New(t)
		workbench.Add(terms.AppealCases, record, nil)
		b := newHarness(t, workbench, width, height)
		b.press("enter", "at packet")
		return b
	}
}

func TestAKeyInAPacketWithTenThousandItemsIsDrawnWithinAFrame(t *testing.T) {
	b := items(10_000)(t, 120, 40)
	b.press("to 9,980 more", "enter", "g")
	var took []time.Duration
	for i := range 400 {
		key := []string{"j", "j", "j", "pgdown", "k", "pgdown"}[i%6]
		began := time.Now()
		b.console.Update(keyMsg(key))
		took = append(took, time.Since(began))
	}
	if slow := percentile(took, 95); slow > keyBudget {
		t.Errorf("the 95th percentile of a key is %v, more than %v", slow, keyBudget)
	} else {
		t.Logf("the 95th percentile of a key is %v", slow)
	}
}
