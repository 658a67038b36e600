package views_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/pages"
	"docket/domain/views"
)

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

func TestTheLatestRevisionIsNamedWhereItIsAnother(t *testing.T) {
	for latest, want := range map[int]string{2: "2", 3: "2 (the latest is 3)"} {
		v := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/revision", 2), domaintest.Set("/latestRevision", latest))
		if row, _ := shownRow(v, "revision"); row.Value != want {
			t.Errorf("%q, want %q", row.Value, want)
		}
	}
}

func TestAReviewOfTheDestinationShowsWhereItWasStated(t *testing.T) {
	for name, test := range map[string]struct {
		view  views.View
		shown bool
		want  pages.Row
	}{
		"absent":            {domaintest.View(t, domaintest.MaterialChange(), domaintest.Del("/record/destinationReview")), false, pages.Row{}},
		"stated":            {domaintest.View(t, domaintest.MaterialChange(), domaintest.Set("/record/destinationReview/completed", true)), true, pages.Row{Mark: pages.Unread, Value: "yes"}},
		"stated not to be":  {domaintest.View(t, domaintest.MaterialChange(), domaintest.Set("/record/destinationReview/completed", false)), true, pages.Row{Mark: pages.Unread, Value: "no"}},
		"needed and absent": {domaintest.View(t, domaintest.DestinationChange(), domaintest.Del("/record/destinationReview")), true, pages.Row{Mark: pages.Bad}},
		"needed and stated": {domaintest.View(t, domaintest.DestinationChange()), true, pages.Row{Value: "yes", Mark: pages.Good}},
	} {
		row, shown := shownRow(test.view, "destination reviewed")
		if shown != test.shown || row.Value != test.want.Value || row.Mark != test.want.Mark {
			t.Errorf("%s: shown is %v, %q, %s", name, shown, row.Value, row.Mark)
		}
	}
}

func TestARequestedOutcomeThatDoesNotFitTheTriggerIsShown(t *testing.T) {
	for name, test := range map[string]struct {
		view views.View
		told bool
	}{
		"none asked for":    {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", nil)), false},
		"permitted":         {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "uphold_decision")), false},
		"not permitted":     {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "record_remedy")), true},
		"without a policy":  {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "record_remedy"), domaintest.Del("/policy")), false},
		"without a rule":    {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "record_remedy"), domaintest.Del("/policy/outcomeRules")), false},
		"without a trigger": {domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", "record_remedy"), domaintest.Del("/record/trigger")), false},
	} {
		row, told := shownRow(test.view, "fits the trigger")
		if told != test.told || told && (!row.Advice || !strings.HasPrefix(row.Value, "no: ")) {
			t.Errorf("%s: told %v, %+v", name, told, row)
		}
	}
}
