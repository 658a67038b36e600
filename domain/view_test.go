package domain_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain"
)

// Every blocker that holds is shown at some row, and no row shows one that does not hold.
func TestViewsShowEveryBlockerAtARow(t *testing.T) {
	confirmed, unconfirmed, asCorrection := effectRows()
	for _, group := range []struct {
		from func() scene
		rows []row
	}{
		{appeal, slices.Concat(appealPolicyRows, appealStatusRows, appealStandingRows, appealScopeRows,
			appealRequestRows, neutralReviewRows, appealPartyRows)},
		{correction, slices.Concat(amendmentPolicyRows, bundleRows, amendmentStateRows, parentRows, correctionRows,
			correctionEffectRows, unneededRows, needingRows, asCorrection)},
		{materialChange, slices.Concat(confirmationRows, unconfirmableRows, confirmed, unconfirmed, amendmentPartyRows, statedRows)},
		{pause, pauseRows},
		{destinationChange, destinationRows},
	} {
		for _, r := range group.rows {
			v := view(t, group.from(), r.edits...)
			shown := map[string]bool{}
			for _, section := range v.Sections() {
				for _, row := range section.Rows {
					for _, code := range row.Codes {
						shown[code.String()] = true
					}
					if (row.Mark == domain.MarkBad) != (len(row.Codes) > 0) {
						t.Errorf("%s: %q is %s by %q", r.name, row.Label, row.Mark, row.Codes)
					}
				}
			}
			for _, code := range strings.Fields(r.want) {
				if !shown[code] {
					t.Errorf("%s: no row shows %s", r.name, code)
				}
				delete(shown, code)
			}
			if len(shown) > 0 {
				t.Errorf("%s: rows show %v", r.name, shown)
			}
		}
	}
}

func TestViewsAreTheSameForTheSamePacketsAndTime(t *testing.T) {
	for name := range passing() {
		one, two := view(t, passing()[name]), view(t, passing()[name])
		if string(one.Document()) != string(two.Document()) || !one.Digest(sampleSalt).Matches(two.Digest(sampleSalt)) ||
			one.Digest(sampleSalt).String() != hashOf(t, map[string]any{"salt": string(sampleSalt), "view": parsed(string(one.Evidence()))}) {
			t.Errorf("%s differs", name)
		}
		later := lookAgain(t, passing()[name], recheckedAt)
		if later.Digest(sampleSalt) == one.Digest(sampleSalt) {
			t.Errorf("%s: another time, the same digest", name)
		}
	}
}

// Hostile text is shown as escapes, on every way out of a view.
func TestViewsEscapeHostileText(t *testing.T) {
	hostile := "\x1b]0;owned\x07 \u202e\u200b\u009b31m\r\n\u2028"
	v := view(t, appeal(), set("/record/remedyGap", hostile), set("/record/evidenceScope/statement", hostile),
		set("/record/standing/privacySafeSummary", hostile), set("/record/contractVersion", hostile),
		set("/policy/contractVersion", hostile))
	for _, section := range v.Sections() {
		for _, row := range section.Rows {
			if strings.ContainsAny(row.Label+row.Value, hostile[:1]+"\x07\u202e\u200b\u009b\r\n\u2028") {
				t.Errorf("%s: %q", row.Label, row.Value)
			}
		}
	}
}

func TestViewsNameTheirSectionsOnce(t *testing.T) {
	for name, s := range passing() {
		v := view(t, s)
		seen := map[domain.SectionName]bool{}
		for _, section := range v.Sections() {
			if seen[section.Name] || !section.Name.Present() || domain.SectionTitle(section.Name) == "" || len(section.Rows) == 0 {
				t.Errorf("%s: section %q", name, section.Name)
			}
			seen[section.Name] = true
		}
	}
	if domain.SectionTitle(0) != "" {
		t.Error("no section has a title")
	}
}

func TestViewsShowEveryBlockerWhateverHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scene(parsed(string(drawScene(t).sealedByHand())))
		if s["record"] == nil {
			return
		}
		v := look(t, s)
		shown := domain.BlockerSet(0)
		for _, section := range v.Sections() {
			for _, row := range section.Rows {
				shown = shown.Union(domain.SetOf(row.Codes...))
			}
		}
		if shown != v.Judgment().BlockerSet() {
			t.Fatalf("rows show %q of %q", shown.Texts(), codes(v.Judgment()))
		}
	})
}
