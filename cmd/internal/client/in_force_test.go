package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/crypto/ssh"
)

// A docketService is a real service over a store, with an address.
type docketService struct {
	t       testing.TB
	store   *store.Store
	address string
	at      time.Time                               // by its clock
	change  func(path string, answer []byte) []byte // what is answered; nil leaves it
}

const safetyAdmin = "admin-1"

// newDocketService serves a case and an amendment of the assigned reviewer, and a safety admin. Its clock stands after those of all consoles.
func newDocketService(t testing.TB) *docketService {
	t.Helper()
	d := &docketService{t: t, at: time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return d.at }
	var err error
	d.store, err = store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "service.db"), Service: true, Now: now})
	must(t, err)
	t.Cleanup(func() { must(t, d.store.Close()) })
	var reader packets.Reader
	for _, document := range samples(t) {
		packet, err := reader.ReadStored(document)
		must(t, err)
		_, err = d.store.Import(t.Context(), []packets.Packet{packet})
		must(t, err)
	}
	for id, role := range map[terms.ID]terms.Role{verifytest.Assigned: terms.NeutralReviewer, safetyAdmin: terms.SafetyAdmin, "reviewer-8": terms.NeutralReviewer} {
		must(t, d.store.AddToken(t.Context(), store.Token{ID: "token-" + string(id), Digest: sha256.Sum256([]byte(tokenOf(id))), Principal: id, Role: role,
			Owners: []terms.ID{"owner-2"}, Created: terms.InstantOf(now()), Expires: terms.InstantOf(now().AddDate(1, 0, 0))}))
		_, err := d.store.AddKey(t.Context(), id, string(ssh.MarshalAuthorizedKey(verifytest.Key(string(id)).PublicKey())))
		must(t, err)
	}
	limits := serve.DefaultLimits()
	limits.TokenRate, limits.AddressRate = 1e6, 1e6
	service, err := serve.New(serve.Config{Store: d.store, Now: now, Log: slog.New(slog.DiscardHandler), Limits: limits})
	must(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answered := httptest.NewRecorder()
		service.ServeHTTP(answered, r)
		body := answered.Body.Bytes()
		if d.change != nil {
			body = d.change(r.URL.Path, body)
		}
		for name, values := range answered.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(answered.Code)
		_, _ = io.Copy(w, bytes.NewReader(body))
	}))
	t.Cleanup(server.Close)
	d.address = server.URL
	return d
}

func tokenOf(id terms.ID) string {
	sum := sha256.Sum256([]byte(id))
	return "docket_" + hex.EncodeToString(sum[:])
}

// as is a client of the service with somebody's token.
func (d *docketService) as(id terms.ID) *client.Client {
	d.t.Helper()
	parsed, err := client.ParseToken(tokenOf(id))
	must(d.t, err)
	pace := client.DefaultRetry()
	pace.Attempts = 1
	caller, err := client.New(client.Options{Address: d.address, Token: parsed, Retry: pace, Transport: &http.Transport{DisableCompression: true}})
	must(d.t, err)
	d.t.Cleanup(caller.Close)
	return caller
}

// consoleOf is a console of somebody's.
func consoleOf(t testing.TB, id terms.ID, role terms.Role) *console {
	t.Helper()
	c := newConsole(t)
	var err error
	c.workbench.Identity, err = identity.New(id, role, verifytest.Key(string(id)))
	must(t, err)
	return c
}

// block records a decision that blocks the case, with a blocker of one's own if there is one.
func (c *console) block(id terms.ID, added ...terms.Blocker) records.RecordID {
	c.t.Helper()
	opened := c.workbench.Now()
	caseFile, err := c.workbench.Open(c.t.Context(), terms.AppealCases, id, 0)
	must(c.t, err)
	choice := records.Choice{OpenedAt: opened, SectionsViewed: []views.SectionName{views.SectionGate}, Supersedes: caseFile.InForce, Outcome: terms.BlockReliance,
		Factors: terms.SetOf(terms.HumanReviewRequired), AddedBlockers: terms.SetOf(added...)}
	choice.Statement.Text = "The notice does not say who was told."
	receipt, err := c.workbench.Record(c.t.Context(), &caseFile.View, choice, "")
	must(c.t, err)
	return receipt.RecordID
}

