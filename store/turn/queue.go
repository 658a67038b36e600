// Package turn orders writers: callers in one process that wait for the same lock share a
// transaction, and programs that want the same lock let one another in.
//
// Start at Queue, and at Bell for the programs.
package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Queue lets callers that wait for a lock share one transaction. One of them at a time leads: it
// waits for the lock, takes the items that wait by then and does them. There is no extra goroutine:
// the leader is one of the callers, and when it is done the next caller leads. The zero value is
// ready to use.
type Queue[T any] struct {
	mutex   sync.Mutex
	waiting []*place[T] // in the order in which they came; the leader is not among them
	led     bool
}

const most = 64

type place[T any] struct {
	item T
	turn chan bool // has room for one: true says that the caller leads, false that its item is done
	err  error     // of the item, once it is done
}

// ErrAgain is the error of an item that was not done because of others, and is taken again.
var ErrAgain = errors.New("it waits for the next turn")

// Do has the item done in the caller's turn or in that of another caller, and returns the item's
// error. ctx ends the wait until the item is taken; run checks the ctx of the leader, and if it
// ended, another caller leads.
//
// run does the items of a turn and returns their errors in the order of Take, or nil if all are
// done. If it fails before it calls Take, it returns the one error of its caller. Only one run is
// under way until it passes the turn on. A panic in it becomes the error of the items.
func (q *Queue[T]) Do(ctx context.Context, item T, run func(t *Turn[T]) []error) error {
	p := &place[T]{item: item, turn: make(chan bool, 1)}
	q.join(p)
	for {
		lead := false
		select {
		case lead = <-p.turn:
		case <-ctx.Done():
			if q.leave(p) {
				return context.Cause(ctx)
			}
			lead = <-p.turn // it is taken, or leads
		}
		if !lead {
			return p.err
		}
		q.lead(p, run)
	}
}

// Waiting returns how many callers wait, including the leader until it passes the turn on.
func (q *Queue[T]) Waiting() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.led {
		return len(q.waiting) + 1
	}
	return 0
}

// join puts a caller at the end of the queue. Without a leader, the caller leads.
func (q *Queue[T]) join(p *place[T]) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if !q.led {
		q.led = true
		p.turn <- true
		return
	}
	q.waiting = append(q.waiting, p)
}

// leave takes a caller out of the queue; false if it no longer waits.
func (q *Queue[T]) leave(p *place[T]) bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	i := slices.Index(q.waiting, p)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	return i >= 0
}

// lead runs one turn, and wakes the callers whose items were in it.
func (q *Queue[T]) lead(p *place[T], run func(t *Turn[T]) []error) {
	t := &Turn[T]{queue: q, taken: []*place[T]{p}}
	errs := t.guarded(run)
	var again []*place[T]
	for i, of := range t.taken {
		of.err = nil
		if i < len(errs) {
			of.err = errs[i]
		}
		if errors.Is(of.err, ErrAgain) {
			again = append(again, of)
			continue
		}
		of.turn <- false
	}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.waiting = slices.Concat(again, q.waiting)
	if !t.passed || !q.led {
		q.next()
	}
}

// next makes the caller that waited longest the leader. The mutex is held.
func (q *Queue[T]) next() {
	q.led = len(q.waiting) > 0
	if q.led {
		q.waiting[0].turn <- true
		q.waiting = q.waiting[1:]
	}
}

// A Turn is the work of one leader.
type Turn[T any] struct {
	queue  *Queue[T]
	taken  []*place[T] // the leader's own is the first
	passed bool
}

// Take returns the items of the turn: the leader's own, then those that wait. It is called once,
// when the lock is held.
func (t *Turn[T]) Take() (items []T) {
	q := t.queue
	q.mutex.Lock()
	defer q.mutex.Unlock()
	others := min(len(q.waiting), most-1)
	t.taken = append(t.taken, q.waiting[:others]...)
	q.waiting = slices.Clone(q.waiting[others:])
	for _, p := range t.taken {
		items = append(items, p.item)
	}
	return items
}

// Pass lets the next caller lead: the lock is released. A second call does nothing.
func (t *Turn[T]) Pass() {
	if t.passed {
		return
	}
	t.passed = true
	t.queue.mutex.Lock()
	defer t.queue.mutex.Unlock()
	t.queue.next()
}

// guarded runs a turn; a panic is the error of all its items.
func (t *Turn[T]) guarded(run func(t *Turn[T]) []error) (errs []error) {
	defer func() {
		if r := recover(); r != nil {
			errs = slices.Repeat([]error{fmt.Errorf("a panic: %T", r)}, len(t.taken))
		}
	}()
	return run(t)
}
