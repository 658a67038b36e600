package backing_test

import (
	"bytes"
	"crypto/sha256"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/cmd/internal/backing"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/store"
)

// now is the time at the service: some minutes after what the samples decide.
var now = time.Date(2026, 6, 15, 13, 0, 0, 0, time.UTC)

// A service is a store with everything in front of it, and a console whose log it does not know.
type service struct {
	t       *testing.T
	options store.Options
	store   *store.Store
	backing serve.Backing
	console *audittest.Log
	log     lines
	clock   time.Time
}

// lines keep what is logged.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

func newService(t *testing.T) *service {
	t.Helper()
	folder := t.TempDir()
	s := &service{t: t, console: audittest.New(t), clock: now}
	s.options = store.Options{Path: filepath.Join(folder, "docket.db"), Service: true, AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return s.clock }}
	opened, err := store.Open(t.Context(), s.options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	s.store, s.backing = opened, backing.New(opened, slog.New(slog.NewTextHandler(&s.log, nil)))
	for ref := range s.console.Held {
		s.take(ref)
	}
	return s
}

// take imports a packet that the console holds.
func (s *service) take(ref audit.Ref) {
	s.t.Helper()
	packet, err := (&domain.Reader{}).ReadStored(s.console.Held[ref])
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.store.Import(s.t.Context(), []domain.Packet{packet}); err != nil {
		s.t.Fatal(err)
	}
}

// hold has both of them hold a case or an amendment.
func (s *service) hold(table domain.Table, record audittest.Record) audit.Ref {
	s.t.Helper()
	ref := s.console.Hold(table, record)
	s.take(ref)
	return ref
}

// person is a reviewer as they come with their token.
func person(who domain.Reviewer, owners ...domain.ID) serve.Principal {
	return serve.Principal{ID: who.ID, Role: who.Role, Owners: owners, Token: "tok-" + string(who.ID)}
}

// handed is a record of the console's as its reviewer hands it in.
func (s *service) handed(record domain.Enforcement, owners ...domain.ID) serve.Handed {
	s.t.Helper()
	who := record.Members().Reviewer
	return serve.Handed{Principal: person(who, owners...), Record: record,
		Signature: s.console.Armored(record.Document(), audittest.Key(string(who.ID)), domain.SignatureNamespace), PacketSalt: audittest.Salt,
		Statement: audittest.ReasonsOf(record.Document())}
}

// forged is the record with members that say something else, handed in by whoever made it.
func (s *service) forged(record domain.Enforcement, members audittest.Record) serve.Handed {
	s.t.Helper()
	again, err := domain.ReadEnforcement(&domain.Reader{}, record.Members().Area, s.console.Forged(record, members))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.handed(again)
}

// digest is the SHA-256 of a secret.
func digest(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }
