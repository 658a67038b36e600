package serve_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify/verifytest"
)

// fuzzed sends bodies to one of two routes, and holds the answer to what any body may be answered
// with: a status of the list, never an internal error, and nothing appended unless the status says
// so.
func (s *harness) fuzzed(f *testing.F, paths [2]string, statuses ...int) {
	f.Helper()
	f.Fuzz(func(t *testing.T, body []byte, amendments bool) {
		path := paths[0]
		if amendments {
			path = paths[1]
		}
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
	})
}

func FuzzBodyOfEnforce(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	f.Add(s.bodyFor(f, api.AppealEnforcePath), false)
	f.Add(s.bodyFor(f, api.AmendmentEnforcePath), true)
	f.Add([]byte(`{"record":{},"signature":""}`), false)
	for _, b := range jsonFaults {
		f.Add([]byte(b.body), true)
	}
	s.fuzzed(f, [2]string{api.AppealEnforcePath, api.AmendmentEnforcePath}, http.StatusOK,
		http.StatusCreated,
		http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
		http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
		http.StatusServiceUnavailable)
}

func FuzzBodyOfEvaluate(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	for i, q := range oracle(f) {
		if i%40 == 0 {
			f.Add(q.text, i%80 == 0)
		}
	}
	s.fuzzed(f, [2]string{api.AppealEvaluatePath, api.AmendmentEvaluatePath}, http.StatusOK,
		http.StatusBadRequest,
		http.StatusRequestEntityTooLarge)
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
			if page := s.page(t, Reviewer, cursor); slices.Contains(namesOf(t, page), "case-2/1") {
				t.Error("a cursor gives out what is not theirs")
			}
		case http.StatusBadRequest:
			answered.is(t, api.Malformed)
		default:
			t.Fatalf("%d %s", answered.status, answered.body)
		}
	})
}

// FuzzQueryOfRecords asks for records with any query, and FuzzPathOfRecords under any id: nobody gets another caller's records, and nothing is
// written.
func FuzzQueryOfRecords(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	theirs := s.withStrangersRecord(f)
	_, good := s.feed(f, Reviewer)
	_, others := s.feed(f, Stranger)
	for _, query := range []string{"", "after=", "after=" + good, "after=" + others, "after=" + good[1:], "caseId=case-1", "caseId=case-2", "amendmentId=amendment-1",
		"caseId=case-1&after=" + good, "caseId=%00", "after=%", "a;b", "caseId=case-1&caseId=case-2", "after=_____"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := s.request(http.MethodGet, api.RecordsPath, Reviewer, nil)
		r.URL.RawQuery = query
		s.reads(t, r, theirs)
	})
}

func FuzzPathOfRecords(f *testing.F) {
	s := newHarness(f, newServiceStore(f))
	theirs := s.withStrangersRecord(f)
	mine := s.recorded(f, s.Case, Reviewer, nil)
	for _, id := range []string{string(mine), string(theirs), aRecordID, "case-1", "case-2", "", "..", "%2e%2e", strings.ToUpper(string(mine)), "a/b", "\x00"} {
		f.Add(id, uint8(0))
		f.Add(id, uint8(3))
	}
	f.Fuzz(func(t *testing.T, id string, which uint8) {
		paths := []string{api.RecordPath, api.RecordProofPath, api.AppealGatePath, api.AmendmentGatePath, api.PacketPath}
		r := s.request(http.MethodGet, api.RecordsPath, Reviewer, nil)
		r.URL.Path, r.URL.RawPath = strings.Replace(paths[int(which)%len(paths)], "{id}", id, 1), ""
		s.reads(t, r, theirs)
	})
}

// withStrangersRecord records on a case of another reviewer.
func (s *harness) withStrangersRecord(t testing.TB) records.RecordID {
	t.Helper()
	return s.recorded(t, s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-2",
		1).With(toStranger)), Stranger, nil)
}

// reads sends a request that only reads, and holds the answer to what any such request may be answered with.
func (s *harness) reads(t *testing.T, r *http.Request, theirs records.RecordID) {
	t.Helper()
	before := s.Dump(t)
	answered := s.send(t, r)
	if !slices.Contains([]int{http.StatusOK, http.StatusBadRequest, http.StatusNotFound}, answered.status) {
		t.Fatalf("%d %s", answered.status, answered.body)
	}
	if strings.Contains(string(answered.body), string(theirs)) || strings.Contains(string(answered.body), `"case-2"`) {
		t.Errorf("another caller's record is given out: %s", answered.body)
	}
	same(t, before, s.Dump(t))
}
