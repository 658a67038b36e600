package serve_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
)

// An asking is a request, made so many times, with the status of each answer.
type asking struct {
	times, status int
	request       func(s *harness, i int) *http.Request
}

// as asks to read as a person, in a row of a table.
func as(times int, who person, path string, status int) asking {
	return asking{times, status, func(s *harness, _ int) *http.Request {
		return s.request(http.MethodGet, path, who, nil)
	}}
}

// from asks without a token from an address, in which %x is the number of the request.
func from(times int, address, method, path string, status int, header ...string) asking {
	return asking{times, status, func(_ *harness, i int) *http.Request {
		return bare(method, path, strings.Replace(address, "%x", fmt.Sprintf("%x", i), 1),
			header...)
	}}
}

func TestARateIsOfATokenOrOfAnAddressWithoutAValidOne(t *testing.T) {
	t.Parallel()
	const get, ok, crowd = http.MethodGet, http.StatusOK, http.StatusTooManyRequests
	const page, queue = api.AppealContractPath, api.QueuePath
	wrong := person{Token: "wrong"}
	proxies, err := serve.ParseProxies([]string{"192.0.2.7", "198.51.100.64/26"})
	must(t, err)
	trusting := func(c *serve.Config) { c.Proxies = proxies }
	through := func(times int, peer, said string, status int) asking {
		return from(times, peer, get, page, status, "X-Forwarded-For", said)
	}
	for name, c := range map[string]struct {
		with []setting
		asks []asking
	}{
		"a token": {[]setting{limited(1)}, []asking{as(2, Reviewer, queue, ok),
			as(1, Reviewer, queue, crowd),
			as(1, Ownerless, queue, ok), as(1, Admin, queue, ok)}},
		"a token that is not valid": {[]setting{limited(1)}, []asking{as(2, wrong, queue, 401),
			as(1, wrong, queue, crowd), as(2, Reviewer, queue, ok), as(1, Reviewer, queue, crowd)}},
		"a checkpoint with a token": {[]setting{limitedAddress(1)},
			[]asking{as(5, Reviewer, api.CheckpointPath, ok),
				as(2, wrong, api.CheckpointPath, ok), as(1, wrong, api.CheckpointPath, crowd)}},
		"what needs no place with a token": {[]setting{limitedAddress(1)},
			[]asking{as(2, Reviewer, page, ok),
				as(1, Reviewer, page, crowd)}},
		"a network of IPv6": {[]setting{limitedAddress(5)}, []asking{from(10, "[2001:db8::%x]:1", get,
			page, ok),
			from(10, "[2001:db8::a%x]:1", get, page, crowd),
			from(1, "[2001:db8:0:1::1]:1", get, page, ok)}},
		"the callers of a proxy": {[]setting{limitedAddress(1), trusting}, []asking{
			through(2, elsewhere, "198.51.100.1", ok), through(1, elsewhere, "198.51.100.1", crowd),
			through(1, elsewhere, "198.51.100.2", ok), as(1, Reviewer, queue, ok),
			through(1, elsewhere, "198.51.100.3, 198.51.100.65", ok), // through a second proxy
			through(1, elsewhere, "198.51.100.2, 198.51.100.1", crowd),
			// what the caller wrote before
			through(1, "203.0.113.1:1", "198.51.100.1", ok)}}, // no proxy
		"a proxy that is not trusted": {[]setting{limitedAddress(1)}, []asking{
			through(2, elsewhere, "198.51.100.1", ok), through(1, elsewhere, "198.51.100.1", crowd),
			through(1, elsewhere, "198.51.100.2", crowd),
			through(1, "203.0.113.1:1", "198.51.100.1", ok)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serving(t, c.with...)
			for n, ask := range c.asks {
				for i := range ask.times {
					answered := s.send(t, ask.request(s, i))
					answered.want(t, ask.status, fmt.Sprint("request ", n))
					if ask.status == crowd {
						s.crowded(t, answered)
					}
				}
			}
		})
	}
	for _, text := range []string{"", "nobody", "10.0.0.1/8", "::ffff:10.0.0.0/104", "fe80::1%eth0"} {
		if _, err := serve.ParseProxies([]string{text}); err == nil {
			t.Errorf("%q is taken for a proxy", text)
		}
	}
}

