package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
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

// request is a request for the route as one of the people.
func (s *harness) requestOf(t testing.TB, route *serve.Route, who person) *http.Request {
	t.Helper()
	return s.request(route.Method, pathOf(route, s.Case.Key.ID), who, s.bodyFor(t, route.Path))
}

func TestNoRouteWithATokenAnswersWithoutOne(t *testing.T) {
	s := serving(t)
	before := s.Dump(t)
	for _, route := range bearerRoutes() {
		for _, header := range []string{"", "Bearer", "Bearer ", "Bearer docket_" + canary, "Basic ZG9ja2V0", "docket_x",
			strings.ToUpper("Bearer " + TokenOf(Admin)), "Bearer " + TokenOf(Admin) + " x"} {
			r := s.requestOf(t, &route, Admin)
			r.Header.Del("Authorization")
			if header != "" {
				r.Header.Set("Authorization", header)
			}
			answered := s.send(t, r)
			answered.is(t, api.Unauthenticated)
			silent(t, answered)
			if answered.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: nothing says how to authenticate", route.Path)
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
			if !strings.Contains(answered.header.Get("Allow"), route.Method) {
				t.Errorf("%s: Allow is %q", route.Path, answered.header.Get("Allow"))
			}
		}
	}
}

func TestARequestWithTwoTokensIsOneWithout(t *testing.T) {
	s := serving(t)
	without := s.request(http.MethodGet, api.QueuePath, Reviewer, nil)
	without.Header.Set("Authorization", "Basic ZG9ja2V0")
	two := s.request(http.MethodGet, api.QueuePath, Reviewer, nil)
	two.Header.Add("Authorization", "Bearer "+TokenOf(Reviewer))
	want := s.send(t, without).is(t, api.Unauthenticated)
	if got := s.send(t, two).is(t, api.Unauthenticated); got.Detail != want.Detail {
		t.Errorf("two tokens are answered with %q, none with %q", got.Detail, want.Detail)
	}
}

func TestABodyIsJSONOfAtMostOneMebibyte(t *testing.T) {
	s := serving(t)
	for _, route := range bearerRoutes() {
		if s.bodyFor(t, route.Path) == nil {
			continue
		}
		large := bytes.Repeat([]byte(" "), api.MaxBody+1)
		s.send(t, s.request(route.Method, route.Path, Reviewer, large)).is(t, api.BodyTooLarge)
		announced := s.request(route.Method, route.Path, Reviewer, nil)
		announced.Header.Set("Content-Type", api.JSON)
		announced.ContentLength = api.MaxBody + 1
		announced.Body = io.NopCloser(unread{t})
		if answered := s.send(t, announced); answered.header.Get("Connection") != "close" {
			t.Errorf("%s: the connection is kept, and the body was not read: %v", route.Path, answered.header)
		} else {
			answered.is(t, api.BodyTooLarge)
		}
		unknown := s.request(route.Method, route.Path, Reviewer, large)
		unknown.ContentLength = -1
		s.send(t, unknown).is(t, api.BodyTooLarge)
		if whole := s.send(t, s.request(route.Method, route.Path, Reviewer, large[:api.MaxBody])).problem(t); whole.Kind() == api.BodyTooLarge {
			t.Errorf("%s: a body of just 1 MiB is too large", route.Path)
		}
		for _, media := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "application/json; version=utf-8", canary} {
			r := s.requestOf(t, &route, Reviewer)
			r.Header.Set("Content-Type", media)
			answered := s.send(t, r)
			answered.is(t, api.UnsupportedMediaType)
			silent(t, answered)
		}
		for _, media := range []string{"application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"} {
			r := s.requestOf(t, &route, Reviewer)
			r.Header.Set("Content-Type", media)
			if answered := s.send(t, r); answered.status == http.StatusUnsupportedMediaType {
				t.Errorf("%s: %s is refused", route.Path, media)
			}
		}
	}
}

func TestHandingInAgainBringsTheReceiptWithItsProofAndTime(t *testing.T) {
	s := serving(t)
	record := s.Decide(s.Case, Reviewer, nil)
	s.handIn(t, s.Decide(s.Amendment, Reviewer, nil), Reviewer)
	first, again := s.handIn(t, record, Reviewer), s.handIn(t, record, Reviewer)
	if !bytes.Equal(first.body, again.body) || first.status != http.StatusCreated || !bytes.Contains(first.body, []byte(`"receivedAt":"2`)) ||
		!bytes.Contains(first.body, []byte(`"proof":["sha256:`)) {
		t.Errorf("%s, and then %s", first.body, again.body)
	}
	s.taken(t, s.handIn(t, record, Reviewer), http.StatusOK)
	s.holds(t, 2)
}

func TestAWrongTokenIsToldFromNone(t *testing.T) {
	s := serving(t)
	route := bearerRoutes()[0]
	for token, want := range map[string]bool{"": false, "not-a-token": true} {
		r := s.requestOf(t, &route, person{Token: token})
		if token == "" {
			r.Header.Del("Authorization")
		}
		answered := s.send(t, r)
		if challenge := answered.header.Get("WWW-Authenticate"); challenge == "" || strings.Contains(challenge, "invalid_token") != want {
			t.Errorf("with the token %q the challenge is %q", token, challenge)
		}
	}
}

// An unread body is not to be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read, which is announced as too large")
	return 0, io.EOF
}
