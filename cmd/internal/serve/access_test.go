package serve_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/store"
)

// bodyFor is a body that the route can read.
func (s *harness) bodyFor(t testing.TB, path string) []byte {
	t.Helper()
	switch path {
	case api.AppealEnforcePath:
		return s.Body(t, s.Decide(s.Case, Reviewer, nil))
	case api.AmendmentEnforcePath:
		return s.Body(t, s.Decide(s.Amendment, Reviewer, nil))
	case api.AppealEvaluatePath:
		return []byte(`{"table":"trade_appeal_cases","at":"2026-06-15T12:00:00Z"}`)
	case api.AmendmentEvaluatePath:
		return []byte(`{"table":"trade_agreement_amendment_records","at":"2026-06-15T12:00:00Z"}`)
	}
	return nil
}

// bearerRoutes are the routes that ask for a token.
func bearerRoutes() (routes []serve.Route) {
	for _, route := range serve.Routes() {
		if route.Access == serve.Bearer {
			routes = append(routes, route)
		}
	}
	return routes
}

// requestOf is a request for the route as one of the people.
func (s *harness) requestOf(t testing.TB, route *serve.Route, who person) *http.Request {
	t.Helper()
	return s.request(route.Method, pathOf(route, s.Case.Key.ID), who, s.bodyFor(t, route.Path))
}

func TestNoRouteWithATokenAnswersWithoutOneAndAWrongOneIsToldFromNone(t *testing.T) {
	s := serving(t)
	before, good := s.Dump(t), "Bearer "+TokenOf(Admin)
	for _, route := range bearerRoutes() {
		for _, headers := range [][]string{nil, {"Bearer"}, {"Bearer "}, {"Bearer docket_" + canary}, {"Basic ZG9ja2V0"},
			{"docket_x"}, {strings.ToUpper(good)}, {good + " x"}, {good, good}} {
			r := s.requestOf(t, &route, Admin)
			r.Header["Authorization"] = headers
			answered := s.send(t, r)
			answered.is(t, api.Unauthenticated)
			silent(t, answered)
			challenge := answered.header.Get("WWW-Authenticate")
			if challenge == "" || strings.Contains(challenge, "invalid_token") != (headers != nil) {
				t.Errorf("%s with %q: the challenge is %q", route.Path, headers, challenge)
			}
		}
	}
	same(t, before, s.Dump(t))
}

func TestEveryRouteRefusesAnotherMethod(t *testing.T) {
	s := serving(t)
	for _, route := range serve.Routes() {
		for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodOptions, http.MethodTrace, "BREW"} {
			answered := s.send(t, s.request(method, pathOf(&route, s.Case.Key.ID), Admin, nil))
			answered.is(t, api.MethodNotAllowed)
			if allow := answered.header.Get("Allow"); !strings.Contains(allow, route.Method) {
				t.Errorf("%s: Allow is %q", route.Path, allow)
			}
		}
	}
}

func TestAPathIsTakenAsItIsWritten(t *testing.T) {
	s := serving(t)
	for _, path := range []string{"//healthz", "/healthz/", "/./healthz", "/x/../healthz", "/HEALTHZ", "/healthz%2f",
		"/api/trade/packets/", "/api/trade/packets/a/b", "/api/trade/packets/a%2fb",
		"/api/trade/packets/" + strings.Repeat("a", 200), "/" + canary} {
		answered := s.get(t, path, Reviewer)
		answered.is(t, api.NotFound)
		silent(t, answered)
		if to := answered.header.Get("Location"); to != "" {
			t.Errorf("%s leads to %s", path, to)
		}
	}
}

// An unread body is not to be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read, which is announced as too large")
	return 0, io.EOF
}

