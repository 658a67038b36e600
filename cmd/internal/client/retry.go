package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

// DefaultRetry returns the policy for an interactive program.
func DefaultRetry() Retry {
	return Retry{Attempts: 5, Attempt: time.Minute, Total: 2 * time.Minute, First: 250 * time.Millisecond,
		Longest: 30 * time.Second, Now: time.Now, Sleep: sleep, Random: rand.Float64}
}

// sleep waits, or returns the error of the context if it ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// exchange makes attempts until one succeeds, fails for good, or the policy ends them, and returns the result of the last
// one. If the context ends, it returns the error of the context.
func (c *Client) exchange(ctx context.Context, a ask) (reply, error) {
	began := c.retry.Now()
	for attempt := 1; ; attempt++ {
		got, err := c.attempt(ctx, a)
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		if attempt >= c.retry.Attempts || !mayPass(got.status, err) {
			return got, err
		}
		wait, ok := c.wait(attempt, got.retryAfter)
		if !ok || c.retry.Now().Add(wait).Sub(began) > c.retry.Total {
			return got, err
		}
		if err := c.retry.Sleep(ctx, wait); err != nil {
			return reply{}, err
		}
	}
}

// wait returns how long to wait after a number of attempts: twice as long each time, less a random part of up to a
// half, so that consoles that lost the service together do not return together, and at least as long as the service
// asks. It is false if the service asks for more than Longest.
func (c *Client) wait(attempts int, retryAfter string) (time.Duration, bool) {
	wait := c.retry.Longest
	if shift := attempts - 1; shift < 16 {
		wait = min(wait, c.retry.First<<shift)
	}
	wait -= time.Duration(c.retry.Random() * float64(wait) / 2)
	asked := c.asked(retryAfter)
	return max(wait, asked), asked <= c.retry.Longest
}

// asked reads a Retry-After (RFC 9110, section 10.2.3): seconds or a date. Any other text counts as 0.
func (c *Client) asked(retryAfter string) time.Duration {
	if seconds, err := strconv.ParseUint(retryAfter, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(retryAfter); err == nil {
		return max(0, at.Sub(c.retry.Now()))
	}
	return 0
}

// passing lists the statuses that are retried.
var passing = map[int]bool{
	http.StatusTooManyRequests: true, http.StatusBadGateway: true, http.StatusServiceUnavailable: true, http.StatusGatewayTimeout: true,
}

// mayPass reports whether another attempt may have another result.
func mayPass(status int, err error) bool {
	if err == nil {
		return passing[status]
	}
	var unverified *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	var unnamed *net.DNSError
	switch {
	case errors.Is(err, ErrUnreadable), errors.Is(err, errElsewhere), errors.Is(err, http.ErrSchemeMismatch):
		return false
	case errors.As(err, &unverified), errors.As(err, &notTLS):
		return false
	case errors.As(err, &unnamed):
		return !unnamed.IsNotFound
	}
	return true
}
