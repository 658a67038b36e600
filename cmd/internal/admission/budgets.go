package admission

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBudgets is the number of callers whose budget is remembered. The least recently active one is forgotten first.
const maxBudgets = 8192

// Budgets limit the processor time that callers cost: each has so much a second, and so much at once after a pause. NewBudgets
// returns some.
type Budgets struct {
	mu     sync.Mutex
	limit  rate.Limit // in units a second
	burst  int        // in units
	byKey  map[string]*list.Element
	latest *list.List // of *budget; the most recent caller is at the front
}

type budget struct {
	key     string
	limiter *rate.Limiter // its tokens are units
}

// unit is the processor time that one token of a limiter stands for.
const unit = time.Microsecond

// NewBudgets returns budgets of so much processor time a second, and so much at once.
func NewBudgets(second, burst time.Duration) *Budgets {
	b := &Budgets{byKey: map[string]*list.Element{}, latest: list.New()}
	b.Resize(second, burst)
	return b
}

// Resize changes what every caller may cost.
func (b *Budgets) Resize(second, burst time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit, b.burst = rate.Limit(float64(second)/float64(unit)), max(1, int(burst/unit))
}

// Admit takes the cost of a request from the caller's budget. If there is not as much left, nothing is taken, and wait is the time
// until there is. A cost above the burst counts as the burst.
func (b *Budgets) Admit(key string, cost time.Duration, now time.Time) (wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	reservation := b.of(key, now).ReserveN(now, b.units(cost))
	if wait = reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// Charge takes what a request has cost above what was taken before, also where that is more than is left: the caller's next requests
// wait for it.
func (b *Budgets) Charge(key string, cost time.Duration, now time.Time) {
	if cost <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of(key, now).ReserveN(now, b.units(cost))
}

// Left returns what is left of the caller's budget, how much it has after a pause, and how much it gets a second. What is left is below
// zero if requests have cost more than there was.
func (b *Budgets) Left(key string, now time.Time) (left, burst, second time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	tokens := b.of(key, now).TokensAt(now)
	return time.Duration(math.Round(tokens)) * unit, time.Duration(b.burst) * unit, time.Duration(float64(b.limit) * float64(unit))
}

func (b *Budgets) units(cost time.Duration) int {
	return min(b.burst, int(math.Ceil(float64(cost)/float64(unit))))
}

// of returns the caller's limiter. The lock is held.
func (b *Budgets) of(key string, now time.Time) *rate.Limiter {
	if element, held := b.byKey[key]; held {
		b.latest.MoveToFront(element)
		limiter := element.Value.(*budget).limiter
		if limiter.Limit() != b.limit || limiter.Burst() != b.burst {
			limiter.SetLimitAt(now, b.limit)
			limiter.SetBurstAt(now, b.burst)
		}
		return limiter
	}
	if b.latest.Len() >= maxBudgets {
		oldest := b.latest.Back()
		delete(b.byKey, oldest.Value.(*budget).key)
		b.latest.Remove(oldest)
	}
	made := &budget{key, rate.NewLimiter(b.limit, b.burst)}
	b.byKey[key] = b.latest.PushFront(made)
	return made.limiter
}
