package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// openFailing opens a store that is expected to fail, and closes it if it does not.
func openFailing(t testing.TB, o Options) error {
	t.Helper()
	s, err := Open(context.Background(), o)
	if err == nil {
		must(t, s.Close())
		t.Fatal("it opens")
	}
	if s != nil {
		t.Error("there is a store beside the error")
	}
	return err
}

func TestAStoreIsMadeForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "deep", "down")
	path := filepath.Join(folder, "docket.db")
	s := openAt(t, path, noon)
	if s.Path() != path || s.ReadOnly() {
		t.Errorf("path %s", s.Path())
	}
	meta, err := s.Meta(t.Context())
	if err != nil || len(meta.Origin) != len(records.OriginPrefix)+32 || meta.createdAt.Time() != noon {
		t.Errorf("meta %+v, %v", meta, err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	for name, want := range map[string]os.FileMode{
		folder: 0o700, filepath.Dir(folder): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info := need(os.Stat(name))(t)
		wantSame(t, name, info.Mode().Perm(), want)
	}
}

func TestTwoStoresHaveDifferentOrigins(t *testing.T) {
	t.Parallel()
	origins := map[string]bool{}
	for range 2 {
		meta := need(newFixture(t).store.Meta(t.Context()))(t)
		origins[meta.Origin] = true
	}
	wantSame(t, "they share one", len(origins), 2)
}

func TestAnyNameOfAFileIsThatFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"a?mode=memory", "b#c", "d%20e", "f g&h=1", "ü.db", "file:x"} {
		openAt(t, filepath.Join(folder, name), noon)
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAnEmptyFileBecomesAStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	must(t, os.WriteFile(path, nil, 0o600))
	mustBe(t, openFailing(t, Options{Path: path, ReadOnly: true}), ErrNoStore)
	openAt(t, path, noon)
}

func TestAPathThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{"", "a\x00b", filepath.Join(file, "docket.db")} {
		mustBe(t, openFailing(t, Options{Path: path}), ErrNoAccess)
	}
}

func TestReadingAndWorkOnAnExistingStoreMakeNone(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{ReadOnly: true}, {Existing: true}} {
		o.Path = filepath.Join(t.TempDir(), "none", "docket.db")
		mustBe(t, openFailing(t, o), ErrNoStore)
		if _, err := os.Stat(filepath.Dir(o.Path)); !os.IsNotExist(err) {
			t.Errorf("the folder is there: %v", err)
		}
		o.Path = filepath.Join(t.TempDir(), "empty.db")
		must(t, os.WriteFile(o.Path, nil, 0o600))
		mustBe(t, openFailing(t, o), ErrNoStore)
	}
}

func TestAnOpeningTellsWhetherItMadeTheStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	for _, made := range []bool{true, false} {
		s, err := Open(t.Context(), Options{Path: path})
		if err != nil || s.Made() != made {
			t.Fatalf("made %v, want %v, %v", s.Made(), made, err)
		}
		must(t, s.Close())
	}
}

func TestAStoreOpenedForReadingTakesNothing(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	s := openWith(t, Options{Path: d.store.Path(), ReadOnly: true, Now: func() time.Time { return noon }})
	wantSame(t, "rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
	mustBe(t, errOf(s.Append(t.Context(), sub)), ErrReadOnly)
	mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealPolicy(2)})), ErrReadOnly)
	mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 1}}, "why"), ErrReadOnly)
}

func TestAStoreThatIsClosedSaysSo(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	for range 2 {
		must(t, d.store.Close())
	}
	mustBe(t, errOf(d.store.Head(t.Context())), ErrClosed)
	mustBe(t, errOf(d.store.Import(t.Context(), nil)), ErrClosed)
}
