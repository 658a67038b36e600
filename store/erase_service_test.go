package store

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// textsOfCase1 is the erasure of the texts of the first revision of case-1.
var textsOfCase1 = records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedPrivateDetail}

// erasingService is a service with an operator, who is the fixture's reviewer, and with case-1, whose text holds a canary.
func erasingService(t *testing.T) (d *fixture, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "service.db")
	d = fixtureAt(t, openWith(t, Options{Path: path, Service: true, Now: func() time.Time { return noon }}))
	d.register()
	due := need(d.store.OperatorToName(t.Context()))(t)
	must(t, d.store.NameOperator(t.Context(), d.stated(due, nil)))
	evidence := members{"items": []string{"ev-1"}, "statement": "Some " + textCanary + " words."}
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1).with(members{"evidenceScope": evidence})), d.mill.appealCase(passing("case-2", 1)))
	return d, path
}

// consoleOf is a console that is bound to the service.
func consoleOf(t *testing.T, service *fixture) *fixture {
	t.Helper()
	d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return noon.Add(time.Second) }}))
	key := need(service.store.Verifier(t.Context()))(t)
	must(t, d.store.BindService(t.Context(), key))
	statements := need(service.store.ServiceStatements(t.Context()))(t)
	need(d.store.KeepOperators(t.Context(), statements))(t)
	return d
}

// pages are the packets and erasures after a cursor.
func pages(t *testing.T, service *fixture, after string) Page {
	t.Helper()
	page, err := service.store.Page(t.Context(), assignedRights, after, 9)
	if err != nil || page.More {
		t.Fatalf("more %v, %v", page.More, err)
	}
	return page
}

// read reads the packets of a page.
func (p *Page) read(t *testing.T) (list []packets.Packet) {
	t.Helper()
	var reader packets.Reader
	for _, document := range p.Packets {
		packet := need(reader.ReadStored(document))(t)
		list = append(list, packet)
	}
	return list
}

func TestAServiceLeavesNoErasedByteAndOnlyItsOperatorErases(t *testing.T) {
	t.Parallel()
	service, path := erasingService(t)
	other := service.reviewer
	other.KeyFingerprint = "SHA256:other"
	wantErr(t, "another key", errOf(service.store.PlanErasure(t.Context(), textsOfCase1, other)), records.ErrRefused)
	before := filepath.Join(t.TempDir(), "before.db")
	must(t, service.store.Backup(t.Context(), before, nil))
	if !bytes.Contains(rawBytes(t, before), []byte(textCanary)) {
		t.Fatal("the text was not written")
	}
	service.erase(textsOfCase1)
	must(t, service.store.Scrub(t.Context()))
	after := filepath.Join(t.TempDir(), "after.db")
	must(t, service.store.Backup(t.Context(), after, nil))
	for _, file := range []string{path, after} {
		if bytes.Contains(rawBytes(t, file), []byte(textCanary)) {
			t.Errorf("it is left in %s or beside it", filepath.Base(file))
		}
	}
	wantKinds(t, "afterwards", proven(t, service.store))
}

// A console that never had the texts takes the packet as erased, with the statement of the service.
func TestAConsoleTakesWhatTheServiceErasedAsErased(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	page := pages(t, service, "")
	if len(page.Erasures) != 1 {
		t.Fatalf("%d erasures", len(page.Erasures))
	}
	console := consoleOf(t, service)
	list := page.read(t)
	wantSame(t, "without the statement", console.importing(list...)[1], Conflict)
	for range 2 {
		must(t, console.store.KeepErasures(t.Context(), page.Erasures))
	}
	if got := console.importing(list...); got[1] != Imported || got[2] != Unchanged {
		t.Errorf("with the statement: %v", got)
	}
	shown := console.caseFile(terms.AppealCases, "case-1")
	if !strings.Contains(string(shown.View.Document()), "[erased on 2026-03-01, private detail]") {
		t.Errorf("it is shown as %s", shown.View.Document())
	}
	wantFailure(t, "a pass may be recorded", records.MayRecord(&shown.View, console.reviewer, 0))
	console.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}})
	if left, err := console.store.ErasedElsewhere(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%v is said to be here, %v", left, err)
	}
	if plan, err := console.store.PlanErasure(t.Context(), textsOfCase1, console.reviewer); err != nil || plan.Before == nil {
		t.Errorf("it could be erased once more: %+v, %v", plan, err)
	}
	wantKinds(t, "afterwards", proven(t, console.store))
}

