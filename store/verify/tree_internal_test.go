package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
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

func numberedLeaf(n int64) tlog.Hash { return LeafOf(&Entry{Document: document(n)}) }

// grow adds so many leaves to a tree.
func grow(t *testing.T, tree *Tree, leaves int64) {
	t.Helper()
	for range leaves {
		need(tree.Add(numberedLeaf(tree.Size())))(t)
	}
}

func TestTheTreeHasEveryRootItEverHad(t *testing.T) {
	const size = 3*recentLeaves + 77
	var whole reference
	c := &check{ctx: t.Context(), log: &numberedLog{size: size}}
	for n := range int64(size) {
		whole = append(whole, need(tlog.StoredHashesForRecordHash(n, numberedLeaf(n), whole))(t)...)
	}
	grow(t, &c.tree, size)
	forgotten := 0
	for at := int64(0); at <= size; at += 1 + at%997 {
		want := need(tlog.TreeHash(at, whole))(t)
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
	grow(t, &tree, 5*recentLeaves/2)
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
	grow(t, &tree, 3)
	if _, err := tree.ReadHashes([]int64{tlog.StoredHashIndex(0, 3)}); err == nil {
		t.Error("a hash of a leaf that is not there")
	}
}

func TestALogHeadLongPastIsProvenFromTheRecords(t *testing.T) {
	log := &numberedLog{size: 2*recentLeaves + 9}
	c := &check{ctx: t.Context(), log: log, lineage: Lineage{{}}}
	grow(t, &c.tree, 1000)
	root, _ := c.tree.Root()
	grow(t, &c.tree, log.size-1000)
	for _, head := range []struct {
		root  terms.Hash
		found int
	}{{signed.FromTree(root), 0}, {terms.HashOf(nil), 1}} {
		e := &entryResult{}
		if err := c.checkHead(e, records.LogHead{Size: 1000, Root: head.root}); err != nil || len(e.findings) != head.found {
			t.Errorf("%v %v", e.findings, err)
		}
	}
	if log.again == 0 || log.again > 1024 {
		t.Errorf("%d records were read again", log.again)
	}
}

func TestRecordsAreToldApartExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := map[RecordName]records.RecordID{}
		for range 200 {
			at := terms.InstantOf(time.UnixMilli(rapid.Int64Range(1<<40, 1<<40+3).Draw(t, "millisecond")))
			random := [10]byte{9: rapid.Byte().Draw(t, "random")}
			id := records.NewRecordID(at, random)
			if before, there := names[NameOf(id)]; there && before != id {
				t.Fatalf("%s and %s have one name", before, id)
			}
			names[NameOf(id)] = id
		}
	})
}

// mostKept is how many bytes may be kept of a log of any size, the hashes of its latest leaves, and keptEach of each
// record: its id, the name of its revision and upper hashes. The package comment says what is kept.
const (
	mostKept = 4 << 20
	keptEach = 192
)

func TestFewBytesAreKeptOfEachRecord(t *testing.T) {
	for _, logged := range [...]int{1 << 16, 1 << 18} {
		before := liveHeap()
		c := newChain()
		tree := &Tree{}
		for i := range logged {
			m := records.Members{Area: terms.Appeals, RecordID: records.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
				Key: packets.Key{ID: terms.ID(fmt.Sprintf("case-%d", i)), Number: 1}}
			if kind, _ := c.add(&m, int64(i), nil); kind != "" {
				t.Fatal(kind)
			}
			need(tree.Add([32]byte{byte(i), byte(i >> 8)}))(t)
		}
		if kept := liveHeap() - before; kept > mostKept+keptEach*int64(logged) {
			t.Errorf("%d bytes are kept of %d records", kept, logged)
		} else {
			t.Logf("%d bytes are kept of %d records", kept, logged)
		}
		runtime.KeepAlive(tree)
		runtime.KeepAlive(&c)
	}
}

func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// In any order of arrival, the newest record on a shorter log is found.
func TestTheNewestRecordOnAShorterLogIsFound(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var order originOrder
		var taken []originStep
		for range 30 {
			size, recorded := draw.Int64N(12), draw.Int64N(40)
			want, some := int64(0), false
			for _, one := range taken {
				if one.size < size {
					want, some = max(want, one.newest), true
				}
			}
			if got, found := order.before(size); got != want || found != some {
				t.Fatalf("before %d: %d, want %d, of %v", size, got, want, taken)
			}
			order, taken = order.add(size, recorded), append(taken, originStep{size, recorded})
		}
	}
}
