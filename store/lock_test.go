package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/verify"
)

const briefly = 30 * time.Millisecond

// lock takes a lock as another program would, and returns what releases it.
func lock(t *testing.T, path string, statements ...string) (release func()) {
	t.Helper()
	db := raw(t, path)
	for _, statement := range statements {
		_, err := db.Exec(statement)
		mustNot(t, err != nil, "%s: %v", statement, err)
	}
	return sync.OnceFunc(func() {
		err := db.Close()
		wantNot(t, err != nil, "%v", err)
	})
}

func TestAStoreThatSomebodyElseWritesIsLockedForAWhile(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	s := openWith(t, Options{Path: d.store.Path(), BusyTimeout: briefly, Now: func() time.Time { return noon }})
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision})
	packet := d.mill.appealPolicy(2)
	release := lock(t, d.store.Path(), "BEGIN IMMEDIATE")
	defer release()
	mustBe(t, errOf(s.Append(t.Context(), sub)), ErrLocked)
	mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{packet})), ErrLocked)
	mustBe(t, openFailing(t, Options{Path: d.store.Path(), BusyTimeout: briefly}), ErrLocked)
	wantSame(t, "reading: rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
	release()
	wantErr(t, "once it is free", errOf(s.Append(t.Context(), sub)), nil)
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
	took := time.Since(begin)
	wantNot(t, took > defaultBusyTimeout/2, "it took %v", took)
	release()
	d.take(packet)
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
	stores := []*Store{first.store, second.store}
	failures := atOnce(2, func(i int) error { return errOf(stores[i].Append(context.Background(), subs[i])) })
	var stale *records.StaleError
	wantNot(t, (failures[0] == nil) == (failures[1] == nil) ||
		!errors.As(errors.Join(failures...), &stale), "both: %v", failures)
}

func TestManyMakeOneStoreAtTheSameTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "docket.db")
	origins := make([]string, 8)
	must(t, errors.Join(atOnce(len(origins), func(i int) error {
		s, err := Open(context.Background(), Options{Path: path})
		if err != nil {
			return err
		}
		meta, err := s.Head(context.Background())
		origins[i] = meta.Origin
		return errors.Join(err, s.Close())
	})...))
	for _, origin := range origins {
		mustNot(t, origin != origins[0], "%v", fmt.Sprint("they made several: ", origins))
	}
}

// copyKey brings the key files beside one store to another.
func copyKey(t testing.TB, from, to string) {
	t.Helper()
	keys := need(filepath.Glob(filepath.Join(filepath.Dir(from), "docket-*.key")))(t)
	mustNot(t, len(keys) == 0, "%d key files", len(keys))
	for _, key := range keys {
		content := need(os.ReadFile(key))(t)
		must(t, os.WriteFile(filepath.Join(filepath.Dir(to), filepath.Base(key)), content, disk.FileMode))
	}
}

// forkOf is a copy of a closed store, on the same machine.
func forkOf(t testing.TB, o Options) Options {
	t.Helper()
	fork := o
	fork.Path = filepath.Join(t.TempDir(), "docket.db")
	must(t, os.WriteFile(fork.Path, need(os.ReadFile(o.Path))(t), disk.FileMode))
	copyKey(t, o.Path, fork.Path)
	return fork
}

func TestAStoreThatWasRolledBackToYesterdayIsFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	yesterday := need(os.ReadFile(o.Path))(t)
	d = fixtureAt(t, openWith(t, o))
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	d.close()
	must(t, os.WriteFile(o.Path, yesterday, disk.FileMode))
	s := openWith(t, o)
	wantKinds(t, "at opening", s.Findings(), verify.RolledBack)
	wantNot(t, s.Anchored(), "it counts as proven")
	mustTakeNothing(t, s)
	o.ReadOnly = true
	wantKinds(t, "opened for reading", openWith(t, o).Findings(), verify.RolledBack)
	o.AnchorFolder = filepath.Join(t.TempDir(), "other machine")
	for _, o.ReadOnly = range []bool{true, false} {
		s = openWith(t, o)
		wantKinds(t, "on a machine that never saw it", s.Findings(), verify.AnchorMissing)
		wantNot(t, s.Anchored(), "it counts as proven")
	}
	wantErr(t, "opening wrote an anchor", errOf(os.Stat(o.AnchorFolder)), os.ErrNotExist)
	mustTakeNothing(t, s)
}

