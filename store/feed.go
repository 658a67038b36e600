package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
)

// A ServedRecord is a record of a service's log with what is stored with it.
type ServedRecord struct {
	records.LoggedRecord
	Signature  []byte             // armored
	PacketSalt packets.Salt       // of its packetDigest; "" once it was erased
	Statement  records.Statement  // of reasons; absent for none, and once it was erased
	Erasures   []signed.Statement // by which the operator erased the statement or the salt
}

// A RecordFeed is a part of the records that a principal may see, in the order of the log.
type RecordFeed struct {
	Records []ServedRecord
	Cursor  string // to ask with for what comes after, now or later
	More    bool   // there is more now
}

// Feed returns at most so many records after the cursor that the permissions allow, on one case or
// amendment or, for the zero About, on any, and the cursor after them; fewer if they are large. The
// empty cursor is the beginning, as is one of other permissions. The error is ErrCursor if the
// cursor is not one of this log, and wraps ErrNotFound for a case or an amendment that is not held
// or not allowed.
func (s *Store) Feed(ctx context.Context, r Permissions, about About, after string, most int) (feed RecordFeed, err error) {
	return s.feedWithin(ctx, &r, about, after, most, pageBytes)
}

// feedWithin is Feed with records of at most so many bytes, but always one of them.
func (s *Store) feedWithin(ctx context.Context, r *Permissions, about About, after string, most, mostBytes int) (RecordFeed, error) {
	return askKind(ctx, s, true, "read the records", func(ctx context.Context, tx engine.Tx) (feed RecordFeed, err error) {
		next := int64(0) // the first sequence that was not looked at
		same, err := readCursorOf(recordCursor, []*int64{&next}, after, s.key, r)
		if err != nil {
			return feed, err
		}
		if !same {
			next = 0
		}
		size, err := logSize(ctx, tx)
		if err != nil {
			return feed, err
		}
		if next > size { // the store is an older one than the one that gave the cursor out
			return feed, ErrCursor
		}
		sequences, err := r.recordsFrom(ctx, tx, about, next, most+1)
		if err != nil {
			return feed, err
		}
		feed.More = len(sequences) > most
		sequences = sequences[:min(len(sequences), most)]
		if feed.Records, err = s.servedAt(ctx, tx, r, sequences); err != nil {
			return feed, err
		}
		if next = size; feed.More {
			next = sequences[most-1] + 1
		}
		bytes := 0
		for i := range feed.Records {
			if bytes += len(feed.Records[i].Record.Document()); bytes > mostBytes && i > 0 {
				next, feed.More, feed.Records = feed.Records[i].Receipt.Sequence, true, feed.Records[:i]
				break
			}
		}
		feed.Cursor = writeCursor(recordCursor, []*int64{&next}, s.key, r)
		return feed, nil
	})
}

// recordsFrom returns at most so many sequences from next on: all the principal's, and few others.
func (r *Permissions) recordsFrom(ctx context.Context, tx engine.Tx, about About, next int64, most int) (sequences []int64, err error) {
	scopes := map[terms.Area][]engine.RecordScope{terms.Appeals: r.scopes(terms.Appeals), terms.Amendments: r.scopes(terms.Amendments)}
	if about != (About{}) {
		if err := r.checkSees(ctx, tx, about); err != nil {
			return nil, err
		}
		scopes = map[terms.Area][]engine.RecordScope{about.Area: {{About: about.ID}}}
	}
	for area, list := range scopes {
		for _, scope := range list {
			some, err := tx.Records().SequencesAfter(ctx, terms.EnforcementTable(area), scope, next-1, most)
			if err != nil {
				return nil, err
			}
			sequences = append(sequences, some...)
		}
	}
	slices.Sort(sequences)
	sequences = slices.Compact(sequences)
	return sequences[:min(len(sequences), most)], nil
}

