package verify_test

import (
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// verdicts are those on proof, signature and replay.
type verdicts [3]records.Verdict

func stretch(t *testing.T, l verify.Source, from, to int64) []records.State {
	t.Helper()
	states := need(verify.Range(t.Context(), l, from, to))(t)
	return states
}

func TestEachRecordOfASoundLogHoldsByItself(t *testing.T) {
	l := sound(t)
	for _, test := range [][2]int64{{0, 5}, {1, 3}, {4, 5}, {4, 100}, {0, 0}, {9, 12}} {
		states := stretch(t, l, test[0], test[1])
		if want := max(min(test[1], 5)-test[0], 0); int64(len(states)) != want {
			t.Errorf("from %d to %d there are %d", test[0], test[1], len(states))
		}
		for i, s := range states {
			if s.Sequence != test[0]+int64(i) || !s.Leaf.Present() ||
				(verdicts{s.Proof.Verdict, s.Signature.Verdict, s.Replay.Verdict}) != (verdicts{records.Holds, records.Holds, records.Holds}) {
				t.Errorf("%+v", s)
			}
		}
	}
}

func TestEachRecordOfALongStretchIsLookedAtOnce(t *testing.T) {
	l := verifytest.Crowd(t, 200)
	for i := range l.List {
		l.List[i].Signature = nil
	}
	states := stretch(t, l, 3, 190)
	if len(states) != 187 {
		t.Fatalf("%d records from 3 to 190", len(states))
	}
	for i, s := range states {
		if s.Sequence != int64(3+i) || len(s.Signature.Found) != 1 {
			t.Errorf("%+v", s)
		}
	}
}

func TestWhatIsWrongWithARecordIsSaidOnItsOwnSide(t *testing.T) {
	for _, test := range []struct {
		name  string
		forge func(*verifytest.Log)
		want  verdicts
	}{
		{"gone", func(l *verifytest.Log) { l.List[last].Document = nil }, verdicts{records.Fails, records.Unexamined, records.Unexamined}},
		{"no record", func(l *verifytest.Log) { l.List[last].Document = []byte("{}") }, verdicts{records.Fails, records.Fails, records.Unexamined}},
		{"another leaf", func(l *verifytest.Log) { l.List[last].LeafHash = make([]byte, 32) }, verdicts{records.Fails, records.Holds, records.Holds}},
		{"not signed", func(l *verifytest.Log) { l.List[last].Signature = nil }, verdicts{records.Holds, records.Fails, records.Holds}},
		{"another note", func(l *verifytest.Log) {
			l.Says.KeepsNotes = true
			l.List[last].NoteDigest = terms.HashOf([]byte("another note"))
		}, verdicts{records.Holds, records.Holds, records.Holds}},
		{"signed by nobody known", func(l *verifytest.Log) { l.Says.Signers = nil }, verdicts{records.Holds, records.Fails, records.Holds}},
	} {
		l := sound(t)
		test.forge(l)
		s := stretch(t, l, last, last+1)[0]
		if got := (verdicts{s.Proof.Verdict, s.Signature.Verdict, s.Replay.Verdict}); got != test.want {
			t.Errorf("%s: %+v", test.name, s)
		}
		for _, check := range []records.Check{s.Proof, s.Signature, s.Replay} {
			if (check.Verdict == records.Fails) != (len(check.Found) > 0) {
				t.Errorf("%s: %+v", test.name, check)
			}
			for _, found := range check.Found {
				if strings.HasSuffix(found, "()") {
					t.Errorf("%s: a detail that is none: %s", test.name, found)
				}
			}
		}
	}
}

func TestEveryKindOfARecordsOwnFindingHasASide(t *testing.T) {
	for _, forged := range recordForgeries {
		l := sound(t)
		forged.forge(t, l)
		failed := false
		for _, s := range stretch(t, l, 0, 100) {
			failed = failed || s.Proof.Verdict == records.Fails || s.Signature.Verdict == records.Fails || s.Replay.Verdict == records.Fails
		}
		alone := true // with only findings that take the whole log
		for _, kind := range forged.want {
			switch kind {
			case verify.RecordDuplicate, verify.HeadNotPrefix, verify.SupersedesUnknown, verify.SupersedesOtherRevision,
				verify.SupersedesSuperseded, verify.SupersedesMissing, verify.RootDiffers, verify.KeyNotEndorsed, verify.LogStatementAltered,
				verify.TimeBackwards: // of these forgeries: against the record before it
			default:
				alone = false
			}
		}
		if failed == alone {
			t.Errorf("%s: found by looking at records alone: %v", forged.name, failed)
		}
	}
}
