package admission

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// ErrCrowded says that a caller has as many requests under way as it may have.
var ErrCrowded = errors.New("the caller has too many requests under way")

// Places holds places for work, which callers share: none holds more than its share, and a free place goes to the
// caller that holds the fewest. NewPlaces returns one.
type Places struct {
	mu      sync.Mutex
	total   int64
	each    int64
	most    int64 // that wait, of one caller
	taken   int64
	callers map[string]*share
	waiting *list.List // of *share: callers with somebody waiting; the one that was served last is at the end
}

// A share holds the number of places of one caller, and its waiting requests.
type share struct {
	held    int64
	waiting *list.List    // of chan struct{}, which is closed when the place is given; nil until somebody waits
	place   *list.Element // among the callers with somebody waiting; nil if it is not there
}

// NewPlaces returns a number of places; each caller may hold a part of them while a number of its other requests wait.
func NewPlaces(total, each, waiting int64) *Places {
	return &Places{total: total, each: each, most: waiting, callers: map[string]*share{}, waiting: list.New()}
}

// Resize changes the numbers. Held places stay held.
func (p *Places) Resize(total, each, waiting int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.each, p.most = total, each, waiting
	p.give()
}

// Take waits for a place; leave returns it, and is called once. A free place is given at once, even if ctx has ended.
// The error is ErrCrowded, or that of ctx.
func (p *Places) Take(ctx context.Context, caller string) (leave func(), err error) {
	p.mu.Lock()
	s := p.callers[caller]
	if s == nil {
		s = &share{}
		p.callers[caller] = s
	}
	leave = func() { p.leave(caller, s) }
	if p.taken < p.total && s.held < p.each {
		p.taken++
		s.held++
		p.mu.Unlock()
		return leave, nil
	}
	if s.waiting == nil {
		s.waiting = list.New()
	}
	if int64(s.waiting.Len()) >= p.most {
		p.forget(caller, s)
		p.mu.Unlock()
		return nil, ErrCrowded
	}
	given := make(chan struct{})
	turn := s.waiting.PushBack(given)
	if s.place == nil {
		s.place = p.waiting.PushBack(s)
	}
	p.mu.Unlock()
	select {
	case <-given:
		return leave, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-given: // meanwhile
		p.taken--
		s.held--
		p.give()
	default:
		s.waiting.Remove(turn)
		p.unlist(s)
	}
	p.forget(caller, s)
	return nil, ctx.Err()
}

func (p *Places) leave(caller string, s *share) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	s.held--
	p.give()
	p.forget(caller, s)
}

// give gives the free places to callers that wait. The lock is held.
func (p *Places) give() {
	for p.taken < p.total {
		var next *share
		for e := p.waiting.Front(); e != nil; e = e.Next() {
			if s := e.Value.(*share); s.held < p.each && (next == nil || s.held < next.held) {
				next = s
			}
		}
		if next == nil {
			return
		}
		close(next.waiting.Remove(next.waiting.Front()).(chan struct{}))
		next.held++
		p.taken++
		p.waiting.MoveToBack(next.place)
		p.unlist(next)
	}
}

// unlist removes a caller without waiting requests from the list. The lock is held.
func (p *Places) unlist(s *share) {
	if s.place != nil && s.waiting.Len() == 0 {
		p.waiting.Remove(s.place)
		s.place = nil
	}
}

// forget removes a caller that holds nothing and waits for nothing. The lock is held.
func (p *Places) forget(caller string, s *share) {
	if s.held == 0 && s.place == nil && p.callers[caller] == s {
		delete(p.callers, caller)
	}
}