// wantSound fails if a judged check of the store, or of a bundle of it, finds anything.
func (c *console) wantSound() {
	c.t.Helper()
	report, err := c.store.Verify(c.t.Context(), verify.Options{})
	must(c.t, err)
	if !report.OK() {
		c.t.Errorf("the store: %v", report.Findings)
	}
	folder := filepath.Join(c.t.TempDir(), "bundle")
	snapshot, err := c.store.Snapshot(c.t.Context())
	must(c.t, err)
	_, err = bundle.Write(c.t.Context(), folder, snapshot, bundle.Options{})
	must(c.t, err)
	again, err := bundle.Check(c.t.Context(), folder, verify.Options{})
	must(c.t, err)
	if !again.OK() || again.AtService != report.AtService {
		c.t.Errorf("the bundle has %d records of the service of %d: %v", again.AtService, report.AtService, again.Findings)
	}
}

// Two reviewers decide the same case without knowing of each other. The one who comes second is rejected with the record of the first, sees it, supersedes it
// with the blockers that stand, and is taken.
func TestTheSecondOfTwoReviewersGetsTheRecordInForceAndSupersedesIt(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][2]terms.ID{"a safety admin after the reviewer": {verifytest.Assigned, safetyAdmin}, "the reviewer after a safety admin": {safetyAdmin, verifytest.Assigned}} {
		t.Run(name, func(t *testing.T) {
			d := newDocketService(t)
			role := map[terms.ID]terms.Role{verifytest.Assigned: terms.NeutralReviewer, safetyAdmin: terms.SafetyAdmin}
			first, second := consoleOf(t, order[0], role[order[0]]), consoleOf(t, order[1], role[order[1]])
			for i, c := range []*console{first, second} {
				if pulled := pull(t.Context(), c.store, d.as(order[i]), false); pulled.err != nil || pulled.InForce != 0 {
					t.Fatalf("%+v", pulled)
				}
			}
			theirs := first.block("case-1", terms.NoticeMissing)
			ours := second.block("case-1", terms.ScopeMissing) // offline
			if pushed := push(t.Context(), first.store, d.as(order[0])); pushed.err != nil || !pushed.tally.Whole() {
				t.Fatalf("%+v", pushed)
			}
			rejected := push(t.Context(), second.store, d.as(order[1]))
			if rejected.err != nil || len(rejected.results) != 1 || rejected.results[0].Disposition != client.Rejected || rejected.results[0].InForce != theirs ||
				rejected.results[0].ServiceRecord == nil || rejected.results[0].ServiceRecord.Reviewer.ID != order[0] {
				t.Fatalf("%+v", rejected)
			}
			caseFile, err := second.workbench.Open(t.Context(), terms.AppealCases, "case-1", 0)
			must(t, err)
			if caseFile.InForce != theirs || caseFile.ServiceRecordInForce() == nil || caseFile.View.Carried() != terms.SetOf(terms.NoticeMissing) || caseFile.Decided() {
				t.Errorf("in force is %s, carried %v", caseFile.InForce, caseFile.View.Carried())
			}
			again := second.block("case-1")
			if pushed := push(t.Context(), second.store, d.as(order[1])); pushed.err != nil || !pushed.tally.Whole() {
				t.Fatalf("%+v", pushed)
			}
			logged, err := d.store.Record(t.Context(), again)
			must(t, err)
			if m := logged.Record.Members(); m.Supersedes != theirs || !slices.Equal(m.CarriedBlockers, []terms.Blocker{terms.NoticeMissing}) || m.Gate != terms.Blocked {
				t.Errorf("%+v", m)
			}
			// The first one learns of it by the next pull, once.
			for _, want := range []int{1, 0} {
				if pulled := pull(t.Context(), first.store, d.as(order[0]), false); pulled.err != nil || pulled.InForce != want {
					t.Errorf("%+v", pulled)
				}
			}
			if caseFile, err = first.workbench.Open(t.Context(), terms.AppealCases, "case-1", 0); err != nil || caseFile.InForce != again || !caseFile.Decided() {
				t.Errorf("in force is %s, %v", caseFile.InForce, err)
			}
			if logged, err := first.store.Record(t.Context(), theirs); err != nil || logged.SupersededBy != again {
				t.Errorf("superseded by %q, %v", logged.SupersededBy, err)
			}
			if pulled := pull(t.Context(), second.store, d.as(order[1]), true); pulled.err != nil || pulled.InForce != 0 {
				t.Errorf("%+v", pulled)
			}
			if logged, err := second.store.Record(t.Context(), ours); err != nil || logged.HandIn.State != records.Rejected {
				t.Errorf("%+v, %v", logged.HandIn, err)
			}
			first.wantSound()
			second.wantSound()
			report, err := d.store.Verify(t.Context(), verify.Options{})
			must(t, err)
			if !report.OK() {
				t.Errorf("the service: %v", report.Findings)
			}
		})
	}
}

