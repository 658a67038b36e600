package admission

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"time"
)

// Bodies limits how many bodies arrive at a time and how much memory bodies take, in total and for one caller.
// NewBodies returns one.
type Bodies struct {
	arriving *Places

	mu      sync.Mutex
	memory  int64
	each    int64
	used    int64
	callers map[string]int64
}

// NewBodies returns the limits of bodies.
func NewBodies(l Limits) *Bodies {
	return &Bodies{arriving: NewPlaces(l.Bodies, l.BodiesPerCaller, 0), memory: l.BodyMemory, each: l.BodyMemoryPerCaller, callers: map[string]int64{}}
}

// Resize changes the limits. Present bodies stay.
func (b *Bodies) Resize(l Limits) {
	b.arriving.Resize(l.Bodies, l.BodiesPerCaller, 0)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.memory, b.each = l.BodyMemory, l.BodyMemoryPerCaller
}

// ErrFull says that the bodies of all callers together take as much memory as they may.
var ErrFull = errors.New("too many bodies are in memory")

// grow takes memory for a caller's bodies.
func (b *Bodies) grow(caller string, size int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.callers[caller]+size > b.each:
		return ErrCrowded
	case b.used+size > b.memory:
		return ErrFull
	}
	b.used += size
	b.callers[caller] += size
	return nil
}

func (b *Bodies) shrink(caller string, size int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= size
	if b.callers[caller] -= size; b.callers[caller] == 0 {
		delete(b.callers, caller)
	}
}

// A Pace says how fast a body has to arrive.
type Pace struct {
	Rate    int64         // bytes a second, after the first five seconds
	Longest time.Duration // for all of it
	// Deadline sets the time after which reading fails; the zero Time is never. Its error does not matter.
	Deadline func(time.Time) error
	Stop     context.Context // when it ends, the body has to be there within a second
}

// The time that a body has before its rate counts, and after the service was told to stop.
const (
	bodyStart = 5 * time.Second
	bodyStop  = time.Second
)

// firstBytes is the memory that a body takes at first.
const firstBytes = 8 << 10

// Read reads a body to its end. It takes memory as the bytes arrive, for at most most bytes, which the reader has to
// enforce; length is the length that the caller stated, or negative. free returns the memory; the caller has to call it
// once, also after an error. The error is ErrCrowded, ErrFull or that of the reader.
func (b *Bodies) Read(caller string, body io.Reader, length, most int64, p Pace) (text []byte, free func(), err error) {
	held := int64(0)
	free = func() { b.shrink(caller, held) }
	leave, err := b.arriving.Take(context.Background(), caller) // nobody waits
	if err != nil {
		return nil, free, err
	}
	defer leave()
	pace := p.begin()
	defer pace.end()
	if length < 0 || length > most {
		length = most
	}
	for {
		if int64(len(text)) == held {
			more := max(min(max(held, firstBytes), length+1-held), 1) // one byte more than there are shows the end
			if err := b.grow(caller, more); err != nil {
				return nil, free, err
			}
			held += more
			text = append(make([]byte, 0, held), text...)
		}
		pace.arrived(len(text))
		n, err := body.Read(text[len(text):held])
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			return text, free, nil
		}
		if err != nil {
			return nil, free, err
		}
	}
}

// pacing enforces the pace of an arriving body.
type pacing struct {
	Pace
	begun    time.Time
	stopping func() bool // undoes the wait for Stop

	mu    sync.Mutex
	ended bool
}

func (p Pace) begin() *pacing {
	s := &pacing{Pace: p, begun: time.Now()}
	s.stopping = context.AfterFunc(p.Stop, func() { s.arrived(0) })
	return s
}

// arrived sets the deadline that follows from the bytes so far.
func (s *pacing) arrived(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
	case s.Stop.Err() == nil:
		rate := float64(max(s.Rate, 1))
		_ = s.Deadline(s.begun.Add(min(s.Longest, bodyStart+time.Duration(math.Ceil(float64(bytes)/rate*float64(time.Second))))))
	case s.begun.After(time.Time{}):
		s.begun = time.Time{} // bytes that come after the stop do not put it off
		_ = s.Deadline(time.Now().Add(bodyStop))
	}
}

// end removes the deadline of the connection: net/http treats one that passes as the end of the caller.
func (s *pacing) end() {
	s.stopping()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	_ = s.Deadline(time.Time{})
}
