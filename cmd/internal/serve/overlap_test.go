package serve_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/overlap"
	"docket/store"
)

// plannedRoutes are the three routes of the pilot, by their paths.
var plannedRoutes = map[string]overlap.Endpoint{
	api.OverlapCheckPath: overlap.CheckOverlap, api.OverlapRefreshPath: overlap.RefreshTokens,
	api.OverlapTokensPath: overlap.DeleteTokens,
}

// blocked holds an answer to exactly the three members, and returns the receipt.
func blocked(t testing.TB, route overlap.Endpoint, answered reply) string {
	t.Helper()
	members := read[map[string]any](t, answered, http.StatusForbidden)
	blockers, _ := members["blockers"].([]any)
	id, _ := members["receipt_id"].(string)
	if len(members) != 3 || members["result_bucket"] != "not_evaluated" || len(blockers) != 7 ||
		blockers[0] != string(route.Status) || id == "" {
		t.Errorf("%s: %s", route.Path, answered.body)
	}
	if answered.header.Get("Content-Type") != api.JSON || answered.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %v", route.Path, answered.header)
	}
	return id
}

// eachOverlapRequest sends what the pilot would take, and anything else, to every route, as anybody
// and as people with and without a role.
func eachOverlapRequest(t *testing.T, s *harness, look func(route overlap.Endpoint, answered reply)) {
	t.Helper()
	bodies := []string{`{"tokens":[{"blinded_tag":"` + strings.Repeat("a", 64) +
		`","tag_namespace":"exact_capability_tag",` +
		`"token_version":1,"expires_at":"2026-12-01T00:00:00Z"}]}`, "", `{"tokens":[]}`,
		`{"tokens":[{"exact_wish":"` + canary + `"}]}`,
		`{"` + canary + `":1}`, "[" + canary, "\xff\x00" + canary, strings.Repeat(canary, 1<<18)}
	for path, route := range plannedRoutes {
		for _, body := range bodies {
			for _, authorization := range []string{"", "Bearer " + TokenOf(Reviewer), "Bearer " +
				TokenOf(Admin), "Bearer " + canary, canary} {
				for _, media := range []string{api.JSON, "text/plain", ""} {
					r := httptest.NewRequest(route.Method, path+"?free_text="+canary,
						strings.NewReader(body))
					r.Header.Set("Content-Type", media)
					r.Header.Set("Content-Encoding", canary)
					if authorization != "" {
						r.Header.Set("Authorization", authorization)
					}
					look(route, s.send(t, r))
				}
			}
		}
	}
}

// TestBackgroundPrivateOverlapRouteContractSmoke: each route answers 403 to anybody, with its three
// members and nothing of any request, of which nothing is logged either.
func TestBackgroundPrivateOverlapRouteContractSmoke(t *testing.T) {
	s := serving(t)
	asked := 0
	eachOverlapRequest(t, s, func(route overlap.Endpoint, answered reply) {
		asked++
		blocked(t, route, answered)
		silent(t, answered)
	})
	lines := s.log.String()
	if asked != 3*8*5*3 || strings.Count(lines, `"status":403`) != asked {
		t.Errorf("%d requests", asked)
	}
	for _, part := range []string{canary, `"problem":`, `"token":`} {
		if strings.Contains(lines, part) {
			t.Errorf("%s is logged", part)
		}
	}
}

// TestBackgroundPrivateOverlapReceiptChainValidator: no receipt is stored, so that there is no chain of
// them; no two are the same. It compares all that the store holds before and after.
func TestBackgroundPrivateOverlapReceiptChainValidator(t *testing.T) {
	s := serving(t)
	before, ids := s.Dump(t), map[string]bool{}
	eachOverlapRequest(t, s, func(route overlap.Endpoint, answered reply) {
		id := blocked(t, route, answered)
		if ids[id] {
			t.Errorf("%s: two receipts are the same", route.Path)
		}
		ids[id] = true
	})
	same(t, before, s.Dump(t))
}

// TestBackgroundPrivateOverlapGovernanceGatedRouteSmoke: the routes are blocked without the store and
// the registry of tokens, so that nothing in either can open them.
func TestBackgroundPrivateOverlapGovernanceGatedRouteSmoke(t *testing.T) {
	s := serving(t)
	for _, err := range []error{errors.New(canary), store.ErrClosed} {
		s.before = fails(err)
		for path, route := range plannedRoutes {
			blocked(t, route, s.send(t, s.request(route.Method, path, Reviewer, nil)))
		}
	}
}

// TestABodyOfAnySizeIsNotReadByAPlannedRoute sends more than a service holds, over a connection.
func TestABodyOfAnySizeIsNotReadByAPlannedRoute(t *testing.T) {
	s := serving(t)
	server := httptest.NewServer(s.service)
	defer server.Close()
	for path, route := range plannedRoutes {
		endless := &spaces{}
		r, err := http.NewRequestWithContext(t.Context(), route.Method, server.URL+path, io.LimitReader(endless, 1<<30))
		must(t, err)
		answered, err := http.DefaultTransport.RoundTrip(r)
		must(t, err)
		text, err := io.ReadAll(answered.Body)
		must(t, errors.Join(err, answered.Body.Close()))
		blocked(t, route, reply{answered.StatusCode, answered.Header, text})
		if sent := endless.sent.Load(); sent > 1<<26 {
			t.Errorf("%s: %d bytes were taken", path, sent)
		}
	}
}

// spaces are an endless body.
type spaces struct{ sent atomic.Int64 }

func (s *spaces) Read(part []byte) (int, error) {
	s.sent.Add(int64(len(part)))
	return copy(part, bytes.Repeat([]byte(" "), len(part))), nil
}
