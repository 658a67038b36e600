package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/crypto/ssh"
)

func (d *fixture) acknowledged(sub Submission) *Acknowledgment {
	d.t.Helper()
	taken := d.handIn(sub)
	return &taken.Acknowledgment
}

// setback is a service that was restored to its first record, with the records that it took after that and lost.
func setback(t *testing.T) (d *fixture, kept Submission, lost []Submission) {
	t.Helper()
	d = serviceFixture(t)
	o := d.store.options
	d.register()
	d.take(d.mill.appealPolicy(1))
	d.takeCases("case-1", "case-2", "case-3")
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
	if again := d.handIn(kept); !again.Again || !bytes.Equal(again.Checkpoint, kept.Acknowledged.Checkpoint) {
		t.Errorf("what was restored is not known: %+v", again)
	}
	d.take(d.mill.appealCase(passing("case-2", 2)))
	again := lost[0]
	again.Acknowledged = nil
	as[*records.StaleError](t, d.refusing(again))
	// The order in which they come back does not matter.
	size := need(d.store.Head(t.Context()))(t).Size
	for i, sub := range []Submission{lost[1], lost[0]} {
		taken := d.handIn(sub)
		wantNot(t, taken.Again || taken.Receipt.Sequence != size+int64(i), "%+v", taken)
		taken = d.handIn(sub)
		wantNot(t, !taken.Again || taken.Receipt.Sequence != size+int64(i), "once more: %+v", taken)
	}
	wantKinds(t, "afterwards", proven(t, d.store))
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
	as[*records.StaleError](t, d.refusing(sub))
}

// What builds on something that is not back yet, or in whose place something else was recorded, waits. It is not rejected.
func TestALostRecordWaitsForItsPlace(t *testing.T) {
	t.Parallel()
	d, _, lost := setback(t)
	d.handIn(d.judged("case-2", decision{}))
	err := d.refusing(lost[0])
	wantNot(t, !errors.Is(err, ErrSetback) || errors.Is(err, records.ErrRefused), "%v", err)
	taken := d.handIn(lost[1])
	wantNot(t, taken.Again, "%+v", taken)
	wantKinds(t, "afterwards", proven(t, d.store))
}

const (
	firstService  = records.ServiceOriginPrefix + "00000000000000000000000000000000"
	secondService = records.ServiceOriginPrefix + "11111111111111111111111111111111"
	thirdService  = records.ServiceOriginPrefix + "22222222222222222222222222222222"
)

func operated(t *testing.T, operator terms.ID) *verifytest.Log {
	t.Helper()
	l := verifytest.New(t)
	l.Says.Origin = firstService
	l.NewStoreKey("service")
	if operator != "" {
		l.StateKey(l.Statement(records.OperatorNamed, operator), operator)
	}
	return l
}

func TestAConsoleKeepsWhoTheOperatorOfItsServiceIs(t *testing.T) {
	t.Parallel()
	const operator, second, stranger = terms.ID("operator-1"), terms.ID("operator-2"), terms.ID("stranger")
	stated := func(kind records.LogStatementKind, by terms.ID, words ...string) func(*verifytest.Log) {
		return func(l *verifytest.Log) { l.StateKey(l.Statement(kind, by, words...), by) }
	}
	key := func(id terms.ID) string { return verifytest.Person(id, terms.SafetyAdmin).KeyFingerprint }
	changed := func(by terms.ID) func(*verifytest.Log) {
		return stated(records.OperatorChanged, by, string(second), key(second))
	}
	for name, c := range map[string]struct {
		then func(l *verifytest.Log)
		kept int // statements about the operator; -1: nothing is kept
	}{
		"not changed":                   {func(*verifytest.Log) {}, 0},
		"changed by the operator":       {changed(operator), 1},
		"changed by another":            {changed(stranger), -1},
		"replaced with the log's key":   {stated(records.OperatorReplaced, stranger, key(operator)), 1},
		"in the place of somebody else": {stated(records.OperatorReplaced, stranger, key(second)), -1},
		"named a second time":           {stated(records.OperatorNamed, stranger), -1},
		"without the log's key": {func(l *verifytest.Log) {
			changed(operator)(l)
			l.Says.Statements[1].LogSignature = nil
		}, -1},
	} {
		d, l := newFixture(t), operated(t, operator)
		must(t, d.bind(l.Says.VerifierKeys[0]))
		if named, err := d.store.KeepOperators(t.Context(), l.Says.Statements); err != nil || len(named) != 1 {
			t.Fatal(named, err)
		}
		c.then(l)
		named, err := d.store.KeepOperators(t.Context(), l.Says.Statements)
		wantNot(t, c.kept < 0 && !errors.Is(err, records.ErrLogStatement) ||
			c.kept >= 0 && (err != nil || len(named) != c.kept), "%s: %d, %v", name, len(named), err)
		wantKinds(t, name, proven(t, d.store))
	}
}

