package views_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/views"
)

// shownRow finds the first row of a label in what shows; false for none.
func shownRow(v views.View, label string) (views.Row, bool) {
	for _, section := range v.Sections() {
		for _, row := range section.Rows {
			if row.Label == label {
				return row, true
			}
		}
	}
	return views.Row{}, false
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
			named, held views.Mark
		}{
			"held":                {domaintest.View(t, test.scene()), test.name, views.MarkGood, views.MarkGood},
			"held as another":     {domaintest.View(t, test.scene(), domaintest.Set("/policy/policyId", "another")), test.name, views.MarkGood, views.MarkBad},
			"not held":            {domaintest.View(t, test.scene(), domaintest.Del("/policy")), test.name, views.MarkBad, views.MarkBad},
			"named by no version": {domaintest.View(t, test.scene(), domaintest.Del("/record/policyVersion")), id, views.MarkGood, views.MarkBad},
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
		want  views.Row
	}{
		"absent":            {domaintest.View(t, domaintest.MaterialChange(), domaintest.Del("/record/destinationReview")), false, views.Row{}},
		"stated":            {domaintest.View(t, domaintest.MaterialChange(), domaintest.Set("/record/destinationReview/completed", true)), true, views.Row{Value: "yes"}},
		"stated not to be":  {domaintest.View(t, domaintest.MaterialChange(), domaintest.Set("/record/destinationReview/completed", false)), true, views.Row{Value: "no"}},
		"needed and absent": {domaintest.View(t, domaintest.DestinationChange(), domaintest.Del("/record/destinationReview")), true, views.Row{Mark: views.MarkBad}},
		"needed and stated": {domaintest.View(t, domaintest.DestinationChange()), true, views.Row{Value: "yes", Mark: views.MarkGood}},
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
