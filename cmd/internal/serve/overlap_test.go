package serve_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
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

// overlapBodies are what callers may send: what the pilot would take, and anything else.
func overlapBodies() map[string][]byte {
	token := `{"blinded_tag":"` + strings.Repeat("a", 64) + `","tag_namespace":"exact_capability_tag","token_version":1,"expires_at":"2026-12-01T00:00:00Z"}`
	return map[string][]byte{"one token": []byte(`{"tokens":[` + token + `]}`), "nothing": nil, "an empty body": {}, "no tokens": []byte(`{"tokens":[]}`),
		"a wish": []byte(`{"tokens":[{"exact_wish":"` + canary + `"}]}`), "an unknown member": []byte(`{"` + canary + `":1}`),
		"no JSON": []byte("[" + canary), "no UTF-8": []byte("\xff\x00" + canary), "over 1 MiB": bytes.Repeat([]byte(canary), 1<<18)}
}

// eachOverlapRequest sends every body to every route, as anybody and as people with and without a role.
func eachOverlapRequest(t *testing.T, s *harness, look func(route overlap.Endpoint, answered reply)) {
	t.Helper()
	for path, route := range plannedRoutes {
		for _, body := range overlapBodies() {
			for _, authorization := range []string{"", "Bearer " + TokenOf(Reviewer), "Bearer " + TokenOf(Admin),
				"Bearer " + canary, canary} {
				for _, media := range []string{api.JSON, "text/plain", ""} {
					r := httptest.NewRequest(route.Method, path+"?free_text="+canary, bytes.NewReader(body))
					r.Header.Set("Authorization", authorization)
					r.Header.Set("Content-Type", media)
					r.Header.Set("Content-Encoding", canary)
					if authorization == "" {
						r.Header.Del("Authorization")
					}
					look(route, s.send(t, r))
				}
			}
		}
	}
}

// TestBackgroundPrivateOverlapRouteContractSmoke: each route answers 403 to anybody, with its three
// members and nothing of any request.
func TestBackgroundPrivateOverlapRouteContractSmoke(t *testing.T) {
	t.Parallel()
	asked := 0
	eachOverlapRequest(t, newHarness(t, newServiceStore(t)), func(route overlap.Endpoint, answered reply) {
		asked++
		blocked(t, route, answered)
		silent(t, answered)
	})
	if asked != 3*9*5*3 {
		t.Errorf("%d requests", asked)
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
	for _, bad := range []failing{{errors.New(canary)}, {store.ErrClosed}} {
		s.service = serviceOver(t, bad, unlimited)
		for path, route := range plannedRoutes {
			blocked(t, route, s.send(t, s.request(route.Method, path, Reviewer, nil)))
		}
	}
}

// TestNothingOfARequestToAPlannedRouteIsLogged looks at all that the service logs, and at the files of its store.
func TestNothingOfARequestToAPlannedRouteIsLogged(t *testing.T) {
	s := serving(t)
	var logged bytes.Buffer
	service, err := serve.New(serve.Config{Store: s.store, Now: Clock, Limits: unlimited,
		Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	s.service = service
	for path, route := range plannedRoutes {
		for _, body := range overlapBodies() {
			s.send(t, s.request(route.Method, path+"?"+canary+"="+canary, Reviewer, body))
		}
	}
	lines := logged.String()
	if strings.Count(lines, "status=403") != 3*len(overlapBodies()) || strings.Contains(lines, "problem=") || strings.Contains(lines, "token=") {
		t.Errorf("logged is\n%s", lines)
	}
	if strings.Contains(lines, canary) {
		t.Error("the log repeats a request")
	}
	for table, rows := range s.Dump(t) {
		if strings.Contains(strings.Join(rows, "\n"), canary) {
			t.Errorf("%s holds something of a request", table)
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
		if err != nil {
			t.Fatal(err)
		}
		answered, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answered.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = answered.Body.Close()
		blocked(t, route, reply{answered.StatusCode, answered.Header, text})
		if sent := endless.sent.Load(); sent > 1<<26 {
			t.Errorf("%s: %d bytes were taken", path, sent)
		}
	}
}

// spaces are an endless body.
type spaces struct{ sent atomic.Int64 }

func (s *spaces) Read(part []byte) (int, error) {
	for i := range part {
		part[i] = ' '
	}
	s.sent.Add(int64(len(part)))
	return len(part), nil
}
