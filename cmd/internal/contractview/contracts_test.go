package contractview_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/contractview"
	"docket/contracts/incident"
	"docket/domain/overlap"
	"docket/domain/pages"
	"docket/domain/terms"
)

// contracts are the pages of the contracts by name, with the profile of that path.
func contracts(t *testing.T, profile string) map[string]pages.Page {
	t.Helper()
	list, err := contractview.Pages(terms.InstantOf(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)), profile)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]pages.Page{}
	for _, p := range list {
		byName[p.Name] = p
	}
	if len(byName) != 5 {
		t.Fatalf("%d pages", len(byName))
	}
	return byName
}

// words is everything that a page says.
func words(p pages.Page) string {
	var all strings.Builder
	for _, part := range p.Parts {
		all.WriteString(part.Title + "\n")
		for _, e := range part.Rows {
			all.WriteString(e.Label + " " + e.Value + "\n" + strings.Join(e.Notes, "\n") + "\n")
		}
	}
	return all.String()
}

func TestThePagesOfTheReportsShowEveryCheckAndEveryWord(t *testing.T) {
	all := contracts(t, "")
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
			if part.Title != "Checks" {
				continue
			}
			for _, e := range part.Rows {
				checks++
				if e.Mark != pages.Good || e.Label == "" || len(e.Notes) == 0 {
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
	p := contracts(t, "")["overlap pilot"]
	if p.Mark == pages.Good || !strings.Contains(p.State, "not live: 5 reviews") {
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

// profileAt is the page of the profile in a file of that text.
func profileAt(t *testing.T, text string) (pages.Page, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return pageOf(t, path), contractview.CheckProfile(path)
}

func pageOf(t *testing.T, path string) pages.Page { return contracts(t, path)["incident profile"] }

func TestWithoutAProfileOfTheirOwnTheSampleIsShownAsSuch(t *testing.T) {
	p := pageOf(t, "")
	if !strings.Contains(p.State, "the sample") || p.Mark != pages.None || len(p.Parts) < 5 {
		t.Errorf("%s, %d parts", p.State, len(p.Parts))
	}
	for _, wanted := range []string{"Severity", "respond", "notify", "Readiness gates"} {
		if !strings.Contains(words(p), wanted) {
			t.Errorf("it does not say %q:\n%s", wanted, words(p))
		}
	}
}

// sampleText is the sample profile as it is written.
func sampleText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/profiles/valid/sample.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAProfileOfTheirOwnIsShownInPlaceOfTheSample(t *testing.T) {
	sample := incident.Sample()
	own := strings.Replace(sampleText(t), sample.Purpose, "To answer for Oslo.", 1)
	p, err := profileAt(t, own)
	if err != nil {
		t.Fatal(err)
	}
	if text := words(p); !strings.Contains(text, "To answer for Oslo.") || strings.Contains(text, sample.Purpose) || p.Mark != pages.Good || !strings.Contains(text, "profile.json") {
		t.Errorf("%s\n%s", p.State, text)
	}
}

func TestAProfileThatIsNotAsTheContractWantsItIsRefusedWithReasonsAndNotShown(t *testing.T) {
	purpose := incident.Sample().Purpose
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":         {"{", "strict_json"},
		"no profile":      {"{}", "member_missing"},
		"one wrong place": {strings.Replace(sampleText(t), purpose, "", 1), "empty_text"},
	} {
		p, err := profileAt(t, c.text)
		text := words(p)
		if err == nil || p.Mark != pages.Bad || !strings.HasPrefix(p.State, "refused: ") || !strings.Contains(text, c.says) || len(p.Parts) != 1 || strings.Contains(text, purpose) {
			t.Errorf("%s: %v, %s\n%s", name, err, p.State, text)
		}
	}
}

func TestAProfileThatCannotBeReadIsRefusedAndTheSampleDoesNotStandIn(t *testing.T) {
	for name, path := range map[string]string{"absent": filepath.Join(t.TempDir(), "none.json"), "a folder": t.TempDir()} {
		p, err := pageOf(t, path), contractview.CheckProfile(path)
		if text := words(p); err == nil || p.Mark != pages.Bad || !strings.Contains(text, path) || strings.Contains(text, incident.Sample().Purpose) {
			t.Errorf("%s: %v, %s\n%s", name, err, p.State, text)
		}
	}
}

func TestAProfileThatIsOnlyOddIsShownWithItsWarnings(t *testing.T) {
	sample := incident.Sample()
	channel := sample.IntakeChannels[0].Rule
	p, err := profileAt(t, strings.Replace(sampleText(t), channel, "Write to intake@example.org.", 1))
	if err != nil {
		t.Fatal(err)
	}
	text := words(p)
	if p.Mark != pages.Good || !strings.HasSuffix(p.State, "; 1 warning") || p.Parts[1].Title != "Warnings" ||
		!strings.Contains(text, "channel_address") || !strings.Contains(text, "Write to intake@example.org.") {
		t.Errorf("%s\n%s", p.State, text)
	}
}
