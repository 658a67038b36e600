package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"docket/cmd/internal/api"
	"docket/domain"
)

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

// Lodge hands in a checkpoint of this console's log.
func (c *Client) Lodge(ctx context.Context, body api.Lodging) (api.Cosigned, error) {
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
