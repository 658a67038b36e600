package store

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/crypto/ssh"
)

// acknowledged hands a record in and returns what proves that it was taken.
func (d *fixture) acknowledged(sub Submission) *Acknowledgment {
	d.t.Helper()
	taken := d.handIn(sub)
	return &Acknowledgment{Receipt: taken.receipt, Proof: taken.proof, Checkpoint: []byte(taken.checkpoint)}
}

// setback is a service that was restored to its first record, with the records that it took after that and lost.
func setback(t *testing.T) (d *fixture, kept Submission, lost []Submission) {
	t.Helper()
	folder := t.TempDir()
	o := Options{Path: filepath.Join(folder, "service.db"), AnchorFolder: filepath.Join(folder, "anchors"), Service: true, Now: func() time.Time { return noon }}
	d = fixtureAt(t, openWith(t, o))
	d.register()
	d.take(d.mill.appealPolicy(1))
	for _, id := range []string{"case-1", "case-2", "case-3"} {
		d.take(d.mill.appealCase(passing(id, 1)))
	}
	kept = d.judged("case-1", decision{})
	kept.Acknowledged = d.acknowledged(kept)
	backup := d.backup()
	for _, id := range []terms.ID{"case-2", "case-3"} {
		sub := d.judged(id, decision{})
		sub.Acknowledged = d.acknowledged(sub)
		lost = append(lost, sub)
	}
	d.lost(false)
	d.restored(backup, o)
	return d, kept, lost
}

