package admission_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"docket/cmd/internal/admission"
)

// take takes a place that is free.
func take(t *testing.T, p *admission.Places, caller string) (leave func()) {
	t.Helper()
	ended, end := context.WithCancel(t.Context())
	end() // so that it does not wait
	leave, err := p.Take(ended, caller)
	if err != nil {
		t.Fatalf("%s: no place is free: %v", caller, err)
	}
	return leave
}

// none fails the test if there is a free place for the caller.
func none(t *testing.T, p *admission.Places, caller string) {
	t.Helper()
	ended, end := context.WithCancel(t.Context())
	end()
	if leave, err := p.Take(ended, caller); err == nil {
		leave()
		t.Fatalf("%s has a place", caller)
	}
}

// queued lets a caller wait, and returns once it does.
func queued(t *testing.T, p *admission.Places, caller string, given chan<- string, leaves chan<- func()) {
	t.Helper()
	before := p.Waiting()
	go func() {
		leave, err := p.Take(context.Background(), caller)
		if err != nil {
			given <- err.Error()
			return
		}
		leaves <- leave
		given <- caller
	}()
	for p.Waiting() == before {
		runtime.Gosched()
	}
}

func TestACallerHoldsNoMoreThanItsPartOfThePlaces(t *testing.T) {
	p := admission.NewPlaces(3, 2, 5)
	first, second := take(t, p, "a"), take(t, p, "a")
	none(t, p, "a")
	other := take(t, p, "b")
	none(t, p, "c")
	first()
	take(t, p, "a")()
	other()
	second()
}

func TestAFreePlaceGoesToTheCallerWithTheFewest(t *testing.T) {
	p := admission.NewPlaces(3, 3, 5)
	a := []func(){take(t, p, "a"), take(t, p, "a"), take(t, p, "a")}
	given, leaves := make(chan string, 4), make(chan func(), 4)
	queued(t, p, "a", given, leaves)
	queued(t, p, "a", given, leaves)
	queued(t, p, "b", given, leaves)
	queued(t, p, "c", given, leaves)
	a[0]()
	first := <-given // b came before c
	a[1]()
	if second := <-given; first != "b" || second != "c" {
		t.Errorf("%s, then %s", first, second)
	}
	(<-leaves)()
	(<-leaves)()
	if third, fourth := <-given, <-given; third != "a" || fourth != "a" {
		t.Errorf("%s, then %s", third, fourth)
	}
}

func TestMoreThanMayWaitAreRefused(t *testing.T) {
	p := admission.NewPlaces(1, 1, 1)
	leave := take(t, p, "a")
	given, leaves := make(chan string, 4), make(chan func(), 4)
	queued(t, p, "a", given, leaves)
	if _, err := p.Take(t.Context(), "a"); !errors.Is(err, admission.ErrCrowded) {
		t.Errorf("%v", err)
	}
	queued(t, p, "b", given, leaves) // another caller may
	leave()
	if got := <-given; got != "a" {
		t.Error(got)
	}
	(<-leaves)()
	if got := <-given; got != "b" {
		t.Error(got)
	}
}

func TestACallerThatIsGoneWaitsNoLonger(t *testing.T) {
	p := admission.NewPlaces(1, 1, 5)
	leave := take(t, p, "a")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := p.Take(ctx, "b")
		ended <- err
	}()
	for p.Waiting() == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || p.Waiting() != 0 {
		t.Errorf("%v, %d wait", err, p.Waiting())
	}
	leave()
	take(t, p, "c")()
	if p.Callers() != 0 {
		t.Errorf("%d callers are remembered", p.Callers())
	}
}

func TestMorePlacesAreGivenAtOnceAndFewerWithTime(t *testing.T) {
	p := admission.NewPlaces(1, 1, 5)
	leave := take(t, p, "a")
	given, leaves := make(chan string, 1), make(chan func(), 1)
	queued(t, p, "b", given, leaves)
	p.Resize(2, 1, 5)
	if got := <-given; got != "b" {
		t.Error(got)
	}
	p.Resize(1, 1, 5)
	leave()
	none(t, p, "c")
	(<-leaves)()
	take(t, p, "c")()
}

// TestPlacesAreNeverTakenTwiceAndNeverLost: many callers come and go, some of them while they are given a place.
func TestPlacesAreNeverTakenTwiceAndNeverLost(t *testing.T) {
	const total, each = 5, 2
	p := admission.NewPlaces(total, each, 100)
	var taken atomic.Int64
	var held [8]atomic.Int64
	var wait sync.WaitGroup
	for i := range 64 {
		caller := i % len(held)
		wait.Go(func() {
			for round := range 200 {
				ctx, cancel := context.WithCancel(context.Background())
				if round%3 == 0 {
					go cancel()
				}
				leave, err := p.Take(ctx, fmt.Sprint(caller))
				if err == nil {
					if taken.Add(1) > total || held[caller].Add(1) > each {
						t.Error("a place is taken twice")
					}
					held[caller].Add(-1)
					taken.Add(-1)
					leave()
				}
				cancel()
			}
		})
	}
	wait.Wait()
	if p.Callers() != 0 || p.Waiting() != 0 {
		t.Errorf("%d callers, %d waiting", p.Callers(), p.Waiting())
	}
	var leaves []func()
	for i := range total {
		leaves = append(leaves, take(t, p, fmt.Sprint(i)))
	}
	none(t, p, "more")
	for _, leave := range leaves {
		leave()
	}
}
