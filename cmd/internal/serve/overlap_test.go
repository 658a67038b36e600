package serve_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/store"
)

// plannedRoutes are the three routes of the pilot with what each of them blocks with first.
var plannedRoutes = map[overlap.Action]struct{ method, path, status string }{
	overlap.CheckOverlap:  {http.MethodPost, api.OverlapCheckPath, "governance_gated"},
	overlap.RefreshTokens: {http.MethodPost, api.OverlapRefreshPath, "blocked_pending_crypto_review"},
	overlap.DeleteTokens:  {http.MethodDelete, api.OverlapTokensPath, "blocked_pending_crypto_review"},
}

// key is the public key of the service's log.
func (w *serviceStore) key(t testing.TB) note.Verifier {
	t.Helper()
	encoded, err := w.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key, err := note.NewVerifier(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// blocked holds an answer to exactly the three members, and returns the receipt, which has to prove itself.
func blocked(t testing.TB, key note.Verifier, action overlap.Action, answered reply) string {
	t.Helper()
	members := read[map[string]any](t, answered, http.StatusForbidden)
	blockers, _ := members["blockers"].([]any)
	if len(members) != 3 || members["result_bucket"] != "not_evaluated" || len(blockers) != 7 || blockers[0] != plannedRoutes[action].status {
		t.Errorf("%s: %s", action, answered.body)
	}
	id, _ := members["receipt_id"].(string)
	receipt, err := overlap.ReceiptID(id).Open(key)
	if err != nil || receipt.Action != action || receipt.At != terms.InstantOf(Noon) || receipt.Previous != (overlap.Link{}) {
		t.Errorf("%s: %+v, %v", action, receipt, err)
	}
	if answered.header.Get("Content-Type") != api.JSON || answered.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %v", action, answered.header)
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

// TestThePlannedRoutesAnswer403ToAnybodyAndStoreNothing compares all that the store holds before and after.
func TestThePlannedRoutesAnswer403ToAnybodyAndStoreNothing(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	key, before, ids := backend.key(t), backend.Dump(t), map[string]bool{}
	asked := 0
	for action, route := range plannedRoutes {
		for name, body := range overlapBodies() {
			for _, authorization := range []string{"", "Bearer " + TokenOf(Reviewer), "Bearer " + TokenOf(Admin), "Bearer " + canary, canary} {
				for _, media := range []string{api.JSON, "text/plain", ""} {
					r := httptest.NewRequest(route.method, route.path+"?free_text="+canary, bytes.NewReader(body))
					r.Header.Set("Authorization", authorization)
					r.Header.Set("Content-Type", media)
					r.Header.Set("Content-Encoding", canary)
					if authorization == "" {
						r.Header.Del("Authorization")
					}
					answered := s.send(t, r)
					id := blocked(t, key, action, answered)
					silent(t, answered)
					if asked++; ids[id] {
						t.Errorf("%s with %s: two receipts are the same", action, name)
					}
					ids[id] = true
				}
			}
		}
	}
	same(t, before, backend.Dump(t))
	if asked != 3*9*5*3 {
		t.Errorf("%d requests", asked)
	}
}

// TestNoTokenIsLookedAtByThePlannedRoutes has a registry that knows nobody and cannot be asked.
func TestNoTokenIsLookedAtByThePlannedRoutes(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	bad := failing{errors.New(canary)}
	s.service = serviceOver(t, parts{bad, bad, bad, bad, s.store}, unlimited)
	for action, route := range plannedRoutes {
		blocked(t, backend.key(t), action, s.send(t, s.request(route.method, route.path, Reviewer, nil)))
	}
}

// TestNothingOfARequestToAPlannedRouteIsLogged looks at all that the service logs, and at the files of its store.
func TestNothingOfARequestToAPlannedRouteIsLogged(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	var logged bytes.Buffer
	service, err := serve.New(serve.Config{Store: s.store, Now: Clock, Limits: unlimited,
		Health: func(context.Context) (health.Health, error) { return health.Health{}, nil },
		Log:    slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	s.service = service
	for _, route := range plannedRoutes {
		for _, body := range overlapBodies() {
			s.send(t, s.request(route.method, route.path+"?"+canary+"="+canary, Reviewer, body))
		}
	}
	lines := logged.String()
	if strings.Count(lines, "status=403") != 3*len(overlapBodies()) || strings.Contains(lines, "problem=") || strings.Contains(lines, "token=") {
		t.Errorf("logged is\n%s", lines)
	}
	if strings.Contains(lines, canary) {
		t.Error("the log repeats a request")
	}
	for table, rows := range backend.Dump(t) {
		if strings.Contains(strings.Join(rows, "\n"), canary) {
			t.Errorf("%s holds something of a request", table)
		}
	}
}

// TestABodyOfAnySizeIsNotReadByAPlannedRoute sends more than a service holds, over a connection.
func TestABodyOfAnySizeIsNotReadByAPlannedRoute(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	server := httptest.NewServer(s.service)
	defer server.Close()
	for action, route := range plannedRoutes {
		endless := &spaces{}
		r, err := http.NewRequestWithContext(t.Context(), route.method, server.URL+route.path, io.LimitReader(endless, 1<<30))
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
		blocked(t, backend.key(t), action, reply{answered.StatusCode, answered.Header, text})
		if sent := endless.sent.Load(); sent > 1<<26 {
			t.Errorf("%s: %d bytes were taken", action, sent)
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

func TestThePlannedRoutesAreLimitedAsEveryPublicOneIs(t *testing.T) {
	t.Parallel()
	backend := newServiceStore(t)
	s := newHarness(t, backend)
	s.service = serviceOver(t, s.store, limitedAddress(costOf(api.OverlapCheckPath), 0.1, 1))
	s.send(t, s.request(http.MethodPost, api.OverlapCheckPath, Reviewer, nil))
	for _, route := range plannedRoutes {
		answered := s.send(t, s.request(route.method, route.path, Reviewer, nil))
		answered.is(t, api.RateLimited)
		if answered.header.Get("Retry-After") != "10" {
			t.Errorf("%s: Retry-After is %q", route.path, answered.header.Get("Retry-After"))
		}
	}
}

// TestWithoutAReceiptAPlannedRouteDoesNotAnswer: a service that cannot sign says so.
func TestWithoutAReceiptAPlannedRouteDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := newHarness(t, newServiceStore(t))
	for _, test := range []struct {
		fail error
		want api.ProblemKind
	}{{store.ErrClosed, api.Unavailable}, {errors.New(canary), api.Internal}} {
		s.service = serviceOver(t, failing{test.fail}, unlimited)
		for _, route := range plannedRoutes {
			answered := s.send(t, s.request(route.method, route.path, Reviewer, nil))
			answered.is(t, test.want)
			silent(t, answered)
		}
	}
}

func FuzzBodyOfThePlannedRoutes(f *testing.F) {
	backend := newServiceStore(f)
	s := newHarness(f, backend)
	key := backend.key(f)
	for _, body := range overlapBodies() {
		f.Add(body, uint8(0), canary)
	}
	for _, b := range jsonFaults {
		f.Add([]byte(b.body), uint8(1), "")
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8, authorization string) {
		before := backend.Dump(t)
		action := overlap.Actions.All()[int(which)%overlap.Actions.Len()]
		route := plannedRoutes[action]
		r := s.request(route.method, route.path, Reviewer, body)
		r.Header["Authorization"] = []string{authorization}
		blocked(t, key, action, s.send(t, r))
		same(t, before, backend.Dump(t))
	})
}
