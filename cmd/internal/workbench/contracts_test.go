package workbench

import (
	"strings"
	"testing"
	"time"

	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/ui/contractpage"
)

func pages(t *testing.T) map[string]contractpage.Page {
	t.Helper()
	d := &Workbench{Clock: func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }}
	list, err := d.Contracts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]contractpage.Page{}
	for _, p := range list {
		byName[p.Name] = p
	}
	if len(byName) != 5 {
		t.Fatalf("%d pages", len(byName))
	}
	return byName
}

// words is everything that a page says.
func words(p contractpage.Page) string {
	var all strings.Builder
	for _, part := range p.Parts {
		all.WriteString(part.Heading + "\n")
		for _, e := range part.Entries {
			all.WriteString(e.Name + " " + e.Text + "\n" + strings.Join(e.Notes, "\n") + "\n")
		}
	}
	return all.String()
}

func TestThePagesOfTheReportsShowEveryCheckAndEveryWord(t *testing.T) {
	all := pages(t)
	for name, wanted := range map[string][][]string{
		"appeals":    {terms.Blockers.Texts()[:18], terms.Triggers.Texts(), terms.Outcomes.Texts(), terms.FactorCodes.Texts()},
		"amendments": {terms.Transitions.Texts(), terms.AmendmentStates.Texts(), terms.SubjectTypes.Texts()},
		"overlap":    {{"exact_capability_tag", "exact_constraint_tag", "exact_verification_tag"}},
	} {
		p := all[name]
		text := words(p)
		for _, list := range wanted {
			for _, word := range list {
				if !strings.Contains(text, word) {
					t.Errorf("the page of %s does not say %s", name, word)
				}
			}
		}
		checks := 0
		for _, part := range p.Parts {
			if part.Heading != "Checks" {
				continue
			}
			for _, e := range part.Entries {
				checks++
				if e.Mark != contractpage.Good || e.Name == "" || len(e.Notes) == 0 {
					t.Errorf("%s: the check %+v", name, e)
				}
			}
		}
		if want := map[string]int{"appeals": 15, "overlap": 8, "amendments": 12}[name]; checks != want {
			t.Errorf("%s shows %d checks of %d", name, checks, want)
		}
	}
}

func TestThePageOfThePilotShowsFiveOpenReviews(t *testing.T) {
	p := pages(t)["overlap pilot"]
	if p.Mark == contractpage.Good || !strings.Contains(p.State, "not live: 5 reviews") {
		t.Errorf("%q", p.State)
	}
	text := words(p)
	for _, review := range overlap.RequiredReviews() {
		if !strings.Contains(text, "open "+review) {
			t.Errorf("it does not show that %q is open", review)
		}
	}
	for _, route := range overlap.PlannedEndpoints() {
		if !strings.Contains(text, string(route.Status)) {
			t.Errorf("it does not show %s", route.Status)
		}
	}
}

func TestThePageOfTheProfileShowsWhichPhaseServesWhichSeverity(t *testing.T) {
	text := words(pages(t)["incident profile"])
	for _, wanted := range []string{"Severity", "respond", "notify", "Readiness gates"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("it does not say %q:\n%s", wanted, text)
		}
	}
}
