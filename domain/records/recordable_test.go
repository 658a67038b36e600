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

func TestStatementsOfReasonsAreTextsWithoutPrivateDetails(t *testing.T) {
	for text, good := range map[string]bool{"The evidence is about another row.": true, "": false, " \u200b": false, "ask someone@example.org": false,
		strings.Repeat("x", 2000): true, strings.Repeat("x", 2001): false, "\xff": false} {
		s := records.Statement{Salt: domaintest.SampleSalt, Text: text}
		if err := s.Check(); (err == nil) != good {
			t.Errorf("%.20q: %v", text, err)
		}
		again, err := records.ReadStatement(s.Document())
		if text != "\xff" && (err != nil || again != s) {
			t.Errorf("%.20q is read back as %v, %v", text, again, err)
		}
	}
	if err := (records.Statement{Text: "No salt."}).Check(); err == nil {
		t.Error("a statement needs a salt")
	}
}

// A statement and a note say only what is seen; the refusal names the character and no word of the text.
func TestWhatIsNotSeenIsRefusedInAStatementAndInANote(t *testing.T) {
	for text, code := range map[string]string{"The \u202enotice": "U+202E", "The\u200b notice": "U+200B", "The \x1b[31mnotice": "U+001B"} {
		for _, err := range []error{records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()} {
			if !errors.Is(err, records.ErrRefused) || !strings.Contains(err.Error(), code) || strings.Contains(err.Error(), "notice") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"The notice\ncame late.", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"} {
		if err := errors.Join(records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAReasonToSkipHoldsNoPrivateDetail(t *testing.T) {
	for text, ok := range map[string]bool{"waits for the bank": true, "": false, "jane.roe@example.org is away": false, "call +49 171 1234567": false} {
		err := records.CheckSkipReason(text)
		if (err == nil) != ok || err != nil && (!errors.Is(err, records.ErrRefused) || strings.Contains(err.Error(), "jane")) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
