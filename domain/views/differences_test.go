package views_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/views"
)

// told writes differences one a line, hashes left out.
func told(list []views.Difference) string {
	var lines []string
	for _, d := range list {
		if strings.HasPrefix(d.Before, "sha256:") || strings.HasPrefix(d.After, "sha256:") {
			d.Before, d.After = "#", "#"
		}
		lines = append(lines, fmt.Sprintf("%s/%s: %q %s %q", d.Section, d.Label, d.Before, [...]string{"~", "+", "-"}[d.Kind], d.After))
	}
	return strings.Join(lines, "\n")
}

func differences(t *testing.T, s func() domaintest.Scene, edits ...domaintest.Edit) string {
	t.Helper()
	before, after := domaintest.View(t, s()), domaintest.View(t, s(), edits...)
	return told(views.Differences(&before, &after))
}

func TestTwoViewsOfTheSamePacketDoNotDiffer(t *testing.T) {
	for name, sample := range domaintest.Passing() {
		before, after := domaintest.View(t, sample), domaintest.LookAgain(t, domaintest.Passing()[name], domaintest.RecheckedAt)
		if got := told(views.Differences(&before, &after)); got != "" {
			t.Errorf("%s differs by %s", name, got)
		}
	}
}

func TestAnAlteredMemberIsListedOnceWithItsConsequences(t *testing.T) {
	want := `gate/gate: "pass" ~ "blocked"
blockers/notice_missing: "" + "holds"
advisory/advised: "open challenge window" ~ "block reliance"
notice/notice: "delivered" ~ "queued"
integrity/case hash: "#" ~ "#"`
	if got := differences(t, domaintest.Appeal, domaintest.Set("/record/notice/state", "queued")); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestRemovedAndAddedRowsAreListed(t *testing.T) {
	got := differences(t, domaintest.Appeal, domaintest.Set("/record/remedyGap", "Half of the wells."))
	if !strings.Contains(got, `evidence/remedy gap: "" + "Half of the wells."`) {
		t.Errorf("got\n%s", got)
	}
	before, after := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/remedyGap", "Half of the wells.")), domaintest.View(t, domaintest.Appeal())
	if got := told(views.Differences(&before, &after)); !strings.Contains(got, `evidence/remedy gap: "Half of the wells." - ""`) {
		t.Errorf("the other way round\n%s", got)
	}
}

func TestAMemberThatBecomesAbsentIsAlteredNotRemoved(t *testing.T) {
	if got := differences(t, domaintest.Appeal, domaintest.Del("/record/deadline")); !strings.Contains(got, `notice/deadline: "2026-07-01T00:00:00Z" ~ ""`) {
		t.Errorf("got\n%s", got)
	}
}

func TestAConfirmationInsertedFirstIsTheOnlyOneAdded(t *testing.T) {
	confirmations := domaintest.MaterialChange()["record"].(map[string]any)["confirmations"].([]any)
	first := map[string]any{"partyRef": "party-c", "covers": []any{}, "termsHash": domaintest.AfterTerms, "confirmedAt": "2026-06-01T10:00:00Z"}
	got := differences(t, domaintest.MaterialChange, domaintest.Set("/record/confirmations", append([]any{first}, confirmations...)))
	if strings.Count(got, "confirmations/confirmation") != 1 || !strings.Contains(got, `confirmations/confirmation: "" + "party-c`) {
		t.Errorf("got\n%s", got)
	}
}

func TestEveryChangedHashIsListedButForARecomputedRepetition(t *testing.T) {
	got := differences(t, domaintest.MaterialChange, domaintest.Set("/record/beforeTermsHash", domaintest.OtherHash), domaintest.Set("/record/afterTermsHash", domaintest.OtherHash))
	for _, label := range []string{"terms/terms before", "terms/terms after", "integrity/amendment hash"} {
		if !strings.Contains(got, label) {
			t.Errorf("%s is not told:\n%s", label, got)
		}
	}
	if strings.Contains(got, "recomputed") {
		t.Errorf("got\n%s", got)
	}
	if got := differences(t, domaintest.Appeal, domaintest.RawSet("/record/deadline", "2026-07-02T00:00:00Z")); !strings.Contains(got, "integrity/recomputed") {
		t.Errorf("a recomputed hash that differs alone is not told:\n%s", got)
	}
}

func TestRemovedBlockersAreListedBeforeAddedOnes(t *testing.T) {
	before := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/deadline"))
	after := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/notice/state", "queued"))
	got := told(views.Differences(&before, &after))
	went, came := strings.Index(got, `blockers/deadline_missing: "holds" - ""`), strings.Index(got, `blockers/notice_missing: "" + "holds"`)
	if went < 0 || came < went || strings.Contains(got, "gate/") {
		t.Errorf("got\n%s", got)
	}
}

func TestRedactionsAreComparedByCategoryAndCount(t *testing.T) {
	with := func(private map[string]any) views.View {
		s := domaintest.Appeal()
		s["private"] = private
		return domaintest.View(t, s)
	}
	before := with(map[string]any{"reviewer_note": "x", "contact_data": []string{"x", "y"}, "private_baseline": 1})
	after := with(map[string]any{"exact_wish": "x", "contact_data": "x", "private_baseline": 2})
	want := `redactions/reviewer note: "1" - ""
redactions/exact wish: "" + "1"
redactions/contact data: "2" ~ "1"`
	if got := told(views.Differences(&before, &after)); got != want {
		t.Errorf("got\n%s", got)
	}
}
