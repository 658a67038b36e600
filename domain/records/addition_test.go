package records_test

import (
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

func TestABlockerOfAnEarlierRevisionStaysOpenUntilARecordInForceGivesReasons(t *testing.T) {
	at := domaintest.Instant("2026-06-15T12:00:00Z")
	later, before := domaintest.Instant("2026-06-15T13:00:00Z"), domaintest.Instant("2026-06-15T11:00:00Z")
	added := records.Addition{Record: "added", Revision: 1, At: at, Codes: terms.SetOf(terms.NoticeMissing), Reasons: true}
	answer := func(revision int64, at terms.Instant, reasons bool, id records.RecordID) records.Addition {
		return records.Addition{Record: id, Revision: revision, At: at, Reasons: reasons}
	}
	for name, c := range map[string]struct {
		all      []records.Addition
		revision int64
		open     bool
	}{
		"on its own revision":                    {[]records.Addition{added}, 1, false},
		"on the next revision":                   {[]records.Addition{added}, 2, true},
		"on a much later one":                    {[]records.Addition{added}, 7, true},
		"a record that adds none":                {[]records.Addition{answer(1, at, true, "x")}, 2, false},
		"answered on a revision between":         {[]records.Addition{added, answer(2, later, true, "x")}, 3, false},
		"answered on the revision":               {[]records.Addition{added, answer(2, later, true, "x")}, 2, false},
		"decided without reasons":                {[]records.Addition{added, answer(2, later, false, "x")}, 3, true},
		"answered by a record not in force":      {[]records.Addition{added, answer(2, later, true, "rejected")}, 3, true},
		"answered on its own revision":           {[]records.Addition{added, answer(1, later, true, "x")}, 2, true},
		"answered on a revision after the given": {[]records.Addition{added, answer(3, later, true, "x")}, 2, true},
		"added after a newer revision's record":  {[]records.Addition{answer(2, before, true, "x"), added}, 3, true},
		"added again on a revision between": {[]records.Addition{added,
			{Record: "again", Revision: 2, At: later, Codes: added.Codes, Reasons: true}}, 3, true},
	} {
		open := records.Unanswered(c.all, c.revision, func(a *records.Addition) bool { return a.Record != "rejected" })
		if want := terms.BlockerSet(0); records.CodesOf(open) != want && !c.open || records.CodesOf(open).Empty() && c.open {
			t.Errorf("%s: %+v", name, open)
		}
	}
}

func TestWhoDoesNotAddItAgainStatesWhy(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal()).Leaving(terms.SetOf(terms.NoticeMissing))
	c := domaintest.ChoiceFor(&v)
	c.Outcome = records.Advised(&v, 0)
	if why := records.StatementRequired(&v, &c); why != "a blocker that a person added on an earlier revision is not added again" {
		t.Errorf("nothing said: %q", why)
	}
	if records.GateWith(&v, 0) != terms.Pass {
		t.Error("it blocks by itself")
	}
	held := v.Carrying(terms.SetOf(terms.NoticeMissing))
	if !held.Unanswered().Empty() {
		t.Error("one that holds on the revision is unanswered")
	}
}
