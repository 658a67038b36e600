package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
)

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
		if runs != c.runs || !errors.Is(err, c.want) {
			t.Errorf("%s: %d runs, %v", name, runs, err)
		}
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
	if err := s.explain("look it up", errQuery); !errors.Is(err, errQuery) || !strings.Contains(err.Error(), "look it up: "+errQuery.Error()) {
		t.Errorf("the error is %v", err)
	}
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
	if err.Error() != fmt.Sprintf(want, disk.ErrDiskFull) || !errors.Is(err, disk.ErrDiskFull) {
		t.Errorf("%v", err)
	}
}

func TestARowOfTheLogIsReadAsItIsOrIsDamage(t *testing.T) {
	whole := engine.Leaf{Sequence: 0, Table: terms.AppealEnforcements.String(), RecordID: "x", Hash: []byte(strings.Repeat("h", 32))}
	read, err := readLeaf(&whole)
	if err != nil || read.sequence != 0 || read.table != terms.AppealEnforcements || read.id != "x" || string(read.hash[:]) != string(whole.Hash) {
		t.Errorf("%+v, %v", read, err)
	}
	for name, change := range map[string]func(*engine.Leaf){
		"before the first": func(l *engine.Leaf) { l.Sequence = -1 },
		"of no table":      func(l *engine.Leaf) { l.Table = "docket_log" },
		"with half a hash": func(l *engine.Leaf) { l.Hash = l.Hash[:16] },
	} {
		damaged := whole
		change(&damaged)
		if read, err := readLeaf(&damaged); !errors.Is(err, ErrDamaged) || read != (leaf{}) || !strings.Contains(err.Error(), fmt.Sprintf("row %d of the log", damaged.Sequence)) {
			t.Errorf("%s: %+v, %v", name, read, err)
		}
	}
}
