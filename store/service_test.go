package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/verify"
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
		wantNot(t, err != nil || !strings.HasPrefix(string(signed), meta.Origin+"\n"),
			"service %v: the checkpoint is %q, %v", service, signed, err)
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
		wantNot(t, strings.Contains(err.Error(), "service's") == false, "the advice is %v", err)
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

// A pair is a console and the service that it is bound to, which hold the same cases, case-1 to case-4. The service has registered
// the reviewer's first key.
type pair struct{ console, service *fixture }

func newPair(t *testing.T) pair {
	t.Helper()
	p := pair{newFixture(t), serviceFixture(t)}
	for _, side := range []*fixture{p.console, p.service} {
		side.take(side.mill.appealPolicy(1))
		side.takeCases("case-1", "case-2", "case-3", "case-4")
	}
	p.service.register()
	key := need(p.service.store.Verifier(t.Context()))(t)
	must(t, p.console.store.BindService(t.Context(), key))
	return p
}

// decide records a decision at the console, superseding what is in force there.
func (p *pair) decide(id terms.ID) Submission {
	d := p.console
	d.t.Helper()
	sub := d.submission(id, decision{outcome: terms.UpholdDecision, supersedes: d.caseFile(terms.AppealCases, id).InForce})
	need(d.store.Append(d.t.Context(), sub))(d.t)
	return sub
}

// push hands a record in and keeps the receipt.
func (p *pair) push(sub Submission) {
	p.console.t.Helper()
	taken := p.service.handIn(sub)
	must(p.console.t, p.console.store.KeepAcceptance(p.console.t.Context(), sub.Record.Members().RecordID, taken.receipt, taken.proof, []byte(taken.checkpoint)))
}

// pull keeps what the service states of the reviewer's keys.
func (p *pair) pull() error {
	p.console.t.Helper()
	list := need(p.service.store.Registrations(p.console.t.Context(), reviewerID))(p.console.t)
	return p.console.store.KeepRegistrations(p.console.t.Context(), list)
}

// waiting are the cases of the records that are to be handed in.
func (p *pair) waiting() (ids []terms.ID) {
	entries := need(p.console.store.NotHandedIn(p.console.t.Context(), -1, 100))(p.console.t)
	for i := range entries {
		logged := need(p.console.store.Record(p.console.t.Context(), entries[i].RecordID))(p.console.t)
		ids = append(ids, logged.Record.Members().Key.ID)
	}
	return ids
}

func (p *pair) registerKey(seed byte) {
	p.console.t.Helper()
	need(p.service.store.AddKey(p.console.t.Context(), reviewerID, signed.AuthorizedKey(newKey(p.console.t, seed).PublicKey())))(p.console.t)
}

func fingerprintOf(t *testing.T, seed byte) string {
	t.Helper()
	return ssh.FingerprintSHA256(newKey(t, seed).PublicKey())
}

func TestAConsoleLearnsWhatKeysTheServiceRevokedAndRegistered(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	d := p.console
	p.push(p.decide("case-1"))
	lost := p.decide("case-2")
	must(t, p.service.store.RevokeKey(t.Context(), reviewerID, fingerprintOf(t, 1)))
	wantKinds(t, "before the pull", proven(t, d.store))
	for range 2 {
		must(t, p.pull())
	}
	wantSame(t, "statements", len(need(d.store.LogStatements(t.Context()))(t)), 2)
	report, err := d.store.Verify(t.Context(), verify.Options{})
	wantNot(t, err != nil || !report.Sound() || !slices.Equal(report.NotInForce, []int64{1}),
		"%v, not in force %v, %v", report.Findings, report.NotInForce, err)
	wantKinds(t, "after the pull", report.Findings, verify.SignedAfterRevocation)
	d.wantInForce("case-2", "", false, true)
	if caseFile := d.caseFile(terms.AppealCases, "case-1"); !caseFile.InForce.Present() || caseFile.Rejected() != nil {
		t.Error("what the service received before is not in force")
	}
	mustBe(t, d.decideAgain("case-3"), ErrKeyRevoked)
	wantSame(t, "are to be handed in", len(p.waiting()), 0)
	tally := need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally.Waiting != 0 || tally.Revoked != 1 || tally.Accepted != 1, "%+v", tally)
	known, err := d.store.KeysOf(t.Context(), reviewerID)
	wantNot(t, err != nil || len(known) != 1 || !known[0].ByService, "%+v, %v", known, err)
	wantErr(t, "the service says", p.service.refusing(lost), ErrKeyRevoked)

	d.use(9)
	mustBe(t, d.decideAgain("case-2"), ErrKeyUnknown)
	p.registerKey(9)
	must(t, p.pull())
	p.push(p.decide("case-2"))
	p.push(p.decide("case-1"))
	wantKinds(t, "after all", append(proven(t, d.store), proven(t, p.service.store)...), verify.SignedAfterRevocation)
}

