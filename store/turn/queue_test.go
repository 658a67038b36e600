package turn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
)

var errItem = errors.New("this item failed")

// A stage has callers queue behind a first one, item 0, whose turn has begun and holds until finish.
type stage struct {
	t     *testing.T
	run   func(t *Turn[int], items []int) []error // what a turn does with what it took
	queue Queue[int]
	free  chan struct{}
	wait  sync.WaitGroup

	mutex sync.Mutex
	turns [][]int // what each turn took
}

// fine does all items without an error.
func fine(*Turn[int], []int) []error { return nil }

// newStage returns a stage; first is the error of the first item.
func newStage(t *testing.T, first error, run func(t *Turn[int], items []int) []error) *stage {
	s := &stage{t: t, run: run, free: make(chan struct{})}
	begun := make(chan struct{})
	hold := sync.OnceFunc(func() { close(begun); <-s.free })
	s.doBy(t.Context(), 0, first, func(t *Turn[int]) []error {
		hold()
		return s.turn(t)
	})
	<-begun
	return s
}

// do has one more caller wait, with an item whose error is to be want.
func (s *stage) do(ctx context.Context, item int, want error) {
	before := s.queue.Waiting()
	s.doBy(ctx, item, want, s.turn)
	s.waiting(before + 1)
}

func (s *stage) doBy(ctx context.Context, item int, want error, run func(*Turn[int]) []error) {
	s.wait.Go(func() {
		if err := s.queue.Do(ctx, item, run); !errors.Is(err, want) {
			s.t.Errorf("item %d: %v, want %v", item, err, want)
		}
	})
}

// waiting waits until so many wait.
func (s *stage) waiting(count int) {
	for s.queue.Waiting() != count {
		runtime.Gosched()
	}
}

func (s *stage) turn(t *Turn[int]) []error {
	items := t.Take()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.turns = append(s.turns, items)
	return s.run(t, items)
}

// finish lets the first turn go on, waits for all, and returns what each turn took.
func (s *stage) finish() string {
	close(s.free)
	s.wait.Wait()
	if left := s.queue.Waiting(); left != 0 {
		s.t.Errorf("%d still wait", left)
	}
	return fmt.Sprint(s.turns)
}

func TestThoseWhoWaitAreDoneTogetherInTheirOrder(t *testing.T) {
	s := newStage(t, nil, fine)
	for item := 1; item <= 3; item++ {
		s.do(t.Context(), item, nil)
	}
	if turns := s.finish(); turns != "[[0 1 2 3]]" {
		t.Errorf("the turns were %s", turns)
	}
}

func TestATurnTakesNoMoreThanItsMost(t *testing.T) {
	s := newStage(t, nil, fine)
	for item := 1; item <= 2*most; item++ {
		s.do(t.Context(), item, nil)
	}
	s.finish()
	if len(s.turns) != 3 || len(s.turns[0]) != most || len(s.turns[1]) != most || len(s.turns[2]) != 1 {
		t.Errorf("%d turns", len(s.turns))
	}
	if all := slices.Concat(s.turns...); !slices.IsSorted(all) || len(all) != 2*most+1 {
		t.Errorf("they took %v", all)
	}
}

func TestTheErrorOfAnItemIsItsOwn(t *testing.T) {
	s := newStage(t, nil, func(_ *Turn[int], items []int) []error {
		errs := make([]error, len(items))
		for i, item := range items {
			if item == 2 {
				errs[i] = errItem
			}
		}
		return errs
	})
	s.do(t.Context(), 1, nil)
	s.do(t.Context(), 2, errItem)
	s.do(t.Context(), 3, nil)
	s.finish()
}

func TestWhoGivesUpWhileWaitingIsNotDoneAndTheOthersAre(t *testing.T) {
	s := newStage(t, nil, fine)
	ctx, cancel := context.WithCancelCause(t.Context())
	s.do(t.Context(), 1, nil)
	s.do(ctx, 2, errItem)
	s.do(t.Context(), 3, nil)
	cancel(errItem)
	s.waiting(3)
	if turns := s.finish(); turns != "[[0 1 3]]" {
		t.Errorf("the turns were %s", turns)
	}
}

func TestALeaderThatTakesNothingLetsTheNextLead(t *testing.T) {
	s := &stage{t: t, run: fine, free: make(chan struct{})}
	begun := make(chan struct{})
	s.doBy(t.Context(), 0, errItem, func(*Turn[int]) []error {
		close(begun)
		<-s.free
		return []error{errItem}
	})
	<-begun
	s.do(t.Context(), 1, nil)
	s.do(t.Context(), 2, nil)
	if turns := s.finish(); turns != "[[1 2]]" {
		t.Errorf("the turns were %s", turns)
	}
}

func TestWhatIsToBeDoneAgainIsDoneInTheNextTurn(t *testing.T) {
	for _, passed := range []bool{false, true} {
		s := newStage(t, nil, func(turn *Turn[int], items []int) []error {
			bad := slices.Index(items, 1)
			if bad < 0 {
				return nil
			}
			errs := slices.Repeat([]error{ErrAgain}, len(items))
			errs[bad] = errItem
			if passed {
				turn.Pass()
			}
			return errs
		})
		s.do(t.Context(), 1, errItem)
		s.do(t.Context(), 2, nil)
		if turns := s.finish(); turns != "[[0 1 2] [0 2]]" {
			t.Errorf("passed on early %v: the turns were %s", passed, turns)
		}
	}
}

func TestAPanicIsTheErrorOfItsTurnAndTheNextGoesOn(t *testing.T) {
	for _, passed := range []bool{false, true} {
		var queue Queue[int]
		err := queue.Do(t.Context(), 0, func(turn *Turn[int]) []error {
			turn.Take()
			if passed {
				turn.Pass()
			}
			panic("in the turn")
		})
		if err == nil {
			t.Error("the panic is no error")
		}
		if err := queue.Do(t.Context(), 1, func(*Turn[int]) []error { return nil }); err != nil {
			t.Error(err)
		}
	}
}

func TestOfManyEachIsDoneOnceAndNoTwoTurnsRunAtATime(t *testing.T) {
	var queue Queue[int]
	var wait sync.WaitGroup
	done := make([]int, 500)
	running := false
	for item := range done {
		wait.Go(func() {
			err := queue.Do(t.Context(), item, func(t *Turn[int]) []error {
				if running {
					panic("two turns at a time")
				}
				running = true
				for _, one := range t.Take() {
					done[one]++
				}
				running = false
				return nil
			})
			if err != nil {
				t.Error(item, err)
			}
		})
	}
	wait.Wait()
	if slices.ContainsFunc(done, func(times int) bool { return times != 1 }) {
		t.Errorf("they were done %v times", done)
	}
}
