package client_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/disk/disktest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
	"docket/ui/workbench"
)

func TestMain(m *testing.M) {
	disktest.InMemory()
	m.Run()
}

// A ticking clock is a second further each time.
type ticking struct {
	mu sync.Mutex
	at time.Time
}

func (c *ticking) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Second)
	return c.at
}

// A console is a store with somebody who decides.
type console struct {
	t         testing.TB
	store     *client.Console
	workbench *workbench.Workbench
	path      string
	clock     *ticking
}

func newConsole(t testing.TB) *console {
	t.Helper()
	return openConsole(t, filepath.Join(t.TempDir(), "docket.db"))
}

// openConsole opens what is at the path, and closes it with the test.
func openConsole(t testing.TB, path string) *console {
	t.Helper()
	c := &console{t: t, path: path, clock: &ticking{at: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)}}
	who, err := identity.New(verifytest.Assigned, terms.NeutralReviewer, verifytest.Key(verifytest.Assigned))
	must(t, err)
	c.store = &client.Console{State: func(ctx context.Context, due records.LogStatement) (signed.Statement, error) {
		due.At = terms.InstantOf(c.clock.now())
		return who.State(ctx, due)
	}}
	c.store.Store, err = store.Open(t.Context(), store.Options{Path: c.path, Now: c.clock.now})
	must(t, err)
	t.Cleanup(func() { must(t, c.store.Close()) })
	c.workbench = &workbench.Workbench{Store: c.store.Store, Who: who.Reviewer(), Sign: who.Sign, State: who.State, Clock: c.clock.now}
	return c
}

// packetsOf are the documents of a log's packets, policies first.
func packetsOf(l *verifytest.Log) (documents []json.RawMessage) {
	for _, policies := range []bool{true, false} {
		for ref, document := range l.Held {
			if policies == (ref.Table == terms.AppealPolicies || ref.Table == terms.AmendmentPolicies) {
				documents = append(documents, document)
			}
		}
	}
	return documents
}

// samples are two cases, one of them in two revisions, and an amendment, with their policies.
func samples(t testing.TB) []json.RawMessage {
	l := verifytest.New(t)
	for _, id := range []string{"case-1", "case-2"} {
		l.Hold(terms.AppealCases, verifytest.AppealCase(id, 1))
	}
	l.Hold(terms.AppealCases, verifytest.AppealCase("case-2", 2))
	l.Hold(terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1))
	return packetsOf(l)
}

// take imports packets as they are.
func take(t testing.TB, to interface {
	Import(context.Context, []packets.Packet) ([]store.ImportResult, error)
}, documents ...json.RawMessage) (results []store.ImportResult) {
	t.Helper()
	var reader packets.Reader
	for _, document := range documents {
		packet, err := reader.ReadStored(document)
		must(t, err)
		result, err := to.Import(t.Context(), []packets.Packet{packet})
		must(t, err)
		results = append(results, result...)
	}
	return results
}

// decide records a decision on the latest revision and returns its id.
func (c *console) decide(table terms.Table, id terms.ID) records.RecordID {
	c.t.Helper()
	return c.decideAs(table, id, func(choice *records.Choice) { choice.Outcome = terms.RouteHumanReview })
}

// decideAs records a decision that the caller chooses.
func (c *console) decideAs(table terms.Table, id terms.ID, choose func(*records.Choice)) records.RecordID {
	c.t.Helper()
	opened := c.workbench.Now()
	dossier, err := c.workbench.Open(c.t.Context(), table, id, 0)
	must(c.t, err)
	choice := records.Choice{OpenedAt: opened, SectionsViewed: []views.SectionName{views.SectionGate}, Supersedes: dossier.InForce}
	if table == terms.AppealCases {
		choose(&choice)
		choice.Factors, choice.Statement.Text = terms.SetOf(terms.HumanReviewRequired), "The notice does not say who was told."
	}
	receipt, err := c.workbench.Record(c.t.Context(), &dossier.View, choice, "")
	must(c.t, err)
	return receipt.RecordID
}