// A key that the service revoked states nothing more in the console's log; what it stated before stands.
func TestAKeyThatTheServiceRevokedEndorsesNoOther(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	d := p.console
	p.decide("case-1")
	must(t, d.state(records.KeyEndorsed, 1, 8, -1))
	must(t, p.service.store.RevokeKey(t.Context(), reviewerID, fingerprintOf(t, 1)))
	must(t, p.pull())
	mustBe(t, d.state(records.KeyEndorsed, 1, 9, -1), records.ErrRefused)
	d.use(8)
	wantErr(t, "with the key that was endorsed before", d.decideAgain("case-1"), nil)
	wantKinds(t, "afterwards", proven(t, d.store), verify.SignedAfterRevocation)
}

func TestARevocationThatTheServiceDidNotSignIsNotKept(t *testing.T) {
	t.Parallel()
	p, other := newPair(t), newPair(t)
	for _, side := range []pair{p, other} {
		must(t, side.service.store.RevokeKey(t.Context(), reviewerID, fingerprintOf(t, 1)))
	}
	foreign := need(other.service.store.Registrations(t.Context(), reviewerID))(t)
	mustBe(t, p.console.store.KeepRegistrations(t.Context(), foreign), records.ErrLogStatement)
	own := need(p.service.store.Registrations(t.Context(), reviewerID))(t)
	own[1].Text += "\n"
	mustBe(t, p.console.store.KeepRegistrations(t.Context(), own), records.ErrLogStatement)
	wantSame(t, "statements", len(need(p.console.store.LogStatements(t.Context()))(t)), 0)
}

// The key with which a record waits was lost before anybody registered it. The reviewer revokes it with the key that replaced it, and
// decides again.
func TestARecordThatWaitsUnderALostKeyIsDecidedAgainWithTheNewOne(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	d := p.console
	d.use(7)
	lost := p.decide("case-1")
	mustBe(t, p.service.refusing(lost), ErrKeyUnknown)
	d.use(9)
	must(t, d.state(records.KeyReplaced, 9, 9, -1))
	p.registerKey(9)
	must(t, p.pull())
	wantList(t, "wait", p.waiting(), []terms.ID{"case-1"})
	must(t, d.state(records.KeyRevoked, 9, 7, 0))
	d.wantInForce("case-1", "", false, true)
	wantSame(t, "are to be handed in", len(p.waiting()), 0)
	wantSame(t, "tally.Revoked", need(d.store.HandInTally(t.Context()))(t).Revoked, 1)
	again := p.decide("case-1")
	wantList(t, "wait", p.waiting(), []terms.ID{"case-1"})
	p.push(again)
	wantKinds(t, "afterwards", append(proven(t, d.store), proven(t, p.service.store)...), verify.SignedAfterRevocation)
	tally := need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally.Waiting != 0 || tally.Revoked != 0, "%+v", tally)
}

