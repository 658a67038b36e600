package views_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// Every blocker that holds is shown at some row, and no row shows one that does not hold.
func TestViewsShowEveryBlockerAtARow(t *testing.T) {
	samples := domaintest.Passing()
	names, shown, d := slices.Sorted(maps.Keys(samples)), map[string]int{}, domaintest.Draws(3)
	for range 1500 {
		s := samples[domaintest.PickOf(&d, names...)].Copy()
		for range 1 + d.Below(4) {
			domaintest.Change(&d, s)
		}
		if s = domaintest.Parsed(string(s.SealedByHand())); s["record"] == nil || domaintest.Held(s) == nil {
			continue // there is nothing to view
		}
		v, codes := domaintest.Look(t, s), terms.BlockerSet(0)
		for _, section := range v.Sections() {
			for _, row := range section.Rows {
				codes = codes.Union(terms.SetOf(row.Codes...))
				if (row.Mark == pages.Bad) != (len(row.Codes) > 0) {
					t.Fatalf("%q is %s by %q: %s", row.Label, row.Mark, row.Codes, domaintest.Encoded(s))
				}
			}
		}
		if codes != v.Evaluation().BlockerSet() {
			t.Fatalf("rows show %q of %q: %s", codes.Texts(), domaintest.Codes(v.Evaluation()), domaintest.Encoded(s))
		}
		for _, code := range codes.Texts() {
			shown[v.Area().String()+" "+code]++
		}
	}
	for _, area := range terms.Areas.All() {
		for _, code := range rules.AllBlockers(area).Texts() {
			if shown[area.String()+" "+code] < 3 && !strings.HasPrefix(code, "invalid_") { // each scene is sealed
				t.Errorf("%s is shown %d times", code, shown[area.String()+" "+code])
			}
		}
	}
}

func TestViewsAreTheSameForTheSamePacketsAndTime(t *testing.T) {
	for name := range domaintest.Passing() {
		one, two := domaintest.View(t, domaintest.Passing()[name]), domaintest.View(t, domaintest.Passing()[name])
		if string(one.Document()) != string(two.Document()) || !one.Digest(domaintest.SampleSalt).Matches(two.Digest(domaintest.SampleSalt)) ||
			one.Digest(domaintest.SampleSalt).String() != domaintest.HashOf(map[string]any{"salt": string(domaintest.SampleSalt), "view": domaintest.Parsed(string(one.Evidence()))}) {
			t.Errorf("%s differs", name)
		}
		later := domaintest.LookAgain(t, domaintest.Passing()[name], domaintest.RecheckedAt)
		if later.Digest(domaintest.SampleSalt) == one.Digest(domaintest.SampleSalt) {
			t.Errorf("%s: another time, the same digest", name)
		}
	}
}

// Hostile text is shown as escapes, on every way out of a view.
func TestViewsEscapeHostileText(t *testing.T) {
	hostile := "\x1b]0;owned\x07 \u202e\u200b\u009b31m\r\n\u2028"
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/remedyGap", hostile), domaintest.Set("/record/evidenceScope/statement", hostile),
		domaintest.Set("/record/standing/privacySafeSummary", hostile))
	for _, section := range v.Sections() {
		for _, row := range section.Rows {
			if strings.ContainsAny(row.Label+row.Value, hostile[:1]+"\x07\u202e\u200b\u009b\r\u2028") {
				t.Errorf("%s: %q", row.Label, row.Value)
			}
		}
	}
}

func TestTextsKeepTheirLinesAndJoiners(t *testing.T) {
	honest := "می\u200cخواهم:\n⚠\ufe0f שלום"
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/evidenceScope/statement", honest))
	for _, part := range v.Parts() {
		for _, row := range part.Rows {
			if row.Label == views.LabelStatement && row.Value != honest {
				t.Errorf("%q", row.Value)
			}
		}
	}
}

