package serve_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
		for _, headers := range [][]string{nil, {"Bearer"}, {"Bearer "},
			{"Bearer docket_" + canary}, {"Basic ZG9ja2V0"},
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
	for _, path := range []string{"//healthz", "/healthz/", "/./healthz", "/x/../healthz",
		"/HEALTHZ", "/healthz%2f",
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
		whole := s.post(t, route.Path, Reviewer, large[:api.MaxBody]).problem(t)
		if whole.Kind() == api.BodyTooLarge {
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
		for media, taken := range map[string]bool{"": false, "text/plain": false,
			"application/x-www-form-urlencoded": false,
			"application/json; charset=latin1":  false, "application/json; version=utf-8": false,
			canary:                            false,
			"application/json; charset=utf-8": true, "application/json;charset=UTF-8": true,
			"Application/JSON": true} {
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
		if log := s.log.String(); strings.Contains(log, canary) ||
			!strings.Contains(log, "panicked") || !strings.Contains(log, `"stack":`) {
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
		"some proxy": func(c *serve.Config) { c.BehindProxy = true },
		"this proxy": func(c *serve.Config) { c.Proxies = proxies }} {
		s.restart(t, behind)
		for from, local := range map[string]bool{here: name == "no proxy",
			"[::1]:1": name != "some proxy"} {
			got := s.ask(t, http.MethodGet, api.MetricsPath, from).status
			if (got == http.StatusOK) != local {
				t.Errorf("%s, from %s: %d", name, from, got)
			}
		}
		for _, from := range []string{elsewhere, "[2001:db8::1]:1", "[::ffff:192.0.2.7]:1", "", "@"} {
			s.ask(t, http.MethodGet, api.MetricsPath, from).is(t, api.Unauthenticated)
		}
		for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"} {
			proxied := s.ask(t, http.MethodGet, api.MetricsPath, here, header, "127.0.0.1")
			proxied.is(t, api.Unauthenticated)
		}
		s.get(t, api.MetricsPath, Reviewer).is(t, api.Forbidden)
		s.get(t, api.MetricsPath, Admin).want(t, http.StatusOK, "a safety admin")
	}
	s.before = fails(store.ErrClosed)
	s.get(t, api.MetricsPath, Admin).is(t, api.Unavailable)
}

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
				who := person{ID: id, Role: role, Owners: of,
					Token: fmt.Sprintf("%s-%s-%d", id, role, len(all))}
				all = append(all, caller{person: who, assigned: id == verifytest.Assigned,
					owns: slices.Contains(of, Owner), known: true})
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
func (c *caller) ask(t testing.TB, s *harness, method, path string, body []byte,
	want api.ProblemKind, how string) {
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
		t.Errorf("%s %s %s as %s: %d %s, want %s", method, path, how, c, answered.status,
			got.Word(), want.Word())
	}
}

// granted is what a matrix expects of a request that is granted.
const granted = api.ProblemKind(255)

// A way is a path with which a route is asked: {case} and {amendment} are packets that are assigned
// to verifytest.Assigned, and {0} and {1} records on such. All tokens may ask it that see the area,
// if it has one.
type way struct {
	path string
	area terms.Area
}

// ways are those of the routes that ask for more than a token, or take more than a path.
var ways = map[string][]way{
	api.AppealEvaluatePath:    {{api.AppealEvaluatePath, 0}},
	api.AmendmentEvaluatePath: {{api.AmendmentEvaluatePath, 0}},
	api.QueuePath:             {{api.QueuePath, 0}}, api.MetricsPath: {{api.MetricsPath, 0}},
	// A policy, and all packets of the fixture.
	api.EntriesPath: {{"/tile/entries/000.p/1", 0}, {"/tile/entries/000.p/4", terms.Amendments}},
	api.RecordsPath: {{api.RecordsPath, 0}, {api.RecordsPath + "?caseId={case}", terms.Appeals},
		{api.RecordsPath + "?amendmentId={amendment}", terms.Amendments}},
	api.RecordPath: {{api.RecordsPath + "/{0}", terms.Appeals},
		{api.RecordsPath + "/{1}", terms.Amendments}},
	api.RecordProofPath: {{api.RecordsPath + "/{0}/proof", terms.Appeals},
		{api.RecordsPath + "/{1}/proof", terms.Amendments}},
	api.PacketPath: {{packetPath + "{case}", terms.Appeals},
		{packetPath + "{amendment}", terms.Amendments}},
	api.AppealGatePath: {{strings.Replace(api.AppealGatePath, "{id}", "{case}", 1),
		terms.Appeals}},
	api.AmendmentGatePath: {{strings.Replace(api.AmendmentGatePath, "{id}", "{amendment}", 1),
		terms.Amendments}},

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
	case (route.Access == serve.Operator || route.Path == api.EntriesPath) &&
		c.Role != terms.SafetyAdmin, route.Path == api.EntriesPath && area != 0 && !c.owns:
		return api.Forbidden
	case enforces && area == terms.Amendments && !c.owns:
		return api.NotTheOwner
	case area != 0 && !c.sees(area):
		return api.NotFound
	}
	return granted
}

// TestTheMatrixOfPrincipalsRolesOwnersAndRoutes asks every route as every caller. A route that is
// not public and has no way fails it.
func TestTheMatrixOfPrincipalsRolesOwnersAndRoutes(t *testing.T) {
	s := serving(t, publishing(sampleProfile(t)))
	names := []string{"{0}", string(s.recorded(t, s.Case, Reviewer, nil)), "{1}",
		string(s.recorded(t, s.Amendment, Reviewer, nil))}
	for i, c := range callers() {
		c.enter(t, s)
		on := map[terms.Area]verify.Ref{
			terms.Appeals: s.Bring(t, terms.AppealCases,
				verifytest.AppealCase(fmt.Sprintf("matrix-case-%d", i), 1)),
			terms.Amendments: s.Bring(t, terms.AmendmentRecords,
				verifytest.Amendment(fmt.Sprintf("matrix-amendment-%d", i), 1))}
		fill := strings.NewReplacer(append(names, "{case}", string(on[terms.Appeals].Key.ID),
			"{amendment}", string(on[terms.Amendments].Key.ID))...)
		for _, route := range serve.Routes() {
			if route.Access == serve.Anybody {
				c.ask(t, s, route.Method, pathOf(&route, "none"), nil, granted, "")
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

// TestTheMatrixOfPrincipalsRolesOwnersAndKeys hands in a record on a case and on an amendment as
// every caller, naming a key and signed by one in every way.
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
		own, nobodys, revoked := verifytest.Key(string(c.ID)), verifytest.Key("nobody"),
			retired(c.ID)
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
				document := s.Log.Forged(record,
					verifytest.Record{"reviewer": map[string]any{"id": c.ID,
						"role":           c.Role.String(),
						"keyFingerprint": ssh.FingerprintSHA256(w.named.PublicKey())}})
				switch owned := area == terms.Appeals || c.owns; {
				case !c.known:
					want = api.Unauthenticated
				case !owned && want != api.KeyNotRegistered:
					want = api.NotTheOwner
				case want == granted && !c.sees(area):
					want = api.NotFound
				}
				c.ask(t, s, http.MethodPost, enforcePath(record), s.Signed(t, document, w.by), want,
					fmt.Sprint("signed in way ", k))
			}
		}
	}
}