// What a console has stays until somebody erases it there, and every check says so until then.
func TestAConsoleIsToldWhatTheServiceErasedAndErasesItItself(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	first := pages(t, service, "")
	console := consoleOf(t, service)
	console.importing(first.read(t)...)
	passed := console.record("case-1", decision{outcome: terms.UpholdDecision})
	service.erase(textsOfCase1)
	next := pages(t, service, first.Cursor)
	if len(next.Erasures) != 1 || len(next.Packets) != 0 {
		t.Fatalf("%d erasures, %d packets", len(next.Erasures), len(next.Packets))
	}
	wantSame(t, "an erasure comes twice", len(pages(t, service, next.Cursor).Erasures), 0)
	must(t, console.store.KeepErasures(t.Context(), next.Erasures))
	wantKinds(t, "before it is erased here", proven(t, console.store))
	left, err := console.store.ErasedElsewhere(t.Context())
	if err != nil || len(left) != 1 {
		t.Fatalf("%v, %v", left, err)
	}
	if shown := console.caseFile(terms.AppealCases, "case-1"); !strings.Contains(string(shown.View.Document()), textCanary) {
		t.Error("the text went by itself")
	}
	console.erase(textsOfCase1)
	if left, err := console.store.ErasedElsewhere(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("after it was erased here: %v, %v", left, err)
	}
	console.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.ScopeMissing}, supersedes: passed.RecordID})
	wantKinds(t, "afterwards", proven(t, console.store))
}

// The statement of the service excuses texts that never came, and nothing that the console had.
func TestTheStatementOfTheServiceHidesNoDeletionAtTheConsole(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	first := pages(t, service, "")
	console := consoleOf(t, service)
	path := console.store.Path()
	console.importing(first.read(t)...)
	console.record("case-1", decision{outcome: terms.UpholdDecision})
	service.erase(textsOfCase1)
	page := pages(t, service, "")
	must(t, console.store.KeepErasures(t.Context(), page.Erasures))
	console.close()
	withoutTriggers(t, path, textsTable, "DELETE FROM docket_packet_texts")
	withoutTriggers(t, path, saltsTable, "DELETE FROM docket_packet_salts")
	codes := map[verify.Code]bool{}
	for _, f := range proven(t, openWith(t, Options{Path: path, Existing: true, Now: func() time.Time { return noon.Add(time.Minute) }})) {
		codes[f.Code] = true
	}
	if !codes[verify.PassAfterErasure] || !codes[verify.SaltMissing] {
		t.Errorf("%v", codes)
	}
}

func TestAStatementThatTheServiceDidNotSignErasesNothing(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	page := pages(t, service, "")
	console := consoleOf(t, service)
	own := signed.Statement{Text: page.Erasures[0].Text, Signature: page.Erasures[0].Signature, LogSignature: []byte("— x AAAA\n")}
	bare := own
	bare.LogSignature = nil
	other, _ := erasingService(t)
	other.erase(textsOfCase1)
	for name, statement := range map[string]signed.Statement{"forged": own, "unsigned": bare, "of another service": pages(t, other, "").Erasures[0]} {
		wantErr(t, name, console.store.KeepErasures(t.Context(), []signed.Statement{statement}), records.ErrLogStatement)
	}
	reader := newKey(t, 9)
	need(service.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(reader.PublicKey())))(t)
	registered := need(service.store.Registrations(t.Context(), reviewerID))(t)
	wantErr(t, "another kind", console.store.KeepErasures(t.Context(), registered), records.ErrLogStatement)

	wantSame(t, "got[1]", console.importing(page.read(t)...)[1], Conflict)
}

// Who may not see a case learns nothing of its erasure; who is given it later gets the statement with the packet.
func TestAnErasureComesToThoseWhoMaySeeTheCase(t *testing.T) {
	t.Parallel()
	service, _ := erasingService(t)
	service.erase(textsOfCase1)
	other := Permissions{ID: "rev-other", Role: terms.NeutralReviewer}
	page, err := service.store.Page(t.Context(), other, "", 9)
	if err != nil || len(page.Erasures) != 0 || len(page.Packets) != 1 {
		t.Fatalf("%d erasures, %d packets, %v", len(page.Erasures), len(page.Packets), err)
	}
	service.take(service.mill.appealCase(passing("case-1", 2).with(members{"neutralReview": review("rev-other")})))
	page, err = service.store.Page(t.Context(), other, page.Cursor, 9)
	if err != nil || len(page.Erasures) != 1 || len(page.Packets) != 2 {
		t.Errorf("%d erasures, %d packets, %v", len(page.Erasures), len(page.Packets), err)
	}
	alone := need(service.store.Packet(t.Context(), other, "case-1"))(t)
	wantSame(t, "erasures", len(alone.Erasures), 1)
}
