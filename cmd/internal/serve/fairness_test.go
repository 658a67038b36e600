package serve_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
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

// wait waits as long as the hold is closed.
func (h *hold) wait() {
	if h.closed.Load() {
		h.inside.Add(1)
		<-h.opened
	}
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

// heldPackets hold the pages of the queue.
type heldPackets struct {
	serve.Packets
	*hold
}

func (h heldPackets) Page(ctx context.Context, of store.Permissions, after string, most int) (store.Page, error) {
	h.wait()
	return h.Packets.Page(ctx, of, after, most)
}

// heldService is a service with the default limits whose work is held.
func heldService(t *testing.T) (*harness, *hold) {
	t.Helper()
	s := newHarness(t, newServiceStore(t))
	h := &hold{opened: make(chan struct{})}
	h.closed.Store(true)
	s.service = serviceOver(t, parts{s.store, heldRecords{s.store, h}, heldPackets{s.store, h}, s.store}, serve.DefaultLimits())
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

func TestOtherTokensReadAndEnforceWithOneTokenAtItsLimits(t *testing.T) {
	for _, c := range []struct {
		path   string
		who    person
		inside int64 // of its requests have a place
	}{
		{api.QueuePath, Stranger, int64(serve.DefaultLimits().Reads) - 1},
		{api.AppealEnforcePath, Reviewer, int64(serve.DefaultLimits().PerCaller)},
	} {
		t.Run(c.path, func(t *testing.T) {
			s, held := heldService(t)
			r := run(t, s, nil)
			text := sent(t, s.request(http.MethodGet, c.path, c.who, nil))
			if c.path == api.AppealEnforcePath {
				text = s.enforceText(t)
			}
			var conns []*net.TCPConn
			for range serve.DefaultLimits().PerCaller {
				conn := r.dial(t)
				write(t, conn, text)
				conns = append(conns, conn)
			}
			until(t, func() bool { return held.inside.Load() >= c.inside })
			held.closed.Store(false)
			noJSON := func() reply { return s.send(t, s.request(http.MethodPost, api.AppealEvaluatePath, c.who, nil)) }
			refused := noJSON()
			for begun := time.Now(); refused.status == http.StatusUnsupportedMediaType && time.Since(begun) < patience; {
				refused = noJSON() // one of the sixteen has not been read yet
			}
			refused.is(t, api.RateLimited)
			if got := s.handIn(t, s.Decide(s.Case, Admin, Block), Admin); got.status != http.StatusCreated {
				t.Errorf("a record handed in is answered %d", got.status)
			}
			for _, path := range []string{api.QueuePath, api.CheckpointPath} {
				if got := s.get(t, path, Admin); got.status != http.StatusOK {
					t.Errorf("%s is answered %d", path, got.status)
				}
			}
			if inside := held.inside.Load(); inside != c.inside {
				t.Errorf("%d requests of one token have a place, want %d", inside, c.inside)
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

func TestOtherTokensReadAndEnforceWithOneTokenAtItsRate(t *testing.T) {
	t.Parallel()
	limits := serve.DefaultLimits()
	limits.TokenRate = 2
	s := harnessWith(t, limits)
	for range 4 {
		if got := s.get(t, api.QueuePath, Stranger); got.status != http.StatusOK {
			t.Fatalf("answered %d below the rate", got.status)
		}
	}
	if got := s.get(t, api.QueuePath, Stranger); got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
	}
	s.get(t, api.QueuePath, Stranger).is(t, api.RateLimited)
	if got := s.get(t, api.QueuePath, Reviewer); got.status != http.StatusOK {
		t.Errorf("a page of another token is answered %d", got.status)
	}
	if got := s.handIn(t, s.Decide(s.Case, Reviewer, nil), Reviewer); got.status != http.StatusCreated {
		t.Errorf("a record of another token is answered %d", got.status)
	}
}

func TestARequestThatWaitsForAPlaceEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	s, held := heldService(t)
	r := run(t, s, nil)
	text := sent(t, s.request(http.MethodGet, api.QueuePath, Stranger, nil))
	var first []*net.TCPConn
	for range serve.DefaultLimits().Reads - 1 {
		conn := r.dial(t)
		write(t, conn, text)
		first = append(first, conn)
	}
	until(t, func() bool { return held.inside.Load() == int64(len(first)) })
	gone := r.dial(t)
	write(t, gone, text)
	held.closed.Store(false)
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	close(held.opened)
	for _, conn := range first {
		if status := answered(t, conn); status != http.StatusOK {
			t.Errorf("one that had a place is answered %d", status)
		}
	}
	if got := s.get(t, api.QueuePath, Stranger); got.status != http.StatusOK {
		t.Errorf("one that comes later is answered %d", got.status)
	}
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

func TestSlowBodiesOfOneTokenHoldNobodyUp(t *testing.T) {
	limits := serve.DefaultLimits()
	limits.Read = 2 * time.Second
	s := newHarness(t, newServiceStore(t))
	registry := &asked{Registry: s.store}
	s.service = serviceOver(t, parts{registry, s.store, s.store, s.store}, limits)
	r := run(t, s, nil)
	var slow []*net.TCPConn
	for range 64 {
		slow = append(slow, slowly(t, r, Stranger))
	}
	until(t, func() bool { return registry.count.Load() >= 64 })
	enforced(t, r)
	statuses := map[int]int{}
	for _, conn := range slow {
		statuses[answered(t, conn)]++
	}
	if statuses[http.StatusBadRequest] < limits.PerCaller || statuses[http.StatusTooManyRequests] == 0 ||
		statuses[http.StatusBadRequest]+statuses[http.StatusTooManyRequests] != len(slow) {
		t.Errorf("they are answered %v", statuses)
	}
}

func TestABodyWaitsForNoOtherWhenAllPlacesOfBodiesAreTaken(t *testing.T) {
	t.Parallel()
	limits := unlimited
	limits.Bodies = 1
	s := newHarness(t, newServiceStore(t))
	registry := &asked{Registry: s.store}
	s.service = serviceOver(t, parts{registry, s.store, s.store, s.store}, limits)
	r := run(t, s, nil)
	slowly(t, r, Stranger)
	until(t, func() bool { return registry.count.Load() > 0 })
	got := s.post(t, api.AppealEnforcePath, Reviewer, []byte("{}"))
	for begun := time.Now(); got.status == http.StatusBadRequest && time.Since(begun) < patience; {
		got = s.post(t, api.AppealEnforcePath, Reviewer, []byte("{}")) // the slow one has no place yet
	}
	if got.is(t, api.Unavailable); got.header.Get("Retry-After") == "" {
		t.Error("it is not told when to come again")
	}
	if got := s.get(t, api.QueuePath, Reviewer); got.status != http.StatusOK {
		t.Errorf("a page is answered %d", got.status)
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
	trusted, err := serve.ParseProxies([]string{"192.0.2.7", "198.51.100.64/26"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		proxies serve.Proxies
		header  string // of another caller
		status  int
	}{
		{"another caller", trusted, "198.51.100.2", http.StatusOK},
		{"through a second proxy", trusted, "198.51.100.2, 198.51.100.65", http.StatusOK},
		{"what the caller wrote before", trusted, "198.51.100.2, 198.51.100.1", http.StatusTooManyRequests},
		{"nobody is trusted", serve.Proxies{}, "198.51.100.2", http.StatusTooManyRequests},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newObserved(t, serve.Config{Limits: limitedAddress(1), Proxies: c.proxies})
			for range 2 {
				w.ask(t, http.MethodGet, path, elsewhere, "X-Forwarded-For", "198.51.100.1")
			}
			w.ask(t, http.MethodGet, path, elsewhere, "X-Forwarded-For", "198.51.100.1").is(t, api.RateLimited)
			if got := w.ask(t, http.MethodGet, path, elsewhere, "X-Forwarded-For", c.header).status; got != c.status {
				t.Errorf("answered %d, want %d", got, c.status)
			}
			if got := w.ask(t, http.MethodGet, path, "203.0.113.1:1", "X-Forwarded-For", "198.51.100.1").status; got != http.StatusOK {
				t.Errorf("a caller that pretends to be the limited one is answered %d", got)
			}
			if got := w.get(t, api.QueuePath, Reviewer); got.status != http.StatusOK {
				t.Errorf("a caller with a token is answered %d", got.status)
			}
		})
	}
	for _, text := range []string{"", "nobody", "10.0.0.1/8", "::ffff:10.0.0.0/104", "fe80::1%eth0"} {
		if _, err := serve.ParseProxies([]string{text}); err == nil {
			t.Errorf("%q is taken for a proxy", text)
		}
	}
}

func TestATrustedProxyIsNotThisMachine(t *testing.T) {
	t.Parallel()
	trusted, err := serve.ParseProxies([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	w := newObserved(t, serve.Config{Limits: unlimited, Proxies: trusted})
	w.ask(t, http.MethodGet, api.MetricsPath, here).is(t, api.Unauthenticated)
}

func TestTheCheckpointWithAValidTokenCountsForTheToken(t *testing.T) {
	t.Parallel()
	w := newObserved(t, serve.Config{Limits: limitedAddress(1)})
	for range 5 {
		if got := w.get(t, api.CheckpointPath, Reviewer); got.status != http.StatusOK {
			t.Fatalf("answered %d", got.status)
		}
	}
	for range 2 {
		w.get(t, api.CheckpointPath, person{Token: "wrong"})
	}
	w.get(t, api.CheckpointPath, person{Token: "wrong"}).is(t, api.RateLimited)
}

func TestAConnectionWaitsWhenAllAreOpen(t *testing.T) {
	t.Parallel()
	limits := unlimited
	limits.Connections = 1
	r := run(t, harnessWith(t, limits), nil)
	get := sent(t, r.request(http.MethodGet, api.LivePath, Reviewer, nil))
	first, second := r.dial(t), r.dial(t)
	write(t, first, get)
	if status := answered(t, first); status != http.StatusOK {
		t.Errorf("answered %d", status)
	}
	write(t, second, get)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if status := answered(t, second); status != http.StatusOK {
		t.Errorf("one that waited is answered %d", status)
	}
}
