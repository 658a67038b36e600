package store

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

func TestARecordThatIsHandedInComesBackAsItWasSigned(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	sub := d.judged("case-1", decision{note: records.Note{Salt: "s4lt", Text: "stays with the console"}})
	if !sub.Record.Members().NoteDigest.Present() {
		t.Fatal("the record vouches for no note")
	}
	first := d.handIn(sub)
	if first.again || first.receipt.Sequence != 0 || first.receipt.TreeSize != 1 || first.receipt.RecordID != sub.Record.Members().RecordID {
		t.Errorf("%+v", first)
	}
	d.handIn(d.judged("case-2", decision{}))
	again := d.handIn(sub)
	if !again.again || again.receipt != first.receipt || again.checkpoint != first.checkpoint {
		t.Errorf("again it is %+v, first %+v", again, first)
	}
	c, err := d.store.key.Open([]byte(first.checkpoint))
	if err != nil || c.Size != first.receipt.TreeSize || merkle.FromTree(c.Root) != first.receipt.Root {
		t.Errorf("the checkpoint is of %d records, %v", c.Size, err)
	}
	o := d.store.options
	d.close()
	d.store = openWith(t, o)
	logged, err := d.store.Record(t.Context(), first.receipt.RecordID)
	if err != nil || logged.Receipt != first.receipt || string(logged.Record.Document()) != string(sub.Record.Document()) {
		t.Errorf("%+v, %v", logged, err)
	}
	wantSame(t, "string(signature)", string(need(d.store.signature(t.Context(), first.receipt.RecordID))(t)), string(sub.Signature))
	mustBe(t, errOf(d.store.note(t.Context(), first.receipt.RecordID)), ErrNotFound)
	if !d.store.Anchored() || d.store.ReadOnly() {
		t.Errorf("found %v", d.store.Findings())
	}
	wantKinds(t, "the whole log", proven(t, d.store))
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestWhatTheReviewerSawOfTheirLogIsNotTheServices(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	supersedes := records.RecordID("")
	for _, head := range []records.LogHead{{Root: terms.HashOf(nil)}, {Size: 1, Root: terms.HashOf([]byte("x"))}, {Size: 1 << 40, Root: terms.HashOf(nil)}} {
		head.Origin = consoleHead.Origin
		supersedes = d.handIn(d.judged("case-1", decision{head: &head, supersedes: supersedes})).receipt.RecordID
	}
	wantKinds(t, "the whole log", proven(t, d.store))
}

func TestANoteThatLiesInAServicesStoreIsFound(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	note := records.Note{Salt: "s", Text: "n"}
	d.handIn(d.judged("case-1", decision{note: note}))
	need(d.writer().Exec("INSERT INTO main.docket_notes VALUES (0, ?, ?)", note.Salt, note.Text))(t)
	wantKinds(t, "the whole log", proven(t, d.store), verify.NoteAltered)
}

func TestARecordIsHandedInWithItsSignatureAndNothingElse(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	sub := d.judged("case-1", decision{note: records.Note{Salt: "s", Text: "n"}})
	err := d.refusing(sub)
	var refusal *records.Refusal
	if !errors.As(err, &refusal) || errors.Is(err, ErrSignature) {
		t.Errorf("with its note: %v", err)
	}
	sub.Note = records.Note{}
	document := sub.Record.Document()
	for name, signature := range map[string][]byte{
		"none":               nil,
		"no signature":       []byte("signature"),
		"another key's":      sign(t, newKey(t, 2), document, records.SignatureNamespace),
		"of other bytes":     sign(t, d.key, document[1:], records.SignatureNamespace),
		"for something else": sign(t, d.key, document, "file"),
	} {
		bad := sub
		bad.Signature = signature
		if err := d.refusing(bad); !errors.Is(err, ErrSignature) || !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	mustBe(t, d.refusing(Submission{}), records.ErrRefused)
	d.handIn(sub)
	bad := sub
	bad.Signature = sign(t, d.key, document[1:], records.SignatureNamespace)
	wantErr(t, "of a record that is there", d.refusing(bad), ErrSignature)
}

func TestTwoRecordsDoNotShareAnId(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	first := d.handIn(d.judged("case-1", decision{}))
	other := d.judged("case-1", decision{outcome: terms.RequestEvidence, id: first.receipt.RecordID, supersedes: first.receipt.RecordID})
	err := d.refusing(other)
	if !errors.Is(err, ErrRecordConflict) || !errors.Is(err, records.ErrRefused) {
		t.Error(err)
	}
}

func TestARecordOfWhatTheServiceDoesNotHoldIsNotFound(t *testing.T) {
	t.Parallel()
	elsewhere := serviceWithCase(t)
	first := elsewhere.judged("case-1", decision{})
	elsewhere.take(elsewhere.mill.appealCase(passing("case-1", 2)))
	second := elsewhere.judged("case-1", decision{})
	d := serviceFixture(t)
	d.register()
	mustBe(t, d.refusing(first), ErrNotFound)
	d.take(elsewhere.mill.appealCase(passing("case-1", 1)))
	mustBe(t, d.refusing(first), ErrNotFound) // the policy
	d.take(elsewhere.mill.appealPolicy(1))
	mustBe(t, d.refusing(second), ErrNotFound)
	for _, err := range []error{d.refusing(second)} {
		if errors.Is(err, records.ErrRefused) {
			t.Errorf("it is refused for good: %v", err)
		}
	}
	d.handIn(first)
}

func TestARecordOfWhatHasChangedSinceIsStale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		happens    func(d *fixture)
	}{
		{"a revision arrives", "revision 2 has arrived", func(d *fixture) { d.take(d.mill.appealCase(passing("case-1", 2))) }},
		{"a policy version arrives", "appeal_policy_not_current holds now", func(d *fixture) { d.take(d.mill.appealPolicy(2)) }},
		{"the deadline passes", "deadline_expired holds now", func(d *fixture) {
			d.store.options.Now = func() time.Time { return noon.AddDate(0, 2, 0) }
		}},
		{"another record comes first", "is in force and has to be named as superseded", func(d *fixture) { d.handIn(d.judged("case-1", decision{})) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := serviceWithCase(t)
			sub := d.judged("case-1", decision{outcome: terms.RequestEvidence})
			c.happens(d)
			var stale *records.StaleError
			var differs *records.DiffersError
			if err := d.refusing(sub); !errors.As(err, &stale) || errors.As(err, &differs) || !strings.Contains(stale.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestARecordThatWasRightForWhatTheReviewerKnewIsNotSaidToDiffer(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	d.take(d.mill.appealPolicy(2), d.mill.appealCase(passing("case-1", 2)))
	caseFile := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), reviewerID))(t)
	d.handIn(d.decide(&caseFile.View, decision{outcome: terms.BlockReliance, head: &consoleHead}))
}

func TestADraftIsNobodysAtAService(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	d.keep(key, begun)
	d.handIn(d.judged("case-1", decision{}))
	wantSame(t, "kept", d.caseFile(terms.AppealCases, "case-1").Draft.Draft, begun)
}

func TestARecordFromTheFutureIsTakenOnceItIsThePast(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	for ahead, taken := range map[time.Duration]bool{0: true, time.Second: true, clockLeeway: true, clockLeeway + time.Second: false} {
		d.take(d.mill.appealCase(passing("case-"+ahead.String(), 1)))
		d.clock = noon.Add(ahead)
		sub := d.judged(terms.ID("case-"+ahead.String()), decision{})
		if taken {
			d.handIn(sub)
			continue
		}
		err := d.refusing(sub)
		if mustBe(t, err, ErrEarly); errors.Is(err, records.ErrRefused) {
			t.Errorf("it is refused for good: %v", err)
		}
		d.store.options.Now = func() time.Time { return noon.Add(2 * time.Second) }
		d.handIn(sub)
		d.store.options.Now = func() time.Time { return noon }
	}
}

func TestEightCallersHandInAtOnceAndEachRecordOnce(t *testing.T) {
	t.Parallel()
	const callers, each = 8, 12
	d := serviceFixture(t)
	d.register()
	ids := d.many("case", each)
	subs := make([]Submission, each)
	for i, id := range ids {
		subs[i] = d.judged(id, decision{})
	}
	var mutex sync.Mutex
	receipts := map[records.RecordID][]handedIn{}
	var wait sync.WaitGroup
	for caller := range callers {
		wait.Go(func() {
			for i := range subs {
				sub := subs[(i+caller)%each]
				taken, err := d.submit(sub)
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				receipts[taken.Receipt.RecordID] = append(receipts[taken.Receipt.RecordID], handedInOf(taken))
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	for id, list := range receipts {
		first := 0
		for _, answer := range list {
			if !answer.again {
				first++
			}
			if answer.receipt != list[0].receipt || answer.checkpoint != list[0].checkpoint || !slices.Equal(answer.proof, list[0].proof) || !signed.IsLast(answer.receipt, answer.proof) {
				t.Errorf("record %s has two receipts", id)
			}
		}
		if first != 1 || len(list) != callers {
			t.Errorf("record %s was appended %d times, and %d callers know", id, first, len(list))
		}
	}
	if records := wholeLog(t, d.store); len(records) != each || len(receipts) != each {
		t.Errorf("%d records", len(records))
	}
	wantKinds(t, "the whole log", proven(t, d.store))
}

func TestStandingTellsWhatHoldsNow(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	standing, err := d.store.RevisionState(t.Context(), terms.Appeals, key)
	if err != nil || standing.InForce != "" || standing.Latest != 1 || len(standing.Blockers) != 0 {
		t.Errorf("%+v, %v", standing, err)
	}
	first := d.handIn(d.judged("case-1", decision{}))
	d.take(d.mill.appealCase(passing("case-1", 2)))
	standing, err = d.store.RevisionState(t.Context(), terms.Appeals, key)
	if err != nil || standing.InForce != first.receipt.RecordID || standing.Latest != 2 || !slices.Contains(standing.Blockers, terms.AppealCaseStale) {
		t.Errorf("%+v, %v", standing, err)
	}
	for _, absent := range []packets.Key{{ID: "case-9", Number: 1}, {ID: "case-1", Number: 3}} {
		if standing, err := d.store.RevisionState(t.Context(), terms.Appeals, absent); err != nil || standing.Latest != 0 || standing.InForce != "" {
			t.Errorf("%+v, %v", standing, err)
		}
	}
}
