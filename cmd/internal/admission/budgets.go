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

// Budgets limits the processor time that callers cost: each has a rate, and a burst after a pause. NewBudgets returns
// one.
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

// NewBudgets returns budgets with a rate of processor time and a burst.
func NewBudgets(second, burst time.Duration) *Budgets {
	b := &Budgets{byKey: map[string]*list.Element{}, latest: list.New()}
	b.Resize(second, burst)
	return b
}

// Resize changes the rate and the burst of every caller.
func (b *Budgets) Resize(second, burst time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit, b.burst = rate.Limit(float64(second)/float64(unit)), max(1, int(burst/unit))
}

// Admit takes the cost of a request from the caller's budget. If not enough is left, nothing is taken, and wait is the
// time until enough is left. A cost above the burst counts as the burst.
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

// Charge takes the cost of a request beyond what was taken before, even if that is more than is left: the caller's next
// requests wait for it.
func (b *Budgets) Charge(key string, cost time.Duration, now time.Time) {
	if cost <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of(key, now).ReserveN(now, b.units(cost))
}

// Left returns the rest of the caller's budget, its burst, and its rate a second. The rest is negative if requests cost
// more than was left.
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