func TestTheOperatorSignsARevocationAtTheService(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	s := p.service
	p.registerKey(8)
	if err := s.store.RevokeKey(t.Context(), reviewerID, fingerprintOf(t, 8)); err != nil {
		t.Fatal("before an operator is named:", err)
	}
	s.use(5)
	s.clock = noon
	due := need(s.store.OperatorToName(t.Context()))(t)
	must(t, s.store.NameOperator(t.Context(), s.stated(due, nil)))
	if list, err := s.store.ServiceStatements(t.Context()); err != nil || len(list) != 1 || list[0].Text != s.stated(due, nil).Text {
		t.Errorf("of its operator the service states %v, %v", list, err)
	}
	mustBe(t, s.store.RevokeKey(t.Context(), reviewerID, fingerprintOf(t, 1)), records.ErrRefused)
	due, err := s.store.RevocationDue(t.Context(), reviewerID, fingerprintOf(t, 1))
	mustNot(t, err != nil || !due.PersonSigns() || due.KeyFingerprint != fingerprintOf(t, 5),
		"%+v, %v", due, err)
	sign := func(seed byte, change func(*records.LogStatement)) signed.Statement {
		stated := due
		if change != nil {
			change(&stated)
		}
		return signed.Statement{Text: stated.Text(), Signature: sign(t, newKey(t, seed), []byte(stated.Text()), records.LogStatementNamespace)}
	}
	for name, wrong := range map[string]signed.Statement{
		"by another key":       sign(6, nil),
		"as another's":         sign(6, func(l *records.LogStatement) { l.KeyFingerprint = fingerprintOf(t, 6) }),
		"by the log alone":     {Text: sign(5, func(l *records.LogStatement) { l.Found, l.KeyFingerprint = nil, fingerprintOf(t, 1) }).Text},
		"without a signature":  {Text: due.Text()},
		"from an earlier size": sign(5, func(l *records.LogStatement) { l.Key.From = -1 }),
	} {
		wantFailure(t, name, s.store.RevokeKeyAs(t.Context(), wrong))
	}
	must(t, s.store.RevokeKeyAs(t.Context(), sign(5, nil)))
	wantSame(t, "state", need(s.store.KeyState(t.Context(), reviewerID, fingerprintOf(t, 1)))(t), keys.Revoked)
	wantKinds(t, "the service", proven(t, s.store))

	// The console knows the operator from its first contact. A revocation that the log's key alone signed after that is refused.
	statements := need(s.store.LogStatements(t.Context()))(t)
	statements = slices.DeleteFunc(statements, func(s signed.Statement) bool {
		read, err := records.ReadLogStatement(s.Text)
		return err != nil || !read.AboutOperator()
	})
	need(p.console.store.KeepOperators(t.Context(), statements))(t)
	alone := due
	alone.Found, alone.KeyFingerprint, alone.At = nil, fingerprintOf(t, 1), terms.InstantOf(noon.Add(time.Minute))
	note := need(s.store.key.SignNote(alone.Text()))(t)
	forged := need(signed.Statement{Text: alone.Text()}.SignedByLog(note))(t)
	mustBe(t, p.console.store.KeepRegistrations(t.Context(), []signed.Statement{forged}), records.ErrLogStatement)
	must(t, p.pull())
	mustBe(t, p.console.decideAgain("case-1"), ErrKeyRevoked)
}

func TestAConsolesStoreHasNoStatementsOfAService(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	mustBe(t, errOf(d.store.Registrations(t.Context(), reviewerID)), ErrKind)
	mustBe(t, errOf(d.store.ServiceStatements(t.Context())), ErrKind)
}

// What is not signed registers nobody's key and erases nothing, and is given to those who ask for the statements all the same: they check them.
func TestOnlyStatementsThatAreSignedRegisterKeysAndErase(t *testing.T) {
	d, _ := erasingService(t)
	d.erase(textsOfCase1)
	var statements []signed.Statement
	err := d.store.reading(t.Context(), "read", func(ctx context.Context, tx engine.Tx) (err error) {
		statements, err = statementsOf(ctx, tx)
		return err
	})
	if err != nil || len(statements) != 3 { // the key, the operator and the erasure
		t.Fatal(len(statements), err)
	}
	for _, ok := range []bool{true, false} {
		r := &registrations{stated: map[terms.ID][]signed.Statement{}}
		for i, kept := range statements {
			read := need(records.ReadLogStatement(kept.Text))(t)
			r.add(&verify.OpenedStatement{Statement: read, OK: ok}, int64(i), kept)
		}
		wantKeys, wantErasures := statements[:1], []statedErasure{{textsOfCase1, 2, statements[2]}}
		if !ok {
			wantKeys, wantErasures = nil, nil
		}
		if !reflect.DeepEqual(r.stated[reviewerID], wantKeys) || !reflect.DeepEqual(r.erasures, wantErasures) || !reflect.DeepEqual(r.service, statements[1:2]) {
			t.Errorf("signed %v: %v, %v, %v", ok, r.stated, r.erasures, r.service)
		}
	}
	list, err := d.store.Registrations(t.Context(), reviewerID)
	wantNot(t, err != nil || !reflect.DeepEqual(list, statements[:1]),
		"registered: %v, %v", list, err)
	if list, err := d.store.Registrations(t.Context(), "rev-other"); err != nil || len(list) > 0 {
		t.Errorf("of another: %v, %v", list, err)
	}
	if list, err := d.store.ServiceStatements(t.Context()); err != nil || !reflect.DeepEqual(list, statements[1:2]) {
		t.Errorf("about the operator: %v, %v", list, err)
	}
	console := newFixture(t).store
	wantErr(t, "of a console", errOf(console.Registrations(t.Context(), reviewerID)), ErrKind)
}
