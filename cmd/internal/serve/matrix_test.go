package serve_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A caller is one line of the authorization matrix: a principal and what the matrix asks about.
type caller struct {
	person
	assigned bool // the case and the amendment are assigned to it
	owns     bool // the amendment is of an owner of its
	known    bool // its token is valid

	theCase, amendment verify.Ref
	records            map[terms.Area]records.RecordID // on a case and an amendment that are assigned to verifytest.Assigned
}

// sees tells whether the caller may see and judge what is assigned to verifytest.Assigned, of the area.
func (c *caller) sees(area terms.Area) bool {
	return (c.assigned || c.Role == terms.SafetyAdmin) && (area == terms.Appeals || c.owns)
}

// callers are all combinations: role, assignment, owners, and callers that nobody knows.
func callers() (all []caller) {
	owners := [][]terms.ID{nil, {Owner}, {OtherOwner}, {OtherOwner, Owner}}
	for _, role := range terms.Roles.All() {
		for _, id := range []terms.ID{verifytest.Assigned, Stranger.ID} {
			for _, of := range owners {
				all = append(all, caller{person: person{ID: id, Role: role, Owners: of,
					Token: fmt.Sprintf("%s-%s-%d", id, role, len(all))},
					assigned: id == verifytest.Assigned, owns: slices.Contains(of, Owner), known: true})
			}
		}
	}
	return append(all, caller{person: person{ID: verifytest.Assigned, Role: terms.SafetyAdmin, Token: "unknown"}},
		caller{}) // without any token
}

// record is the caller's record on a packet; where the rules let them make none, one that says it is theirs.
func (c *caller) record(t testing.TB, s *harness, on verify.Ref) records.Enforcement {
	t.Helper()
	switch {
	case c.assigned && c.known:
		return s.Decide(on, c.person, nil)
	case c.Role == terms.SafetyAdmin && c.known:
		return s.Decide(on, c.person, Block)
	}
	who := verifytest.Person(Stranger.ID, terms.NeutralReviewer)
	return reread(t, terms.AreaOf(on.Table), s.Log.Forged(s.Decide(on, Reviewer, nil), verifytest.Record{"reviewer": who}))
}

// ask sends a request as the caller.
func (c *caller) ask(t testing.TB, s *harness, method, path string, body []byte) reply {
	t.Helper()
	r := s.request(method, path, c.person, body)
	if c.Token == "" {
		r.Header.Del("Authorization")
	}
	return s.send(t, r)
}

// granted is what a matrix expects of a request that is granted.
const granted = api.ProblemKind(255)

// A ruling gives the result of a caller's request to a route that it may use.
type ruling struct {
	ask  func(t testing.TB, s *harness, c *caller) reply
	want func(c *caller) api.ProblemKind
}

func always(*caller) api.ProblemKind { return granted }

func visible(area terms.Area) func(*caller) api.ProblemKind {
	return func(c *caller) api.ProblemKind {
		if c.sees(area) {
			return granted
		}
		return api.NotFound
	}
}

func enforcing(area terms.Area, on func(*caller) verify.Ref) ruling {
	return ruling{func(t testing.TB, s *harness, c *caller) reply {
		record := c.record(t, s, on(c))
		return c.ask(t, s, http.MethodPost, enforcePath(record), s.Body(t, record))
	}, func(c *caller) api.ProblemKind {
		if area == terms.Amendments && !c.owns {
			return api.NotTheOwner
		}
		if !c.sees(area) {
			return api.RecordRefused
		}
		return granted
	}}
}

// sending is the ruling for a body that every token may send.
func sending(method, path string) ruling {
	return ruling{func(t testing.TB, s *harness, c *caller) reply {
		return c.ask(t, s, method, path, s.bodyFor(t, path))
	}, always}
}

func getting(path string) ruling {
	return ruling{func(t testing.TB, s *harness, c *caller) reply { return c.ask(t, s, http.MethodGet, path, nil) }, always}
}

// seeing is the ruling for what only those who may see a packet of the area may read; path says where.
func seeing(area terms.Area, path func(*caller) string) ruling {
	return ruling{func(t testing.TB, s *harness, c *caller) reply { return c.ask(t, s, http.MethodGet, path(c), nil) }, visible(area)}
}