func TestViewsNameTheirSectionsOnce(t *testing.T) {
	for name, s := range domaintest.Passing() {
		v := domaintest.View(t, s)
		seen := map[views.SectionName]bool{}
		for _, section := range v.Sections() {
			if seen[section.Name] || !section.Name.Present() || views.HeadingFor(v.Area(), section.Name) == "" || len(section.Rows) == 0 {
				t.Errorf("%s: section %q", name, section.Name)
			}
			seen[section.Name] = true
		}
	}
	if views.SectionTitle(0) != "" {
		t.Error("no section has a title")
	}
}

func TestEveryRowOfAViewStandsInExactlyOnePart(t *testing.T) {
	for name, v := range map[string]views.View{
		"an appeal":                  domaintest.View(t, domaintest.Appeal()),
		"an appeal without a policy": domaintest.View(t, domaintest.Appeal(), domaintest.Del("/policy")),
		"a request that misfits":     domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "record_remedy")),
		"an amendment":               domaintest.View(t, domaintest.MaterialChange()),
	} {
		rows := map[*pages.Row]int{}
		for _, part := range v.Parts() {
			if part.Name.Title() == "" || part.Name.String() == "" {
				t.Errorf("%s: part %d has no title or no key", name, part.Name)
			}
			for _, row := range part.Rows {
				rows[row.Row]++
			}
		}
		count := 0
		for _, section := range v.Sections() {
			for i := range section.Rows {
				count++
				if n := rows[&section.Rows[i]]; n != 1 {
					t.Errorf("%s: %s of %s stands in %d parts", name, section.Rows[i].Label, section.Name, n)
				}
			}
		}
		if count < 20 || len(rows) != count {
			t.Errorf("%s: %d rows in sections, %d in parts", name, count, len(rows))
		}
	}
}

func TestTheTextsComeFirst(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	first := v.Parts()[0]
	if first.Name != views.PartSaid || first.Rows[0].Label != views.LabelStatement || first.Rows[len(first.Rows)-1].Label != views.LabelDeadline {
		t.Errorf("%v begins with %q and ends with %q", first.Name, first.Rows[0].Label, first.Rows[len(first.Rows)-1].Label)
	}
}

func TestAConsentIsOfTheseTermsAndInForceNow(t *testing.T) {
	party := func(edits ...domaintest.Edit) views.EffectConsent {
		v := domaintest.View(t, domaintest.MaterialChange(), edits...)
		list := v.EffectConsents()
		return list[slices.IndexFunc(list, func(c views.EffectConsent) bool { return c.Label == "exposure increase" })]
	}
	if one := party(); !one.Has || len(one.Confirmed) != 2 || len(one.Lacking) != 0 {
		t.Errorf("confirmed by both: %+v", one)
	}
	for name, edit := range map[string]domaintest.Edit{
		"it has expired":       domaintest.Set("/record/confirmations/0/expiresAt", "2020-01-01T00:00:00Z"),
		"it is of other terms": domaintest.Set("/record/confirmations/0/termsHash", terms.HashOf([]byte("others")).String()),
		"it does not cover it": domaintest.Set("/record/confirmations/0/covers", []string{"privacyChange"}),
	} {
		if one := party(edit); len(one.Confirmed) != 1 || len(one.Lacking) != 1 {
			t.Errorf("%s: %+v", name, one)
		}
	}
}

// shownRow finds the first row of a label in what shows; false for none.
func shownRow(v views.View, label string) (pages.Row, bool) {
	for _, section := range v.Sections() {
		for _, row := range section.Rows {
			if row.Label == label {
				return row, true
			}
		}
	}
	return pages.Row{}, false
}

