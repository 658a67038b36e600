package records_test

import (
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

// entry is a record on a revision of a log in which it is at the sequence.
func entry(id records.RecordID, revision, sequence int64) records.Entry {
	return records.Entry{Addition: records.Addition{Record: id, Revision: revision}, Sequence: sequence}
}

func rejected(e records.Entry, inForce records.RecordID, answer int64) records.Entry {
	e.Rejection, e.Answer = &records.Rejection{RecordID: e.Record, InForce: inForce, Carried: terms.SetOf(terms.DeadlineMissing)}, answer
	return e
}

func superseding(e records.Entry, id records.RecordID) records.Entry {
	e.Supersedes = id
	return e
}

// elsewhere is a record that came when the log had so many records and so many rejections.
func elsewhere(id records.RecordID, revision, before, rejections int64) records.Entry {
	e := entry(id, revision, before)
	e.Elsewhere, e.Answer = true, rejections
	return e
}

func revoked(e records.Entry, never bool) records.Entry {
	e.Revoked, e.Never = true, never
	return e
}

func TestTheRecordInForceIsTheNewestWordOnARevision(t *testing.T) {
	for name, c := range map[string]struct {
		entries []records.Entry
		inForce records.RecordID // on revision 2
		again   records.RecordID
	}{
		"no record":                     {nil, "", ""},
		"on another revision":           {[]records.Entry{entry("a", 1, 0)}, "", ""},
		"one":                           {[]records.Entry{entry("a", 2, 0)}, "a", ""},
		"superseded":                    {[]records.Entry{entry("a", 2, 0), superseding(entry("b", 2, 1), "a")}, "b", ""},
		"rejected":                      {[]records.Entry{rejected(entry("a", 2, 0), "", 0)}, "", "a"},
		"rejected for another":          {[]records.Entry{rejected(entry("a", 2, 0), "x", 0)}, "x", "a"},
		"rejected after the next":       {[]records.Entry{rejected(entry("a", 2, 0), "x", 0), entry("b", 2, 1)}, "b", ""},
		"rejected, after one before it": {[]records.Entry{entry("a", 2, 0), rejected(superseding(entry("b", 2, 1), "a"), "a", 0)}, "a", "b"},
		"of a revoked key":              {[]records.Entry{revoked(entry("a", 2, 0), false)}, "", "a"},
		"of a revoked key, after one of a key that counts": {
			[]records.Entry{entry("a", 2, 0), revoked(superseding(entry("b", 2, 1), "a"), false)}, "a", "b"},
		"elsewhere":                       {[]records.Entry{elsewhere("x", 2, 0, 0)}, "x", ""},
		"elsewhere before one here":       {[]records.Entry{elsewhere("x", 2, 0, 0), superseding(entry("a", 2, 0), "x")}, "a", ""},
		"elsewhere after one here":        {[]records.Entry{entry("a", 2, 0), elsewhere("x", 2, 1, 0)}, "x", ""},
		"elsewhere, then the rejection":   {[]records.Entry{rejected(entry("a", 2, 0), "y", 0), elsewhere("x", 2, 1, 0)}, "y", "a"},
		"elsewhere, after the rejection":  {[]records.Entry{rejected(entry("a", 2, 0), "y", 0), elsewhere("x", 2, 1, 1)}, "x", "a"},
		"rejected on an earlier revision": {[]records.Entry{rejected(entry("a", 1, 0), "", 0)}, "", "a"},
		"rejected on an earlier revision, and decided": {
			[]records.Entry{rejected(entry("a", 1, 0), "", 0), entry("b", 2, 1)}, "b", ""},
		"rejected on an earlier revision, and decided elsewhere": {
			[]records.Entry{rejected(entry("a", 1, 0), "", 0), elsewhere("x", 2, 1, 1)}, "x", ""},
		"rejected on a later revision": {[]records.Entry{rejected(entry("a", 3, 0), "", 0)}, "", ""},
	} {
		var s records.Statuses
		for _, e := range slices.Backward(c.entries) { // they are taken in any order
			s.Add(e)
		}
		again := records.RecordID("")
		if e := s.Again(2); e != nil {
			again = e.Record
		}
		if got := s.InForce(2); got != c.inForce || again != c.again {
			t.Errorf("%s: %q is in force, %q is to be judged again", name, got, again)
		}
	}
}

func TestAStatusSaysWhatCameOfARecord(t *testing.T) {
	for name, c := range map[string]struct {
		of      records.Entry
		others  []records.Entry
		by      records.RecordID
		judged  int64
		revoked bool
	}{
		"in force":                          {of: entry("a", 1, 0)},
		"superseded":                        {of: entry("a", 1, 0), others: []records.Entry{superseding(entry("b", 1, 3), "a")}, by: "b"},
		"superseded by a rejected one":      {of: entry("a", 1, 0), others: []records.Entry{rejected(superseding(entry("b", 1, 3), "a"), "a", 0)}},
		"superseded by a revoked key":       {of: entry("a", 1, 0), others: []records.Entry{revoked(superseding(entry("b", 1, 3), "a"), true)}},
		"superseded elsewhere":              {of: entry("a", 1, 0), others: []records.Entry{superseding(elsewhere("x", 1, 1, 0), "a")}, by: "x"},
		"replaced by what a rejection says": {of: entry("a", 1, 0), others: []records.Entry{rejected(superseding(entry("b", 1, 3), "a"), "x", 0)}, by: "x"},
		"a rejection on another revision":   {of: entry("a", 1, 0), others: []records.Entry{rejected(entry("b", 2, 3), "x", 0)}},
		"rejected, and superseded":          {of: rejected(entry("a", 1, 0), "", 0), others: []records.Entry{superseding(entry("b", 1, 3), "a")}, judged: 3},
		"revoked, and decided later":        {of: revoked(entry("a", 1, 0), true), others: []records.Entry{entry("b", 2, 4)}, judged: 4, revoked: true},
		"rejected, and decided before":      {of: rejected(entry("a", 2, 5), "", 0), others: []records.Entry{entry("b", 2, 4), entry("c", 1, 6)}},
	} {
		s := records.Statuses{}
		s.Add(c.of)
		for _, e := range c.others {
			s.Add(e)
		}
		got := s.Of("a", c.of.Revision, c.of.Sequence)
		if got.SupersededBy != c.by || got.JudgedAgain != c.judged || got.Revoked != c.revoked || got.Rejection != c.of.Rejection {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatPeopleAddedStandsUnlessItsRecordNeverWasInForce(t *testing.T) {
	notice, scope := terms.SetOf(terms.NoticeMissing), terms.SetOf(terms.ScopeMissing)
	adding := func(e records.Entry) records.Entry {
		e.Codes, e.Carried, e.At = notice, scope, domaintest.Instant("2026-06-15T12:00:00Z")
		return e
	}
	accepted := adding(entry("a", 1, 0))
	accepted.Accepted = true
	for name, c := range map[string]struct {
		entries []records.Entry
		want    terms.BlockerSet
	}{
		"nothing":                        {[]records.Entry{entry("a", 1, 0)}, 0},
		"added and carried":              {[]records.Entry{adding(entry("a", 1, 0))}, notice.Union(scope)},
		"by one that is superseded":      {[]records.Entry{adding(entry("a", 1, 0)), superseding(entry("b", 1, 1), "a")}, notice.Union(scope)},
		"by a rejected one":              {[]records.Entry{rejected(adding(entry("a", 1, 0)), "", 0)}, terms.SetOf(terms.DeadlineMissing)},
		"with a key that counted then":   {[]records.Entry{revoked(adding(entry("a", 1, 0)), false)}, notice.Union(scope)},
		"with a key that did not count":  {[]records.Entry{revoked(adding(entry("a", 1, 0)), true)}, 0},
		"elsewhere":                      {[]records.Entry{adding(elsewhere("x", 1, 0, 0))}, notice.Union(scope)},
		"unanswered, and then elsewhere": {[]records.Entry{adding(entry("a", 1, 0)), elsewhere("x", 1, 1, 0)}, 0},
		"accepted, and then elsewhere":   {[]records.Entry{accepted, elsewhere("x", 1, 1, 0)}, notice.Union(scope)},
		"on another revision":            {[]records.Entry{adding(entry("a", 2, 0))}, 0},
	} {
		var s records.Statuses
		for _, e := range c.entries {
			s.Add(e)
		}
		if got, open := s.Added(1); got != c.want || open != nil {
			t.Errorf("%s: %v, unanswered %v", name, got.Texts(), open)
		}
		if _, open := s.Added(2); name == "added and carried" && records.CodesOf(open) != notice {
			t.Errorf("on the next revision %v", open)
		}
	}
}

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
