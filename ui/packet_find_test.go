package ui

import (
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func TestASearchFindsFoldedTextAndGoesFromMatchToMatch(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "n")
	b.shows("no search yet; / begins one")
	b.press("/")
	b.at(action.InFind)
	b.press("type effective from")
	b.shows("1 match")
	b.press("enter")
	b.at(action.InPacket)
	b.shows("▾ Policy", "1 of 1 match")
	if got := b.underCursor(); !strings.Contains(got, "effective from") {
		t.Errorf("the cursor is on %q", got)
	}
	b.press("g", "/", "ctrl+u", "type CONFLICT", "enter", "n")
	first := b.underCursor()
	b.press("n", "N")
	if got := b.underCursor(); got != first || !strings.Contains(strings.ToLower(got), "conflict") {
		t.Errorf("forth and back: %q, then %q", first, got)
	}
}

func TestADroppedSearchGoesBackToWhereItBegan(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "to ✓ standing", "/", "type recomputed", "esc")
	if got := b.underCursor(); !strings.Contains(got, "✓ standing") {
		t.Errorf("the cursor is on %q", got)
	}
	b.press("/", "type no such text")
	b.shows("0 matches")
	b.press("enter")
	b.shows("nothing in this packet matches")
}

// manyItems is a console over a case with so many evidence items.
func manyItems(t *testing.T, count int) *harness {
	t.Helper()
	workbench := workbenchtest.New()
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	items := make([]string, count)
	for i := range items {
		items[i] = "item-" + strings.Repeat("0", 5) + string(rune('a'+i%26)) + strings.Repeat("x", i/26%7) + "-" + terms.HashOf([]byte{byte(i), byte(i >> 8)}).String()[7:13]
	}
	record.In("evidenceScope")["items"] = items
	workbench.Add(terms.AppealCases, record, nil)
	b := newHarness(t, workbench, 120, 40)
	b.press("enter")
	b.at(action.InPacket)
	return b
}

func TestALongListShowsItsCountAndTheFirstTwentyUntilItIsUnfolded(t *testing.T) {
	b := manyItems(t, 300)
	b.press("to 280 more")
	b.shows("300: item-", "Enter shows all 300")
	b.press("enter")
	b.hides("280 more")
	b.press("to Enter shows the first 20 only", "enter")
	b.shows("280 more")
}

func TestAKeyInAPacketWithTenThousandItemsIsDrawnWithinAFrame(t *testing.T) {
	b := manyItems(t, 10_000)
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
