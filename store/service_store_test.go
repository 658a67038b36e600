package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"

	"golang.org/x/mod/sumdb/note"
)

func TestTheOriginOfAServicesStoreSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	for service, prefix := range map[bool]string{true: records.ServiceOriginPrefix, false: records.OriginPrefix} {
		s := openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Service: service})
		meta, err := s.Meta(t.Context())
		if err != nil || !strings.HasPrefix(meta.Origin, prefix) || len(meta.Origin) != len(prefix)+32 || records.OfService(meta.Origin) != service {
			t.Errorf("service %v: origin %q, %v", service, meta.Origin, err)
		}
		if of, err := s.OfService(t.Context()); of != service || err != nil {
			t.Errorf("service %v: %v, %v", service, of, err)
		}
		signed, err := s.Checkpoint(t.Context())
		if err != nil || !strings.HasPrefix(string(signed), meta.Origin+"\n") {
			t.Errorf("service %v: the checkpoint is %q, %v", service, signed, err)
		}
	}
}

func TestAConsolesStoreIsNoServices(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	for _, readOnly := range []bool{false, true} {
		err := openFailing(t, Options{Path: d.store.Path(), Service: true, ReadOnly: readOnly})
		mustBe(t, err, ErrKind)
		var problem *Problem
		if !errors.As(err, &problem) || problem.Advice == "" || problem.Path != d.store.Path() {
			t.Errorf("%v", err)
		}
	}
	sub := d.judged("case-1", decision{})
	_, _, _, err := d.offer(sub)
	mustBe(t, err, ErrKind)
	mustBe(t, d.store.AddToken(t.Context(), aToken("t", 1)), ErrKind)
	mustBe(t, d.store.RevokeToken(t.Context(), "t"), ErrKind)
	mustBe(t, errOf(d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(d.key.PublicKey()))), ErrKind)
	mustBe(t, d.store.RevokeKey(t.Context(), reviewerID, d.reviewer.KeyFingerprint), ErrKind)
	mustBe(t, errOf(d.store.SignRejection(t.Context(), records.Rejection{})), ErrKind)
	wantSame(t, "records in the log", need(d.store.Head(t.Context()))(t).Size, 0)
}

func TestAServicesStoreTakesPacketsAndIsLookedAtByWhoeverOpensIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	path := d.store.Path()
	sub := d.judged("case-1", decision{})
	d.close()
	for _, o := range []Options{{Path: path}, {Path: path, Service: true}} {
		d.store = openWith(t, o)
		d.at(noon)
		d.take(d.mill.appealCase(passing("case-of-"+map[bool]string{true: "service", false: "import"}[o.Service], 1)))
		_, err := d.store.Append(t.Context(), sub)
		mustBe(t, err, ErrKind)
		if strings.Contains(err.Error(), "service's") == false {
			t.Errorf("the advice is %v", err)
		}
		d.close()
	}
	d.store = openWith(t, Options{Path: path, ReadOnly: true})
	wantSame(t, "rows", len(need(queueOf(t.Context(), d.store, terms.Appeals, terms.InstantOf(noon), ""))(t)), 3)
	_, _, _, err := d.offer(sub)
	mustBe(t, err, ErrReadOnly)
}

func TestARejectionIsSignedByTheServicesLog(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	rejection := records.Rejection{Origin: "another", RecordID: newRecordID(noon), LeafHash: terms.HashOf([]byte("leaf")),
		Reason: records.PacketStale, InForce: newRecordID(noon), At: terms.InstantOf(noon)}
	signed := need(d.store.SignRejection(t.Context(), rejection))(t)
	encoded := need(d.store.Verifier(t.Context()))(t)
	verifier := need(note.NewVerifier(encoded))(t)
	opened := need(note.Open([]byte(signed), note.VerifierList(verifier)))(t)
	read, err := records.ReadRejection(opened.Text)
	rejection.Origin = verifier.Name()
	must(t, err)
	wantSame(t, "read", read, rejection)
	for name, change := range map[string]func(*records.Rejection){
		"no record": func(r *records.Rejection) { r.RecordID = "" },
		"no leaf":   func(r *records.Rejection) { r.LeafHash = terms.Hash{} },
		"no reason": func(r *records.Rejection) { r.Reason = 0 },
		"no time":   func(r *records.Rejection) { r.At = terms.Instant{} },
	} {
		broken := rejection
		change(&broken)
		if signed, err := d.store.SignRejection(t.Context(), broken); !errors.Is(err, records.ErrRejection) || signed != "" {
			t.Errorf("%s: %q, %v", name, signed, err)
		}
	}
}

func TestTheTablesOfAServiceAreAppendOnly(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	fillService(t, d)
	before := d.serviceRows()
	for _, table := range serviceTables() {
		for _, statement := range append(attacks(table.Name, d.columns(table.Name)), "DROP TABLE "+table.Name) {
			d.mustRefuse(d.writer(), statement)
			d.mustRefuse(d.reader(), statement)
		}
	}
	wantSame(t, "what is stored", d.serviceRows(), before)
	db := raw(t, d.store.Path())
	for _, table := range serviceTables() {
		for _, statement := range attacks(table.Name, d.columns(table.Name)) {
			d.mustRefuse(db, statement)
		}
	}
	wantSame(t, "what is stored", d.serviceRows(), before)
}

func TestABackupOfAServicesStoreIsOne(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	fillService(t, d)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, d.store.Backup(t.Context(), copied, nil))
	wantSame(t, "info.Mode().Perm()", need(os.Stat(copied))(t).Mode().Perm(), disk.FileMode)
	rows := d.serviceRows()
	d.close()
	d.store = openWith(t, Options{Path: copied, Service: true})
	wantSame(t, "rows", d.serviceRows(), rows)
}
