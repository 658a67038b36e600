// Package client is a console's side of the service: the HTTP client, and the two flows over it,
// Pull and Push.
//
// The HTTP client is the only place that sends a token:
//
//   - It reaches the service by https, or by http on this machine (address.go). It refuses
//     redirects, so that the token goes to no other address.
//   - It limits the time and the size of every response, and retries temporary errors: rate limits,
//     an unavailable service, a broken connection (attempt.go). Every request is idempotent.
//   - It reads responses as strictly as packets (answer.go). A problem document is returned as an
//     *api.Problem. Any other error means that there is no usable response; its text contains
//     nothing of a body.
//
// Pull fetches packets and Push hands in records. Both can be interrupted at any moment and run
// again: no packet or record is taken twice or lost.
//
//   - At first contact a console is bound to the service by the key of the service's log. It
//     refuses a service with another key before it sends or takes anything (service_log.go).
//   - Pull saves its cursor only after the packets before it are durable. It reports and skips
//     packets that it cannot read, and packets that conflict with stored ones.
//   - Push hands in the records in the order of the log (push.go). The service recognizes a record
//     that it has by its id and bytes, and repeats its first response.
//   - A receipt or rejection counts only with a signature of the service's key.
//
// The flows work on the interfaces of console.go.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/store/merkle"
)

// Options configure a Client.
type Options struct {
	Address string // https://…, or http://… on this machine
	Token   Token
	// Next is a token that replaces Token once the service accepts it; the zero Token for none. It
	// is tried first, and Accepted is called when it authenticated a request.
	Next     Token
	Accepted func()

	Roots *x509.CertPool // of the service's certificate; nil: those of this system
	Retry Retry          // the zero Retry: DefaultRetry
	// Transport makes the requests; nil: the transport of this package.
	Transport http.RoundTripper
}

// A Client calls one service. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token tokens
	retry Retry
	http  *http.Client
}

// New returns a client and sends nothing. The error says what is wrong with the address or token.
func New(o Options) (*Client, error) {
	base, caller, err := NewHTTP(o.Address, o.Transport, o.Roots)
	switch {
	case err != nil:
		return nil, err
	case o.Token.secret == "":
		return nil, ErrNoToken
	}
	if o.Retry.Attempts == 0 {
		o.Retry = DefaultRetry()
	}
	return &Client{base: base, token: tokens{current: o.Token, next: o.Next, tell: o.Accepted},
		retry: o.Retry, http: caller}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Address returns the address of the service.
func (c *Client) Address() string { return c.base.String() }

// The maximum sizes of responses in bytes; a page has one mebibyte of packets, or one packet more.
const (
	largestPage       = 32 << 20
	largestAnswer     = 1 << 20
	largestCheckpoint = 64 << 10
)

// Page returns the packets after a cursor; "" is the start.
func (c *Client) Page(ctx context.Context, cursor string) (api.Page, error) {
	return get(ctx, c, api.QueuePath, api.CursorParameter, cursor, pageReader)
}

// Records returns the records that the caller may see, after a cursor; "" is the start.
func (c *Client) Records(ctx context.Context, after string) (api.RecordFeed, error) {
	return get(ctx, c, api.RecordsPath, api.AfterParameter, after, feedReader)
}

// get asks for a document, without the parameter if its value is empty.
func get[T any](
	ctx context.Context, c *Client, path, parameter, value string, answer api.Reader[T],
) (T, error) {
	a := ask{method: http.MethodGet, path: path, most: largestPage}
	if value != "" {
		a.query = url.Values{parameter: {value}}
	}
	got, err := c.granted(ctx, a, http.StatusOK)
	if err != nil {
		return *new(T), err
	}
	return readAnswer(got.body, answer)
}

// Checkpoint returns the newest checkpoint of the service's log, with cosignatures.
func (c *Client) Checkpoint(ctx context.Context) ([]byte, error) {
	return c.bytes(ctx, api.CheckpointPath, api.Text, largestCheckpoint)
}

// Tile returns a tile of hashes. Caches revalidate it: after a restore the log has other tiles.
func (c *Client) Tile(ctx context.Context, tile tlog.Tile) ([]byte, error) {
	return c.bytes(ctx, "/"+merkle.TilePath(tile), api.Octets, tlog.HashSize*merkle.TileWidth)
}

func (c *Client) bytes(ctx context.Context, path, media string, most int64) ([]byte, error) {
	got, err := c.granted(ctx, ask{method: http.MethodGet, path: path, media: media, most: most}, http.StatusOK)
	return got.body, err
}

// Enforce hands in a record of the area. again reports that the service had it before.
func (c *Client) Enforce(ctx context.Context, area terms.Area, body api.Enforce) (answer api.Enforced, again bool, err error) {
	path := api.AppealEnforcePath
	if area == terms.Amendments {
		path = api.AmendmentEnforcePath
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return api.Enforced{}, false, err
	}
	a := ask{method: http.MethodPost, path: path, body: text.Bytes(), most: largestAnswer}
	got, err := c.granted(ctx, a, http.StatusCreated, http.StatusOK)
	if err != nil {
		return api.Enforced{}, false, err
	}
	answer, err = readAnswer(got.body, enforcedReader)
	return answer, got.status == http.StatusOK, err
}

// granted makes an exchange and returns the response if it has one of the statuses, otherwise an
// *api.Problem, an error that wraps ErrUnreadable, or the error of the exchange.
func (c *Client) granted(ctx context.Context, a ask, statuses ...int) (reply, error) {
	a.token = c.token.toTry()
	got, err := c.exchange(ctx, a)
	if err == nil && got.status == http.StatusUnauthorized && c.token.refused(a.token) {
		a.token = c.token.toTry()
		got, err = c.exchange(ctx, a)
	}
	if err != nil {
		return reply{}, err
	}
	if authenticated[a.path] && got.status < http.StatusMultipleChoices {
		c.token.accepted(a.token)
	}
	if slices.Contains(statuses, got.status) && isMedia(got.media, cmp.Or(a.media, api.JSON)) {
		return got, nil
	}
	return reply{}, problemOf(&got)
}
