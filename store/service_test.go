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
	drawn := map[string]bool{}
	for service, prefix := range map[bool]string{true: records.ServiceOriginPrefix, false: records.OriginPrefix} {
		s := openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Service: service})
		origin := need(s.Head(t.Context()))(t).Origin
		random, begins := strings.CutPrefix(origin, prefix)
		wantNot(t, !begins || len(random) != 32 || drawn[random] || records.OfService(origin) != service,
			"service %v: origin %q", service, origin)
		drawn[random] = true
		wantSame(t, origin, need(s.OfService(t.Context()))(t), service)
		// An empty log has a checkpoint, too.
		signed := string(need(s.Checkpoint(t.Context()))(t))
		wantNot(t, !strings.HasPrefix(signed, origin+"\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"),
			"service %v: the checkpoint is %q", service, signed)
	}
}

func TestAConsolesStoreIsNoServices(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	for _, readOnly := range []bool{false, true} {
		err := openFailing(t, Options{Path: d.store.Path(), Service: true, ReadOnly: readOnly})
		mustBe(t, err, ErrKind)
		problem := as[*Problem](t, err)
		wantNot(t, problem.Advice == "" || problem.Path != d.store.Path(), "%v", err)
	}
	mustBe(t, errOf(d.submit(d.judged("case-1", decision{}))), ErrKind)
	mustBe(t, d.store.AddToken(t.Context(), aToken("t", 1)), ErrKind)
	mustBe(t, d.store.RevokeToken(t.Context(), "t"), ErrKind)
	mustBe(t, errOf(d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(d.key.PublicKey()))), ErrKind)
	mustBe(t, d.store.RevokeKey(t.Context(), reviewerID, d.reviewer.KeyFingerprint), ErrKind)
	mustBe(t, errOf(d.store.SignRejection(t.Context(), records.Rejection{})), ErrKind)
	mustBe(t, errOf(d.store.Registrations(t.Context(), reviewerID)), ErrKind)
	mustBe(t, errOf(d.store.ServiceStatements(t.Context())), ErrKind)
	mustBe(t, errOf(d.store.Feed(t.Context(), overseer, About{}, "", 5)), ErrKind)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 0)
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
		mustBe(t, d.bind(newService(t, "").key), ErrKind)
		mustBe(t, errOf(d.store.KeepReassigned(t.Context(), given("case-1", 2), false)), ErrKind)
		_, err := d.store.Append(t.Context(), sub)
		mustBe(t, err, ErrKind)
		wantNot(t, strings.Contains(err.Error(), "service's") == false, "the advice is %v", err)
		d.close()
	}
	d.store = openWith(t, Options{Path: path, ReadOnly: true})
	wantSame(t, "rows", len(need(queueOf(t.Context(), d.store, terms.Appeals, terms.InstantOf(noon), ""))(t)), 3)
	mustBe(t, errOf(d.submit(sub)), ErrReadOnly)
}

func TestARejectionIsSignedByTheServicesLog(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	rejection := records.Rejection{Origin: "another", RecordID: newRecordID(noon), Digest: terms.HashOf([]byte("record")),
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
		"no digest": func(r *records.Rejection) { r.Digest = terms.Hash{} },
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

func TestABackupOfAServicesStoreIsOne(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	ofFile(t, d.store.Path())
	fillService(t, d)
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, d.store.Backup(t.Context(), copied, nil))
	wantSame(t, "info.Mode().Perm()", need(os.Stat(copied))(t).Mode().Perm(), disk.FileMode)
	rows := rowsOfAll(t, d.store)
	d.close()
	wantList(t, "they differ in", differing(rows, rowsOfAll(t, openWith(t, Options{Path: copied, Service: true}))), nil)
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
	must(t, p.console.bind(need(p.service.store.Verifier(t.Context()))(t)))
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

func (p *pair) pull() error {
	p.console.t.Helper()
	list := need(p.service.store.Registrations(p.console.t.Context(), reviewerID))(p.console.t)
	return p.console.store.KeepRegistrations(p.console.t.Context(), list)
}

func (p *pair) registerKey(seed byte) {
	p.console.t.Helper()
	need(p.service.store.AddKey(p.console.t.Context(), reviewerID, signed.AuthorizedKey(newKey(p.console.t, seed).PublicKey())))(p.console.t)
}

func fingerprintOf(t *testing.T, seed byte) string {
	t.Helper()
	return ssh.FingerprintSHA256(newKey(t, seed).PublicKey())
}

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
	wantSame(t, "statements with the one that names the service", len(need(p.console.store.LogStatements(t.Context()))(t)), 1)
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
	due = need(s.store.RevocationDue(t.Context(), reviewerID, fingerprintOf(t, 1)))(t)
	mustNot(t, !due.PersonSigns() || due.KeyFingerprint != fingerprintOf(t, 5), "%+v", due)
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
		l := &statedLog{list: statements, places: []int64{0, 1, 2}, ring: keys.New(true)}
		for _, kept := range statements {
			l.opened = append(l.opened, verify.OpenedStatement{Statement: need(records.ReadLogStatement(kept.Text))(t), OK: ok})
		}
		l.read()
		erased, _ := l.opened[2].Statement.Erasure()
		wantKeys, wantErasures := statements[:1], []statedErasure{{erased, 2, statements[2]}}
		if !ok {
			wantKeys, wantErasures = nil, nil
		}
		wantNot(t, !reflect.DeepEqual(l.aboutKeys(reviewerID), wantKeys) || !reflect.DeepEqual(l.erasures, wantErasures) ||
			!reflect.DeepEqual(l.service, statements[1:2]), "signed %v: %v, %v, %v", ok, l.aboutKeys(reviewerID), l.erasures, l.service)
	}
	list := need(d.store.Registrations(t.Context(), reviewerID))(t)
	wantNot(t, !reflect.DeepEqual(list, statements[:1]), "registered: %v", list)
	if list, err := d.store.Registrations(t.Context(), "rev-other"); err != nil || len(list) > 0 {
		t.Errorf("of another: %v, %v", list, err)
	}
	list = need(d.store.ServiceStatements(t.Context()))(t)
	wantNot(t, !reflect.DeepEqual(list, statements[1:2]), "about the operator: %v", list)
}
