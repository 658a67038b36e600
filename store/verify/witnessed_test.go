package verify_test

import (
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// witnessedLast is what proves that the last record of a sound log was there when two witnesses cosigned it, the second an hour after the first.
func witnessedLast(t *testing.T, l *verifytest.Log, witnesses ...verifytest.Witness) verify.Witnessed {
	t.Helper()
	l.Cosigned = nil
	for i, w := range witnesses {
		l.Cosigned = append(l.Cosigned, w.Cosign(l.Says.Checkpoint, firstCosigned.Add(time.Duration(i)*time.Hour)))
	}
	w, there, err := verify.WitnessedRecord(t.Context(), l, verifytest.Origin, last, l)
	if err != nil || !there {
		t.Fatal(there, err)
	}
	return w
}

var firstCosigned = time.Date(2026, 6, 15, 13, 0, 0, 0, time.UTC)

func TestAQuorumVouchesForARecordFromWhenItsLastWitnessCosigned(t *testing.T) {
	l := sound(t)
	one, two, three := verifytest.NewWitness(t, "example.org/one"), verifytest.NewWitness(t, "example.org/two"), verifytest.NewWitness(t, "example.org/three")
	record := recordAt(l, last)
	whole := witnessedLast(t, l, one, two)
	if at, ok := verifytest.Policy(t, one, two).WitnessedAt(&whole, record); !ok || !at.Time().Equal(firstCosigned.Add(time.Hour)) {
		t.Errorf("both: %s, %v", at, ok)
	}
	if at, ok := verifytest.Policy(t, one).WitnessedAt(&whole, record); !ok || !at.Time().Equal(firstCosigned) {
		t.Errorf("the first: %s, %v", at, ok)
	}
	if _, ok := verifytest.Policy(t, one, two, three).WitnessedAt(&whole, record); ok {
		t.Error("a quorum that is not complete vouches")
	}
	ofLog := func(keys string) *verify.Policy {
		policy, err := verify.ParsePolicy([]byte("log " + keys + "\n" + verifytest.PolicyText(one)))
		if err != nil {
			t.Fatal(err)
		}
		return policy
	}
	if _, ok := ofLog(l.Says.VerifierKeys[0]).WitnessedAt(&whole, record); !ok {
		t.Error("a policy that names the log does not count")
	}
	other := verifytest.New(t)
	other.NewStoreKey("other")
	if _, ok := ofLog(other.Says.VerifierKeys[0]).WitnessedAt(&whole, record); ok {
		t.Error("a policy that names another log counts")
	}
}

func TestWhatProvesNothingOfARecordDoesNotCount(t *testing.T) {
	witness := verifytest.NewWitness(t, "example.org/one")
	policy := verifytest.Policy(t, witness)
	for name, change := range map[string]func(l *verifytest.Log, w *verify.Witnessed){
		"nothing":                func(_ *verifytest.Log, w *verify.Witnessed) { *w = verify.Witnessed{} },
		"no cosignature":         func(l *verifytest.Log, w *verify.Witnessed) { w.Note = string(l.Says.Checkpoint) },
		"another place":          func(_ *verifytest.Log, w *verify.Witnessed) { w.Sequence-- },
		"a place before the log": func(_ *verifytest.Log, w *verify.Witnessed) { w.Sequence = -1 },
		"a place after the log":  func(_ *verifytest.Log, w *verify.Witnessed) { w.Sequence = 99 },
		"no proof":               func(_ *verifytest.Log, w *verify.Witnessed) { w.Proof = nil },
		"another proof":          func(_ *verifytest.Log, w *verify.Witnessed) { w.Proof[0] = terms.HashOf(nil) },
		"another size":           func(_ *verifytest.Log, w *verify.Witnessed) { w.Note = strings.Replace(w.Note, "\n5\n", "\n6\n", 1) },
		"more after the text":    func(_ *verifytest.Log, w *verify.Witnessed) { w.Note = strings.Replace(w.Note, "\n\n", "\nx\n\n", 1) },
		"a cosignature of other text": func(l *verifytest.Log, w *verify.Witnessed) {
			w.Note = string(l.Says.Checkpoint) + string(witness.Line([]byte("docket/0123456789abcdef\n4\nx\n\n"), firstCosigned))
		},
		"another's cosignature under its name": func(l *verifytest.Log, w *verify.Witnessed) {
			w.Note = string(l.Says.Checkpoint) + string(verifytest.NewWitness(t, "example.org/other").Named(t, "example.org/one").Line(l.Says.Checkpoint, firstCosigned))
		},
		"the checkpoint of another log": func(l *verifytest.Log, w *verify.Witnessed) {
			l.Says.Origin = "docket/fedcba9876543210"
			l.NewStoreKey("other")
			l.Sign()
			w.Note = string(l.Says.Checkpoint) + string(witness.Line(l.Says.Checkpoint, firstCosigned))
		},
	} {
		l := sound(t)
		w := witnessedLast(t, l, witness)
		if _, ok := policy.WitnessedAt(&w, recordAt(l, last)); !ok {
			t.Fatalf("%s: as it was it does not count", name)
		}
		change(l, &w)
		if at, ok := policy.WitnessedAt(&w, recordAt(l, last)); ok || at.Present() {
			t.Errorf("%s: it counts from %s", name, at)
		}
	}
	l := sound(t)
	w := witnessedLast(t, l, witness)
	if _, ok := policy.WitnessedAt(&w, recordAt(l, 0)); ok {
		t.Error("it counts for another record")
	}
}

func TestTheCheckpointThatMostWitnessesCosignedProvesARecord(t *testing.T) {
	l := sound(t)
	one, two := verifytest.NewWitness(t, "example.org/one"), verifytest.NewWitness(t, "example.org/two")
	first := l.Says.Checkpoint
	l.Append(l.Decide(caseRef("case-3", 1), assigned, nil))
	l.Cosigned = []verify.Cosigned{one.Cosign(first, firstCosigned), one.Cosign(l.Says.Checkpoint, firstCosigned), two.Cosign(l.Says.Checkpoint, firstCosigned)}
	for sequence, want := range map[int64]string{last: string(l.Says.Checkpoint), last + 1: string(l.Says.Checkpoint)} {
		if w, there, err := verify.WitnessedRecord(t.Context(), l, verifytest.Origin, sequence, l); err != nil || !there || !strings.HasPrefix(w.Note, want) {
			t.Errorf("%d: %v %v\n%s", sequence, there, err, w.Note)
		}
	}
	l.Cosigned = l.Cosigned[:2]
	if w, _, err := verify.WitnessedRecord(t.Context(), l, verifytest.Origin, last, l); err != nil || !strings.HasPrefix(w.Note, string(first)) {
		t.Errorf("%v\n%s", err, w.Note)
	}
	for origin, sequence := range map[string]int64{verifytest.Origin: last + 2, "docket/fedcba9876543210": last} {
		if _, there, err := verify.WitnessedRecord(t.Context(), l, origin, sequence, l); err != nil || there {
			t.Errorf("%s %d: %v %v", origin, sequence, there, err)
		}
	}
}
