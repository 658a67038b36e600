package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"sync"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store/engine"
)

// A policyBook reads policies within one transaction, each once.
type policyBook struct {
	tx    engine.Tx
	table terms.Table
	cache *packetCache
	held  map[packets.Key]heldPolicy
}

// A heldPolicy is a policy, the zero Packet where none is held or it cannot be read, and the latest version of it.
type heldPolicy struct {
	packet        packets.Packet
	latestVersion int64
}

func newPolicyBook(tx engine.Tx, area terms.Area, cache *packetCache) *policyBook {
	return &policyBook{tx: tx, table: terms.PolicyTable(area), cache: cache, held: map[packets.Key]heldPolicy{}}
}

// of returns the policy that the packet names and the latest version of it that is held. Where none is held, or it
// cannot be read, the policy is the zero Packet, which blocks.
func (b *policyBook) of(ctx context.Context, p packets.Packet) (policy packets.Packet, latestVersion int64, err error) {
	key := p.PolicyKey()
	if !key.ID.Present() {
		return packets.Packet{}, 0, nil
	}
	held, known := b.held[key]
	if !known {
		if held, err = b.load(ctx, key); err != nil {
			return packets.Packet{}, 0, err
		}
		b.held[key] = held
	}
	return held.packet, held.latestVersion, nil
}

// load reads a policy and the number of its latest version.
func (b *policyBook) load(ctx context.Context, key packets.Key) (policy heldPolicy, err error) {
	document, latest, err := b.tx.Packets().Policy(ctx, b.table, key)
	if err != nil {
		return heldPolicy{}, err
	}
	policy.latestVersion = latest
	if document == nil {
		return policy, nil
	}
	if packet, unreadable := b.cache.read(document, b.table, key); unreadable == nil {
		policy.packet = packet
	}
	return policy, nil
}

// documentOf returns the stored bytes under a key, or engine.ErrNoRow.
func documentOf(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) (document []byte, err error) {
	err = tx.Packets().Show(ctx, table, key, func(shown []byte) { document = bytes.Clone(shown) })
	return document, err
}

// readHeld parses a stored packet, and checks its table and key.
func readHeld(reader *packets.Reader, document []byte, table terms.Table, key packets.Key) (packets.Packet, error) {
	packet, err := reader.ReadStored(document)
	if err != nil {
		return packets.Packet{}, err
	}
	if packet.Table() != table || packet.Key() != key {
		return packets.Packet{}, fmt.Errorf("%w: it stands under another key", packets.ErrStoredPacket)
	}
	return packet, nil
}

// EntriesAfter returns what an index takes of the latest revisions of the ids after one, at most so many, in the order of the ids.
func (s *Store) EntriesAfter(ctx context.Context, area terms.Area, after terms.ID, most int) ([]queue.Entry, error) {
	return s.entries(ctx, area, func(ctx context.Context, tx engine.Tx, yield func(engine.IndexRow) error) error {
		return tx.Queue().IndexAfter(ctx, area, after, most, yield)
	})
}

// EntriesOf returns the index entries of the latest revisions of the ids, in no particular order; unknown ids are left
// out.
func (s *Store) EntriesOf(ctx context.Context, area terms.Area, ids []terms.ID) ([]queue.Entry, error) {
	return s.entries(ctx, area, func(ctx context.Context, tx engine.Tx, yield func(engine.IndexRow) error) error {
		for _, id := range ids {
			if err := tx.Queue().IndexOf(ctx, area, id, yield); err != nil {
				return err
			}
		}
		return nil
	})
}

