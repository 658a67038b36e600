package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/api"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/store"
)

// In these tests one caller attacks, and whether others are still answered is all that is asked, not how fast.

// A hold keeps requests at work, once they have a place, as long as it is closed.
type hold struct {
	closed atomic.Bool
	inside atomic.Int64
	opened chan struct{}
}

func newHold() *hold {
	h := &hold{opened: make(chan struct{})}
	h.closed.Store(true)
	return h
}

// wait waits as long as the hold is closed.
func (h *hold) wait() {
	if h.closed.Load() {
		h.inside.Add(1)
		<-h.opened
	}
}

// measure is a serve.Config.Measure: it holds what reads.
func (h *hold) measure(work func()) time.Duration {
	h.wait()
	work()
	return 0
}

// heldRecords hold what is handed in.
type heldRecords struct {
	serve.Records
	*hold
}

func (h heldRecords) HandIn(ctx context.Context, submission store.Submission) (store.Acceptance, error) {
	h.wait()
	return h.Records.HandIn(ctx, submission)
}

// heldService is a service whose work is held, with limits that are the default ones but for how often somebody asks.
func heldService(t *testing.T) (*harness, *hold) {
	t.Helper()
	s := newHarness(t, newServiceStore(t))
	h := newHold()
	limits := unlimited
	limits.ReadsPerCaller, limits.WritesPerCaller = admission.DefaultLimits().ReadsPerCaller, admission.DefaultLimits().WritesPerCaller
	service, err := serve.New(serve.Config{Store: parts{s.store, heldRecords{s.store, h}, s.store, s.store}, Now: Clock,
		Log: slog.New(slog.DiscardHandler), Limits: limits, Measure: h.measure,
		Health: func(context.Context) (health.Health, error) { return health.Health{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	s.service = service
	return s, h
}

// until waits until something holds.
func until(t testing.TB, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); runtime.Gosched() {
		if time.Since(begun) > 3*patience {
			t.Fatal("what the test waits for does not come")
		}
	}
}

// sent is a request as text, for a connection.
func sent(t testing.TB, r *http.Request) string {
	t.Helper()
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// enforced hands a record in on a connection of its own.
func enforced(t *testing.T, r *running) {
	t.Helper()
	conn := r.dial(t)
	write(t, conn, r.enforceText(t))
	if status := answered(t, conn); status != http.StatusCreated {
		t.Errorf("a record handed in is answered %d", status)
	}
}

func TestSixteenConnectionsOfOneTokenOnAnyRouteStopNobodyElse(t *testing.T) {
	for _, route := range bearerRoutes() {
		t.Run(route.Method+route.Path, func(t *testing.T) {
			s, held := heldService(t)
			r := run(t, s, nil)
			var conns []*net.TCPConn
			attacker, most := Stranger, admission.DefaultLimits().ReadsPerCaller
			if route.Path == api.AppealEnforcePath || route.Path == api.AmendmentEnforcePath {
				attacker, most = Reviewer, admission.DefaultLimits().WritesPerCaller
			}
			text := sent(t, s.requestOf(t, &route, attacker))
			for range 16 {
				conn := r.dial(t)
				write(t, conn, text)
				conns = append(conns, conn)
			}
			until(t, func() bool { return held.inside.Load() >= most })
			held.closed.Store(false)
			if got := s.handIn(t, s.Decide(s.Case, Admin, Block), Admin); got.status != http.StatusCreated {
				t.Errorf("a record handed in is answered %d", got.status)
			}
			for _, path := range []string{api.QueuePath, api.CheckpointPath} {
				if got := s.get(t, path, Admin); got.status != http.StatusOK {
					t.Errorf("%s is answered %d", path, got.status)
				}
			}
			if inside := held.inside.Load(); inside != most {
				t.Errorf("%d requests of one token have a place, want %d", inside, most)
			}
			close(held.opened)
			for _, conn := range conns {
				if status := answered(t, conn); status == 0 || status >= http.StatusInternalServerError {
					t.Errorf("a request that waited is answered %d", status)
				}
			}
		})
	}
}

func TestARequestThatWaitsForAPlaceEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	s, held := heldService(t)
	r := run(t, s, nil)
	text := sent(t, s.request(http.MethodGet, api.QueuePath, Stranger, nil))
	first := r.dial(t)
	write(t, first, text)
	until(t, func() bool { return held.inside.Load() > 0 })
	gone := r.dial(t)
	write(t, gone, text)
	held.closed.Store(false)
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	close(held.opened)
	if status := answered(t, first); status != http.StatusOK {
		t.Errorf("the first is answered %d", status)
	}
	if got := s.get(t, api.QueuePath, Stranger); got.status != http.StatusOK {
		t.Errorf("one that comes later is answered %d", got.status)
	}
}

func TestMoreRequestsOfOneCallerThanMayWaitAreRefused(t *testing.T) {
	t.Parallel()
	s, held := heldService(t)
	limits := unlimited
	limits.ReadsPerCaller, limits.Waiting = 1, 0
	if err := s.service.SetLimits(limits); err != nil {
		t.Fatal(err)
	}
	r := run(t, s, nil)
	conn := r.dial(t)
	write(t, conn, sent(t, s.request(http.MethodGet, api.QueuePath, Stranger, nil)))
	until(t, func() bool { return held.inside.Load() > 0 })
	held.closed.Store(false)
	refused := s.get(t, api.QueuePath, Stranger)
	refused.is(t, api.RateLimited)
	if refused.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", refused.header.Get("Retry-After"))
	}
	if got := s.get(t, api.QueuePath, Admin); got.status != http.StatusOK {
		t.Errorf("another caller is answered %d", got.status)
	}
	close(held.opened)
	if status := answered(t, conn); status != http.StatusOK {
		t.Errorf("answered %d", status)
	}
}

func TestIdleConnectionsWithoutATokenMakeRoom(t *testing.T) {
	t.Parallel()
	limits := unlimited
	limits.Connections, limits.ConnectionsPerAddress = 40, 32
	r := run(t, harnessWith(t, limits), nil)
	get := sent(t, r.request(http.MethodGet, api.QueuePath, Reviewer, nil))
	known := r.dial(t)
	write(t, known, get)
	if status := answered(t, known); status != http.StatusOK {
		t.Fatalf("answered %d", status)
	}
	idle := make([]*net.TCPConn, 100)
	for i := range idle {
		idle[i] = r.dial(t)
	}
	enforced(t, r)
	write(t, known, get)
	if status := answered(t, known); status != http.StatusOK {
		t.Errorf("a connection that carried a token was closed: %d", status)
	}
	closed := 0
	for _, conn := range idle[:60] {
		if answered(t, conn) == 0 {
			closed++
		}
	}
	if closed != 60 {
		t.Errorf("%d of the first 60 idle connections were closed", closed)
	}
}

func TestAConnectionIsClosedWhenAllAreBusy(t *testing.T) {
	t.Parallel()
	s, held := heldService(t)
	limits := unlimited
	limits.Connections, limits.ConnectionsPerAddress = 2, 2
	if err := s.service.SetLimits(limits); err != nil {
		t.Fatal(err)
	}
	r := run(t, s, nil)
	var busy []*net.TCPConn
	for i := range 2 {
		conn := r.dial(t)
		write(t, conn, sent(t, s.request(http.MethodGet, api.QueuePath, Stranger, nil)))
		until(t, func() bool { return held.inside.Load() > int64(i) })
		busy = append(busy, conn)
	}
	if status := answered(t, r.dial(t)); status != 0 {
		t.Errorf("a third connection is answered %d", status)
	}
	held.closed.Store(false)
	close(held.opened)
	for _, conn := range busy {
		if status := answered(t, conn); status != http.StatusOK {
			t.Errorf("answered %d", status)
		}
	}
	enforced(t, r) // an idle one makes room
}

// slowly begins an enforce request with one byte of its body.
func slowly(t *testing.T, r *running, who person) *net.TCPConn {
	t.Helper()
	conn := r.dial(t)
	write(t, conn, "POST "+api.AppealEnforcePath+" HTTP/1.1\r\nHost: docket\r\nAuthorization: Bearer "+TokenOf(who)+
		"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	return conn
}

// asked is a registry that counts the tokens that were looked up.
type asked struct {
	serve.Registry
	count atomic.Int64
}

func (a *asked) TokenOf(ctx context.Context, digest [32]byte) (store.Token, error) {
	a.count.Add(1)
	return a.Registry.TokenOf(ctx, digest)
}

func TestSlowBodiesOfOneTokenHoldNobodyUpAndDoNotDelayTheStop(t *testing.T) {
	s := newHarness(t, newServiceStore(t))
	registry := &asked{Registry: s.store}
	s.service = serviceOver(t, parts{registry, s.store, s.store, s.store}, unlimited)
	r := run(t, s, nil)
	var slow []*net.TCPConn
	for range 64 {
		slow = append(slow, slowly(t, r, Stranger))
	}
	until(t, func() bool { return registry.count.Load() >= 64 })
	enforced(t, r)
	for _, route := range bearerRoutes() { // those of the same token, too, but for more bodies
		if route.Method == http.MethodGet {
			if got := s.send(t, s.requestOf(t, &route, Stranger)); got.status >= http.StatusTooManyRequests {
				t.Errorf("%s of the same token is answered %d", route.Path, got.status)
			}
		}
	}
	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	statuses := map[int]int{}
	for _, conn := range slow {
		statuses[answered(t, conn)]++
	}
	most := int(unlimited.BodiesPerCaller)
	if statuses[http.StatusBadRequest] != most || statuses[http.StatusTooManyRequests] != len(slow)-most {
		t.Errorf("they are answered %v, want %d incomplete and the others refused", statuses, most)
	}
}

func TestAnswersToBodiesThatAreRefusedDoNotWaitForThem(t *testing.T) {
	r := run(t, harnessWith(t, unlimited), nil)
	for name, head := range map[string]string{
		"no token":         "POST " + api.AppealEnforcePath + " HTTP/1.1\r\nHost: docket\r\nContent-Length: 1000\r\n\r\n{",
		"no route":         "POST /nowhere HTTP/1.1\r\nHost: docket\r\nContent-Length: 1000\r\n\r\n{",
		"no body is taken": "POST " + api.OverlapCheckPath + " HTTP/1.1\r\nHost: docket\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
		"another type": "POST " + api.AppealEnforcePath + " HTTP/1.1\r\nHost: docket\r\nAuthorization: Bearer " + TokenOf(Reviewer) +
			"\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := r.dial(t)
			write(t, conn, head)
			if status := answered(t, conn); status < http.StatusBadRequest || status >= http.StatusInternalServerError {
				t.Errorf("answered %d", status)
			}
			if rest, err := io.Copy(io.Discard, conn); rest > 0 {
				t.Errorf("%d bytes more, %v", rest, err)
			}
		})
	}
}

func TestCallersBehindATrustedProxyAreToldApart(t *testing.T) {
	t.Parallel()
	const path = api.AppealContractPath
	limits := limitedAddress(costOf(path), 1, 100)
	trusted, err := admission.ParseProxies([]string{"192.0.2.7"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		proxies admission.Proxies
		header  string
		others  bool // are answered
	}{
		{"X-Forwarded-For", trusted, "X-Forwarded-For", true},
		{"Forwarded", trusted, "Forwarded", true},
		{"nobody is trusted", admission.Proxies{}, "X-Forwarded-For", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newObserved(t, serve.Config{Limits: limits, Proxies: c.proxies})
			w.book = nil // so many answers are not read
			from := func(caller string) int {
				if c.header == "Forwarded" {
					caller = "for=" + caller
				}
				return w.ask(t, http.MethodGet, path, elsewhere, c.header, caller).status
			}
			limited := 0
			for range 600 {
				if from("198.51.100.1") == http.StatusTooManyRequests {
					limited++
				}
			}
			if limited != 500 {
				t.Errorf("%d of 600 were refused", limited)
			}
			if got := from("198.51.100.2"); (got == http.StatusOK) != c.others {
				t.Errorf("another caller is answered %d", got)
			}
			if got := w.ask(t, http.MethodGet, path, "203.0.113.1:1", "X-Forwarded-For", "198.51.100.1").status; got != http.StatusOK {
				t.Errorf("a caller that pretends to be the limited one is answered %d", got)
			}
			if got := w.get(t, api.QueuePath, Reviewer); got.status != http.StatusOK {
				t.Errorf("a caller with a token is answered %d", got.status)
			}
		})
	}
}

func TestATrustedProxyIsNotThisMachine(t *testing.T) {
	t.Parallel()
	trusted, err := admission.ParseProxies([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	w := newObserved(t, serve.Config{Limits: unlimited, Proxies: trusted})
	w.ask(t, http.MethodGet, api.MetricsPath, here).is(t, api.Unauthenticated)
}

func TestTheCheckpointWithAValidTokenCountsForItsPrincipal(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: limitedAddress(costOf(api.CheckpointPath), 0.001, 1)})
	for range 5 {
		if got := w.get(t, api.CheckpointPath, Reviewer); got.status != http.StatusOK {
			t.Fatalf("answered %d", got.status)
		}
	}
	w.get(t, api.CheckpointPath, person{Token: "wrong"})
	w.get(t, api.CheckpointPath, person{Token: "wrong"}).is(t, api.RateLimited)
}

func TestARefusalForTooManyRequestsIsHeldBackUntilTheStop(t *testing.T) {
	t.Parallel()
	limits := limited(costOf(api.QueuePath), 0.001, 1)
	limits.AddressTime, limits.AddressBurst = unlimited.AddressTime, unlimited.AddressBurst
	limits.RefusalPause = 10 * time.Second
	s := harnessWith(t, limits)
	r := run(t, s, nil)
	get := sent(t, s.request(http.MethodGet, api.QueuePath, Reviewer, nil))
	conn := r.dial(t)
	write(t, conn, get)
	if status := answered(t, conn); status != http.StatusOK {
		t.Fatalf("answered %d", status)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	s.send(t, s.request(http.MethodGet, api.QueuePath, Reviewer, nil).WithContext(gone)).is(t, api.RateLimited)
	conn = r.dial(t)
	write(t, conn, get)
	until(t, func() bool { return s.inFlight(t) > 0 }) // a stop before the request is read would close the connection
	r.stop()
	if status := answered(t, conn); status != http.StatusTooManyRequests {
		t.Errorf("answered %d", status)
	}
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
}

// inFlight is how many requests are in progress, as the metrics have it, without the one that asks.
func (s *harness) inFlight(t testing.TB) int {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, api.MetricsPath, nil)
	r.RemoteAddr = here
	recorder := httptest.NewRecorder()
	s.service.ServeHTTP(recorder, r)
	for lines := bufio.NewScanner(recorder.Body); lines.Scan(); {
		var n int
		if _, err := fmt.Sscanf(lines.Text(), "docket_http_in_flight %d", &n); err == nil {
			return n - 1
		}
	}
	return 0
}