func TestAConsoleKeepsTheRestoresBeforeItsFirstContact(t *testing.T) {
	t.Parallel()
	d, l := newFixture(t), operated(t, "operator-1")
	l.Restore(0, secondService, "operator-1", nil)
	l.Restore(0, thirdService, "operator-1", nil)
	must(t, d.bind(l.Says.VerifierKeys[0]))
	named := need(d.store.KeepOperators(t.Context(), l.Says.Statements))(t)
	mustNot(t, len(named) != 1, "%v", named)
	report, err := d.store.Verify(t.Context(), verify.Options{})
	wantNot(t, err != nil || !report.OK() || len(report.Accepted) != 4,
		"%v, %v, %v", report.Findings, report.Accepted, err)
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
	must(t, err)
	wantErr(t, "another person changes the operator", d.store.NameOperator(t.Context(), next.stated(due, nil)), records.ErrRefused)
	must(t, d.store.NameOperator(t.Context(), d.stated(due, nil)))
	wantErr(t, "the operator before erases", errOf(d.store.PlanErasure(t.Context(), textsOfCase1, d.reviewer)), records.ErrRefused)
	if _, err := d.store.PlanErasure(t.Context(), textsOfCase1, next.reviewer); err != nil {
		t.Errorf("the operator does not erase: %v", err)
	}
	if due, err = d.store.OperatorToReplace(t.Context()); err != nil || due.Found[0] != fingerprint {
		t.Fatalf("%v, %v", due.Found, err)
	}
	stale := due
	stale.Found = []string{d.reviewer.KeyFingerprint}
	wantErr(t, "in the place of one who is no operator", d.store.NameOperator(t.Context(), d.stated(stale, nil)), records.ErrRefused)
	must(t, d.store.NameOperator(t.Context(), d.stated(due, nil)))
	report := need(d.store.Verify(t.Context(), verify.Options{}))(t)
	mustNot(t, !report.OK(), "%v", report.Findings)
	named := report.Accepted[len(report.Accepted)-1].Sentence()
	wantNot(t, !strings.Contains(named, "only the log's key vouches"), "%v", named)
	backup := d.backup()
	r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: filepath.Join(t.TempDir(), "again.db"), Reason: records.StoreLost}))(t)
	defer r.Close()
	wantSame(t, "a restore asks for", r.Operator, d.reviewer.KeyFingerprint)
	wantErr(t, "the operator before restores", r.Make(t.Context(), next.stated(r.Statement, nil)), records.ErrRefused)
}

// Once a person accepted a service, everything is handed in again, with the receipts that there are.
func TestWhatAnEarlierLogOfTheServiceAnsweredIsAskedForAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	list := []records.Enforcement{d.decided("case-1", ""), d.decided("case-2", "")}
	d.accepted(s, list[0])
	next := newServiceOf(t, "next", secondService)
	must(t, errors.Join(d.store.KeepShown(t.Context(), s.at(1)), d.store.SavePull(t.Context(), "7", true),
		d.store.KeepSetback(t.Context(), records.LogOtherKey, next.at(0), next.key), d.acceptService(next.key, next.at(0))))
	entries := need(d.store.NotHandedIn(t.Context(), -1, 9))(t)
	mustNot(t, len(entries) != 2 || entries[0].Acceptance == nil, "%d wait", len(entries))
	if cursor, completed, err := d.store.PullCursor(t.Context()); err != nil || cursor != "" || !completed.Present() {
		t.Errorf("the next pull begins at %q, %v", cursor, err)
	}
	for i, want := range []bool{true, false} {
		sequence := entries[i].Sequence
		given, there, err := d.store.EarlierReceipt(t.Context(), sequence)
		if err != nil || there != want || there && given.Receipt.RecordID != list[0].Members().RecordID {
			t.Errorf("record %d: %+v, %v, %v", sequence, given, there, err)
		}
	}
	tally := need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally.Waiting != 2 || tally.Accepted != 0, "%+v", tally)
	for i := range list {
		d.accepted(next, list[i])
	}
	tally = need(d.store.HandInTally(t.Context()))(t)
	wantNot(t, tally.Waiting != 0 || tally.Accepted != 2, "%+v", tally)
	wantKinds(t, "afterwards", proven(t, d.store))
}
