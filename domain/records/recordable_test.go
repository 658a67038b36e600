package records_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// factorSets are the codes that the evaluation gives, and those that always stand.
func factorSets(v *views.View, outcome terms.Outcome, added terms.BlockerSet) (offered, always terms.FactorSet) {
	for _, reason := range records.FactorsFor(v, outcome, added) {
		if reason.Supported {
			offered = offered.With(reason.Code)
		}
		if reason.Always {
			always = always.With(reason.Code)
		}
	}
	return offered, always
}

func TestABlockerThatSomebodyAddedBeforeStands(t *testing.T) {
	for _, s := range []domaintest.Scene{domaintest.Appeal(), domaintest.Correction()} {
		v := domaintest.View(t, s)
		v = v.Carrying(terms.SetOf(terms.NoticeMissing))
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		if m := record.Members(); m.Gate != terms.Blocked || !slices.Equal(m.CarriedBlockers, []terms.Blocker{terms.NoticeMissing}) {
			t.Errorf("%+v", m)
		}
		fresh := domaintest.LookAgain(t, s, domaintest.RecheckedAt)
		if err := record.Recheck(&fresh, ""); err == nil || !strings.Contains(err.Error(), "notice_missing") {
			t.Errorf("a code that nobody added is carried: %v", err)
		}
	}
}

func TestNoRecordGoesWithoutARequiredStatement(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     func() domaintest.Scene
		carried  terms.BlockerSet
		outcome  terms.Outcome
		added    terms.BlockerSet
		required bool
	}{
		{"the advised outcome", domaintest.Appeal, 0, terms.OpenChallengeWindow, 0, false},
		{"another outcome", domaintest.Appeal, 0, terms.UpholdDecision, 0, true},
		{"closed unresolved", domaintest.Appeal, 0, terms.CloseUnresolved, 0, true},
		{"an added blocker", domaintest.Appeal, 0, terms.BlockReliance, terms.SetOf(terms.ScopeMissing), true},
		{"advised under a carried blocker", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.BlockReliance, 0, false},
		{"advised but for a carried blocker", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.RouteHumanReview, 0, true},
		{"added what is carried", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.BlockReliance, terms.SetOf(terms.ScopeMissing), false},
		{"a confirmed amendment", domaintest.Correction, 0, 0, 0, false},
		{"a tightened amendment", domaintest.Correction, 0, 0, terms.SetOf(terms.PolicyStale), true},
		{"a carried blocker of an amendment", domaintest.Correction, terms.SetOf(terms.PolicyStale), 0, terms.SetOf(terms.PolicyStale), false},
	} {
		v := domaintest.View(t, c.from())
		v = v.Carrying(c.carried)
		later := domaintest.LookAgain(t, c.from(), domaintest.RecheckedAt)
		later = later.Carrying(c.carried)
		choice := domaintest.ChoiceFor(&v, c.added.Terms()...)
		if choice.Outcome = c.outcome; v.Area() == terms.Appeals {
			choice.Factors = terms.SetOf(terms.HumanReviewRequired)
		}
		if why := records.StatementRequired(&v, &choice); (why != "") != c.required {
			t.Errorf("%s: a statement is required: %q", c.name, why)
		}
		for text, fits := range map[records.Statement]bool{{}: !c.required, domaintest.SampleReasons: true, {Text: domaintest.SampleReasons.Text}: false,
			{Salt: domaintest.SampleSalt}: false, {Salt: domaintest.SampleSalt, Text: " "}: false, {Salt: domaintest.SampleSalt, Text: "ask someone@example.org"}: false} {
			choice.Statement = text
			record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
			if !fits {
				domaintest.Refused(t, c.name, record, err)
			} else if err != nil {
				t.Errorf("%s with %+v: %v", c.name, text, err)
			}
		}
		choice.Statement = domaintest.SampleReasons
		without := forged(t, domaintest.Recorded(t, &v, choice), domaintest.Set("/statementDigest", nil))
		err := without.Recheck(&later, "")
		said := err != nil && strings.Contains(err.Error(), "a statement of reasons is required: ")
		if found := domaintest.Replayed(&v, without); said != c.required || (err != nil) != c.required ||
			found.Has(records.ReplayReasons) != c.required || (len(found.Findings) > 0) != c.required {
			t.Errorf("%s: appended without: %v; found %+v", c.name, err, found.Findings)
		}
	}
}

// A statement and a reason to skip hold no private detail; these and a note say only what is seen. A refusal repeats nothing of the
// text, and names a character that is not seen.
func TestWhatAReviewerWritesIsSeenAndPublicTextsHoldNoPrivateDetail(t *testing.T) {
	for text, c := range map[string]struct {
		statement, skip, note bool
		code                  string
	}{
		"The evidence is about another row.": {true, true, true, ""}, "": {false, false, true, ""}, " \u200b": {false, false, false, ""},
		"canary, ask someone@example.org": {false, false, true, ""}, "canary, call +49 171 1234567": {false, false, true, ""},
		strings.Repeat("x", 2000): {true, true, true, ""}, strings.Repeat("x", 2001): {false, false, true, ""}, "\xff": {false, false, false, ""},
		"The \u202ecanary": {false, false, false, "U+202E"}, "The\u200b canary": {false, false, false, "U+200B"},
		"The \x1b[31mcanary": {false, false, false, "U+001B"}, "The notice\ncame late.": {true, true, true, ""},
		"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": {true, true, true, ""},
	} {
		s := records.Statement{Salt: domaintest.SampleSalt, Text: text}
		for what, one := range map[string]struct {
			err error
			may bool
		}{"statement": {s.Check(), c.statement}, "its text": {records.CheckStatement(text), c.statement}, "skip": {records.CheckSkipReason(text), c.skip},
			"note": {records.Note{Salt: "s", Text: text}.Check(), c.note}} {
			if (one.err == nil) != one.may || one.err != nil && (!errors.Is(one.err, records.ErrRefused) || strings.Contains(one.err.Error(), "canary") ||
				!strings.Contains(one.err.Error(), c.code)) {
				t.Errorf("%s %.20q: %v", what, text, one.err)
			}
		}
		if again, err := records.ReadStatement(s.Document()); text != "\xff" && (err != nil || again != s) {
			t.Errorf("%.20q is read back as %v, %v", text, again, err)
		}
	}
	if err := (records.Statement{Text: "No salt."}).Check(); err == nil {
		t.Error("a statement needs a salt")
	}
}
