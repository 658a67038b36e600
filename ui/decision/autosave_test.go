package decision_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
)

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
