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
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"docket/cmd/internal/api"
)

// An ask is one request.
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

// attempt makes one attempt. The error wraps ErrUnreachable, or ErrUnreadable if the response is too large.
func (c *Client) attempt(ctx context.Context, a ask) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.retry.Attempt)
	defer cancel()
	request, err := c.request(ctx, a)
	if err != nil {
		return reply{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, unreachable(err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	if response.ContentLength > a.most {
		return reply{}, fmt.Errorf("%w: it is larger than %d bytes", ErrUnreadable, a.most)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, a.most+1))
	if err != nil {
		return reply{}, unreachable(err)
	}
	if int64(len(body)) > a.most {
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
func unreachable(err error) error {
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

// The limits of a connection. Retry limits the attempt as a whole.
const (
	dialTime     = 10 * time.Second
	headerBytes  = 64 << 10
	idleTime     = 30 * time.Second
	keptAlive    = 15 * time.Second
	mostIdle     = 2
	continueTime = time.Second
)

// errElsewhere says that a name of this machine resolves to another machine.
var errElsewhere = errors.New("the address of this machine resolves to another machine; use https")

// NewTransport reads an address as New takes it, and returns the transport that reaches it.
func NewTransport(address string) (*url.URL, *http.Transport, error) {
	base, err := parseBase(address)
	if err != nil {
		return nil, nil, err
	}
	return base, newTransport(nil, base.Scheme == "http"), nil
}

// newTransport returns the transport. roots are the certificates that verify that of the service; nil: those of this
// system. plain restricts it to this machine, for a service without TLS.
func newTransport(roots *x509.CertPool, plain bool) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, KeepAlive: keptAlive}
	if plain {
		dialer.ControlContext = onlyLoopback
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment, // not used for this machine; a tunnel for others, which sees no token
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
