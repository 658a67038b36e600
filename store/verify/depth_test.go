package verify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"docket/domain/terms"
	"docket/store/verify"
	"docket/store/verify/verifytest"

	"golang.org/x/mod/sumdb/tlog"
)

var depths = []verify.Depth{verify.Judged, verify.Storage, verify.HeadOnly}

// keepTree has the log keep the roots of its tree as it is now.
func keepTree(t *testing.T, l *verifytest.Log) {
	t.Helper()
	var roots []terms.Hash
	for size := range int64(len(l.List)) + 1 {
		root := need(tlog.TreeHash(size, l))(t)
		hash, _ := terms.ParseHash(fmt.Sprintf("sha256:%x", root[:]))
		roots = append(roots, hash)
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
		}, verify.PacketMissing, []verify.Depth{verify.Judged}},
		{"a signature of an early record that is gone", func(l *verifytest.Log) { l.List[1].Signature = nil }, verify.SignatureMissing,
			[]verify.Depth{verify.Judged, verify.Storage}},
		{"a signature of the newest record that is gone", func(l *verifytest.Log) { l.List[last].Signature = nil }, verify.SignatureMissing, depths},
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

// treeless is a log whose tree cannot be read.
type treeless struct{ *verifytest.Log }

func (treeless) StoredRoot(context.Context, int64) (terms.Hash, error) { return terms.Hash{}, errDisk }

func TestATreeThatCannotBeReadIsAnError(t *testing.T) {
	l := sound(t)
	keepTree(t, l)
	if report, err := verify.Check(t.Context(), treeless{l}, verify.Options{Depth: verify.HeadOnly}); !errors.Is(err, errDisk) {
		t.Errorf("%v, %v", report.Findings, err)
	}
	l.Says.Anchor = &verify.Anchor{Signed: l.Says.Checkpoint}
	if found, err := verify.Extends(t.Context(), l, treeless{l}); !errors.Is(err, errDisk) {
		t.Errorf("%v, %v", found, err)
	}
}
