package store

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/turn"
)

// A busyStore is a console's store with a case, of which the first clock that an import reads, in its first transaction, calls within.
type busyStore struct {
	*fixture
	list   []packets.Packet // to be imported
	within func()
}

func newBusyStore(t *testing.T) *busyStore {
	t.Helper()
	b := &busyStore{}
	now := func() time.Time {
		if call := b.within; call != nil {
			b.within = nil
			call()
		}
		return noon
	}
	b.fixture = fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: now}))
	b.take(b.mill.appealPolicy(1), b.mill.appealCase(passing("case-1", 1)))
	for i := range 20 * leastPortion {
		b.list = append(b.list, b.mill.appealCase(passing(fmt.Sprintf("more-%04d", i), 1)))
	}
	return b
}

// held is how many cases the store has.
func (b *busyStore) held(s *Store) (count int64) {
	b.t.Helper()
	must(b.t, s.reading(b.t.Context(), "count the cases", func(ctx context.Context, tx engine.Tx) (err error) {
		count, err = tx.Packets().Last(ctx, terms.AppealCases)
		return err
	}))
	return count
}

// all imports the list, and fails unless it came in as a whole.
func (b *busyStore) all() {
	b.t.Helper()
	results, err := b.store.Import(b.t.Context(), b.list)
	if err != nil || len(results) != len(b.list) {
		b.t.Fatal(len(results), err)
	}
	for i, result := range results {
		if result != Imported {
			b.t.Fatalf("packet %d: %v", i, result)
		}
	}
	wantSame(b.t, "cases", b.held(b.store), int64(len(b.list))+1)
}

func TestARecordOfAnotherProgramComesInBetweenThePortionsOfAnImport(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	other := fixtureAt(t, openAt(t, b.store.Path(), noon))
	bell := turn.Bell{Folder: filepath.Dir(b.store.Path())}
	var wait sync.WaitGroup
	b.within = func() {
		wait.Go(func() {
			other.record("case-1", decision{outcome: terms.UpholdDecision})
			if count := b.held(other.store); count < leastPortion || count > int64(len(b.list)) {
				t.Errorf("it came in when there were %d cases", count)
			}
		})
		for !bell.Rings() {
			runtime.Gosched()
		}
	}
	b.all()
	wait.Wait()
	wholeLog(t, b.store)
}

func TestARecordOfTheSameProgramComesInBetweenThePortionsOfAnImport(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	caseFile := b.caseFile(terms.AppealCases, "case-1")
	sub := b.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	var wait sync.WaitGroup
	b.within = func() {
		wait.Go(func() {
			if _, err := b.store.Append(t.Context(), sub); err != nil {
				t.Error(err)
			}
			if count := b.held(b.store); count < leastPortion || count > int64(len(b.list)) {
				t.Errorf("it came in when there were %d cases", count)
			}
		})
		for !b.store.db.Awaited() {
			runtime.Gosched()
		}
	}
	b.all()
	wait.Wait()
	wholeLog(t, b.store)
}

func TestAnImportThatNobodyWaitsForIsOnePortion(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	heads := func() (position int64) {
		must(t, b.store.reading(t.Context(), "read the heads", func(ctx context.Context, tx engine.Tx) error {
			head, err := tx.Packets().NewestHead(ctx)
			position = head.Position
			return err
		}))
		return position
	}
	before := heads()
	b.all()
	wantSame(t, "portions", heads(), before+1)
}

func TestAnImportThatEndsBetweenPortionsIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := newBusyStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	bell := turn.Bell{Folder: filepath.Dir(b.store.Path())}
	stop := func() {}
	b.within = func() {
		stop = bell.Ring() // somebody waits, and gives the import up meanwhile
		cancel()
	}
	if _, err := b.store.Import(ctx, b.list); err == nil {
		t.Fatal("it goes on")
	}
	stop()
	taken := b.held(b.store) - 1
	if taken != leastPortion {
		t.Fatalf("%d are held", taken)
	}
	results := need(b.store.Import(t.Context(), b.list))(t)
	for i, result := range results {
		if want := (map[bool]ImportResult{true: Unchanged, false: Imported})[int64(i) < taken]; result != want {
			t.Fatalf("packet %d: %v", i, result)
		}
	}
	wantKinds(t, "an import that was taken up again", proven(t, b.store))
}
