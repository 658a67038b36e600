package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"docket/cmd/internal/api"
)

type ask struct {
	method string
	path   string
	query  url.Values
	body   []byte // JSON; nil for none
	media  string // of the response; "" for JSON
	token  Token
	most   int64 // maximum size of the response in bytes
}

// A reply is a response whose body is not parsed yet.
type reply struct {
	status     int
	media      string // its Content-Type
	retryAfter string // its Retry-After
	body       []byte
}

// ErrUnreachable says that the service sent no response.
var ErrUnreachable = errors.New("the service cannot be reached")

// ErrUnreadable says that the response is not one of a docket service.
var ErrUnreadable = errors.New("the response is not one of a docket service")

// attempt makes one attempt; the error wraps ErrUnreachable, or ErrUnreadable for a large response.
func (c *Client) attempt(ctx context.Context, a ask, within time.Duration) (reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := c.request(ctx, a)
	if err != nil {
		return reply{}, err
	}
	late := time.AfterFunc(within, func() { cancel(context.DeadlineExceeded) })
	defer late.Stop()
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, unreachable(ctx, err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	late.Reset(c.retry.Body)
	var body []byte
	if response.ContentLength <= a.most {
		if body, err = io.ReadAll(io.LimitReader(response.Body, a.most+1)); err != nil {
			return reply{}, unreachable(ctx, err)
		}
	}
	if max(response.ContentLength, int64(len(body))) > a.most {
		return reply{}, fmt.Errorf("%w: it is larger than %d bytes", ErrUnreadable, a.most)
	}
	return reply{response.StatusCode, response.Header.Get("Content-Type"), response.Header.Get("Retry-After"), body}, nil
}

// request returns the request with the token, if there is one.
func (c *Client) request(ctx context.Context, a ask) (*http.Request, error) {
	to := *c.base
	to.Path += a.path
	to.RawQuery = a.query.Encode()
	request, err := http.NewRequestWithContext(ctx, a.method, to.String(), bytes.NewReader(a.body))
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be made", ErrUnreachable)
	}
	if a.token.secret != "" {
		request.Header.Set("Authorization", "Bearer "+a.token.secret)
	}
	request.Header.Set("Accept", cmp.Or(a.media, api.JSON)+", "+api.ProblemJSON)
	request.Header.Set("Cache-Control", "no-cache")
	request.Header.Set("User-Agent", "docket")
	if a.body != nil {
		request.Header.Set("Content-Type", api.JSON)
	}
	return request, nil
}

// unreachable returns why there is no response, without the address, which may hold a password.
func unreachable(ctx context.Context, err error) error {
	if ended := context.Cause(ctx); ended != nil {
		err = ended
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: it did not answer in time: %w", ErrUnreachable, err)
	}
	var on *net.OpError
	var number syscall.Errno
	if errors.As(err, &on) && on.Addr != nil && errors.As(err, &number) {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, on.Addr, number)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// The limits of a connection; Retry limits the attempt as a whole.
const (
	dialTime     = 10 * time.Second
	headerBytes  = 64 << 10
	idleTime     = 30 * time.Second
	keptAlive    = 15 * time.Second
	mostIdle     = 2
	continueTime = time.Second
)

var errElsewhere = errors.New("the address of this machine resolves to another machine; use https")

// NewHTTP reads an address as New takes it, and returns an HTTP client that reaches it and follows
// no redirect. transport makes the requests; nil: that of this package, for which roots verify the
// certificate; nil: those of this system.
func NewHTTP(
	address string, transport http.RoundTripper, roots *x509.CertPool,
) (*url.URL, *http.Client, error) {
	base, err := parseBase(address)
	if err != nil {
		return nil, nil, err
	}
	if transport == nil {
		transport = newTransport(roots, base.Scheme == "http")
	}
	return base, &http.Client{
		Transport: transport,
		// The redirect is returned as the response, and then refused.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// newTransport returns the transport: roots verify the certificate of the service, nil means those
// of this system, and plain restricts it to this machine, for a service without TLS.
func newTransport(roots *x509.CertPool, plain bool) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, KeepAlive: keptAlive}
	if plain {
		dialer.ControlContext = onlyLoopback
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment, // not for this machine; sees no token
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTime,
		ExpectContinueTimeout:  continueTime,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    mostIdle,
		MaxResponseHeaderBytes: headerBytes,
		DisableCompression:     true, // a small body could become large
		ForceAttemptHTTP2:      true,
	}
}

// onlyLoopback refuses connections to other machines, after the name is resolved.
func onlyLoopback(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return errElsewhere
	}
	return nil
}

// A Retry is the policy by which requests are retried.
type Retry struct {
	Attempts int           // maximum number of attempts
	Total    time.Duration // within which a response has to begin, all attempts and waits included
	Body     time.Duration // for the rest of a response
	First    time.Duration // the wait after the first attempt; it doubles after each
	Longest  time.Duration // the longest wait; a longer Retry-After ends the attempts

	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error // the context's error if it ends first
	Random func() float64                             // in [0, 1)
}

// DefaultRetry returns the policy for an interactive program: a service that is frozen, or waits
// for a frozen database, holds nobody for more than Total.
func DefaultRetry() Retry {
	return Retry{Attempts: 5, Total: 12 * time.Second, Body: time.Minute, First: 250 * time.Millisecond,
		Longest: 10 * time.Second, Now: time.Now, Sleep: sleep, Random: rand.Float64}
}

// sleep waits, or returns the error of the context if it ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// exchange makes attempts until one succeeds, fails for good, or the policy ends them, and returns
// the result of the last one; the end of the context is the error of the context.
func (c *Client) exchange(ctx context.Context, a ask) (reply, error) {
	ends := c.retry.Now().Add(c.retry.Total)
	for attempt := 1; ; attempt++ {
		got, err := c.attempt(ctx, a, ends.Sub(c.retry.Now()))
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		if attempt >= c.retry.Attempts || !mayPass(got.status, err) {
			return got, err
		}
		wait, ok := c.wait(attempt, got.retryAfter)
		if !ok || !c.retry.Now().Add(wait).Before(ends) {
			return got, err
		}
		if err := c.retry.Sleep(ctx, wait); err != nil {
			return reply{}, err
		}
	}
}

// wait returns how long to wait: doubled each time, less a random half so that consoles do not
// return together, and at least as the service asks; false if that is more than Longest.
func (c *Client) wait(attempts int, retryAfter string) (time.Duration, bool) {
	wait := c.retry.Longest
	if shift := attempts - 1; shift < 16 {
		wait = min(wait, c.retry.First<<shift)
	}
	wait -= time.Duration(c.retry.Random() * float64(wait) / 2)
	asked := c.asked(retryAfter)
	return max(wait, asked), asked <= c.retry.Longest
}

// asked reads a Retry-After (RFC 9110, section 10.2.3): seconds or a date; any other text is 0.
func (c *Client) asked(retryAfter string) time.Duration {
	if seconds, err := strconv.ParseUint(retryAfter, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(retryAfter); err == nil {
		return max(0, at.Sub(c.retry.Now()))
	}
	return 0
}

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
	lasts := errors.Is(err, ErrUnreadable) || errors.Is(err, errElsewhere) ||
		errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, &unverified) ||
		errors.As(err, &notTLS) || errors.As(err, &unnamed) && unnamed.IsNotFound
	return !lasts
}