func TestARecordThatARestoreLostIsTakenAsItWasAcknowledged(t *testing.T) {
	t.Parallel()
	d, kept, lost := setback(t)
	if again := d.handIn(kept); !again.again || again.checkpoint != string(kept.Acknowledged.Checkpoint) {
		t.Errorf("what was restored is not known: %+v", again)
	}
	d.take(d.mill.appealCase(passing("case-2", 2)))
	again := lost[0]
	again.Acknowledged = nil
	var stale *records.StaleError
	if err := d.refusing(again); !errors.As(err, &stale) {
		t.Errorf("judged for now: %v", err)
	}
	// The order in which they come back does not matter.
	for i, sub := range []Submission{lost[1], lost[0]} {
		if taken := d.handIn(sub); taken.again || taken.receipt.Sequence != int64(1+i) {
			t.Errorf("%+v", taken)
		}
		if taken := d.handIn(sub); !taken.again || taken.receipt.Sequence != int64(1+i) {
			t.Errorf("once more: %+v", taken)
		}
	}
	if list := proven(t, d.store); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

func TestOnlyAProvenReceiptOfTheLostRecordCounts(t *testing.T) {
	t.Parallel()
	d, kept, lost := setback(t)
	other, _, _ := setback(t)
	strange := other.judged("case-2", decision{})
	strange.Acknowledged = other.acknowledged(strange)
	for name, forge := range map[string]func(*Acknowledgment){
		"another record's": func(a *Acknowledgment) { *a = *lost[1].Acknowledged },
		"another record's, in this one's name": func(a *Acknowledgment) {
			mine := a.Receipt
			*a = *lost[1].Acknowledged
			a.Receipt.RecordID, a.Receipt.LeafHash = mine.RecordID, mine.LeafHash
		},
		"of a place that was restored": func(a *Acknowledgment) {
			mine := a.Receipt
			*a = *kept.Acknowledged
			a.Receipt.RecordID, a.Receipt.LeafHash = mine.RecordID, mine.LeafHash
		},
		"without a proof":            func(a *Acknowledgment) { a.Proof = nil },
		"with a longer proof":        func(a *Acknowledgment) { a.Proof = append(slices.Clone(a.Proof), a.Receipt.Root) },
		"with another root":          func(a *Acknowledgment) { a.Receipt.Root = terms.HashOf(nil) },
		"with another size":          func(a *Acknowledgment) { a.Receipt.TreeSize, a.Receipt.Sequence = 9, 8 },
		"with a changed checkpoint":  func(a *Acknowledgment) { a.Checkpoint = append(slices.Clone(a.Checkpoint), '\n') },
		"without a checkpoint":       func(a *Acknowledgment) { a.Checkpoint = nil },
		"of another service's log":   func(a *Acknowledgment) { a.Checkpoint = strange.Acknowledged.Checkpoint },
		"of a place before all logs": func(a *Acknowledgment) { a.Receipt.TreeSize, a.Receipt.Sequence = 0, -1 },
	} {
		sub := lost[0]
		given := *sub.Acknowledged
		forge(&given)
		sub.Acknowledged = &given
		if err := d.refusing(sub); !errors.Is(err, ErrSetback) || errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A receipt of the log as it is now is no reason to take a record without judging it.
	sub := lost[0]
	given := *sub.Acknowledged
	given.Checkpoint = d.checkpoint()
	sub.Acknowledged = &given
	d.take(d.mill.appealCase(passing("case-2", 2)))
	var stale *records.StaleError
	if err := d.refusing(sub); !errors.As(err, &stale) {
		t.Errorf("%v", err)
	}
}

// What builds on something that is not back yet, or in whose place something else was recorded, waits. It is not rejected.
func TestALostRecordWaitsForItsPlace(t *testing.T) {
	t.Parallel()
	d, _, lost := setback(t)
	d.handIn(d.judged("case-2", decision{}))
	if err := d.refusing(lost[0]); !errors.Is(err, ErrSetback) || errors.Is(err, records.ErrRefused) {
		t.Errorf("%v", err)
	}
	if taken := d.handIn(lost[1]); taken.again {
		t.Errorf("%+v", taken)
	}
	if list := proven(t, d.store); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

const (
	firstService  = records.ServiceOriginPrefix + "00000000000000000000000000000000"
	secondService = records.ServiceOriginPrefix + "11111111111111111111111111111111"
	thirdService  = records.ServiceOriginPrefix + "22222222222222222222222222222222"
)

// operated is a service's log, with an operator where one is named.
func operated(t *testing.T, operator terms.ID) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	l.Says.Origin = firstService
	l.NewStoreKey("service")
	if operator != "" {
		l.Name(operator)
	}
	return l
}

func TestAConsoleFollowsTheRestoresOfItsService(t *testing.T) {
	t.Parallel()
	const operator, stranger = terms.ID("operator-1"), terms.ID("stranger")
	quiet := func(l *verifytest.Log) { l.Says.Statements[len(l.Says.Statements)-1].LogSignature = nil }
	for name, c := range map[string]struct {
		known   terms.ID
		then    func(l *verifytest.Log)
		follows int // restores and changes of the operator; -1: not at all
	}{
		"changed by the operator": {operator, func(l *verifytest.Log) { l.Change(operator, "operator-2") }, 1},
		"restored by the next operator": {operator, func(l *verifytest.Log) {
			l.Change(operator, "operator-2")
			l.Restore(0, secondService, "operator-2", nil)
			quiet(l)
		}, 2},
		"restored by the operator before": {operator, func(l *verifytest.Log) {
			l.Change(operator, "operator-2")
			l.Restore(0, secondService, operator, nil)
		}, -1},
		"changed by another":                 {operator, func(l *verifytest.Log) { l.Change(stranger, "operator-2") }, -1},
		"replaced with the log's key":        {operator, func(l *verifytest.Log) { l.Replace(operator, stranger) }, -1},
		"replaced where none was known":      {"", func(l *verifytest.Log) { l.Replace(operator, stranger) }, -1},
		"signed with the log's key":          {"", func(l *verifytest.Log) { l.Restore(0, secondService, stranger, nil) }, 1},
		"signed by nobody whom it knows":     {"", func(l *verifytest.Log) { l.Restore(0, secondService, stranger, nil); quiet(l) }, -1},
		"signed by the operator":             {operator, func(l *verifytest.Log) { l.Restore(0, secondService, operator, nil); quiet(l) }, 1},
		"signed by another with the log key": {operator, func(l *verifytest.Log) { l.Restore(0, secondService, stranger, nil) }, -1},
		"without the statement of the operator": {operator, func(l *verifytest.Log) {
			l.Says.Statements = nil
			l.Restore(0, secondService, stranger, nil)
		}, -1},
		"twice": {operator, func(l *verifytest.Log) {
			l.Restore(0, secondService, operator, nil)
			l.Restore(0, thirdService, operator, nil)
		}, 2},
		"with the first statement gone": {operator, func(l *verifytest.Log) {
			l.Restore(0, secondService, operator, nil)
			l.Says.Statements = l.Says.Statements[:1]
			l.Restore(0, thirdService, operator, nil)
		}, -1},
		"with an edited statement": {operator, func(l *verifytest.Log) {
			l.Restore(0, secondService, operator, nil)
			l.Says.Statements[1].Text += "anchor 9 sha256:0000000000000000000000000000000000000000000000000000000000000000\n"
		}, -1},
		"not at all": {operator, func(*verifytest.Log) {}, 0},
		"to a log without a reason": {operator, func(l *verifytest.Log) {
			l.Says.VerifierKeys = operated(t, "").Says.VerifierKeys
			l.NewStoreKey("other")
		}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			d, l := newFixture(t), operated(t, c.known)
			first := l.Says.VerifierKeys[0]
			if err := d.store.BindService(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			if followed, err := d.store.FollowService(t.Context(), first, l.Says.Statements, ""); err != nil || len(followed) != 0 {
				t.Fatal(followed, err)
			}
			c.then(l)
			newest := l.Says.VerifierKeys[0]
			followed, err := d.store.FollowService(t.Context(), newest, l.Says.Statements, "")
			bound, failed := d.store.Service(t.Context())
			if failed != nil {
				t.Fatal(failed)
			}
			if c.follows < 0 {
				if !errors.Is(err, ErrOtherService) || bound != first {
					t.Errorf("%v, bound to %s", err, bound)
				}
				return
			}
			if err != nil || len(followed) != c.follows || bound != newest {
				t.Errorf("%d followed, bound to %s, %v", len(followed), bound, err)
			}
			if again, err := d.store.FollowService(t.Context(), newest, l.Says.Statements, ""); err != nil || len(again) != 0 {
				t.Errorf("again: %d, %v", len(again), err)
			}
			if list := proven(t, d.store); len(list) > 0 {
				t.Errorf("%v", list)
			}
		})
	}
}

// An operator who took the place of one whose key is lost is followed by a console only where a person compared the key.
func TestAnOperatorInThePlaceOfAnotherIsFollowedOnlyWhenAPersonSaysSo(t *testing.T) {
	t.Parallel()
	const operator, next = terms.ID("operator-1"), terms.ID("operator-2")
	d, l := newFixture(t), operated(t, operator)
	first := l.Says.VerifierKeys[0]
	if err := d.store.BindService(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if _, err := d.store.FollowService(t.Context(), first, l.Says.Statements, ""); err != nil {
		t.Fatal(err)
	}
	l.Replace(operator, next)
	l.Restore(0, secondService, next, nil)
	newest, fingerprint := l.Says.VerifierKeys[0], ssh.FingerprintSHA256(verifytest.Key(string(next)).PublicKey())
	for _, accepted := range []string{"", "SHA256:other", ssh.FingerprintSHA256(verifytest.Key(string(operator)).PublicKey())} {
		_, err := d.store.FollowService(t.Context(), newest, l.Says.Statements, accepted)
		if !errors.Is(err, ErrOtherOperator) || !strings.Contains(err.Error(), "--operator "+fingerprint) {
			t.Errorf("%q: %v", accepted, err)
		}
	}
	if followed, err := d.store.FollowService(t.Context(), newest, l.Says.Statements, fingerprint); err != nil || len(followed) != 2 {
		t.Errorf("%d followed, %v", len(followed), err)
	}
	if followed, err := d.store.FollowService(t.Context(), newest, l.Says.Statements, ""); err != nil || len(followed) != 0 {
		t.Errorf("again: %d followed, %v", len(followed), err)
	}
	if list := proven(t, d.store); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

// At the service the operator names the next one; another person only takes the place of one whose key is lost, which every check names.
func TestTheOperatorsKeyCanBeChanged(t *testing.T) {
	t.Parallel()
	d, _ := erasingService(t)
	other := newKey(t, 2)
	fingerprint := ssh.FingerprintSHA256(other.PublicKey())
	next := *d
	next.key, next.reviewer = other, records.Reviewer{ID: "operator-2", Role: terms.NeutralReviewer, KeyFingerprint: fingerprint}
	due, err := d.store.OperatorToChange(t.Context(), "operator-2", fingerprint)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.store.NameOperator(t.Context(), next.stated(due, nil)); !errors.Is(err, records.ErrRefused) {
		t.Errorf("another person changes the operator: %v", err)
	}
	if err := d.store.NameOperator(t.Context(), d.stated(due, nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.store.PlanErasure(t.Context(), textsOfCase1, d.reviewer); !errors.Is(err, records.ErrRefused) {
		t.Errorf("the operator before erases: %v", err)
	}
	if _, err := d.store.PlanErasure(t.Context(), textsOfCase1, next.reviewer); err != nil {
		t.Errorf("the operator does not erase: %v", err)
	}
	if due, err = d.store.OperatorToReplace(t.Context()); err != nil || due.Found[0] != fingerprint {
		t.Fatalf("%v, %v", due.Found, err)
	}
	stale := due
	stale.Found = []string{d.reviewer.KeyFingerprint}
	if err := d.store.NameOperator(t.Context(), d.stated(stale, nil)); !errors.Is(err, records.ErrRefused) {
		t.Errorf("in the place of one who is no operator: %v", err)
	}
	if err := d.store.NameOperator(t.Context(), d.stated(due, nil)); err != nil {
		t.Fatal(err)
	}
	report, err := d.store.Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Fatalf("%v, %v", report.Findings, err)
	}
	if named := report.Accepted[len(report.Accepted)-1].Sentence(); !strings.Contains(named, "only the log's key vouches") {
		t.Error(named)
	}
	backup := d.backup()
	r, err := PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: filepath.Join(t.TempDir(), "again.db"), Reason: records.StoreLost})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Operator != d.reviewer.KeyFingerprint {
		t.Errorf("a restore asks for %s", r.Operator)
	}
	if err := r.Make(t.Context(), next.stated(r.Statement, nil)); !errors.Is(err, records.ErrRefused) {
		t.Errorf("the operator before restores: %v", err)
	}
}

// What a restore of the service lost is to be handed in again, with its receipt; what was restored stays accepted.
func TestWhatARestoreOfTheServiceLostWaitsAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	list := []records.Enforcement{d.decided("case-1", ""), d.decided("case-2", "")}
	d.accepted(s, list[0])
	d.accepted(s, list[1])
	statement := records.LogStatement{Kind: records.LogRestored, Origin: s.log.Origin, Size: 1, Root: terms.HashOf(nil), Restore: records.Restore{
		OldKey: s.key, NewKey: verifytestKey(t), Reason: records.StoreLost}}
	kept := d.stated(statement, nil)
	written, err := s.log.SignNote(kept.Text)
	if err == nil {
		kept, err = kept.SignedByLog(written)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.store.FollowService(t.Context(), statement.Restore.NewKey, []signed.Statement{kept}, ""); err != nil {
		t.Fatal(err)
	}
	entries, err := d.store.NotHandedIn(t.Context(), -1, 9)
	if err != nil || len(entries) != 1 || entries[0].Sequence != 1 {
		t.Fatalf("%d wait, %v", len(entries), err)
	}
	for sequence, want := range []bool{false, true} {
		given, lost, err := d.store.Lost(t.Context(), int64(sequence))
		if err != nil || lost != want || lost && given.Receipt.RecordID != list[1].Members().RecordID {
			t.Errorf("record %d: %+v, %v, %v", sequence, given, lost, err)
		}
	}
	if tally, err := d.store.HandInTally(t.Context()); err != nil || tally.Waiting != 1 || tally.Accepted != 1 || tally.Service != secondService {
		t.Errorf("%+v, %v", tally, err)
	}
	logged, err := d.store.Record(t.Context(), list[1].Members().RecordID)
	if err != nil || logged.HandIn.State != records.NotHandedIn {
		t.Errorf("%+v, %v", logged.HandIn, err)
	}
	if found := proven(t, d.store); len(found) > 0 {
		t.Errorf("%v", found)
	}
	path := d.store.Path()
	d.close()
	for name, edit := range map[string]string{
		"the size":          "UPDATE docket_handin_statements SET size = 2",
		"the log that ends": "UPDATE docket_handin_statements SET ended = 'x'",
		"the statement":     "UPDATE docket_handin_statements SET statement = replace(statement, 'store_lost', 'key_lost')",
		"the signature":     "UPDATE docket_handin_statements SET logSignature = ''",
		"a statement more":  "INSERT INTO docket_handin_statements SELECT 1, ended, size, statement, signature, logSignature, keptAt FROM docket_handin_statements",
		"the receipt's log": "UPDATE docket_handin_acceptances SET origin = 'x'",
		"the proof":         "UPDATE docket_handin_acceptances SET proof = 'x'",
	} {
		forged := copied(t, path, "")
		forge(t, forged, edit)
		s := openAt(t, forged, noon)
		if _, err := s.Verify(t.Context(), verify.Options{Depth: verify.Storage}); err != nil {
			t.Fatal(err)
		}
		list := slices.DeleteFunc(s.Findings(), func(f verify.Finding) bool { return f.Code == verify.SchemaAltered })
		if len(list) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

// verifytestKey is the verifier key of a service's log.
func verifytestKey(t *testing.T) string {
	l := operated(t, "")
	l.Says.Origin = secondService
	l.NewStoreKey("second")
	return l.Says.VerifierKeys[0]
}
