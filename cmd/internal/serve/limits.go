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

// A Rate limits requests: a number per second, and a burst after a pause.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits are the limits of requests. A zero field has the value of DefaultLimits.
type Limits struct {
	Principal Rate          // of one principal, for all of its tokens and addresses
	Peer      Rate          // of one address, without a valid token; of an IPv6 address its network of 64 bits
	Handler   time.Duration // timeout of a request, from its head on
}

// DefaultLimits returns limits that a console does not reach while it hands in all of its records.
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

// maxLimiters is the number of callers of a kind that are remembered. The least recently active one is forgotten first.
const maxLimiters = 8192

// limiters holds a limiter for each caller.
type limiters struct {
	rate Rate

	mu     sync.Mutex
	byKey  map[string]*list.Element
	latest *list.List // of *limiterOf; the most recent caller is at the front
}

type limiterOf struct {
	key     string
	limiter *rate.Limiter
}

func newLimiters(r Rate) *limiters {
	return &limiters{rate: r, byKey: map[string]*list.Element{}, latest: list.New()}
}

// allow reports whether the caller may proceed now, and if not, how long it has to wait.
func (l *limiters) allow(key string, now time.Time) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter := l.of(key)
	reservation := limiter.ReserveN(now, 1)
	if !reservation.OK() {
		return time.Hour, false // the burst is zero
	}
	if wait = reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// of returns the caller's limiter. The lock is held.
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

// retryAfter returns a wait in whole seconds, at least one.
func retryAfter(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// peerOf returns the address that a request comes from, without its port; the zero Addr if there is none.
func peerOf(remote string) netip.Addr {
	address, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap().WithZone("")
}

// peerKey returns the key of the limiter of an address. IPv6 addresses are limited by their network of 64 bits.
func peerKey(peer netip.Addr) string {
	if peer.Is6() {
		if network, err := peer.Prefix(64); err == nil {
			return network.String()
		}
	}
	return peer.String()
}

// limitPeer counts an unauthenticated request against the limit of its address.
func (s *Service) limitPeer(w http.ResponseWriter, r *http.Request, route *Route) error {
	if route.unlimited {
		return nil
	}
	if wait, ok := s.peers.allow(peerKey(peerOf(r.RemoteAddr)), s.now()); !ok {
		return tooMany(w, wait)
	}
	return nil
}

// tooMany sets Retry-After and returns the problem.
func tooMany(w http.ResponseWriter, wait time.Duration) error {
	w.Header().Del("WWW-Authenticate")
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter(wait)))
	return api.RateLimited.New("Wait for the number of seconds in Retry-After.")
}