// decided is a console with four records, on case-1, amendment-1, case-2 and again case-1, and an empty service. The store is made once and copied.
func decided(t testing.TB) (*console, *service, []records.RecordID) {
	t.Helper()
	copied.once.Do(func() {
		c := newConsole(t)
		take(t, c.store, samples(t)...)
		copied.ids = []records.RecordID{c.decide(terms.AppealCases, "case-1"), c.decide(terms.AmendmentRecords, "amendment-1"),
			c.decide(terms.AppealCases, "case-2"), c.decide(terms.AppealCases, "case-1")}
		copied.at = c.clock.now()
		file := filepath.Join(t.TempDir(), "copy.db")
		must(t, c.store.Backup(t.Context(), file, func(store.BackupStage, int64, int64) {}))
		var err error
		copied.file, err = os.ReadFile(file)
		must(t, err)
		copied.keyName = filepath.Base(c.store.KeyFile())
		copied.key, err = os.ReadFile(c.store.KeyFile())
		must(t, err)
	})
	path := filepath.Join(t.TempDir(), "docket.db")
	must(t, os.WriteFile(path, copied.file, 0o600))
	must(t, os.WriteFile(filepath.Join(filepath.Dir(path), copied.keyName), copied.key, 0o600))
	c := openConsole(t, path)
	c.clock.at = copied.at
	return c, newService(t, 1), slices.Clone(copied.ids)
}

// copied is the store of decided, with its records and the time at which it was made.
var copied struct {
	once    sync.Once
	file    []byte
	key     []byte // of its key file
	keyName string
	ids     []records.RecordID
	at      time.Time
}

// state is how far a record has come.
func (c *console) state(id records.RecordID) records.HandIn {
	c.t.Helper()
	record, err := c.store.Record(c.t.Context(), id)
	must(c.t, err)
	return record.HandIn
}

// position is where a record stands in the console's log.
func (c *console) position(id records.RecordID) int64 {
	c.t.Helper()
	record, err := c.store.Record(c.t.Context(), id)
	must(c.t, err)
	return record.Receipt.Sequence
}

// pushed is what a push told.
type pushed struct {
	tally   client.Tally
	results []client.Result
	met     []string
	err     error
}

func (p *pushed) outcomes() (list []client.Disposition) {
	for _, result := range p.results {
		list = append(list, result.Disposition)
	}
	return list
}

// session notes the keys of the services that are met for the first time.
func session(to client.Store, service *client.Client, met *[]string) client.Session {
	return client.Session{Store: to, Service: service,
		FirstContact: func(key signed.Key) error { *met = append(*met, key.String()); return nil }}
}

func push(ctx context.Context, out client.Store, service *client.Client) (p pushed) {
	p.tally, p.err = client.Push(ctx, client.PushOptions{Session: session(out, service, &p.met),
		Each:     func(r client.Result) error { p.results = append(p.results, r); return nil },
		Progress: func(int64, int64) {},
	})
	return p
}

// pulled is what a pull told.
type pulled struct {
	client.PullResult
	refused    []refusedPacket
	reassigned []verify.Ref
	met        []string
	err        error
}

type refusedPacket struct {
	number int
	key    packets.Key
	reason string
}

func pull(ctx context.Context, in client.Store, service *client.Client, afresh bool) (p pulled) {
	p.PullResult, p.err = client.Pull(ctx, client.PullOptions{Session: session(in, service, &p.met), Afresh: afresh,
		Reassigned: func(r verify.Ref) error { p.reassigned = append(p.reassigned, r); return nil },
		Refused: func(number int, key packets.Key, reason string) error {
			p.refused = append(p.refused, refusedPacket{number, key, reason})
			return nil
		},
		Progress: func(int64) {},
	})
	return p
}

// pulls pulls from the service, without an error.
func (c *console) pulls(s *service) {
	c.t.Helper()
	must(c.t, pull(c.t.Context(), c.store, s.client(nil), false).err)
}

// pushes pushes to the service, which takes all.
func (c *console) pushes(s *service) {
	c.t.Helper()
	if got := push(c.t.Context(), c.store, s.client(nil)); got.err != nil || !got.tally.Whole() {
		c.t.Fatalf("%+v", got)
	}
}

// isSound fails the test if a check of the store finds anything.
func (c *console) isSound() {
	c.t.Helper()
	if report, err := c.store.Verify(c.t.Context(), verify.Options{}); err != nil || !report.OK() {
		c.t.Error(err, report.Findings)
	}
}
