package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/sqlite"
)

const briefly = 30 * time.Millisecond

// lock takes a lock as another program would, and returns what releases it.
func lock(t *testing.T, path string, statements ...string) (release func()) {
	t.Helper()
	db := need(sql.Open("sqlite", sqlite.Probing.DSN(path, time.Second)))(t)
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return sync.OnceFunc(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAStoreThatSomebodyElseWritesIsLockedForAWhile(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	s := openWith(t, Options{Path: d.store.Path(), BusyTimeout: briefly, Now: func() time.Time { return noon }})
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	packet := d.mill.appealPolicy(2)
	release := lock(t, d.store.Path(), "BEGIN IMMEDIATE")
	defer release()
	mustBe(t, errOf(s.Append(t.Context(), sub)), ErrLocked)
	mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{packet})), ErrLocked)
	mustBe(t, openFailing(t, Options{Path: d.store.Path(), BusyTimeout: briefly}), ErrLocked)
	wantSame(t, "reading: rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
	release()
	if _, err := s.Append(t.Context(), sub); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

func TestAStoreThatSomebodyKeepsToThemselvesIsLocked(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	path := d.store.Path()
	must(t, d.store.Close())
	release := lock(t, path, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE")
	defer release()
	for _, readOnly := range []bool{false, true} {
		mustBe(t, openFailing(t, Options{Path: path, BusyTimeout: briefly, ReadOnly: readOnly}), ErrLocked)
	}
}

func TestGivingUpEndsTheWaitForALock(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	packet := d.mill.appealPolicy(2)
	release := lock(t, d.store.Path(), "BEGIN IMMEDIATE")
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), briefly)
	defer cancel()
	begin := time.Now()
	mustBe(t, errOf(d.store.Import(ctx, []packets.Packet{packet})), context.DeadlineExceeded)
	if took := time.Since(begin); took > defaultBusyTimeout/2 {
		t.Errorf("it took %v", took)
	}
	release()
	d.take(packet)
}

func TestManyConsolesWriteOneLog(t *testing.T) {
	t.Parallel()
	const consoles, each = 4, 10
	first := newFixture(t)
	ids := first.many("case", consoles*each)
	var wait sync.WaitGroup
	for i := range consoles {
		d := fixtureAt(t, openAt(t, first.store.Path(), noon))
		wait.Go(func() {
			for _, id := range ids[i*each : (i+1)*each] {
				caseFile, err := d.store.CaseFile(context.Background(), terms.AppealCases, id, 0, terms.InstantOf(noon), "")
				if err == nil {
					_, err = d.store.Append(context.Background(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))
				}
				if err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	wait.Wait()
	wantSame(t, "records", len(wholeLog(t, first.store)), consoles*each)
}

func TestOfTwoWhoDecideTheSameCaseOneIsToldOfTheOther(t *testing.T) {
	t.Parallel()
	first := withCase(t)
	second := fixtureAt(t, openAt(t, first.store.Path(), noon))
	one, two := first.caseFile(terms.AppealCases, "case-1"), second.caseFile(terms.AppealCases, "case-1")
	subs := []Submission{
		first.decide(&one.View, decision{outcome: terms.UpholdDecision}),
		second.decide(&two.View, decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}}),
	}
	failures := make([]error, 2)
	var wait sync.WaitGroup
	for i, s := range []*Store{first.store, second.store} {
		wait.Go(func() { _, failures[i] = s.Append(context.Background(), subs[i]) })
	}
	wait.Wait()
	var stale *records.StaleError
	if (failures[0] == nil) == (failures[1] == nil) || !errors.As(errors.Join(failures...), &stale) {
		t.Errorf("both: %v", failures)
	}
}

func TestManyMakeOneStoreAtTheSameTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	origins := make([]string, 8)
	var wait sync.WaitGroup
	for i := range origins {
		wait.Go(func() {
			s, err := Open(context.Background(), Options{Path: path})
			if err != nil {
				t.Errorf("open %d: %v", i, err)
				return
			}
			meta, err := s.Meta(context.Background())
			if err = errors.Join(err, s.Close()); err != nil {
				t.Errorf("open %d: %v", i, err)
			}
			origins[i] = meta.Origin
		})
	}
	wait.Wait()
	for _, origin := range origins {
		if origin != origins[0] {
			t.Fatal(fmt.Sprint("they made several: ", origins))
		}
	}
}