func TestOfTwoForksOnlyOneIsGoneOnWith(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	fork := forkOf(t, o)
	first := fixtureAt(t, openWith(t, o))
	second := fixtureAt(t, openWith(t, fork))
	first.record("case-4", decision{outcome: terms.UpholdDecision})
	mustBe(t, errOf(second.store.Append(t.Context(), second.submission("case-5", decision{outcome: terms.UpholdDecision}))), ErrTampered)
	wantKinds(t, "the one that was open", second.store.Findings(), verify.RolledBack)
	second.close()
	fork.AnchorFolder = ""
	alone := fixtureAt(t, openWith(t, fork))
	alone.record("case-5", decision{outcome: terms.UpholdDecision})
	alone.close()
	fork.AnchorFolder = o.AnchorFolder
	again := openWith(t, fork)
	wantKinds(t, "the other fork", again.Findings(), verify.Forked)
	mustTakeNothing(t, again)
	first.record("case-5", decision{outcome: terms.UpholdDecision})
}

func TestTwoForksThatCommitAtTheSameMomentAreFound(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	fork := forkOf(t, o)
	first := fixtureAt(t, openWith(t, o))
	fork.connector = (&faultyDisk{commit: func(commit, _ func() error) error {
		first.record("case-4", decision{outcome: terms.UpholdDecision})
		return commit()
	}}).connector()
	second := fixtureAt(t, openWith(t, fork))
	receipt, err := second.store.Append(t.Context(), second.submission("case-5", decision{outcome: terms.UpholdDecision}))
	var unanchored *AnchorError
	wantNot(t, !errors.As(err, &unanchored) || receipt.TreeSize != 13, "%+v, %v", receipt, err)
	wantKinds(t, "the second", second.store.Findings(), verify.Forked)
	wantSame(t, "the finding is", second.store.Findings()[0].Detail, "its 13 records are not the 13 that this machine last saw")
	mustTakeNothing(t, second.store)
}

// An endingDatabase ends transactions with errQuery.
type endingDatabase struct{ engine.Database }

func (endingDatabase) Passing(err error) bool { return errors.Is(err, errQuery) }

func TestATransactionIsRunAgainAsLongAsTheDatabaseEndsIt(t *testing.T) {
	t.Parallel()
	other := errors.New("another error")
	unknown := errors.Join(errQuery, ErrUnknownOutcome)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx  context.Context
		ends []error // of the runs, in order; nil after the last
		runs int
		want error
	}{
		"at once":                 {t.Context(), nil, 1, nil},
		"the third time":          {t.Context(), []error{errQuery, errQuery}, 3, nil},
		"the last time":           {t.Context(), []error{errQuery, errQuery, errQuery, errQuery}, 5, nil},
		"never":                   {t.Context(), []error{errQuery, errQuery, errQuery, errQuery, errQuery}, 5, errQuery},
		"for another reason":      {t.Context(), []error{errQuery, other}, 2, other},
		"nobody knows":            {t.Context(), []error{unknown}, 1, ErrUnknownOutcome},
		"the caller has given up": {stopped, []error{errQuery}, 1, errQuery},
	} {
		runs := 0
		err := repeated(c.ctx, endingDatabase{}, func() (err error) {
			if runs < len(c.ends) {
				err = c.ends[runs]
			}
			runs++
			return err
		})
		wantNot(t, runs != c.runs || !errors.Is(err, c.want), "%s: %d runs, %v", name, runs, err)
	}
}

// Errors that a caller compares come back as they are; others say what was being done.
func TestAnErrorSaysWhatWasBeingDoneUnlessACallerComparesIt(t *testing.T) {
	s := newFixture(t).store
	for _, kept := range []error{&Problem{Path: "a", Kind: ErrLocked}, &records.Refusal{Reason: "late"}, ErrNotFound, ErrClosed, ErrEarly, ErrSetback, ErrTaken,
		ErrPacketSalt, ErrTokenInvalid, ErrInvitation} {
		for _, err := range []error{kept, fmt.Errorf("case-1: %w", kept)} {
			wantSame(t, "became", s.explain("look it up", err), err)
		}
	}
	must(t, s.explain("look it up", nil))
	wantErr(t, "the error is", s.explain("look it up", errQuery), errQuery, "look it up: "+errQuery.Error())
}

func TestAStoreWithoutAnAnchorIsNotWaitedFor(t *testing.T) {
	s := newFixture(t).store
	must(t, s.AwaitAnchor(t.Context()))
	reason := errors.New("enough")
	enough, give := context.WithCancelCause(t.Context())
	give(reason)
	mustBe(t, s.AwaitAnchor(enough), reason)
	must(t, s.Close())
	mustBe(t, s.AwaitAnchor(t.Context()), ErrClosed)
}

func TestAnAnchorErrorSaysThatNothingIsLost(t *testing.T) {
	err := error(&AnchorError{disk.ErrDiskFull})
	const want = "what was recorded is in the log, but its checkpoint could not be kept outside the store: %v; make sure that it can be written, and the next " +
		"record brings it up to date"
	wantNot(t, err.Error() != fmt.Sprintf(want, disk.ErrDiskFull) ||
		!errors.Is(err, disk.ErrDiskFull), "%v", err)
}
