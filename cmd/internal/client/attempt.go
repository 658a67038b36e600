package client

import (
	"bytes"
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

// An ask is one request of a service.
type ask struct {
	method string
	path   string
	query  url.Values
	body   []byte // JSON; nil for none
	most   int64  // bytes of the answer
}

// A reply is what came back, unread.
type reply struct {
	status     int
	media      string // its Content-Type
	retryAfter string // its Retry-After
	body       []byte
}

// ErrUnreachable says that the service gave no answer.
var ErrUnreachable = errors.New("the service cannot be reached")

// ErrUnreadable says that what came back is no answer of a service.
var ErrUnreadable = errors.New("the answer is not one of a service")

// attempt makes one exchange. The error wraps ErrUnreachable, or ErrUnreadable if the answer is larger than any.
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
	body, err := io.ReadAll(io.LimitReader(response.Body, a.most+1))
	if err != nil {
		return reply{}, unreachable(err)
	}
	if int64(len(body)) > a.most {
		return reply{}, fmt.Errorf("%w: it is over %d bytes", ErrUnreadable, a.most)
	}
	return reply{response.StatusCode, response.Header.Get("Content-Type"), response.Header.Get("Retry-After"), body}, nil
}

// request is the request with the token.
func (c *Client) request(ctx context.Context, a ask) (*http.Request, error) {
	to := *c.base
	to.Path += a.path
	to.RawQuery = a.query.Encode()
	request, err := http.NewRequestWithContext(ctx, a.method, to.String(), bytes.NewReader(a.body))
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be made", ErrUnreachable)
	}
	request.Header.Set("Authorization", "Bearer "+c.token.secret)
	request.Header.Set("Accept", api.JSON+", "+api.ProblemJSON)
	request.Header.Set("User-Agent", "docket")
	if a.body != nil {
		request.Header.Set("Content-Type", api.JSON)
	}
	return request, nil
}

// unreachable says why there is no answer, without the address, which the caller has named.
func unreachable(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: it did not answer in time: %w", ErrUnreachable, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// Limits of a connection. An attempt as a whole has a limit of its own.
const (
	dialTime     = 10 * time.Second
	headerBytes  = 64 << 10
	idleTime     = 30 * time.Second
	keptAlive    = 15 * time.Second
	mostIdle     = 2
	continueTime = time.Second
)

// errElsewhere says that an address on this machine leads to another one.
var errElsewhere = errors.New("the address that is said to be this machine's leads elsewhere; reach the service by https")

// newTransport makes the connections. roots are those who vouch for the service; nil: those of this system. plain says that
// the service is on this machine and is reached without TLS.
func newTransport(roots *x509.CertPool, plain bool) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTime, KeepAlive: keptAlive}
	if plain {
		dialer.ControlContext = onlyLoopback
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment, // never for this machine; otherwise a tunnel, which sees no token
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTime,
		ExpectContinueTimeout:  continueTime,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    mostIdle,
		MaxResponseHeaderBytes: headerBytes,
		DisableCompression:     true, // what is small on its way could be large here
		ForceAttemptHTTP2:      true,
	}
}

// onlyLoopback refuses to connect to anything but this machine, whatever its name was resolved to.
func onlyLoopback(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return errElsewhere
	}
	return nil
}