// A record reaches only who may see what it is on.
func TestTheRecordInForceReachesNobodyElse(t *testing.T) {
	d := newDocketService(t)
	admin, assigned, stranger := consoleOf(t, safetyAdmin, terms.SafetyAdmin), consoleOf(t, verifytest.Assigned, terms.NeutralReviewer), consoleOf(t, "reviewer-8", terms.NeutralReviewer)
	if pulled := pull(t.Context(), admin.store, d.as(safetyAdmin), false); pulled.err != nil {
		t.Fatal(pulled.err)
	}
	admin.block("case-1", terms.NoticeMissing)
	if pushed := push(t.Context(), admin.store, d.as(safetyAdmin)); !pushed.tally.Whole() {
		t.Fatalf("%+v", pushed)
	}
	if pulled := pull(t.Context(), stranger.store, d.as("reviewer-8"), false); pulled.err != nil || pulled.InForce != 0 {
		t.Errorf("%+v", pulled)
	}
	// What was the reviewer's is somebody else's by now: the rejection names the record in force, and does not give it.
	assigned.take(samples(t))
	assigned.block("case-1", terms.ScopeMissing)
	l := verifytest.New(t)
	given := l.Held[l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 2).With(verifytest.Record{"neutralReview": verifytest.Review("reviewer-8")}))]
	var reader packets.Reader
	packet, err := reader.ReadStored(given)
	must(t, err)
	_, err = d.store.Import(t.Context(), []packets.Packet{packet})
	must(t, err)
	pushed := push(t.Context(), assigned.store, d.as(verifytest.Assigned))
	if pushed.err != nil || pushed.results[0].Disposition != client.Rejected || pushed.results[0].ServiceRecord != nil {
		t.Errorf("%+v", pushed)
	}
	if pulled := pull(t.Context(), assigned.store, d.as(verifytest.Assigned), false); pulled.err != nil || pulled.InForce != 0 {
		t.Errorf("%+v", pulled)
	}
	assigned.wantSound()
}