func TestABodyIsJSONOfAtMostOneMebibyte(t *testing.T) {
	s := serving(t)
	large := bytes.Repeat([]byte(" "), api.MaxBody+1)
	for _, route := range bearerRoutes() {
		if s.bodyFor(t, route.Path) == nil {
			continue
		}
		s.post(t, route.Path, Reviewer, large).is(t, api.BodyTooLarge)
		if whole := s.post(t, route.Path, Reviewer, large[:api.MaxBody]).problem(t); whole.Kind() == api.BodyTooLarge {
			t.Errorf("%s: a body of just 1 MiB is too large", route.Path)
		}
		unknown := s.request(route.Method, route.Path, Reviewer, large)
		unknown.ContentLength = -1
		s.send(t, unknown).is(t, api.BodyTooLarge)
		announced := s.request(route.Method, route.Path, Reviewer, []byte{})
		announced.ContentLength, announced.Body = api.MaxBody+1, io.NopCloser(unread{t})
		answered := s.send(t, announced)
		if answered.is(t, api.BodyTooLarge); answered.header.Get("Connection") != "close" {
			t.Errorf("%s: the connection is kept, and the body was not read: %v", route.Path, answered.header)
		}
		for media, taken := range map[string]bool{"": false, "text/plain": false, "application/x-www-form-urlencoded": false,
			"application/json; charset=latin1": false, "application/json; version=utf-8": false, canary: false,
			"application/json; charset=utf-8": true, "application/json;charset=UTF-8": true, "Application/JSON": true} {
			r := s.requestOf(t, &route, Reviewer)
			r.Header.Set("Content-Type", media)
			answered := s.send(t, r)
			if silent(t, answered); !taken {
				answered.is(t, api.UnsupportedMediaType)
			} else if answered.status == http.StatusUnsupportedMediaType {
				t.Errorf("%s: %s is refused", route.Path, media)
			}
		}
	}
}

func TestAPanicOnAnyRouteIsAnInternalProblemWithoutItsValue(t *testing.T) {
	s := serving(t)
	for i, route := range serve.Routes() {
		asked := 0
		s.restart(t, func(c *serve.Config) {
			c.Now = func() time.Time {
				if asked--; asked == 0 {
					panic([]any{canary, errors.New(canary), []byte(canary)}[i%3])
				}
				return Noon
			}
		})
		s.log.take()
		asked = 2 // once for when the request came
		answered := s.send(t, s.requestOf(t, &route, Admin))
		answered.is(t, api.Internal)
		silent(t, answered)
		if log := s.log.String(); strings.Contains(log, canary) || !strings.Contains(log, "panicked") || !strings.Contains(log, `"stack":`) {
			t.Errorf("%s: logged %s", route.Path, log)
		}
		s.ask(t, http.MethodGet, api.LivePath, here).want(t, http.StatusOK, "after a panic")
	}
}

func TestTheMetricsAreForThisMachineAndForSafetyAdmins(t *testing.T) {
	s := serving(t)
	proxies, err := serve.ParseProxies([]string{"127.0.0.1"})
	must(t, err)
	for name, behind := range map[string]setting{"no proxy": func(*serve.Config) {},
		"some proxy": func(c *serve.Config) { c.BehindProxy = true }, "this proxy": func(c *serve.Config) { c.Proxies = proxies }} {
		s.restart(t, behind)
		for from, local := range map[string]bool{here: name == "no proxy", "[::1]:1": name != "some proxy"} {
			if got := s.ask(t, http.MethodGet, api.MetricsPath, from).status; (got == http.StatusOK) != local {
				t.Errorf("%s, from %s: %d", name, from, got)
			}
		}
		for _, from := range []string{elsewhere, "[2001:db8::1]:1", "[::ffff:192.0.2.7]:1", "", "@"} {
			s.ask(t, http.MethodGet, api.MetricsPath, from).is(t, api.Unauthenticated)
		}
		for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"} {
			s.ask(t, http.MethodGet, api.MetricsPath, here, header, "127.0.0.1").is(t, api.Unauthenticated)
		}
		s.get(t, api.MetricsPath, Reviewer).is(t, api.Forbidden)
		s.get(t, api.MetricsPath, Admin).want(t, http.StatusOK, "a safety admin")
	}
	s.before = fails(store.ErrClosed)
	s.get(t, api.MetricsPath, Admin).is(t, api.Unavailable)
}
