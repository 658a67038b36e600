package serve

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"docket/cmd/internal/api"
)

// Limits bound what requests take of a service. DefaultLimits are those without a configuration.
type Limits struct {
	Connections int           // open at a time
	Bodies      int           // in memory at a time
	Reads       int           // requests that read the store or judge a packet at a time
	Writes      int           // enforce requests at a time
	PerCaller   int           // requests of one token, or of one address without a token, at a time
	TokenRate   int           // requests a second of one token
	AddressRate int           // requests a second of one address without a valid token
	Head        time.Duration // for the head of a request
	Read        time.Duration // for a whole request
	Write       time.Duration // for the response, from the head of the request on
	Idle        time.Duration // after which an idle connection is closed
	Handler     time.Duration // for the work of a request, waiting for a place included
	Stop        time.Duration // for requests in progress when the service stops
	FreeSpace   int64         // in bytes where the store lies, below which the service is not ready
}

// DefaultLimits returns limits that a console does not reach when it hands in all of its records.
// Of the four connections with which a store reads, two are left to enforce requests. A console
// waits a little longer for an answer than Handler.
func DefaultLimits() Limits {
	return Limits{Connections: 1024, Bodies: 64, Reads: 2, Writes: 64, PerCaller: 16, TokenRate: 200, AddressRate: 50,
		Head: 5 * time.Second, Read: 20 * time.Second, Write: 50 * time.Second, Idle: time.Minute,
		Handler: 8 * time.Second, Stop: 30 * time.Second, FreeSpace: 16 << 20}
}

// headBytes is the largest size of the head of a request; net/http lets 4096 bytes more through.
const headBytes = 16 << 10

// burst is the number of seconds of a rate that a caller may use at once after a pause.
const burst = 2

// A place is the kind of place that a request needs for its work; the zero value is none.
type place uint8

const (
	placeNone      place = iota
	placeReading         // it reads the store or judges a packet
	placeEnforcing       // it appends
	places
)

type limiting struct {
	tokens    *callers
	addresses *callers // of requests without a valid token
	bodies    chan struct{}
	places    [places]chan struct{}
}

func newLimiting(l *Limits) limiting {
	return limiting{
		tokens: newCallers(l, l.TokenRate), addresses: newCallers(l, l.AddressRate),
		bodies: make(chan struct{}, l.Bodies),
		places: [places]chan struct{}{placeReading: make(chan struct{}, l.Reads), placeEnforcing: make(chan struct{}, l.Writes)},
	}
}

// callers limit each caller's rate, its requests in progress, and how many of those read.
type callers struct {
	second int // requests
	most   int // in progress
	reads  int

	mu    sync.Mutex
	byKey map[string]*caller
	sweep int // the number of callers at which those that nothing is held against are forgotten
}

type caller struct {
	all     *callers
	limiter *rate.Limiter
	reading chan struct{}
	running int
}

// minSweep is the smallest number of callers at which some are forgotten.
const minSweep = 1024

// newCallers leaves one of the places for reading to others.
func newCallers(l *Limits, second int) *callers {
	return &callers{second: second, most: l.PerCaller, reads: max(1, l.Reads-1), byKey: map[string]*caller{}, sweep: minSweep}
}

// enter begins a request, which leave ends; nil if the caller has to wait, a second at most.
func (c *callers) enter(key string, now time.Time) *caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.byKey[key]
	if of == nil {
		c.forget(now)
		of = &caller{all: c, limiter: rate.NewLimiter(rate.Limit(c.second), burst*c.second), reading: make(chan struct{}, c.reads)}
		c.byKey[key] = of
	}
	if of.running >= c.most || !of.limiter.AllowN(now, 1) {
		return nil
	}
	of.running++
	return of
}

func (c *caller) leave() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.running--
}

// forget removes callers that are as new ones are.
func (c *callers) forget(now time.Time) {
	if len(c.byKey) < c.sweep {
		return
	}
	for key, of := range c.byKey {
		if of.running == 0 && of.limiter.TokensAt(now) >= float64(burst*c.second) {
			delete(c.byKey, key)
		}
	}
	c.sweep = max(minSweep, 2*len(c.byKey))
}

// admit counts the request of a visit against a token or an address until the visit ends.
func (s *Service) admit(w http.ResponseWriter, v *visit, of *callers, key string) error {
	entered := of.enter(key, s.now())
	if entered == nil {
		w.Header().Del("WWW-Authenticate")
		w.Header().Set("Retry-After", "1")
		return api.RateLimited.New("Wait for the number of seconds in Retry-After.")
	}
	v.limited = entered
	v.leave = append(v.leave, entered.leave)
	return nil
}

// admitAddress counts a request without a valid token against its address.
func (s *Service) admitAddress(w http.ResponseWriter, v *visit, unlimited bool) error {
	if unlimited {
		return nil
	}
	return s.admit(w, v, s.limiting.addresses, addressKey(v.peer))
}

// work runs do once there is a place; a caller that is gone ends the wait, not the work.
func (s *Service) work(ctx context.Context, r *http.Request, v *visit, do func()) error {
	due := [...]chan struct{}{nil, s.limiting.places[v.route.place]}
	if v.route.place == placeReading && v.limited != nil {
		due[0] = v.limited.reading
	}
	for _, free := range due {
		if free == nil {
			continue
		}
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
		case <-r.Context().Done():
			return api.Unavailable.New(tryLater)
		case <-ctx.Done():
			return api.Unavailable.New(tryLater)
		}
	}
	do()
	return nil
}
