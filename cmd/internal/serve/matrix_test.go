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
}

// A tokenKind is what is wrong with a token.
type tokenKind string

const (
	unknownToken tokenKind = "unknown"
	expiredToken tokenKind = "expired"
	revokedToken tokenKind = "revoked"
	metricsToken tokenKind = "metrics" // it is for one route
)

// sees reports whether the caller may see and judge what is assigned to verifytest.Assigned, of the area.
func (c *caller) sees(area terms.Area) bool {
	return (c.assigned || c.Role == terms.SafetyAdmin) && (area == terms.Appeals || c.owns)
}

// String says who it is.
func (c *caller) String() string {
	return fmt.Sprintf("%s %s of %v (assigned %t)", c.ID, c.Role, c.Owners, c.assigned)
}

// callers are all combinations: role, assignment, owners, and callers that nobody knows.
func callers() (all []caller) {
	for _, role := range terms.Roles.All() {
		for _, id := range []terms.ID{verifytest.Assigned, Stranger.ID} {
			for _, of := range [][]terms.ID{nil, {Owner}, {OtherOwner}, {OtherOwner, Owner}} {
				who := person{ID: id, Role: role, Owners: of, Token: fmt.Sprintf("%s-%s-%d", id, role, len(all))}
				all = append(all, caller{person: who, assigned: id == verifytest.Assigned, owns: slices.Contains(of, Owner), known: true})
			}
		}
	}
	for _, kind := range []tokenKind{unknownToken, expiredToken, revokedToken, metricsToken} {
		who := person{ID: verifytest.Assigned, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: string(kind)}
		all = append(all, caller{person: who, kind: kind})
	}
	return append(all, caller{}) // without any token
}

// enter makes the caller's token.
func (c *caller) enter(t testing.TB, s *harness) {
	t.Helper()
	made := store.Token{ID: c.Token, Digest: serve.TokenDigest(TokenOf(c.person)), Principal: c.ID, Role: c.Role, Owners: c.Owners,
		Created: terms.InstantOf(Noon.Add(-2 * time.Hour)), Expires: terms.InstantOf(Noon.Add(time.Hour))}
	switch {
	case !c.known && (c.kind == "" || c.kind == unknownToken):
		return
	case c.kind == expiredToken:
		made.Expires = terms.InstantOf(Noon.Add(-time.Hour))
	case c.kind == metricsToken:
		made.Metrics, made.Role, made.Owners = true, 0, nil
	}
	err := s.store.AddToken(t.Context(), made)
	if c.kind == revokedToken {
		err = errors.Join(err, s.store.RevokeToken(t.Context(), made.ID))
	}
	must(t, err)
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
	return s.forged(t, s.Decide(on, Reviewer, nil), verifytest.Record{"reviewer": who})
}

// ask sends a request as the caller, and holds the answer to a kind of problem.
func (c *caller) ask(t testing.TB, s *harness, method, path string, body []byte, want api.ProblemKind, how string) {
	t.Helper()
	r := s.request(method, path, c.person, body)
	if c.Token == "" {
		r.Header.Del("Authorization")
	}
	answered, got := s.send(t, r), granted
	if answered.header.Get("Content-Type") == api.ProblemJSON {
		got = answered.problem(t).Kind()
	}
	if got != want {
		t.Errorf("%s %s %s as %s: %d %s, want %s", method, path, how, c, answered.status, got.Word(), want.Word())
	}
}

// granted is what a matrix expects of a request that is granted.
const granted = api.ProblemKind(255)

// A way is a path with which a route is asked: {case} and {amendment} are packets that are assigned to
// verifytest.Assigned, and {0} and {1} records on such. All tokens may ask it that see the area, if it has one.
type way struct {
	path string
	area terms.Area
}

// ways are those of the routes that ask for more than a token, or take more than a path.
var ways = map[string][]way{
	api.AppealEvaluatePath: {{api.AppealEvaluatePath, 0}}, api.AmendmentEvaluatePath: {{api.AmendmentEvaluatePath, 0}},
	api.QueuePath: {{api.QueuePath, 0}}, api.MetricsPath: {{api.MetricsPath, 0}},
	api.EntriesPath: {{"/tile/entries/000.p/1", 0}}, // a record about an appeal
	api.RecordsPath: {{api.RecordsPath, 0}, {api.RecordsPath + "?caseId={case}", terms.Appeals},
		{api.RecordsPath + "?amendmentId={amendment}", terms.Amendments}},
	api.RecordPath:        {{api.RecordsPath + "/{0}", terms.Appeals}, {api.RecordsPath + "/{1}", terms.Amendments}},
	api.RecordProofPath:   {{api.RecordsPath + "/{0}/proof", terms.Appeals}, {api.RecordsPath + "/{1}/proof", terms.Amendments}},
	api.PacketPath:        {{packetPath + "{case}", terms.Appeals}, {packetPath + "{amendment}", terms.Amendments}},
	api.AppealGatePath:    {{strings.Replace(api.AppealGatePath, "{id}", "{case}", 1), terms.Appeals}},
	api.AmendmentGatePath: {{strings.Replace(api.AmendmentGatePath, "{id}", "{amendment}", 1), terms.Amendments}},

	api.AppealEnforcePath:    {{api.AppealEnforcePath, terms.Appeals}},
	api.AmendmentEnforcePath: {{api.AmendmentEnforcePath, terms.Amendments}},
}

