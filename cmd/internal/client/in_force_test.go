package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/serve"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A docketService is a real service over a store, with an address.
type docketService struct {
	t       testing.TB
	store   *store.Store
	address string
	change  func(path string, answer []byte) []byte // what is answered; nil leaves it
}

const safetyAdmin = terms.ID("admin-1")

// roles are those of the people whom the service knows.
var roles = map[terms.ID]terms.Role{verifytest.Assigned: terms.NeutralReviewer, safetyAdmin: terms.SafetyAdmin, "reviewer-8": terms.NeutralReviewer}

// newDocketService serves two cases and an amendment of the assigned reviewer, and a safety admin. Its clock stands after those of all consoles.
func newDocketService(t testing.TB) *docketService {
	t.Helper()
	d := &docketService{t: t}
	now := func() time.Time { return time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC) }
	var err error
	d.store, err = store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "service.db"), Service: true, Now: now})
	must(t, err)
	t.Cleanup(func() { must(t, d.store.Close()) })
	take(t, d.store, samples(t)...)
	for id, role := range roles {
		must(t, d.store.AddToken(t.Context(), store.Token{ID: "token-" + string(id), Digest: sha256.Sum256([]byte(tokenOf(id))), Principal: id, Role: role,
			Owners: []terms.ID{"owner-2"}, Created: terms.InstantOf(now()), Expires: terms.InstantOf(now().AddDate(1, 0, 0))}))
		_, err := d.store.AddKey(t.Context(), id, string(ssh.MarshalAuthorizedKey(verifytest.Key(string(id)).PublicKey())))
		must(t, err)
	}
	limits := serve.DefaultLimits()
	limits.TokenRate, limits.AddressRate = 1e6, 1e6
	service, err := serve.New(serve.Config{Store: d.store, Now: now, Log: slog.New(slog.DiscardHandler), Limits: limits})
	must(t, err)
	d.address = serving(t, func(w http.ResponseWriter, r *http.Request) {
		answered := httptest.NewRecorder()
		service.ServeHTTP(answered, r)
		body := answered.Body.Bytes()
		if d.change != nil {
			body = d.change(r.URL.Path, body)
		}
		saying(answered.Code, answered.Header().Get("Content-Type"), string(body))(w, r)
	})
	return d
}

func tokenOf(id terms.ID) string { return fmt.Sprintf("docket_%x", sha256.Sum256([]byte(id))) }

// as is a client of the service with somebody's token.
func (d *docketService) as(id terms.ID) *client.Client {
	d.t.Helper()
	parsed, err := client.ParseToken(tokenOf(id))
	must(d.t, err)
	return to(d.t, d.address, func(o *client.Options) { o.Token, o.Retry.Attempts = parsed, 1 })
}

// of is a console of somebody's.
func (d *docketService) of(id terms.ID) *console {
	d.t.Helper()
	c := newConsole(d.t)
	held, err := identity.New(id, roles[id], verifytest.Key(string(id)))
	must(d.t, err)
	c.workbench.Who, c.workbench.Sign, c.workbench.State = held.Reviewer(), held.Sign, held.State
	return c
}

// pulls pulls into a console so many records that are in force and were not known.
func (d *docketService) pulls(c *console, afresh bool, inForce int) {
	d.t.Helper()
	if got := pull(d.t.Context(), c.store, d.as(c.workbench.Reviewer().ID), afresh); got.err != nil || got.InForce != inForce {
		d.t.Fatalf("%+v", got)
	}
}

// push pushes what a console has, all of which is taken if it is to be whole.
func (d *docketService) push(c *console, whole bool) pushed {
	d.t.Helper()
	got := push(d.t.Context(), c.store, d.as(c.workbench.Reviewer().ID))
	if got.err != nil || got.tally.Whole() != whole {
		d.t.Fatalf("%+v", got)
	}
	return got
}

// block records a decision that blocks the case, with a blocker of one's own if there is one.
func (c *console) block(id terms.ID, added ...terms.Blocker) records.RecordID {
	c.t.Helper()
	return c.decideAs(terms.AppealCases, id, func(choice *records.Choice) {
		choice.Outcome, choice.AddedBlockers = terms.BlockReliance, terms.SetOf(added...)
	})
}

// opens opens a case.
func (c *console) opens(id terms.ID) queue.CaseFile {
	c.t.Helper()
	dossier, err := c.workbench.Open(c.t.Context(), terms.AppealCases, id, 0)
	must(c.t, err)
	return dossier
}

// exported is the console's log as a bundle.
func exported(t testing.TB, c *console) string {
	t.Helper()
	log, err := c.store.Snapshot(t.Context())
	must(t, err)
	dir := filepath.Join(t.TempDir(), "bundle")
	_, err = bundle.Write(t.Context(), dir, log, bundle.Options{})
	must(t, err)
	return dir
}

// wantSound fails if a judged check of the store, or of a bundle of it, finds anything.
func (c *console) wantSound() {
	c.t.Helper()
	report, err := c.store.Verify(c.t.Context(), verify.Options{})
	must(c.t, err)
	again, err := bundle.Check(c.t.Context(), exported(c.t, c), verify.Options{})
	must(c.t, err)
	if !report.OK() || !again.OK() || again.AtService != report.AtService {
		c.t.Errorf("the store: %v; the bundle has %d records of the service of %d: %v", report.Findings, again.AtService, report.AtService, again.Findings)
	}
}

