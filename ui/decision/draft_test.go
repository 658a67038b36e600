package decision_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"docket/domain/packets"
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
func TestATextOfOnesOwnIsReadFromMarkdown(t *testing.T) {
	for name, c := range map[string]struct {
		document string
		want     decision.Prepared
		fault    string
	}{
		"a heading and a text": {"# Counted twice\n\nThe receipt\nis there twice.\n", decision.Prepared{Heading: "Counted twice", Text: "The receipt\nis there twice."}, ""},
		"narrowed": {"# Notice\r\noutcome: close_unresolved\r\n\r\ntrigger: duplicate_proof\r\n\r\nNobody was told.",
			decision.Prepared{Heading: "Notice", Trigger: terms.DuplicateProof, Outcome: terms.CloseUnresolved, Text: "Nobody was told."}, ""},
		"a colon in the text":   {"# A\nSee: the receipt.", decision.Prepared{Heading: "A", Text: "See: the receipt."}, ""},
		"nothing":               {"", decision.Prepared{}, "no heading"},
		"no heading":            {"The receipt.", decision.Prepared{}, "no heading"},
		"an empty heading":      {"# \nThe receipt.", decision.Prepared{}, "no heading"},
		"no text":               {"# A\ntrigger: duplicate_proof\n", decision.Prepared{}, "no text"},
		"an unknown trigger":    {"# A\ntrigger: secret-word\nText.", decision.Prepared{}, "line trigger"},
		"an unknown outcome":    {"# A\noutcome:\nText.", decision.Prepared{}, "line outcome"},
		"a control character":   {"# A\nText.\x1b[2J", decision.Prepared{}, "do not print"},
		"a right-to-left trick": {"# A\nText.\u202e", decision.Prepared{}, "do not print"},
	} {
		got, err := decision.ReadPrepared(c.document)
		switch {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%s: %+v, %v", name, got, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "secret-word")):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// drafts store the note of the newest draft by key.
type drafts map[packets.Key]string

func (d drafts) SaveDraft(_ context.Context, _ terms.Table, key packets.Key, draft records.Draft) error {
	d[key] = draft.Note
	return nil
}

func (d drafts) DropDraft(_ context.Context, _ terms.Table, key packets.Key) error {
	delete(d, key)
	return nil
}

// autosaved returns an autosave, the key of a packet, and the versions of its draft with these notes.
func autosaved(stored drafts, notes ...string) (*decision.Autosave, packets.Key, []decision.Version) {
	a, key := &decision.Autosave{Drafts: stored}, packets.Key{ID: "AC-1", Number: 1}
	var versions []decision.Version
	for _, note := range notes {
		a.Note(terms.AppealCases, key, records.Draft{Note: note})
		versions = append(versions, a.Newest())
	}
	return a, key, versions
}

func TestVersionsThatOvertakeOneAnotherLeaveTheNewest(t *testing.T) {
	for range 100 {
		stored := drafts{}
		a, key, versions := autosaved(stored, "a", "b", "c", "d")
		rand.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
		for _, v := range versions {
			if err := a.Save(t.Context(), v); err != nil {
				t.Fatal(err)
			}
		}
		if stored[key] != "d" {
			t.Fatalf("%q is stored", stored[key])
		}
	}
}

func TestNoDraftComesBackOnceItsDecisionHasEnded(t *testing.T) {
	for name, end := range map[string]func(*decision.Autosave, packets.Key) error{
		"recorded": func(a *decision.Autosave, key packets.Key) error {
			return a.Ending().Run(func() error { return a.Drafts.DropDraft(context.Background(), terms.AppealCases, key) })
		},
		"discarded": func(a *decision.Autosave, key packets.Key) error {
			return a.Drop(terms.AppealCases, key)(context.Background())
		},
	} {
		stored := drafts{}
		a, key, versions := autosaved(stored, "a", "b")
		if err := errors.Join(a.Save(t.Context(), versions[0]), end(a, key), a.Save(t.Context(), versions[1]), a.Flush()); err != nil || len(stored) > 0 {
			t.Errorf("%s: %v is back: %v", name, stored, err)
		}
		a.Close()
		if !a.Note(terms.AppealCases, key, records.Draft{Note: "b"}) {
			t.Errorf("%s: the next decision has no version", name)
		}
		if err := a.Flush(); err != nil || stored[key] != "b" {
			t.Errorf("%s: the next decision is not stored: %v", name, err)
		}
	}
}

func TestADecisionThatCouldNotBeRecordedIsStillSaved(t *testing.T) {
	stored := drafts{}
	a, key, versions := autosaved(stored, "a")
	failed := errors.New("the disk is full")
	if err := a.Ending().Run(func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("it says %v", err)
	}
	if err := a.Save(t.Context(), versions[0]); err != nil || stored[key] != "a" {
		t.Errorf("%v is stored: %v", stored, err)
	}
}

func TestTheSameDraftIsNoNewVersion(t *testing.T) {
	a, key, _ := autosaved(drafts{}, "a")
	if a.Note(terms.AppealCases, key, records.Draft{Note: "a"}) {
		t.Error("it is")
	}
	if !a.Note(terms.AppealCases, packets.Key{ID: "AC-2", Number: 1}, records.Draft{Note: "a"}) {
		t.Error("nor is that of another packet")
	}
}