// entries reads rows in one snapshot, and parses them on all cores.
func (s *Store) entries(ctx context.Context, area terms.Area,
	read func(ctx context.Context, tx engine.Tx, yield func(engine.IndexRow) error) error) ([]queue.Entry, error) {
	var rows []engine.IndexRow
	err := s.reading(ctx, "read the texts", func(ctx context.Context, tx engine.Tx) error {
		return read(ctx, tx, func(row engine.IndexRow) error {
			rows = append(rows, row)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	all := make([]queue.Entry, len(rows))
	return all, inParallel(len(rows), func(i int) {
		reader := readersOfPackets.Get().(*packets.Reader)
		defer readersOfPackets.Put(reader)
		packet, err := readHeld(reader, rows[i].Document, terms.RecordTable(area), rows[i].Key)
		if all[i] = queue.NewEntry(packet, rows[i].Recorded); err != nil {
			all[i] = queue.UnreadableEntry(rows[i].Key, rows[i].Recorded)
		}
	})
}

// A packetCache keeps packets that were read lately, so that showing one, deciding on it and checking the decision
// parses it once. A lookup takes the stored bytes and succeeds only if they equal those that were parsed under the same
// key, so that the file always decides. The zero value is ready to use by several goroutines.
type packetCache struct {
	mutex sync.Mutex
	held  map[cachedKey]cachedPacket
	bytes int // of the documents that are held
}

type cachedPacket struct {
	stored []byte // what it was read from
	packet packets.Packet
}

type cachedKey struct {
	table terms.Table
	key   packets.Key
}

// The limits of the cache; it is emptied when it is full.
const (
	cachePackets = 64
	cacheBytes   = 4 << 20
)

// read parses a stored packet, and checks that it is of its table and key.
func (s *packetCache) read(document []byte, table terms.Table, key packets.Key) (packets.Packet, error) {
	place := cachedKey{table, key}
	s.mutex.Lock()
	held, there := s.held[place]
	s.mutex.Unlock()
	if there && bytes.Equal(held.stored, document) {
		return held.packet, nil
	}
	packet, err := readHeld(&packets.Reader{}, document, table, key)
	if err != nil {
		return packets.Packet{}, err
	}
	s.put(place, cachedPacket{bytes.Clone(document), packet})
	return packet, nil
}

func (s *packetCache) put(place cachedKey, read cachedPacket) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held == nil || len(s.held) >= cachePackets || s.bytes > cacheBytes {
		s.held, s.bytes = map[cachedKey]cachedPacket{}, 0
	}
	s.held[place] = read
	s.bytes += len(read.stored)
}

// checkedPackets remembers which stored packets were read and found to be what their places say, with nothing private and nothing erased
// in them, so that a service that gives a packet out again does not parse it again. It knows a packet by the SHA-256 digest of its stored bytes,
// its table and its key: the file always decides, and bytes that are not the same are read as if they were new. The zero value is ready to
// use, by several goroutines.
type checkedPackets struct {
	mutex  sync.Mutex
	young  map[[sha256.Size]byte]struct{} // those that were met lately
	old    map[[sha256.Size]byte]struct{} // those before, which go when young is full
	hashes sync.Pool                      // of hash.Hash
}

// checkedBytes is what the digests take at most; a map takes less than 64 bytes for one of them.
const (
	checkedBytes = 16 << 20
	mostYoung    = checkedBytes / 64 / 2
)

// digest is that under which a stored packet is known.
func (c *checkedPackets) digest(document []byte, table terms.Table, key packets.Key) (digest [sha256.Size]byte) {
	h, is := c.hashes.Get().(hash.Hash)
	if !is {
		h = sha256.New()
	}
	h.Reset()
	var sized [24]byte // the lengths keep one part from being taken for another
	binary.BigEndian.PutUint64(sized[:], uint64(table))
	binary.BigEndian.PutUint64(sized[8:], uint64(key.Number))
	binary.BigEndian.PutUint64(sized[16:], uint64(len(key.ID)))
	_, _ = h.Write(sized[:])
	_, _ = h.Write([]byte(key.ID))
	_, _ = h.Write(document)
	h.Sum(digest[:0])
	c.hashes.Put(h)
	return digest
}

// shown returns the packet as it is given out, if the same bytes were checked before under the same table and key.
func (c *checkedPackets) shown(document []byte, table terms.Table, key packets.Key) (shown []byte, digest [sha256.Size]byte) {
	digest = c.digest(document, table, key)
	c.mutex.Lock()
	_, there := c.young[digest]
	if !there {
		if _, there = c.old[digest]; there {
			c.put(digest)
		}
	}
	c.mutex.Unlock()
	if there {
		shown = packets.Shown(document)
	}
	return shown, digest
}

// remember remembers a packet that was read from the stored bytes with the digest and is given out as shown, if it may be given out again.
func (c *checkedPackets) remember(digest [sha256.Size]byte, document, shown []byte, packet packets.Packet) {
	if packet.HoldsPrivate() || packet.Erased() || !bytes.Equal(packets.Shown(document), shown) {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.put(digest)
}

// put puts a digest among the young ones. The mutex is held.
func (c *checkedPackets) put(digest [sha256.Size]byte) {
	if len(c.young) >= mostYoung {
		c.old, c.young = c.young, nil
	}
	if c.young == nil {
		c.young = map[[sha256.Size]byte]struct{}{}
	}
	c.young[digest] = struct{}{}
}
