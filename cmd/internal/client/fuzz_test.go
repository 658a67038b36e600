package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/domain/terms"
)

func FuzzAnAnswerIsReadWholeOrRefusedWithoutBeingRepeated(f *testing.F) {
	f.Add(`{"packets": [{"a": 1}], "cursor": "c", "more": true, "key": "k"}`)
	f.Add(`{"receipt": {"recordId": "01910000-0000-7000-8000-000000000001", "sequence": 4, "leafHash": "x", "treeSize": 5, "root": "x"}, "checkpoint": ""}`)
	f.Add(`{"type": "urn:docket:problem:packet_stale", "status": 409, "changes": ["x"], "stated": ["notice_missing"], "latest": 4}`)
	f.Add(`{"size": 1e400, "CANARY": [[[]]]}`)
	f.Fuzz(func(t *testing.T, body string) {
		body = strings.ReplaceAll(body, "\x00", "CANARY")
		status, media := 200, api.JSON
		caller := to(t, "http://127.0.0.1:1", func(o *client.Options) {
			o.Transport = network(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
			})
		})
		_, page := caller.Page(t.Context(), "")
		_, _, enforced := caller.Enforce(t.Context(), terms.Appeals, api.Enforce{Record: []byte("{}")})
		if page == nil && enforced == nil {
			t.Errorf("%s is two answers", body)
		}
		for _, err := range []error{page, enforced} {
			if err != nil && (!errors.Is(err, client.ErrUnreadable) || strings.Contains(err.Error(), "CANARY")) {
				t.Error(err)
			}
		}
		media = api.ProblemJSON
		for _, status = range []int{200, 302, 401, 409, 503} {
			_, err := caller.Page(t.Context(), "")
			var problem *api.Problem
			if is := errors.As(err, &problem); is && (problem.Status != status || status < 400) || !is && !errors.Is(err, client.ErrUnreadable) {
				t.Errorf("%d: %v", status, err)
			}
		}
	})
}
