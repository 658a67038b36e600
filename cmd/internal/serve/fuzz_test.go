package serve_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"docket/cmd/internal/api"
)

// fuzzed sends a body and holds the answer to what any body may be answered with: a status of the list, never an internal
// error, and nothing appended unless the status says so.
func (s *harness) fuzzed(t *testing.T, path string, body []byte, statuses ...int) {
	t.Helper()
	before := s.Dump(t)
	answered := s.post(t, path, Reviewer, body)
	if !slices.Contains(statuses, answered.status) {
		t.Fatalf("%d %s", answered.status, answered.body)
	}
	if answered.status != http.StatusCreated {
		same(t, before, s.Dump(t))
	}
	if answered.status == http.StatusBadRequest {
		answered.is(t, api.Malformed)
	}
}

func FuzzBodyOfEnforce(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	appeal, amendment := s.Decide(s.Case, Reviewer, nil), s.Decide(s.Amendment, Reviewer, nil)
	f.Add(s.Body(f, appeal), false)
	f.Add(s.Body(f, amendment), true)
	f.Add([]byte(`{"record":{},"signature":""}`), false)
	for _, b := range jsonFaults {
		f.Add([]byte(b.body), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, amendments bool) {
		path := api.AppealEnforcePath
		if amendments {
			path = api.AmendmentEnforcePath
		}
		s.fuzzed(t, path, body, http.StatusOK, http.StatusCreated, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound,
			http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusServiceUnavailable)
	})
}

func FuzzBodyOfEvaluate(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	for i, q := range oracle(f) {
		if i%40 == 0 {
			f.Add(q.text, i%80 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, amendments bool) {
		path := api.AppealEvaluatePath
		if amendments {
			path = api.AmendmentEvaluatePath
		}
		s.fuzzed(t, path, body, http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge)
	})
}

func FuzzCursor(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	_, good := s.pull(f, Reviewer, "")
	_, theirs := s.pull(f, Stranger, "")
	for _, cursor := range []string{good, theirs, "", canary, good[1:], good + good, "%", "\x00", "_____"} {
		f.Add(cursor)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		answered := s.get(t, api.QueuePath+"?cursor="+url.QueryEscape(cursor), Reviewer)
		switch answered.status {
		case http.StatusOK:
			if page := s.page(t, Reviewer, cursor); slices.ContainsFunc(namesOf(t, page), isStrangers) {
				t.Error("a cursor gives out what is not theirs")
			}
		case http.StatusBadRequest:
			answered.is(t, api.Malformed)
		default:
			t.Fatalf("%d %s", answered.status, answered.body)
		}
	})
}

func isStrangers(name string) bool { return name == "case-2/1" }
