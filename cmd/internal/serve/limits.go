package serve

import "time"

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