// What a service gives out as the record in force is refused unless its log has it, its reviewer signed it, and it is on the revision.
func TestAForgedRecordInForceIsRefused(t *testing.T) {
	t.Parallel()
	type given = map[string]any
	forgeries := map[string]func(record given, other given){
		"edited": func(r, _ given) { r["record"].(given)["outcome"] = "route_human_review" },
		"of another case": func(r, other given) {
			r["record"], r["signature"], r["receipt"] = other["record"], other["signature"], other["receipt"]
		},
		"another signature":  func(r, other given) { r["signature"] = other["signature"] },
		"no signature":       func(r, _ given) { r["signature"] = "" },
		"another place":      func(r, other given) { r["receipt"] = other["receipt"] },
		"a place far beyond": func(r, _ given) { r["receipt"].(given)["sequence"] = 99 },
		"a place before":     func(r, _ given) { r["receipt"].(given)["sequence"] = -1 },
		"no record":          func(r, _ given) { r["record"] = given{} },
	}
	d := newDocketService(t)
	admin := consoleOf(t, safetyAdmin, terms.SafetyAdmin)
	if pulled := pull(t.Context(), admin.store, d.as(safetyAdmin), false); pulled.err != nil {
		t.Fatal(pulled.err)
	}
	admin.block("case-1", terms.NoticeMissing)
	other := admin.block("case-2", terms.NoticeMissing)
	if pushed := push(t.Context(), admin.store, d.as(safetyAdmin)); !pushed.tally.Whole() {
		t.Fatalf("%+v", pushed)
	}
	feed, err := d.as(safetyAdmin).Records(t.Context(), "")
	must(t, err)
	of := given{}
	for i := range feed.Records {
		if strings.Contains(string(feed.Records[i].Record), string(other)) {
			text, err := json.Marshal(feed.Records[i])
			must(t, err)
			must(t, json.Unmarshal(text, &of))
		}
	}
	for name, forge := range forgeries {
		for _, by := range []string{"by a pull", "with a rejection"} {
			t.Run(name+" "+by, func(t *testing.T) {
				c := consoleOf(t, verifytest.Assigned, terms.NeutralReviewer)
				c.take(samples(t))
				c.block("case-1", terms.ScopeMissing)
				forged := false
				d.change = func(path string, answer []byte) []byte {
					document := given{}
					if json.Unmarshal(answer, &document) != nil {
						return answer
					}
					record, there := document["record"].(given)
					if path == api.RecordsPath {
						if list, is := document["records"].([]any); is && len(list) > 0 {
							record, there = list[0].(given), true
						}
					}
					if !there {
						return answer
					}
					forged = true
					forge(record, of)
					changed, err := json.Marshal(document)
					if err != nil {
						t.Error(err)
					}
					return changed
				}
				defer func() { d.change = nil }()
				caller := d.as(verifytest.Assigned)
				if by == "by a pull" {
					pulled := pull(t.Context(), c.store, caller, false)
					// A record of another case that is in force there is none of a forger's.
					if (pulled.err == nil) != (name == "of another case") {
						t.Errorf("%+v", pulled)
					}
				} else if pushed := push(t.Context(), c.store, caller); pushed.tally.Of(client.Waiting) != 1 || pushed.results[0].ServiceRecord != nil {
					t.Errorf("%+v", pushed)
				}
				if !forged {
					t.Error("nothing was forged")
				}
				caseFile, err := c.workbench.Open(t.Context(), terms.AppealCases, "case-1", 0)
				must(t, err)
				if len(caseFile.AtService) > 0 || caseFile.InForceElsewhere() {
					t.Errorf("%s is in force", caseFile.InForce)
				}
				c.wantSound()
			})
		}
	}
}

// The same answer twice, and a feed that is older than what is known, change nothing.
func TestARecordInForceIsKeptOnce(t *testing.T) {
	d := newDocketService(t)
	admin, assigned := consoleOf(t, safetyAdmin, terms.SafetyAdmin), consoleOf(t, verifytest.Assigned, terms.NeutralReviewer)
	if pulled := pull(t.Context(), admin.store, d.as(safetyAdmin), false); pulled.err != nil {
		t.Fatal(pulled.err)
	}
	var before []byte
	d.change = func(path string, answer []byte) []byte {
		if path == api.RecordsPath {
			before = bytes.Clone(answer)
		}
		return answer
	}
	admin.block("case-1", terms.NoticeMissing)
	push(t.Context(), admin.store, d.as(safetyAdmin))
	if pulled := pull(t.Context(), assigned.store, d.as(verifytest.Assigned), false); pulled.err != nil || pulled.InForce != 1 {
		t.Fatalf("%+v", pulled)
	}
	older := before
	newest := admin.block("case-1", terms.ScopeMissing)
	push(t.Context(), admin.store, d.as(safetyAdmin))
	for _, afresh := range []bool{false, true} {
		if pulled := pull(t.Context(), assigned.store, d.as(verifytest.Assigned), afresh); pulled.err != nil || pulled.InForce != map[bool]int{false: 1}[afresh] {
			t.Errorf("%+v", pulled)
		}
	}
	d.change = func(path string, answer []byte) []byte {
		if path == api.RecordsPath {
			return older // a service that says that the first one is in force again
		}
		return answer
	}
	if pulled := pull(t.Context(), assigned.store, d.as(verifytest.Assigned), true); pulled.err != nil || pulled.InForce != 0 {
		t.Errorf("%+v", pulled)
	}
	if caseFile, err := assigned.workbench.Open(t.Context(), terms.AppealCases, "case-1", 0); err != nil || caseFile.InForce != newest || len(caseFile.AtService) != 2 {
		t.Errorf("%+v, %v", caseFile.InForce, err)
	}
	assigned.wantSound()
}