func (s *Store) servedAt(ctx context.Context, tx engine.Tx, r *Permissions, sequences []int64) (list []ServedRecord, err error) {
	if len(sequences) == 0 {
		return nil, nil
	}
	logged := loggedList{store: s, reader: &packets.Reader{}}
	read, err := logged.receipted(ctx, tx, tx.Records().LoggedAt(ctx, sequences, logged.add))
	if err != nil {
		return nil, err
	}
	beside := map[int64]engine.Entry{}
	if err := tx.Records().EntriesAt(ctx, sequences, func(e *engine.Entry) error { beside[e.Sequence] = *e; return nil }); err != nil {
		return nil, err
	}
	for i := range read {
		record := &read[i]
		if record.Unreadable != "" {
			return nil, fmt.Errorf("record %s: %w", record.Receipt.RecordID, ErrDamaged)
		}
		if sees, err := r.seesRecord(ctx, tx, record.Record.Members()); err != nil || !sees {
			if err != nil {
				return nil, err
			}
			continue
		}
		e := beside[record.Receipt.Sequence]
		made := ServedRecord{LoggedRecord: *record, Signature: e.Signature, PacketSalt: e.PacketSalt, Statement: e.Statement}
		if err = made.takeErasures(ctx, tx, s); err != nil {
			return nil, err
		}
		list = append(list, made)
	}
	return list, nil
}

// takeErasures takes the statements about what is missing beside the record, or ErrDamaged.
func (r *ServedRecord) takeErasures(ctx context.Context, tx engine.Tx, s *Store) error {
	m := r.Record.Members()
	var objects []records.Erasure
	if r.PacketSalt == "" {
		objects = append(objects, records.Erasure{What: records.ErasableTexts, Table: terms.RecordTable(m.Area), Key: m.Key})
	}
	if m.StatementDigest.Present() && !r.Statement.Present() {
		objects = append(objects, records.Erasure{What: records.ErasableStatement, Record: m.RecordID})
	}
	for _, object := range objects {
		stated, err := s.erasureOf(ctx, tx, object)
		if errors.Is(err, ErrNotFound) {
			err = fmt.Errorf("what lies beside record %s: %w", m.RecordID, ErrDamaged)
		}
		if err != nil {
			return err
		}
		r.Erasures = append(r.Erasures, stated)
	}
	return nil
}

// ReadRecord returns a record that the permissions allow, or an error that wraps ErrNotFound.
func (s *Store) ReadRecord(ctx context.Context, r Permissions, id records.RecordID) (ServedRecord, error) {
	return ask(ctx, s, "read the record", func(ctx context.Context, tx engine.Tx) (ServedRecord, error) {
		return s.servedAs(ctx, tx, &r, id)
	})
}

func (s *Store) servedAs(ctx context.Context, tx engine.Tx, r *Permissions, id records.RecordID) (ServedRecord, error) {
	l, err := leafOf(ctx, tx, id)
	if err != nil {
		return ServedRecord{}, err
	}
	list, err := s.servedAt(ctx, tx, r, []int64{l.sequence})
	if err != nil {
		return ServedRecord{}, err
	}
	if len(list) == 0 {
		return ServedRecord{}, fmt.Errorf("record %s: %w", id, ErrNotFound)
	}
	return list[0], nil
}

// ProveRecord returns a record that the permissions allow, with the proof that it is in the log as
// it is now and the newest checkpoint, which is of exactly that tree. It may wrap ErrNotFound.
func (s *Store) ProveRecord(ctx context.Context, r Permissions, id records.RecordID) (proof Inclusion, checkpoint []byte, err error) {
	err = s.reading(ctx, "prove the record", func(ctx context.Context, tx engine.Tx) error {
		record, err := s.servedAs(ctx, tx, &r, id)
		if err != nil {
			return err
		}
		if proof, err = inclusionOf(ctx, tx, &record.LoggedRecord); err != nil {
			return err
		}
		checkpoint, err = newestCheckpoint(ctx, tx)
		return err
	})
	return proof, checkpoint, err
}
