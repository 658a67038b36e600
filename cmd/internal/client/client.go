// Package remote is a service as a console reaches it over HTTP: the only place that sends a token.
//
// What holds for every exchange:
//
//   - The service is reached by https, or by http on this machine and nowhere else (base.go). A redirect is refused, so that
//     the token goes to the address that was named and to no other.
//   - What takes too long or is too large is given up (client.go).
//   - What may pass is tried again a few times: too many requests, a service that cannot answer now, a connection that was
//     cut (retry.go). All that a console asks for may be asked for twice.
//   - An answer is read as strictly as a packet (answer.go). A problem document is returned as an *exchange.Problem; any
//     other error says that there is no answer that could be relied upon, and holds nothing of a body.
package client

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"docket/cmd/internal/api"
	"docket/domain"
)

// Options say which service, and as whom.
type Options struct {
	Address string // https://…, or http://… on this machine
	Token   Token
	Roots   *x509.CertPool // who may vouch for the service's certificate; nil: who does on this system
	Retry   Retry          // the zero Retry: DefaultRetry
	// Transport makes the exchanges; nil: connections of this package.
	Transport http.RoundTripper
}

// A Client reaches one service. Its methods may be called by several goroutines at once.
type Client struct {
	base  *url.URL
	token Token
	retry Retry
	http  *http.Client
}

// New makes a client. Nothing is sent yet. The error says what is wrong with the address.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.Address)
	if err != nil {
		return nil, err
	}
	if o.Token.secret == "" {
		return nil, ErrNoToken
	}
	if o.Transport == nil {
		o.Transport = newTransport(o.Roots, base.Scheme == "http")
	}
	return &Client{base: base, token: o.Token, retry: o.Retry.orDefault(), http: &http.Client{
		Transport: o.Transport,
		// The redirect itself is the answer, which is then refused.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close gives up connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Address is that of the service, as it was named.
func (c *Client) Address() string { return c.base.String() }

// A Retry says how long is waited, and what for.
type Retry struct {
	Attempts int           // how often an exchange is tried at most
	Attempt  time.Duration // how long one of them may take
	Total    time.Duration // after that long no other one is begun
	First    time.Duration // the wait after the first; it doubles from one to the next
	Longest  time.Duration // the longest wait, also where the service names another one

	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error // returns the context's error if that ends first
	Random func() float64                             // from 0 to 1, which it never is
}

// orStandard is the pace, or the standard one for the zero Retry.
func (p Retry) orDefault() Retry {
	if p.Attempts == 0 {
		return DefaultRetry()
	}
	return p
}

// The largest answers in bytes. A page has a hundred packets of about a mebibyte at most.
const (
	largestPage   = 128 << 20
	largestAnswer = 1 << 20
)

// Page returns the packets after a cursor; "" is the beginning.
func (c *Client) Page(ctx context.Context, cursor string) (api.Page, error) {
	a := ask{method: http.MethodGet, path: api.QueuePath, most: largestPage}
	if cursor != "" {
		a.query = url.Values{api.CursorParameter: {cursor}}
	}
	got, err := c.granted(ctx, a, http.StatusOK)
	if err != nil {
		return api.Page{}, err
	}
	return readAnswer(got.body, pageShape)
}

// Enforce hands in a record of the area; again tells that it was there before.
func (c *Client) Enforce(ctx context.Context, area domain.Area, body api.Enforce) (answer api.Enforced, again bool, err error) {
	path := api.AppealEnforcePath
	if area == domain.Amendments {
		path = api.AmendmentEnforcePath
	}
	got, err := c.post(ctx, path, body, http.StatusCreated, http.StatusOK)
	if err != nil {
		return api.Enforced{}, false, err
	}
	answer, err = readAnswer(got.body, enforcedShape)
	return answer, got.status == http.StatusOK, err
}

// SubmitCheckpoint hands in a checkpoint of this console's log.
func (c *Client) SubmitCheckpoint(ctx context.Context, body api.CheckpointSubmission) (api.Cosigned, error) {
	got, err := c.post(ctx, api.CheckpointsPath, body, http.StatusOK)
	if err != nil {
		return api.Cosigned{}, err
	}
	return readAnswer(got.body, cosignedShape)
}

// post sends a body as it stands: its own JSON is not escaped again.
func (c *Client) post(ctx context.Context, path string, body any, statuses ...int) (reply, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return reply{}, err
	}
	return c.granted(ctx, ask{method: http.MethodPost, path: path, body: text.Bytes(), most: largestAnswer}, statuses...)
}

// granted makes an exchange and returns what came back if it has one of the statuses. The error is an *api.Problem, a
// *StatusError, or what exchange returns.
func (c *Client) granted(ctx context.Context, a ask, statuses ...int) (reply, error) {
	got, err := c.exchange(ctx, a)
	if err != nil {
		return reply{}, err
	}
	for _, status := range statuses {
		if got.status == status && isMedia(got.media, api.JSON) {
			return got, nil
		}
	}
	return reply{}, problemOf(&got)
}
