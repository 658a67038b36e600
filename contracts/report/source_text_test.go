package report_test

import (
	"strings"
	"testing"

	"docket/contracts/report"
)

// within follows names and indexes separated by slashes.
func (n node) within(t *testing.T, place string) node {
	t.Helper()
	for _, step := range strings.Split(place, "/") {
		if n.array {
			n = n.members[step[0]-'0']
		} else {
			n = n.member(t, step)
		}
	}
	return n
}

func TestTheBodiesHaveTheTextsOfTheSource(t *testing.T) {
	for _, kind := range report.Kinds() {
		body := decoded(t, published(t, kind)).member(t, "publicContract")
		for place, want := range ofSource(t, kind).Texts {
			if got := body.within(t, place).flat(); got != want {
				t.Errorf("%s: %s is %q, want %q", kind, place, got, want)
			}
		}
		for _, list := range []string{"invariants", "transitionDefinitions", "namespaceRules"} {
			want := map[string]int{"invariants": 10, "transitionDefinitions": 6, "namespaceRules": 3}[list]
			for _, name := range body.names {
				if name == list && len(body.member(t, name).members) != want {
					t.Errorf("%s: %s has %d entries, want %d", kind, name, len(body.member(t, name).members), want)
				}
			}
		}
	}
}

func TestTheTransitionDefinitionCheckStatesTwoRecordsForEachTransition(t *testing.T) {
	for _, check := range made(t, report.Amendments).Checks {
		if check.ID != "transition-definition-coverage" {
			continue
		}
		want := "donation_offset_material_change: 2 required records, pledge_swap_material_change: 2 required records, " +
			"post_lock_correction: 2 required records, pause_or_early_termination: 2 required records, " +
			"evidence_standard_change: 2 required records, destination_change: 2 required records"
		if check.Evidence != want {
			t.Errorf("the evidence is %q", check.Evidence)
		}
	}
}

func TestTheOverlapReportListsFourConditionsAndClaimsNothing(t *testing.T) {
	root := decoded(t, published(t, report.Overlap))
	if n := len(root.member(t, "publicContract").member(t, "blockedUntil").members); n != 4 {
		t.Errorf("blockedUntil has %d conditions", n)
	}
	if !strings.Contains(root.member(t, "publicNonClaim").text, "not live") {
		t.Error("publicNonClaim does not say that the pilot is not live")
	}
}