func TestThePolicyThatARecordNamesIsAmissOnlyWhereNoneIsHeld(t *testing.T) {
	for label, test := range map[string]struct {
		scene func() domaintest.Scene
		name  string
	}{
		"named by the case":   {domaintest.Appeal, "appeal-policy version 3"},
		"named by the record": {domaintest.MaterialChange, "amendment-policy version 5"},
	} {
		id, _, _ := strings.Cut(test.name, " ")
		for name, c := range map[string]struct {
			view        views.View
			want        string
			named, held pages.Mark
		}{
			"held":                {domaintest.View(t, test.scene()), test.name, pages.Good, pages.Good},
			"held as another":     {domaintest.View(t, test.scene(), domaintest.Set("/policy/policyId", "another")), test.name, pages.Good, pages.Bad},
			"not held":            {domaintest.View(t, test.scene(), domaintest.Del("/policy")), test.name, pages.Bad, pages.Bad},
			"named by no version": {domaintest.View(t, test.scene(), domaintest.Del("/record/policyVersion")), id, pages.Good, pages.Bad},
		} {
			named, _ := shownRow(c.view, label)
			held, _ := shownRow(c.view, "held here")
			if named.Value != c.want || named.Mark != c.named || held.Mark != c.held {
				t.Errorf("%s, %s: %q is %s, held here is %s", label, name, named.Value, named.Mark, held.Mark)
			}
		}
	}
}

func TestARowShowsWhatIsStatedAndWhetherItCounts(t *testing.T) {
	const revision, reviewed, fits = "revision", "destination reviewed", "fits the trigger"
	set, del := domaintest.Set, domaintest.Del
	misfit := set("/record/requestedOutcome", "record_remedy")
	for name, test := range map[string]struct {
		from  func() domaintest.Scene
		edits []domaintest.Edit
		label string
		shown bool
		mark  pages.Mark
		value string // how it begins
	}{
		"the latest revision":         {domaintest.Appeal, nil, revision, true, pages.Good, "2"},
		"an earlier revision":         {domaintest.Appeal, []domaintest.Edit{set("/latestRevision", 3)}, revision, true, pages.Bad, "2 (the latest is 3)"},
		"a review that is absent":     {domaintest.MaterialChange, []domaintest.Edit{del("/record/destinationReview")}, reviewed, false, 0, ""},
		"a review stated":             {domaintest.MaterialChange, []domaintest.Edit{set("/record/destinationReview/completed", true)}, reviewed, true, pages.Unread, "yes"},
		"a review stated not to be":   {domaintest.MaterialChange, []domaintest.Edit{set("/record/destinationReview/completed", false)}, reviewed, true, pages.Unread, "no"},
		"a review needed and absent":  {domaintest.DestinationChange, []domaintest.Edit{del("/record/destinationReview")}, reviewed, true, pages.Bad, ""},
		"a review needed and stated":  {domaintest.DestinationChange, nil, reviewed, true, pages.Good, "yes"},
		"no outcome asked for":        {domaintest.Appeal, []domaintest.Edit{set("/record/requestedOutcome", nil)}, fits, false, 0, ""},
		"an outcome permitted":        {domaintest.Appeal, []domaintest.Edit{set("/record/requestedOutcome", "uphold_decision")}, fits, false, 0, ""},
		"an outcome not permitted":    {domaintest.Appeal, []domaintest.Edit{misfit}, fits, true, pages.Unread, "no: "},
		"an outcome without a policy": {domaintest.Appeal, []domaintest.Edit{misfit, del("/policy")}, fits, false, 0, ""},
		"an outcome without a rule":   {domaintest.Appeal, []domaintest.Edit{misfit, del("/policy/outcomeRules")}, fits, false, 0, ""},
		"an outcome, and no trigger":  {domaintest.Appeal, []domaintest.Edit{misfit, del("/record/trigger")}, fits, false, 0, ""},
	} {
		row, shown := shownRow(domaintest.View(t, test.from(), test.edits...), test.label)
		whole := row.Value == test.value || test.label == fits && strings.HasPrefix(row.Value, test.value)
		if shown != test.shown || !whole || row.Mark != test.mark || row.Advice != (test.label == fits && shown) {
			t.Errorf("%s: shown is %v, %q, %s, advice %v", name, shown, row.Value, row.Mark, row.Advice)
		}
	}
}
