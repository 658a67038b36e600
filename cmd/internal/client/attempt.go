package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

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
	ctx, cancel := context.WithTimeout(ctx, c.pace.Attempt)
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
