package serve_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/serve"
	"docket/domain/terms"
)

// same fails the test unless both dumps hold the same.
func same(t testing.TB, before, after map[string][]string) {
	t.Helper()
	grown(t, before, after, nil)
}

// grown fails the test unless the second dump is the first one with nothing but rows after those of tables that may grow.
func grown(t testing.TB, before, after map[string][]string, may []string) {
	t.Helper()
	for table, rows := range before {
		left := rows
		for _, row := range after[table] {
			if len(left) > 0 && row == left[0] {
				left = left[1:]
			}
		}
		if len(left) > 0 {
			t.Errorf("%s has changed: there were %d rows, now there are %d", table, len(rows), len(after[table]))
		}
	}
	for table, rows := range after {
		if len(rows) > len(before[table]) && !slices.Contains(may, table) {
			t.Errorf("%s has grown from %d to %d rows", table, len(before[table]), len(rows))
		}
	}
}

// growing are the tables to which requests append: records with what goes with them. All others hold
// packets and policies, or what only an operator's commands change.
var growing = []string{"trade_challenge_appeal_enforcement_records", "trade_agreement_amendment_enforcement_records",
	"log", "docket_log", "docket_log_hashes", "docket_signers", "docket_checkpoints", "docket_texts",
	"docket_service_received"}

// TestOnlyTheTwoEnforceRoutesWrite (source 1, rule 2) asks every route of the table as everybody in every variant, and looks after each
// request whether anything was committed to the store, and at the end at every row of every table and every file beside it. The enforce
// routes are asked with records that they have, and with records that they refuse.
func TestOnlyTheTwoEnforceRoutesWrite(t *testing.T) {
	s := serving(t)
	s.restart(t, publishing(sampleProfile(t)))
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	variants := []struct { // well, and in each way in which a request can be wrong
		name   string
		change func(*http.Request)
		body   string // "" for the route's own
	}{
		{"as it is", func(*http.Request) {}, ""},
		{"no JSON", func(*http.Request) {}, "{" + canary},
		{"another's members", func(*http.Request) {}, `{"` + canary + `":1}`},
		{"another media type", header("Content-Type", "text/plain"), ""},
		{"an encoding", header("Content-Encoding", "gzip"), ""},
		{"a query", func(r *http.Request) { r.URL.RawQuery = canary + "=1" }, ""},
		{"a cursor that is none", func(r *http.Request) {
			r.URL.RawQuery = "cursor=" + canary +
				"&after=" + canary
		}, ""},
		{"a tag", header("If-None-Match", "*"), ""},
		{"HEAD", func(r *http.Request) { r.Method = http.MethodHead }, ""},
		{"POST", func(r *http.Request) { r.Method = http.MethodPost }, ""},
		{"DELETE", func(r *http.Request) { r.Method = http.MethodDelete }, ""},
		{"a header to override the method", header("X-HTTP-Method-Override", "POST"), ""},
	}
	appended, refused := map[string][]byte{}, map[string][]byte{}
	ids := []terms.ID{"none", canary}
	for _, on := range s.subjects() {
		record := s.Decide(on, Reviewer, nil)
		appended[enforcePath(record)] = s.Body(t, record)
		s.takes(t, record, Reviewer)
		refused[enforcePath(record)] = s.Body(t, s.Decide(on, Reviewer, nil)) // it does not supersede the first
		ids = append(ids, on.Key.ID, terms.ID(record.Members().RecordID))
	}
	people := []person{Reviewer, Admin, Stranger, Recused, Ownerless, {}}
	for _, kind := range []tokenKind{unknownToken, expiredToken, revokedToken, metricsToken} {
		c := caller{person: person{ID: Admin.ID, Role: Admin.Role, Token: string(kind)}, kind: kind}
		c.enter(t, s)
		people = append(people, c.person)
	}
	wrote, before, files, statuses := s.writes(t), s.Dump(t), s.files(t), map[int]int{}
	ask := func(r *http.Request, name string) {
		t.Helper()
		answered := s.send(t, r)
		statuses[answered.status]++
		if answered.status == http.StatusCreated || answered.status >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", name, answered.status, answered.body)
		}
		if wrote() {
			t.Errorf("%s: something was written to the store, and %d answered", name, answered.status)
		}
	}
	for _, route := range serve.Routes() {
		bodies := [][]byte{s.bodyFor(t, route.Path)}
		if appended[route.Path] != nil {
			bodies = [][]byte{appended[route.Path], refused[route.Path]}
		}
		for _, who := range people {
			for i, v := range variants {
				path := pathOf(&route, ids[i%len(ids)])
				for _, body := range bodies {
					if v.body != "" {
						body = []byte(v.body)
					}
					r := s.request(route.Method, path, who, body)
					v.change(r)
					ask(r, fmt.Sprintf("%s %s, %s, as %q", route.Method, route.Path, v.name, who.Token))
				}
			}
			if strings.Contains(route.Path, "{id}") {
				for _, id := range ids {
					ask(s.request(route.Method, strings.Replace(route.Path, "{id}", string(id), 1), who, nil), route.Path)
				}
			}
		}
	}
	same(t, before, s.Dump(t))
	if now := s.files(t); !maps.Equal(now, files) {
		t.Errorf("the files beside the store have changed: %d before, %d after", len(files), len(now))
	}
	for _, status := range []int{200, 304, 400, 401, 403, 404, 405, 409, 415} {
		if statuses[status] == 0 {
			t.Errorf("nothing was answered with %d: the requests did not try", status)
		}
	}
	record := s.decisions(t, 1)[0]
	wrote()
	s.takes(t, record, Reviewer)
	if !wrote() || wrote() {
		t.Error("a record that was appended is not noticed, or more than once")
	}
}