// rules is what the caller's request of the route that needs to see the area is answered with.
func (c *caller) rules(route *serve.Route, area terms.Area) api.ProblemKind {
	enforces := strings.HasSuffix(route.Path, "/enforce")
	switch {
	case c.kind == metricsToken && route.Access == serve.Operator:
		return granted
	case !c.known:
		return api.Unauthenticated
	case (route.Access == serve.Operator || route.Path == api.EntriesPath) && c.Role != terms.SafetyAdmin:
		return api.Forbidden
	case enforces && area == terms.Amendments && !c.owns:
		return api.NotTheOwner
	case area != 0 && !c.sees(area):
		return api.NotFound
	}
	return granted
}

// TestTheMatrixOfPrincipalsRolesOwnersAndRoutes asks every route as every caller. A route that is not public and has no
// way fails it.
func TestTheMatrixOfPrincipalsRolesOwnersAndRoutes(t *testing.T) {
	s := serving(t, publishing(sampleProfile(t)))
	names := []string{"{0}", string(s.recorded(t, s.Case, Reviewer, nil)), "{1}", string(s.recorded(t, s.Amendment, Reviewer, nil))}
	for i, c := range callers() {
		c.enter(t, s)
		on := map[terms.Area]verify.Ref{
			terms.Appeals:    s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("matrix-case-%d", i), 1)),
			terms.Amendments: s.Bring(t, terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("matrix-amendment-%d", i), 1))}
		fill := strings.NewReplacer(append(names, "{case}", string(on[terms.Appeals].Key.ID), "{amendment}", string(on[terms.Amendments].Key.ID))...)
		for _, route := range serve.Routes() {
			if route.Access == serve.Anybody {
				want := granted
				if route.Path == api.CosignedPath {
					want = api.NotFound // nothing is cosigned
				}
				c.ask(t, s, route.Method, pathOf(&route, "none"), nil, want, "")
				continue
			}
			if len(ways[route.Path]) == 0 {
				t.Errorf("%s is asked in no way", route.Path)
			}
			for _, w := range ways[route.Path] {
				body := s.bodyFor(t, route.Path)
				if strings.HasSuffix(route.Path, "/enforce") {
					body = s.Body(t, c.record(t, s, on[w.area]))
				}
				c.ask(t, s, route.Method, fill.Replace(w.path), body, c.rules(&route, w.area), "")
			}
		}
		if !c.known {
			continue
		}
		pulled, _ := s.pull(t, c.person, "")
		for area, ref := range on {
			if got := slices.Contains(pulled, string(ref.Key.ID)+"/1"); got != c.sees(area) {
				t.Errorf("%s: %s in the queue: %t", &c, ref.Key.ID, got)
			}
		}
	}
}

// retired is the key of a principal that was revoked.
func retired(id terms.ID) ssh.Signer { return verifytest.Key("retired " + string(id)) }

// TestTheMatrixOfPrincipalsRolesOwnersAndKeys hands in a record on a case and on an amendment as every caller, naming a key
// and signed by one in every way.
func TestTheMatrixOfPrincipalsRolesOwnersAndKeys(t *testing.T) {
	s := serving(t)
	for _, id := range []terms.ID{verifytest.Assigned, Stranger.ID} {
		s.Key(t, id, retired(id).PublicKey())
		must(t, s.store.RevokeKey(t.Context(), id, ssh.FingerprintSHA256(retired(id).PublicKey())))
	}
	for i, c := range callers() {
		c.enter(t, s)
		other := verifytest.Key(string(Stranger.ID))
		if c.ID == Stranger.ID {
			other = verifytest.Key(string(Reviewer.ID))
		}
		own, nobodys, revoked := verifytest.Key(string(c.ID)), verifytest.Key("nobody"), retired(c.ID)
		for k, w := range []struct {
			named, by ssh.Signer
			want      api.ProblemKind // of a record that is else in order
		}{
			{own, own, granted},
			{other, other, api.KeyNotRegistered},
			{nobodys, nobodys, api.KeyNotRegistered},
			{revoked, revoked, api.KeyRevoked},
			{own, other, api.SignatureInvalid},
			{own, nobodys, api.SignatureInvalid},
			{own, revoked, api.SignatureInvalid},
			{other, own, api.KeyNotRegistered},
			{revoked, own, api.SignatureInvalid},
		} {
			for area, packet := range map[terms.Area]verifytest.Record{terms.Appeals: verifytest.AppealCase(fmt.Sprintf("keyed-case-%d-%d", i, k), 1),
				terms.Amendments: verifytest.Amendment(fmt.Sprintf("keyed-amendment-%d-%d", i, k), 1)} {
				record, want := c.record(t, s, s.Bring(t, terms.RecordTable(area), packet)), w.want
				document := s.Log.Forged(record, verifytest.Record{"reviewer": map[string]any{"id": c.ID, "role": c.Role.String(),
					"keyFingerprint": ssh.FingerprintSHA256(w.named.PublicKey())}})
				switch owned := area == terms.Appeals || c.owns; {
				case !c.known:
					want = api.Unauthenticated
				case !owned && want != api.KeyNotRegistered:
					want = api.NotTheOwner
				case want == granted && !c.sees(area):
					want = api.NotFound
				}
				c.ask(t, s, http.MethodPost, enforcePath(record), s.Signed(t, document, w.by), want, fmt.Sprint("signed in way ", k))
			}
		}
	}
}
