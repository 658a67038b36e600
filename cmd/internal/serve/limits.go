package serve

import (
	"container/list"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"docket/cmd/internal/api"
)

// A Rate is how many requests are let through: so many a second, and so many at once after a pause.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits are those of requests. A part that is zero is that of DefaultLimits.
type Limits struct {
	Principal Rate          // of one principal, however many tokens and addresses it has
	Peer      Rate          // of one address, without a valid token; of an IPv6 address its network of 64 bits
	Handler   time.Duration // how long an answer may take from the head of its request on
}

// DefaultLimits are what one console that hands in all it has stays below.
func DefaultLimits() Limits {
	return Limits{Principal: Rate{500, 1000}, Peer: Rate{100, 200}, Handler: 20 * time.Second}
}

func (l Limits) orDefault() Limits {
	standard := DefaultLimits()
	if l.Principal == (Rate{}) {
		l.Principal = standard.Principal
	}
	if l.Peer == (Rate{}) {
		l.Peer = standard.Peer
	}
	if l.Handler == 0 {
		l.Handler = standard.Handler
	}
	return l
}

// maxLimiters is how many callers of a kind are remembered. The one that was quiet the longest is forgotten first, and
// starts anew.
const maxLimiters = 8192

// limiters holds one limiter a caller.
type limiters struct {
	rate Rate

	mu     sync.Mutex
	byKey  map[string]*list.Element
	latest *list.List // of *limiterOf; the front is who called last
}

type limiterOf struct {
	key     string
	limiter *rate.Limiter
}

func newLimiters(r Rate) *limiters {
	return &limiters{rate: r, byKey: map[string]*list.Element{}, latest: list.New()}
}

// allow tells whether the caller may go on now, and if not, how long it has to wait.
func (l *limiters) allow(key string, now time.Time) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter := l.of(key)
	reservation := limiter.ReserveN(now, 1)
	if !reservation.OK() {
		return time.Hour, false // the burst is zero: nobody may
	}
	if wait = reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// of finds or makes the caller's limiter. The lock is held.
func (l *limiters) of(key string) *rate.Limiter {
	if element, held := l.byKey[key]; held {
		l.latest.MoveToFront(element)
		return element.Value.(*limiterOf).limiter
	}
	if l.latest.Len() >= maxLimiters {
		oldest := l.latest.Back()
		delete(l.byKey, oldest.Value.(*limiterOf).key)
		l.latest.Remove(oldest)
	}
	made := &limiterOf{key, rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)}
	l.byKey[key] = l.latest.PushFront(made)
	return made.limiter
}

// retryAfter is a wait in whole seconds, at least one.
func retryAfter(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// peerOf is the address that a request comes from, without its port; the zero Addr for none.
func peerOf(remote string) netip.Addr {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap().WithZone("")
}

// peerKey is by what an address is limited. Whoever has an IPv6 address has a whole network of them.
func peerKey(peer netip.Addr) string {
	if peer.Is6() {
		if network, err := peer.Prefix(64); err == nil {
			return network.String()
		}
	}
	return peer.String()
}

// limitPeer counts a request of nobody in particular against the limit of the address that it comes from.
func (s *Service) limitPeer(w http.ResponseWriter, r *http.Request, route *Route) error {
	if route.unlimited {
		return nil
	}
	if wait, ok := s.peers.allow(peerKey(peerOf(r.RemoteAddr)), s.now()); !ok {
		return tooMany(w, wait)
	}
	return nil
}

// tooMany tells the caller when to come again.
func tooMany(w http.ResponseWriter, wait time.Duration) error {
	w.Header().Del("WWW-Authenticate")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter(wait)))
	return api.RateLimited.New("Wait for as many seconds as Retry-After says.")
}
