package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/cmd/internal/contractview"
	"docket/cmd/internal/output"
	"docket/contracts/incident"
	"docket/domain/visible"
)

// anyProfile draws profiles with texts of every kind, hostile ones included.
func anyProfile() *rapid.Generator[incident.Profile] {
	text := rapid.OneOf(rapid.StringN(1, 200, -1), rapid.StringMatching(`[a-z_]{60,160}`), rapid.StringMatching(`[一-龥]{30,90}`),
		rapid.Just("\x1b]0;title\x07\u202e"), rapid.StringMatching(`([a-z]{1,9} ){1,40}`))
	texts := rapid.SliceOfN(text, 1, 3)
	return rapid.Custom(func(t *rapid.T) incident.Profile {
		p := incident.Profile{Version: text.Draw(t, "version"), Purpose: text.Draw(t, "purpose"), PublicNonClaims: texts.Draw(t, "claims"),
			IncidentTests: texts.Draw(t, "tests")}
		for range rapid.IntRange(1, 9).Draw(t, "severities") {
			p.SeverityLevels = append(p.SeverityLevels, incident.Severity{Key: text.Draw(t, "key"), Label: text.Draw(t, "label"),
				PublicSummary: text.Draw(t, "summary"), ResponseHours: rapid.Float64Range(1e-9, 1e15).Draw(t, "hours"), NotificationHours: 36})
		}
		for range rapid.IntRange(1, 3).Draw(t, "phases") {
			p.ResponsePhases = append(p.ResponsePhases, incident.Phase{Key: text.Draw(t, "key"), Label: text.Draw(t, "label"),
				Rule: text.Draw(t, "rule"), RequiredForSeverity: texts.Draw(t, "severities")})
		}
		p.IncidentCategories = []incident.Category{{Key: text.Draw(t, "key"), Label: text.Draw(t, "label"), Owner: text.Draw(t, "owner"),
			Examples: texts.Draw(t, "examples")}}
		return p
	})
}

func TestAnyProfileFits80ColumnsAndIsSafeToPrint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		profile := anyProfile().Draw(t, "profile")
		var page strings.Builder
		output.Page(&page, contractview.ProfilePage("profile.json", &profile, &incident.Problems{}), 80)
		for line := range strings.Lines(page.String()) {
			line = strings.TrimSuffix(line, "\n")
			if ansi.StringWidth(line) > output.PageWidth || !visible.Clean(line) {
				t.Fatalf("%d columns: %q", ansi.StringWidth(line), line)
			}
		}
	})
}
