package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/terms"
)

// numberedLog is a log whose documents are their sequences.
type numberedLog struct {
	Source
	size  int64
	again int64 // entries that were read again
}

func document(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func (l *numberedLog) Entries(_ context.Context, from int64, yield func(Entry) error) error {
	for ; from < l.size; from++ {
		l.again++
		if err := yield(Entry{Sequence: from, Document: document(from)}); err != nil {
			return err
		}
	}
	return nil
}

// reference is a tree that keeps everything.
type reference []tlog.Hash

func (r reference) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = r[position]
	}
	return hashes, nil
}

func TestTheTreeHasEveryRootItEverHad(t *testing.T) {
	const size = 3*recentLeaves + 77
	var whole reference
	c := &check{ctx: t.Context(), log: &numberedLog{size: size}}
	for n := range int64(size) {
		hashes, err := tlog.StoredHashes(n, document(n), whole)
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, hashes...)
		if _, err := c.tree.Add(tlog.RecordHash(document(n))); err != nil {
			t.Fatal(err)
		}
	}
	forgotten := 0
	for at := int64(0); at <= size; at += 1 + at%997 {
		want, err := tlog.TreeHash(at, whole)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.tree.rootAt(at)
		if errors.Is(err, errForgotten) {
			forgotten++
			got, err = c.rootLongPast(at)
		}
		if err != nil || got != want {
			t.Fatalf("the root of %d leaves: %v", at, err)
		}
	}
	if forgotten == 0 {
		t.Error("nothing was forgotten, so remembering was not tested")
	}
	if kept := len(c.tree.levels[0]); kept > 2*recentLeaves {
		t.Errorf("%d leaf hashes are kept", kept)
	}
}

func TestRecentRootsAreNotReadAgain(t *testing.T) {
	var tree Tree
	for n := range int64(5 * recentLeaves / 2) {
		if _, err := tree.Add(tlog.RecordHash(document(n))); err != nil {
			t.Fatal(err)
		}
	}
	for back := range int64(recentLeaves - 256) {
		if _, err := tree.rootAt(tree.Size() - back); err != nil {
			t.Fatalf("%d leaves back: %v", back, err)
		}
	}
}

func TestATreeHasNoRootOfWhatIsNotThere(t *testing.T) {
	var tree Tree
	for _, size := range []int64{-1, 1} {
		if _, err := tree.rootAt(size); err == nil {
			t.Errorf("a root of %d leaves", size)
		}
	}
	if _, err := tree.ReadHashes([]int64{0}); err == nil {
		t.Error("a hash of the empty tree")
	}
	for n := range int64(3) {
		if _, err := tree.Add(tlog.RecordHash(document(n))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tree.ReadHashes([]int64{tlog.StoredHashIndex(0, 3)}); err == nil {
		t.Error("a hash of a leaf that is not there")
	}
}

func TestALogHeadLongPastIsProvenFromTheRecords(t *testing.T) {
	log := &numberedLog{size: 2*recentLeaves + 9}
	c := &check{ctx: t.Context(), log: log, lineage: Lineage{{}}}
	var root tlog.Hash
	for n := range log.size {
		if _, err := c.tree.Add(tlog.RecordHash(document(n))); err != nil {
			t.Fatal(err)
		}
		if n == 999 {
			root, _ = c.tree.Root()
		}
	}
	for _, head := range []struct {
		root  terms.Hash
		found int
	}{{domainHash(root), 0}, {terms.HashOf(nil), 1}} {
		e := &entryResult{}
		if err := c.checkHead(e, records.LogHead{Size: 1000, Root: head.root}); err != nil || len(e.findings) != head.found {
			t.Errorf("%v %v", e.findings, err)
		}
	}
	if log.again == 0 || log.again > 1024 {
		t.Errorf("%d records were read again", log.again)
	}
}
