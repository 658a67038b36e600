package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// A policyBook looks policies up within one transaction, each once.
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

// named is the key of the policy that a packet names; the zero Key if it names none.
func named(p packets.Packet) packets.Key {
	switch {
	case p.AppealCase().Held():
		record := p.AppealCase().Record()
		return packets.Key{ID: record.PolicyID, Number: record.PolicyVersion}
	case p.Amendment().Held():
		record := p.Amendment().Record()
		return packets.Key{ID: record.PolicyID, Number: record.PolicyVersion}
	}
	return packets.Key{}
}

// of returns the policy that the packet names and the latest version of it that is held. Where none is held, or it
// cannot be read, the policy is the zero Packet, which blocks.
func (b *policyBook) of(ctx context.Context, p packets.Packet) (policy packets.Packet, latestVersion int64, err error) {
	key := named(p)
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

// load reads a policy and the number of its latest version. The document is looked up in the index alone, as
// documentOf does.
func (b *policyBook) load(ctx context.Context, key packets.Key) (policy heldPolicy, err error) {
	id, number := keyColumns(b.table)
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(%[3]s), 0) FROM main.%[1]s WHERE %[2]s = ?1), "+
		"(SELECT document FROM main.%[1]s WHERE rowid = (SELECT rowid FROM main.%[1]s WHERE %[2]s = ?1 AND %[3]s = ?2))",
		b.table, quote(id), quote(number))
	var document []byte
	err = b.tx.QueryRowContext(ctx, query, string(key.ID), key.Number).Scan(&policy.latestVersion, &document)
	if err != nil || document == nil {
		return policy, err
	}
	if packet, unreadable := b.cache.read(document, b.table, key); unreadable == nil {
		policy.packet = packet
	}
	return policy, nil
}

// documentOf returns the stored bytes under a key, or sql.ErrNoRows. The key is looked up in the index alone, so that
// a document that is no longer JSON is still found.
func documentOf(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) (document []byte, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT %[4]s FROM main.%[1]s AS held WHERE held.rowid = "+
		"(SELECT rowid FROM main.%[1]s WHERE %[2]s = ? AND %[3]s = ?)", table, quote(id), quote(number), storedPacket(table, "held"))
	err = tx.QueryRowContext(ctx, query, string(key.ID), key.Number).Scan(&document)
	return document, err
}

// readHeld parses a stored packet, and checks that it is of its table and key.
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
	table := terms.RecordTable(area)
	return s.entries(ctx, table, withRecordIDs(table, revisionsAfter(table, 1)), [][]any{{string(after), most}})
}

// EntriesOf returns what an index takes of the latest revisions of the ids, in no particular order; unknown ids are left out.
func (s *Store) EntriesOf(ctx context.Context, area terms.Area, ids []terms.ID) ([]queue.Entry, error) {
	table := terms.RecordTable(area)
	args := make([][]any, len(ids))
	for i, id := range ids {
		args[i] = []any{string(id)}
	}
	return s.entries(ctx, table, withRecordIDs(table, lastRevisionOf(table, 1)), args)
}

// entries reads what a query selects with each of the arguments, in one snapshot, and parses it on all cores.
func (s *Store) entries(ctx context.Context, table terms.Table, query string, args [][]any) (all []queue.Entry, err error) {
	type row struct {
		key      packets.Key
		document []byte
		recorded string
	}
	var rows []row
	err = s.reading(ctx, "read the texts", func(ctx context.Context, tx engine.Tx) error {
		for _, args := range args {
			err := eachRow(ctx, tx, query, func(scan func(...any) error) error {
				var r row
				err := scan(&r.key.ID, &r.key.Number, &r.document, &r.recorded)
				rows = append(rows, r)
				return err
			}, args...)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all = make([]queue.Entry, len(rows))
	return all, inParallel(len(rows), func(i int) {
		reader := readersOfPackets.Get().(*packets.Reader)
		defer readersOfPackets.Put(reader)
		var recorded []records.RecordID
		for id := range strings.FieldsSeq(rows[i].recorded) {
			recorded = append(recorded, records.RecordID(id))
		}
		packet, err := readHeld(reader, rows[i].document, table, rows[i].key)
		if all[i] = queue.NewEntry(packet, recorded); err != nil {
			all[i] = queue.UnreadableEntry(rows[i].key, recorded)
		}
	})
}

// A packetCache keeps packets that were read lately, so that showing one, deciding on it and checking the decision parses it
// once. It is asked with the stored bytes, and answers only if they equal those that it parsed under the same key: the file always
// decides. The zero value is ready to use, by several goroutines.
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

// What the cache holds at most; it is emptied when it is full.
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