// Two reviewers decide the same case without knowing of each other. The one who comes second is rejected with the record of the first, sees it, supersedes it
// with the blockers that stand, and is taken.
func TestTheSecondOfTwoReviewersGetsTheRecordInForceAndSupersedesIt(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][2]terms.ID{"a safety admin after the reviewer": {verifytest.Assigned, safetyAdmin}, "the reviewer after a safety admin": {safetyAdmin, verifytest.Assigned}} {
		t.Run(name, func(t *testing.T) {
			d := newDocketService(t)
			first, second := d.of(order[0]), d.of(order[1])
			d.pulls(first, false, 0)
			d.pulls(second, false, 0)
			theirs := first.block("case-1", terms.NoticeMissing)
			ours := second.block("case-1", terms.ScopeMissing) // offline
			d.push(first, true)
			rejected := d.push(second, false)
			if r := rejected.results[0]; len(rejected.results) != 1 || r.Disposition != client.Rejected || r.InForce != theirs ||
				r.ServiceRecord == nil || r.ServiceRecord.Reviewer.ID != order[0] {
				t.Fatalf("%+v", rejected)
			}
			if dossier := second.opens("case-1"); dossier.InForce != theirs || dossier.ServiceRecordInForce() == nil ||
				dossier.View.Carried() != terms.SetOf(terms.NoticeMissing) || dossier.Decided() {
				t.Errorf("in force is %s, carried %v", dossier.InForce, dossier.View.Carried())
			}
			again := second.block("case-1")
			d.push(second, true)
			logged, err := d.store.Record(t.Context(), again)
			must(t, err)
			if m := logged.Record.Members(); m.Supersedes != theirs || !slices.Equal(m.CarriedBlockers, []terms.Blocker{terms.NoticeMissing}) || m.Gate != terms.Blocked {
				t.Errorf("%+v", m)
			}
			d.pulls(first, false, 1) // the first one learns of it by the next pull, once
			d.pulls(first, false, 0)
			if dossier := first.opens("case-1"); dossier.InForce != again || !dossier.Decided() {
				t.Errorf("in force is %s", dossier.InForce)
			}
			if logged, err := first.store.Record(t.Context(), theirs); err != nil || logged.SupersededBy != again {
				t.Errorf("superseded by %q, %v", logged.SupersededBy, err)
			}
			d.pulls(second, true, 0)
			if state := second.state(ours).State; state != records.Rejected {
				t.Errorf("ours is %d", state)
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
	admin, assigned := d.of(safetyAdmin), d.of(verifytest.Assigned)
	d.pulls(admin, false, 0)
	admin.block("case-1", terms.NoticeMissing)
	d.push(admin, true)
	d.pulls(d.of("reviewer-8"), false, 0)
	// What was the reviewer's is somebody else's by now: the rejection names the record in force, and does not give it.
	take(t, assigned.store, samples(t)...)
	assigned.block("case-1", terms.ScopeMissing)
	l := verifytest.New(t)
	take(t, d.store, l.Held[l.Hold(terms.AppealCases, verifytest.AppealCase("case-1", 2).With(verifytest.Record{"neutralReview": verifytest.Review("reviewer-8")}))])
	if r := d.push(assigned, false).results[0]; r.Disposition != client.Rejected || r.ServiceRecord != nil {
		t.Errorf("%+v", r)
	}
	d.pulls(assigned, false, 0)
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
	admin := d.of(safetyAdmin)
	d.pulls(admin, false, 0)
	admin.block("case-1", terms.NoticeMissing)
	other := admin.block("case-2", terms.NoticeMissing)
	d.push(admin, true)
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
				c := d.of(verifytest.Assigned)
				take(t, c.store, samples(t)...)
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
				} else if pushed := push(t.Context(), c.store, caller); pushed.tally[client.Waiting] != 1 || pushed.results[0].ServiceRecord != nil {
					t.Errorf("%+v", pushed)
				}
				if !forged {
					t.Error("nothing was forged")
				}
				if dossier := c.opens("case-1"); len(dossier.AtService) > 0 || dossier.InForceElsewhere() {
					t.Errorf("%s is in force", dossier.InForce)
				}
				c.wantSound()
			})
		}
	}
}

// The same answer twice, and a feed that is older than what is known, change nothing.
func TestARecordInForceIsKeptOnce(t *testing.T) {
	d := newDocketService(t)
	admin, assigned := d.of(safetyAdmin), d.of(verifytest.Assigned)
	d.pulls(admin, false, 0)
	var older []byte
	d.change = func(path string, answer []byte) []byte {
		if path == api.RecordsPath {
			older = bytes.Clone(answer)
		}
		return answer
	}
	admin.block("case-1", terms.NoticeMissing)
	d.push(admin, true)
	d.pulls(assigned, false, 1)
	said := older
	newest := admin.block("case-1", terms.ScopeMissing)
	d.push(admin, true)
	d.pulls(assigned, false, 1)
	d.pulls(assigned, true, 0)
	d.change = func(path string, answer []byte) []byte {
		if path == api.RecordsPath {
			return said // a service that says that the first one is in force again
		}
		return answer
	}
	d.pulls(assigned, true, 0)
	if dossier := assigned.opens("case-1"); dossier.InForce != newest || len(dossier.AtService) != 2 {
		t.Errorf("%+v", dossier.InForce)
	}
	assigned.wantSound()
}