// rulings are those of the routes that ask for more than a token, or take more than a path; by method and path.
var rulings = map[string][]ruling{
	"POST " + api.AppealEnforcePath:     {enforcing(terms.Appeals, func(c *caller) verify.Ref { return c.theCase })},
	"POST " + api.AmendmentEnforcePath:  {enforcing(terms.Amendments, func(c *caller) verify.Ref { return c.amendment })},
	"POST " + api.AppealEvaluatePath:    {sending(http.MethodPost, api.AppealEvaluatePath)},
	"POST " + api.AmendmentEvaluatePath: {sending(http.MethodPost, api.AmendmentEvaluatePath)},
	"GET " + api.QueuePath:              {getting(api.QueuePath)},
	"GET " + api.MetricsPath:            {getting(api.MetricsPath)},
	"GET " + api.EntriesPath: {{func(t testing.TB, s *harness, c *caller) reply {
		return c.ask(t, s, http.MethodGet, "/tile/entries/000.p/1", nil) // a record about an appeal
	}, func(c *caller) api.ProblemKind {
		if c.Role != terms.SafetyAdmin {
			return api.Forbidden
		}
		return granted
	}}},
	"GET " + api.RecordsPath: {getting(api.RecordsPath),
		seeing(terms.Appeals, func(c *caller) string { return api.RecordsPath + "?caseId=" + string(c.theCase.Key.ID) }),
		seeing(terms.Amendments, func(c *caller) string { return api.RecordsPath + "?amendmentId=" + string(c.amendment.Key.ID) })},
	"GET " + api.RecordPath: {
		seeing(terms.Appeals, func(c *caller) string { return api.RecordsPath + "/" + string(c.records[terms.Appeals]) }),
		seeing(terms.Amendments, func(c *caller) string { return api.RecordsPath + "/" + string(c.records[terms.Amendments]) })},
	"GET " + api.RecordProofPath: {
		seeing(terms.Appeals, func(c *caller) string { return api.RecordsPath + "/" + string(c.records[terms.Appeals]) + "/proof" }),
		seeing(terms.Amendments, func(c *caller) string {
			return api.RecordsPath + "/" + string(c.records[terms.Amendments]) + "/proof"
		})},
	"GET " + api.AppealGatePath: {seeing(terms.Appeals, func(c *caller) string {
		return strings.Replace(api.AppealGatePath, "{id}", string(c.theCase.Key.ID), 1)
	})},
	"GET " + api.AmendmentGatePath: {seeing(terms.Amendments, func(c *caller) string {
		return strings.Replace(api.AmendmentGatePath, "{id}", string(c.amendment.Key.ID), 1)
	})},
	"GET " + api.PacketPath: {
		seeing(terms.Appeals, func(c *caller) string { return "/api/trade/packets/" + string(c.theCase.Key.ID) }),
		seeing(terms.Amendments, func(c *caller) string { return "/api/trade/packets/" + string(c.amendment.Key.ID) })},
}

// access is what the route's access says of a caller that is not on loopback.
func access(route *serve.Route, c *caller) api.ProblemKind {
	switch {
	case route.Access == serve.Anybody:
		return granted
	case !c.known:
		return api.Unauthenticated
	case route.Access == serve.Bearer, route.Access == serve.Operator && c.Role == terms.SafetyAdmin:
		return granted
	}
	return api.Forbidden
}

// TestTheMatrixOfPrincipalsRolesOwnersAndRoutes asks every route as every caller. A route that is not public and has no
// ruling fails it.
func TestTheMatrixOfPrincipalsRolesOwnersAndRoutes(t *testing.T) {
	onHarness(t, func(t *testing.T, s *harness) {
		made := map[terms.Area]records.RecordID{}
		for _, on := range s.subjects() {
			record := s.Decide(on, Reviewer, nil)
			s.taken(t, s.handIn(t, record, Reviewer), http.StatusCreated)
			made[record.Members().Area] = record.Members().RecordID
		}
		for i, c := range callers() {
			c.records = made
			if c.known {
				s.Token(t, TokenOf(c.person), c.person)
			}
			c.theCase = s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("matrix-case-%d", i), 1))
			c.amendment = s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("matrix-amendment-%d", i), 1))
			for _, route := range serve.Routes() {
				s.rule(t, &route, &c)
			}
			if c.known {
				s.pulls(t, &c)
			}
		}
	})
}

// rule asks a route in each of its ways.
func (s *harness) rule(t *testing.T, route *serve.Route, c *caller) {
	t.Helper()
	name := route.Method + " " + route.Path
	ways, there := rulings[name]
	if route.Access == serve.Anybody {
		ways = []ruling{sending(route.Method, route.Path)}
	} else if !there {
		t.Errorf("%s has no ruling", name)
	}
	for i, way := range ways {
		want := access(route, c)
		if want == granted {
			want = way.want(c)
		}
		answered := way.ask(t, s, c)
		got := granted
		if answered.status >= http.StatusBadRequest && answered.header.Get("Content-Type") == api.ProblemJSON {
			got = answered.problem(t).Kind()
		}
		if route.Access == serve.Anybody && (got == api.NotFound || got == api.Unavailable) {
			continue // there is no profile here, and nobody is well
		}
		if got != want {
			t.Errorf("%s, way %d, as %s %s of %v (assigned %t): %d %s, want %s", name, i, c.ID, c.Role, c.Owners, c.assigned,
				answered.status, got.Word(), want.Word())
		}
	}
}

// pulls holds what the queue gives out to what the caller may see.
func (s *harness) pulls(t *testing.T, c *caller) {
	t.Helper()
	names, _ := s.pull(t, c.person, "")
	for _, ref := range []verify.Ref{c.theCase, c.amendment} {
		if got := slices.Contains(names, string(ref.Key.ID)+"/1"); got != c.sees(terms.AreaOf(ref.Table)) {
			t.Errorf("%s %s of %v: %s in the queue: %t", c.ID, c.Role, c.Owners, ref.Key.ID, got)
		}
	}
}
