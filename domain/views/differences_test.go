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

func TestTwoViewsOfTheSamePacketDoNotDiffer(t *testing.T) {
	for name, sample := range domaintest.Passing() {
		before, after := domaintest.View(t, sample), domaintest.LookAgain(t, domaintest.Passing()[name], domaintest.RecheckedAt)
		if got := told(views.Differences(&before, &after)); got != "" {
			t.Errorf("%s differs by %s", name, got)
		}
	}
}

func TestEachDifferenceIsListedOnceAndInOrder(t *testing.T) {
	gap := domaintest.Set("/record/remedyGap", "Half of the wells.")
	queued := domaintest.Set("/record/notice/state", "queued")
	confirmations := domaintest.MaterialChange().Record()["confirmations"].([]any)
	first := map[string]any{"partyRef": "party-c", "covers": []any{}, "termsHash": domaintest.AfterTerms,
		"confirmedAt": "2026-06-01T10:00:00Z"}
	type edits = []domaintest.Edit
	for name, one := range map[string]struct {
		from          func() domaintest.Scene
		before, after edits
		has           []string // in this order
		not           string
	}{
		"an altered member, with its consequences": {domaintest.Appeal, nil, edits{queued}, []string{
			"^gate/gate: \"pass\" ~ \"blocked\"\nblockers/notice_missing: \"\" + \"holds\"\n" +
				"advisory/advised: \"open challenge window\" ~ \"block reliance\"\n" +
				"notice/notice: \"delivered\" ~ \"queued\"\nintegrity/case hash: \"#\" ~ \"#\"$"}, "item/"},
		"an added row":  {domaintest.Appeal, nil, edits{gap}, []string{`evidence/remedy gap: "" + "Half of the wells."`}, "gate/"},
		"a removed row": {domaintest.Appeal, edits{gap}, nil, []string{`evidence/remedy gap: "Half of the wells." - ""`}, "gate/"},
		"an absent member": {domaintest.Appeal, nil, edits{domaintest.Del("/record/deadline")},
			[]string{`notice/deadline: "2026-07-01T00:00:00Z" ~ ""`}, `deadline: "2026-07-01T00:00:00Z" -`},
		"a confirmation that comes first is the only one added": {domaintest.MaterialChange, nil,
			edits{domaintest.Set("/record/confirmations", append([]any{first}, confirmations...))},
			[]string{"confirmations/confirmation", `: "" + "party-c`}, "confirmation: \"party"},
		"every hash but for a recomputed repetition": {domaintest.MaterialChange, nil,
			edits{domaintest.Set("/record/beforeTermsHash", domaintest.OtherHash), domaintest.Set("/record/afterTermsHash", domaintest.OtherHash)},
			[]string{"terms/terms before", "terms/terms after", "integrity/amendment hash"}, "recomputed"},
		"a recomputed hash that differs alone": {domaintest.Appeal, nil,
			edits{domaintest.RawSet("/record/deadline", "2026-07-02T00:00:00Z")}, []string{"integrity/recomputed"}, "integrity/case hash"},
		"removed blockers before added ones": {domaintest.Appeal, edits{domaintest.Del("/record/deadline")}, edits{queued},
			[]string{`blockers/deadline_missing: "holds" - ""`, `blockers/notice_missing: "" + "holds"`}, "gate/"},
	} {
		before, after := domaintest.View(t, one.from(), one.before...), domaintest.View(t, one.from(), one.after...)
		all := "^" + told(views.Differences(&before, &after)) + "$"
		rest := all
		for _, want := range one.has {
			_, behind, found := strings.Cut(rest, want)
			if rest = behind; !found || strings.Contains(behind, want) {
				t.Errorf("%s: %s is not told once, in its place:\n%s", name, want, all)
			}
		}
		if strings.Contains(all, one.not) {
			t.Errorf("%s: it tells of %s:\n%s", name, one.not, all)
		}
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
