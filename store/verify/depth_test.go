package verify_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

var depths = []verify.Depth{verify.Judged, verify.Storage, verify.HeadOnly}

// keepTree has the log keep the roots of its tree as it is now.
func keepTree(t *testing.T, l *verifytest.Log) {
	t.Helper()
	var roots []terms.Hash
	for size := range int64(len(l.List)) + 1 {
		roots = append(roots, signed.FromTree(need(tlog.TreeHash(size, l))(t)))
	}
	l.Tree = func(size int64) (root terms.Hash) {
		if size < int64(len(roots)) {
			root = roots[size]
		}
		return root
	}
}

func TestAnAnchorHoldsTheLogAtEveryDepth(t *testing.T) {
	for _, c := range []struct {
		name     string
		anchor   func(l *verifytest.Log) *verify.Anchor
		anchored bool
		want     []verify.Code
	}{
		{"none", func(*verifytest.Log) *verify.Anchor { return nil }, false, nil},
		{"the newest checkpoint", func(l *verifytest.Log) *verify.Anchor { return &verify.Anchor{Signed: l.Says.Checkpoint} }, true, nil},
		{"an earlier checkpoint", func(l *verifytest.Log) *verify.Anchor {
			earlier := l.Says.Checkpoint
			l.Append(l.Decide(newCase(l), assigned, nil))
			return &verify.Anchor{Signed: earlier}
		}, true, nil},
		{"one that cannot be read", func(*verifytest.Log) *verify.Anchor { return &verify.Anchor{Signed: []byte("no checkpoint")} }, false,
			[]verify.Code{verify.AnchorUnreadable}},
		{"one by another key", func(l *verifytest.Log) *verify.Anchor {
			keys := l.Says.VerifierKeys
			l.NewStoreKey("another")
			forged := l.Checkpoint(l.Says.Origin)
			l.NewStoreKey("store")
			l.Says.VerifierKeys = keys
			return &verify.Anchor{Signed: forged}
		}, false, []verify.Code{verify.AnchorUnreadable}},
		{"one that is gone", func(*verifytest.Log) *verify.Anchor { return &verify.Anchor{Code: verify.AnchorMissing} }, false,
			[]verify.Code{verify.AnchorMissing}},
		{"one of a longer log", func(l *verifytest.Log) *verify.Anchor {
			whole := l.List
			l.Append(l.Decide(newCase(l), assigned, nil))
			longer := l.Says.Checkpoint
			l.List = whole
			l.Rebuild()
			return &verify.Anchor{Signed: longer}
		}, false, []verify.Code{verify.RolledBack}},
		{"one of other records", func(l *verifytest.Log) *verify.Anchor {
			whole := l.List
			l.List = slices.Concat(whole[1:], whole[:1])
			l.Rebuild()
			other := l.Says.Checkpoint
			l.List = whole
			l.Rebuild()
			return &verify.Anchor{Signed: other}
		}, false, []verify.Code{verify.Forked}},
	} {
		for _, depth := range depths {
			l := sound(t)
			l.Says.Anchor = c.anchor(l)
			keepTree(t, l)
			report := check(t, l, verify.Options{Depth: depth})
			var found []verify.Code
			for _, f := range report.Findings {
				found = append(found, f.Code)
			}
			if !slices.Equal(found, c.want) || report.Anchored != c.anchored {
				t.Errorf("%s, to the depth %s: found %v, anchored %v", c.name, depth, report.Findings, report.Anchored)
			}
			// Of the tree alone as much is known, and nothing else.
			alone, err := verify.Extends(t.Context(), l, l)
			if err != nil || !slices.EqualFunc(alone, c.want, func(f verify.Finding, code verify.Code) bool { return f.Code == code }) {
				t.Errorf("%s, of the tree alone: found %v, %v", c.name, alone, err)
			}
		}
	}
}

func TestEachDepthLooksAtWhatItSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		forge func(l *verifytest.Log)
		want  verify.Code
		found []verify.Depth
	}{
		{"a packet that is gone", func(l *verifytest.Log) {
			for ref := range l.Held {
				delete(l.Held, ref)
			}
		}, verify.PacketMissing, []verify.Depth{verify.Judged, verify.Storage}},
		{"a signature of an early record that is gone", func(l *verifytest.Log) { l.Entry(1).Signature = nil }, verify.SignatureInvalid,
			[]verify.Depth{verify.Judged, verify.Storage}},
		{"a signature of the newest record that is gone", func(l *verifytest.Log) { l.Entry(last).Signature = nil }, verify.SignatureInvalid, depths},
	} {
		for _, depth := range depths {
			l := sound(t)
			keepTree(t, l)
			c.forge(l)
			report := check(t, l, verify.Options{Depth: depth})
			if want := slices.Contains(c.found, depth); report.OK() == want || want && report.Count(c.want) == 0 {
				t.Errorf("%s, to the depth %s: %v", c.name, depth, report.Findings)
			}
		}
	}
}

// verdicts are those on proof, signature and replay.
type verdicts [3]records.Verdict

func stretch(t *testing.T, l verify.Source, from, to int64) []records.State {
	t.Helper()
	return need(verify.Range(t.Context(), l, from, to))(t)
}

func TestEachRecordOfASoundLogHoldsByItself(t *testing.T) {
	l := sound(t)
	for _, test := range [][2]int64{{0, 5}, {1, 3}, {4, 5}, {4, 100}, {0, 0}, {9, 12}} {
		states := stretch(t, l, l.At(int(test[0])), l.At(int(test[1])))
		if want := max(min(test[1], 5)-test[0], 0); int64(len(states)) != want {
			t.Errorf("from %d to %d there are %d", test[0], test[1], len(states))
		}
		for i, s := range states {
			if s.Sequence != l.At(int(test[0])+i) || !s.Leaf.Present() ||
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
	states := stretch(t, l, l.At(3), l.At(190))
	if len(states) != 187 {
		t.Fatalf("%d records from 3 to 190", len(states))
	}
	for i, s := range states {
		if s.Sequence != l.At(3+i) || len(s.Signature.Found) != 1 {
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
		{"gone", func(l *verifytest.Log) { l.Entry(last).Document = nil }, verdicts{records.Fails, records.Unexamined, records.Unexamined}},
		{"no record", func(l *verifytest.Log) { l.Entry(last).Document = []byte("{}") }, verdicts{records.Fails, records.Fails, records.Unexamined}},
		{"another leaf", func(l *verifytest.Log) { l.Entry(last).LeafHash = make([]byte, 32) }, verdicts{records.Fails, records.Holds, records.Holds}},
		{"not signed", func(l *verifytest.Log) { l.Entry(last).Signature = nil }, verdicts{records.Holds, records.Fails, records.Holds}},
		{"another note", func(l *verifytest.Log) {
			l.Says.KeepsNotes = true
			l.Entry(last).NoteDigest = terms.HashOf([]byte("another note"))
		}, verdicts{records.Holds, records.Holds, records.Holds}},
		{"signed by nobody known", func(l *verifytest.Log) { l.Says.Signers = nil }, verdicts{records.Holds, records.Fails, records.Holds}},
	} {
		l := sound(t)
		test.forge(l)
		s := stretch(t, l, l.At(last), l.At(last)+1)[0]
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
		l, failed := sound(t), false
		o := forged.forge(t, l)
		for _, s := range stretch(t, l, 0, 100) {
			failed = failed || s.Proof.Verdict == records.Fails || s.Signature.Verdict == records.Fails || s.Replay.Verdict == records.Fails
		}
		alone := true // with only findings that take the whole log
		for _, f := range check(t, l, o).Findings {
			switch f.Code {
			case verify.HeadNotPrefix, verify.ChainBroken, verify.RootDiffers, verify.KeyNotEndorsed, verify.LogStatementAltered,
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
