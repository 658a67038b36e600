package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	_, err = d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(d.key.PublicKey()))
	mustBe(t, err, ErrKind)
	mustBe(t, d.store.RevokeKey(t.Context(), reviewerID, d.reviewer.KeyFingerprint), ErrKind)
	_, err = d.store.SignRejection(t.Context(), records.Rejection{})
	mustBe(t, err, ErrKind)
	if head, err := d.store.Head(t.Context()); err != nil || head.Size != 0 {
		t.Errorf("the log has %d records, %v", head.Size, err)
	}
}

func TestAServicesStoreTakesPacketsAndIsLookedAtByWhoeverOpensIt(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	path := d.store.Path()
	sub := d.judged("case-1", decision{})
	d.close()
	for _, o := range []Options{{Path: path}, {Path: path, Service: true}} {
		d.store = openWith(t, o)
		d.store.options.Now = func() time.Time { return noon }
		d.take(d.mill.appealCase(passing("case-of-"+map[bool]string{true: "service", false: "import"}[o.Service], 1)))
		_, err := d.store.Append(t.Context(), sub)
		mustBe(t, err, ErrKind)
		if strings.Contains(err.Error(), "service's") == false {
			t.Errorf("the advice is %v", err)
		}
		d.close()
	}
	d.store = openWith(t, Options{Path: path, ReadOnly: true})
	if rows, err := queueOf(t.Context(), d.store, terms.Appeals, terms.InstantOf(noon), ""); err != nil || len(rows) != 3 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
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
	if err != nil || read != rejection {
		t.Errorf("read %+v, %v", read, err)
	}
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
	if after := d.serviceRows(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	o := d.store.options
	columns := map[string][]string{}
	for _, table := range serviceTables() {
		columns[table.Name] = d.columns(table.Name)
	}
	d.close()
	for _, table := range serviceTables() {
		for _, statement := range attacks(table.Name, columns[table.Name]) {
			if err := withoutAuthorizer(t, o.Path, statement); err == nil {
				t.Errorf("done: %s", statement)
			}
		}
	}
	d.store = openWith(t, o)
	if after := d.serviceRows(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestABackupOfAServicesStoreIsOne(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	fillService(t, d)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, d.store.Backup(t.Context(), copied, nil))
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != disk.FileMode {
		t.Errorf("%v, %v", info, err)
	}
	rows := d.serviceRows()
	d.close()
	d.store = openWith(t, Options{Path: copied, Service: true})
	if d.serviceRows() != rows {
		t.Error("it holds something else")
	}
}