// crowded holds an answer to one that says when to come again, and nothing else.
func (s *harness) crowded(t testing.TB, r reply) {
	t.Helper()
	if r.is(t, api.RateLimited); r.header.Get("Retry-After") != "1" ||
		r.header.Get("WWW-Authenticate") != "" {
		t.Errorf("%v", r.header)
	}
}

func TestEveryRouteButThoseOfMonitoringHasARate(t *testing.T) {
	s := serving(t)
	for _, route := range serve.Routes() {
		s.restart(t, limited(1))
		ask := func(address string) reply {
			r := bare(route.Method, route.Path, address)
			if route.Access == serve.Bearer {
				r = s.requestOf(t, &route, Reviewer)
			}
			return s.send(t, r)
		}
		ask(here)
		ask(here)
		if answered := ask(here); route.Path == api.LivePath || route.Path == api.ReadyPath {
			answered.want(t, http.StatusOK, route.Path)
			continue
		} else {
			s.crowded(t, answered)
		}
		if route.Access != serve.Bearer && ask(elsewhere).status == http.StatusTooManyRequests {
			t.Errorf("%s: another address is limited, too", route.Path)
		}
		s.pass(time.Second)
		if ask(here).status == http.StatusTooManyRequests {
			t.Errorf("%s: it is limited after the time that it was told to wait", route.Path)
		}
	}
}

func TestWhatNoRouteIsForIsLimitedAndDoesNotFillTheLog(t *testing.T) {
	s := serving(t, limitedAddress(2))
	s.book = nil // a limit is no answer of a path that is none
	for _, c := range []struct {
		method, path string
		want         api.ProblemKind
	}{
		{http.MethodGet, "/nowhere", api.NotFound}, {http.MethodPut, api.QueuePath,
			api.MethodNotAllowed},
		{http.MethodGet, "//", api.NotFound}, {http.MethodGet, "/nowhere", api.NotFound},
		{http.MethodGet, "/nowhere", api.RateLimited}, {http.MethodPut, api.QueuePath,
			api.RateLimited},
		{http.MethodPut, api.LivePath, api.MethodNotAllowed},
	} {
		s.ask(t, c.method, c.path, elsewhere).is(t, c.want)
	}
	s.log.take()
	for range 100 {
		s.ask(t, http.MethodGet, "/nowhere", elsewhere)
	}
	if n := strings.Count(s.log.take(), "\n"); n < 5 || n > 10 {
		t.Errorf("%d lines are logged of 100 refusals within a second", n)
	}
	s.pass(time.Hour)
	s.ask(t, http.MethodGet, "/nowhere", elsewhere).is(t, api.NotFound)
	if line := s.log.String(); !strings.Contains(line, `"unlogged":9`) {
		t.Errorf("the next line does not say how many are not logged: %s", line)
	}
}

// In the tests below one caller attacks, and whether others are still answered is all that is
// asked, not how fast.

// A hold keeps calls of the store waiting as long as it is closed and their caller is there.
type hold struct {
	closed atomic.Bool
	inside atomic.Int64
	opened chan struct{}
}

