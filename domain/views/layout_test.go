package views_test

import (
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
)

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
