package decision_test

import (
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
)

func instant(t *testing.T, text string) terms.Instant {
	t.Helper()
	at, ok := terms.ParseInstant(text)
	if !ok {
		t.Fatalf("%s is no time", text)
	}
	return at
}

func TestADraftSaysWhenAndOnWhatItWasBegun(t *testing.T) {
	at, later := instant(t, "2026-03-02T09:00:00Z"), instant(t, "2026-03-03T09:00:00Z")
	caseFile := workbenchtest.Sample(t).Latest(terms.AppealCases, "AC-2042")
	for _, test := range []struct {
		revision int64
		now      terms.Instant
		want     string
	}{
		{1, at, "09:00Z"}, {1, later, "2026-03-02 09:00Z"}, {2, at, "09:00Z on revision 2"}, {1, terms.Instant{}, "2026-03-02 09:00Z"},
	} {
		caseFile.Draft = records.KeptDraft{Revision: test.revision, SavedAt: at}
		if got := decision.DraftOf(&caseFile, test.now); got != "A draft of "+test.want+" is kept: no outcome yet, 0 factor codes." {
			t.Errorf("on revision %d at %s: %q", test.revision, test.now, got)
		}
	}
}

func TestADraftThatCannotBeReadCanOnlyBeDropped(t *testing.T) {
	caseFile := workbenchtest.Sample(t).Latest(terms.AppealCases, "AC-2042")
	caseFile.Draft = records.KeptDraft{Revision: 1, Unreadable: "its bytes are others"}
	if got := decision.DraftOf(&caseFile, terms.Instant{}); got != "The draft of – cannot be read: its bytes are others." {
		t.Errorf("%q", got)
	}
	if got := decision.Unreadable(&caseFile, "X"); got != "the draft cannot be read: its bytes are others; X discards it" {
		t.Errorf("%q", got)
	}
}

func TestOnlyTheChoicesOfADraftThatStillHoldAreTakenOver(t *testing.T) {
	caseFile := workbenchtest.Sample(t).Latest(terms.AppealCases, "AC-2042")
	kept := records.KeptDraft{Revision: 1, Draft: records.Draft{Outcome: terms.CorrectRecord, Preliminary: terms.UpholdDecision,
		Added: terms.SetOf(terms.NoticeMissing, terms.StandingMissing), Note: "ask", Step: "review"}}
	d := decision.New(&caseFile, terms.Instant{}, records.Reviewer{}, false)
	d.Resume(&kept, false)
	if d.Outcome.Present() || d.Preliminary != terms.UpholdDecision || d.Added != terms.SetOf(terms.StandingMissing) || d.Note != "ask" || len(d.Notices) != 2 {
		t.Errorf("%+v", d)
	}
	kept.Revision = 3
	d = decision.New(&caseFile, terms.Instant{}, records.Reviewer{}, false)
	if d.Resume(&kept, false); d.Preliminary.Present() || len(d.Notices) != 3 || d.At() != 0 {
		t.Errorf("from another revision %+v", d)
	}
}

func TestADraftKeepsNoWordOfASentenceWithAPrivateDetail(t *testing.T) {
	for text, want := range map[string]string{
		"  A receipt was counted twice. ":           "A receipt was counted twice.",
		"Konto GB82 WEST 1234 5698 7654 32 bitte":   "",
		"Seen. Konto GB82 WEST 1234 5698 7654 32 b": "Seen.",
		"Seen.\nwrite jane.doe @ example.org":       "Seen.",
		"a list\nlives at 52.52001, 13.40501 now":   "a list",
		"One! Two? I paid with 4111 1111 1111 1111": "One! Two?",
	} {
		if got := decision.Drafted(text); got != want {
			t.Errorf("%q is kept as %q", text, got)
		}
	}
}
