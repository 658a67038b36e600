package serve_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A caller is one line of the authorization matrix: a principal and what the matrix asks about.
type caller struct {
	person
	assigned bool // the case and the amendment are assigned to it
	owns     bool // the amendment is of an owner of its
	known    bool // its token is valid
	kind     tokenKind

	theCase, amendment verify.Ref
	records            map[terms.Area]records.RecordID // on a case and an amendment that are assigned to verifytest.Assigned
}

// sees reports whether the caller may see and judge what is assigned to verifytest.Assigned, of the area.
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
	for _, kind := range []tokenKind{unknownToken, expiredToken, revokedToken, metricsToken} {
		who := person{ID: verifytest.Assigned, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: string(kind)}
		all = append(all, caller{person: who, kind: kind})
	}
	return append(all, caller{}) // without any token
}

// A tokenKind is what is wrong with a token.
type tokenKind string

const (
	unknownToken tokenKind = "unknown"
	expiredToken tokenKind = "expired"
	revokedToken tokenKind = "revoked"
	metricsToken tokenKind = "metrics" // it is for one route
)

// enter makes the caller's token.
func (c *caller) enter(t testing.TB, s *harness) {
	t.Helper()
	made := store.Token{ID: c.Token, Digest: serve.TokenDigest(TokenOf(c.person)), Principal: c.ID, Role: c.Role, Owners: c.Owners,
		Created: terms.InstantOf(Noon.Add(-2 * time.Hour)), Expires: terms.InstantOf(Noon.Add(time.Hour))}
	switch c.kind {
	case expiredToken:
		made.Expires = terms.InstantOf(Noon.Add(-time.Hour))
	case metricsToken:
		made.Metrics, made.Role, made.Owners = true, 0, nil
	}
	if !c.known && (c.kind == "" || c.kind == unknownToken) {
		return
	}
	err := s.store.AddToken(t.Context(), made)
	if c.kind == revokedToken {
		err = errors.Join(err, s.store.RevokeToken(t.Context(), made.ID))
	}
	if err != nil {
		t.Fatal(err)
	}
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
			return api.NotFound
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
	case c.kind == metricsToken && route.Access == serve.Operator:
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
	s := serving(t)
	made := map[terms.Area]records.RecordID{}
	for _, on := range s.subjects() {
		record := s.Decide(on, Reviewer, nil)
		s.takes(t, record, Reviewer)
		made[record.Members().Area] = record.Members().RecordID
	}
	for i, c := range callers() {
		c.records = made
		c.enter(t, s)
		c.theCase = s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("matrix-case-%d", i), 1))
		c.amendment = s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("matrix-amendment-%d", i), 1))
		for _, route := range serve.Routes() {
			s.rule(t, &route, &c)
		}
		if c.known {
			s.pulls(t, &c)
		}
	}
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

// A signing is how a record names a key and by which it is signed.
type signing struct {
	name         string
	names, signs func(c *caller) ssh.Signer
	want         api.ProblemKind // granted, or the problem of a record that is else in order
}

// retired is the key of a principal that was revoked.
func retired(id terms.ID) ssh.Signer { return verifytest.Key("retired " + string(id)) }

// signings are all that a record can be signed with.
func signings() []signing {
	own := func(c *caller) ssh.Signer { return verifytest.Key(string(c.ID)) }
	others := func(c *caller) ssh.Signer {
		if c.ID == Stranger.ID {
			return verifytest.Key(string(Reviewer.ID))
		}
		return verifytest.Key(string(Stranger.ID))
	}
	nobodys := func(*caller) ssh.Signer { return verifytest.Key("nobody") }
	revoked := func(c *caller) ssh.Signer { return retired(c.ID) }
	return []signing{
		{"its own key", own, own, granted},
		{"another's key", others, others, api.KeyNotRegistered},
		{"nobody's key", nobodys, nobodys, api.KeyNotRegistered},
		{"a revoked key", revoked, revoked, api.KeyRevoked},
		{"its own key's name under another's signature", own, others, api.SignatureInvalid},
		{"its own key's name under nobody's signature", own, nobodys, api.SignatureInvalid},
		{"its own key's name under a revoked key's signature", own, revoked, api.SignatureInvalid},
		{"another's name under its own signature", others, own, api.KeyNotRegistered},
		{"a revoked key's name under its own signature", revoked, own, api.SignatureInvalid},
	}
}

// TestTheMatrixOfPrincipalsRolesOwnersAndKeys hands in a record on a case and on an amendment as every caller, signed in every way.
func TestTheMatrixOfPrincipalsRolesOwnersAndKeys(t *testing.T) {
	s := serving(t)
	for _, id := range []terms.ID{verifytest.Assigned, Stranger.ID} {
		s.Key(t, id, retired(id).PublicKey())
		if err := s.store.RevokeKey(t.Context(), id, ssh.FingerprintSHA256(retired(id).PublicKey())); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range callers() {
		c.enter(t, s)
		for k, signing := range signings() {
			for area, packet := range map[terms.Area]verifytest.Record{terms.Appeals: verifytest.AppealCase(fmt.Sprintf("keyed-case-%d-%d", i, k), 1),
				terms.Amendments: verifytest.Amendment(fmt.Sprintf("keyed-amendment-%d-%d", i, k), 1)} {
				record := c.record(t, s, s.Bring(t, terms.RecordTable(area), packet))
				who := verifytest.Person(c.ID, c.Role)
				who.KeyFingerprint = ssh.FingerprintSHA256(signing.names(&c).PublicKey())
				document := s.Log.Forged(record, verifytest.Record{"reviewer": map[string]any{"id": who.ID, "role": c.Role.String(), "keyFingerprint": who.KeyFingerprint}})
				answered := c.ask(t, s, http.MethodPost, enforcePath(record), s.Signed(t, document, signing.signs(&c)))
				want := signing.want
				switch owned := area == terms.Appeals || c.owns; {
				case !c.known:
					want = api.Unauthenticated
				case !owned && want != api.KeyNotRegistered:
					want = api.NotTheOwner
				case want == granted && !c.sees(area):
					want = api.NotFound
				}
				got := granted
				if answered.status >= http.StatusBadRequest {
					got = answered.problem(t).Kind()
				}
				if got != want {
					t.Errorf("%s as %s %s of %v (assigned %t): %d %s, want %s", signing.name, c.ID, c.Role, c.Owners, c.assigned, answered.status, got.Word(), want.Word())
				}
			}
		}
	}
}