// held makes calls of the store wait.
func (s *harness) held(calls ...string) *hold {
	h := &hold{opened: make(chan struct{})}
	h.closed.Store(true)
	s.before = func(ctx context.Context, call string) error {
		if !slices.Contains(calls, call) || !h.closed.Load() {
			return nil
		}
		h.inside.Add(1)
		select {
		case <-h.opened:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return h
}

// await waits until so many calls wait.
func (h *hold) await(t testing.TB, calls int64) {
	t.Helper()
	until(t, func() bool { return h.inside.Load() >= calls })
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

func TestOtherTokensReadAndEnforceWithOneTokenAtItsLimits(t *testing.T) {
	limits := serve.DefaultLimits()
	for _, c := range []struct {
		path   string
		who    person
		inside int64 // of its requests have a place
	}{
		{api.QueuePath, Stranger, int64(limits.Reads) - 1},
		{api.AppealEnforcePath, Reviewer, int64(limits.PerCaller)},
	} {
		t.Run(c.path, func(t *testing.T) {
			s := serving(t, func(c *serve.Config) { c.Limits = limits })
			held := s.held("HandIn", "Page")
			r := run(t, s, nil)
			text := sent(t, s.request(http.MethodGet, c.path, c.who, nil))
			if c.path == api.AppealEnforcePath {
				text = s.enforceText(t)
			}
			var conns []*net.TCPConn
			for range limits.PerCaller {
				conns = append(conns, r.write(t, text))
			}
			held.await(t, c.inside)
			held.closed.Store(false)
			var refused reply
			until(t, func() bool { // until all of the sixteen have been read
				refused = s.send(t, s.request(http.MethodPost, api.AppealEvaluatePath, c.who, nil))
				return refused.status != http.StatusUnsupportedMediaType
			})
			refused.is(t, api.RateLimited)
			s.recorded(t, s.Case, Admin, Block)
			for _, path := range []string{api.QueuePath, api.CheckpointPath} {
				s.get(t, path, Admin).want(t, http.StatusOK, path)
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

// A caller that is gone ends its wait, so that a request with an ended context shows what waits.
func TestEveryRouteThatUsesTheStoreForACallerWaitsForAPlace(t *testing.T) {
	// One token has one place to read.
	s := serving(t, within(func(l *serve.Limits) { l.Reads, l.Writes = 2, 1 }))
	held := s.held("HandIn", "Page")
	r := run(t, s, nil)
	conns := []*net.TCPConn{r.write(t, sent(t, s.request(http.MethodGet, api.QueuePath, Reviewer,
		nil))),
		r.write(t, s.enforceText(t))}
	held.await(t, 2)
	held.closed.Store(false)
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, route := range serve.Routes() {
		if route.Access == serve.Bearer || ofLog(&route) {
			s.send(t, s.requestOf(t, &route, Reviewer).WithContext(gone)).is(t, api.Unavailable)
		}
	}
	close(held.opened)
	for i, conn := range conns {
		if status := answered(t, conn); status != []int{http.StatusOK, http.StatusCreated}[i] {
			t.Errorf("one that had a place is answered %d", status)
		}
	}
	s.get(t, api.QueuePath, Reviewer).want(t, http.StatusOK, "one that comes later")
}

// slowly begins enforce requests with one byte of their bodies, until their tokens were looked up.
func (r *running) slowly(t *testing.T, count int) (conns []*net.TCPConn) {
	t.Helper()
	var asked atomic.Int64
	r.before = func(_ context.Context, call string) error {
		if call == "TokenOf" {
			asked.Add(1)
		}
		return nil
	}
	for range count {
		conns = append(conns, r.write(t,
			"POST "+api.AppealEnforcePath+" HTTP/1.1\r\nHost: docket\r\n"+
				"Authorization: Bearer "+TokenOf(Stranger)+"\r\nContent-Type: application/json\r\n"+
				"Content-Length: 1000\r\n\r\n{"))
	}
	until(t, func() bool { return asked.Load() >= int64(count) })
	return conns
}

func TestSlowBodiesOfOneTokenHoldNobodyUp(t *testing.T) {
	limits := serve.DefaultLimits()
	limits.Read = 2 * time.Second // so this test runs alone
	r := run(t, newHarness(t, newServiceStore(t), func(c *serve.Config) { c.Limits = limits }), nil)
	slow := r.slowly(t, 64)
	answers(t, r.write(t, r.enforceText(t)), http.StatusCreated)
	statuses := map[int]int{}
	for _, conn := range slow {
		statuses[answered(t, conn)]++
	}
	late, refused := statuses[http.StatusBadRequest], statuses[http.StatusTooManyRequests]
	if late < limits.PerCaller || refused == 0 || late+refused != len(slow) {
		t.Errorf("they are answered %v", statuses)
	}
}

func TestABodyWaitsForNoOtherWhenAllPlacesOfBodiesAreTaken(t *testing.T) {
	r := run(t, serving(t, within(func(l *serve.Limits) { l.Bodies = 1 })), nil)
	r.slowly(t, 1)
	var got reply
	until(t, func() bool { // until the slow one has its place
		got = r.post(t, api.AppealEnforcePath, Reviewer, []byte("{}"))
		return got.status != http.StatusBadRequest
	})
	if got.is(t, api.Unavailable); got.header.Get("Retry-After") == "" {
		t.Error("it is not told when to come again")
	}
	r.get(t, api.QueuePath, Reviewer).want(t, http.StatusOK, "a page")
}

func TestAConnectionWaitsWhenAllAreOpen(t *testing.T) {
	r := run(t, serving(t, within(func(l *serve.Limits) { l.Connections = 1 })), nil)
	get := sent(t, r.request(http.MethodGet, api.LivePath, Reviewer, nil))
	first := r.write(t, get)
	answers(t, first, http.StatusOK)
	second := r.write(t, get)
	must(t, first.Close())
	answers(t, second, http.StatusOK)
}
