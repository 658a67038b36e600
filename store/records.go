package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"docket/domain/json"
	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

type leaf struct {
	sequence int64
	table    terms.Table
	id       records.RecordID
	at       string
	hash     tlog.Hash
}

// holds reports whether the record's bytes are those that were logged.
func (l *leaf) holds(document []byte) bool {
	return signed.LeafHash(records.RecordEntry, l.at, document) == l.hash
}

func readLeaf(stored *engine.Leaf) (l leaf, err error) {
	l.sequence, l.id, l.at = stored.Sequence, stored.RecordID, stored.At
	if l.table, err = terms.Tables.Parse(stored.Table); err != nil || l.sequence < 0 || copy(l.hash[:], stored.Hash) != tlog.HashSize {
		return leaf{}, fmt.Errorf("row %d of the log: %w", stored.Sequence, ErrDamaged)
	}
	return l, nil
}

// leafOf returns an error that wraps ErrNotFound if the record is not in the log.
func leafOf(ctx context.Context, tx engine.Tx, id records.RecordID) (leaf, error) {
	stored, err := tx.Log().Leaf(ctx, id)
	if err != nil {
		return leaf{}, orNotFound(err, "record %s", id)
	}
	return readLeaf(&stored)
}

// loggedAs returns a record's leaf, with its stored bytes; none if its row is gone.
func loggedAs(ctx context.Context, tx engine.Tx, id records.RecordID) (l leaf, document []byte, err error) {
	if l, err = leafOf(ctx, tx, id); err == nil {
		document, err = tx.Records().Document(ctx, l.table, l.sequence)
	}
	return l, document, unlessNoRow(err)
}

// A history is all that is said of the records on a case or an amendment.
type history struct {
	records.Statuses
	documents map[records.RecordID][]byte
	unnamed   bool // nobody named the service, if there is one
	// damaged wraps ErrDamaged: an unreadable record may be in force or hold blockers of people.
	damaged error
}

// historiesOf reads those of the ids of an area; an id without a record on it has none.
func (s *Store) historiesOf(ctx context.Context, tx engine.Tx, area terms.Area, ids []terms.ID) (map[terms.ID]*history, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	stated, err := s.registered(ctx, tx)
	if err != nil {
		return nil, err
	}
	all := map[terms.ID]*history{}
	return all, tx.Records().History(ctx, terms.EnforcementTable(area), ids, func(said *engine.Said) error {
		if said.Elsewhere && stated.bound == nil {
			return nil
		}
		h := all[said.ID]
		if h == nil {
			h = &history{documents: map[records.RecordID][]byte{}, unnamed: stated.bound == nil}
			all[said.ID] = h
		}
		e, err := stated.entryOf(said)
		if err != nil {
			h.damaged = fmt.Errorf("a record on %s revision %d: %w: %w", said.ID, said.Revision, ErrDamaged, err)
			return nil
		}
		h.Add(e)
		h.documents[e.Record] = said.Document
		return nil
	})
}

// historyOf returns an error that wraps ErrDamaged if a record on the id cannot be read.
func (s *Store) historyOf(ctx context.Context, tx engine.Tx, area terms.Area, id terms.ID) (history, error) {
	all, err := s.historiesOf(ctx, tx, area, []terms.ID{id})
	if h := all[id]; err == nil && h != nil {
		return *h, h.damaged
	}
	return history{}, err
}

// entryOf reads an entry; a service's word counts if persons named it and its log's key signed it.
func (l *statedLog) entryOf(said *engine.Said) (e records.Entry, err error) {
	if e, err = records.ReadEntry(said.Document, said.Revision); err != nil {
		return e, err
	}
	e.Sequence, e.Answer, e.Elsewhere = said.Sequence, said.Answer, said.Elsewhere
	if e.Elsewhere {
		return e, nil
	}
	if l.bound != nil && said.Rejection != "" {
		if key, err := l.bound.keyOf(said.Rejection); err == nil {
			if r, err := key.OpenRejection(said.Rejection); err == nil && r.RecordID == e.Record {
				e.Rejection = &r
			}
		}
	}
	received := int64(keys.NotReceived)
	if e.Accepted = l.bound != nil && said.TreeSize > 0; e.Accepted {
		received = said.TreeSize - 1
	}
	standing := l.ring.At(keys.Holder{Reviewer: e.Reviewer, Fingerprint: e.KeyFingerprint}, e.Sequence, received)
	e.Revoked = standing.State == keys.Revoked
	e.Never = e.Revoked && e.Sequence >= standing.Made
	return e, nil
}

// A loggedList reads records in log order; an unreadable one, or not what was logged, says so.
type loggedList struct {
	store   *Store
	reader  *packets.Reader
	records []records.LoggedRecord
	leaves  []leaf
}

func (list *loggedList) add(logged *engine.Logged) error {
	l, err := readLeaf(&logged.Leaf)
	if err != nil {
		return err
	}
	r := records.LoggedRecord{Number: logged.Number, HandIn: readAnswer(&logged.Answer), InForceHere: logged.InForceHere}
	if logged.Bound && r.HandIn.State == records.Kept {
		r.HandIn.State = records.NotHandedIn
	}
	if !l.holds(logged.Document) {
		r.Unreadable = "its bytes are not those that were logged; verify the store"
	} else if r.Record, err = records.ReadEnforcement(list.reader, terms.AreaOf(l.table), logged.Document); err != nil {
		r.Record, r.Unreadable = records.Enforcement{}, err.Error()
	}
	list.records, list.leaves = append(list.records, r), append(list.leaves, l)
	return nil
}

// settle takes the answers to readable records; those of a service that nobody named do not count.
func (list *loggedList) settle(ctx context.Context, tx engine.Tx) error {
	for _, area := range terms.Areas.All() {
		var ids []terms.ID
		var on []int
		for i := range list.records {
			if m := list.records[i].Record.Members(); list.records[i].Unreadable == "" && m.Area == area {
				ids, on = append(ids, m.Key.ID), append(on, i)
			}
		}
		histories, err := list.store.historiesOf(ctx, tx, area, ids)
		if err != nil {
			return err
		}
		for _, i := range on {
			r, m := &list.records[i], list.records[i].Record.Members()
			h := histories[m.Key.ID]
			if h == nil { // an index that is damaged does not lead to the record
				return fmt.Errorf("the records on %s: %w", m.Key.ID, ErrDamaged)
			}
			status := h.Of(m.RecordID, m.Key.Number, list.leaves[i].sequence)
			r.SupersededBy, r.Revoked, r.JudgedAgain = status.SupersededBy, status.Revoked, status.JudgedAgain
			switch {
			case h.unnamed:
				r.HandIn = records.HandIn{}
			case r.HandIn.State == records.Rejected && status.Rejection == nil:
				r.HandIn = records.HandIn{State: records.NotHandedIn}
			}
		}
	}
	return nil
}

// receipted returns the records with receipts, by one query for hashes; failed ended reading.
func (list *loggedList) receipted(ctx context.Context, tx engine.Tx, failed error) ([]records.LoggedRecord, error) {
	if err := cmp.Or(failed, list.settle(ctx, tx)); err != nil {
		return nil, err
	}
	log, sizes := merkle.NewLog(0, hashTable(ctx, tx)), make([]int64, len(list.leaves))
	for i := range list.leaves {
		sizes[i] = list.leaves[i].sequence + 1
	}
	err := log.Hashes.Preload(sizes)
	for i := 0; i < len(list.leaves) && err == nil; i++ {
		list.records[i].Receipt, err = log.Receipt(list.leaves[i].id, list.leaves[i].sequence, list.leaves[i].at, list.leaves[i].hash)
		if err == nil && list.records[i].Unreadable == "" {
			list.records[i].Advised, err = advisedFor(ctx, tx, list.reader, list.records[i].Record.Members())
		}
	}
	if err != nil {
		return nil, err
	}
	return list.records, nil
}

// advisedFor is absent for amendments, and where the packets it depends on cannot be read.
func advisedFor(ctx context.Context, tx engine.Tx, reader *packets.Reader, m *records.Members) (terms.Outcome, error) {
	unread := false
	advised, err := m.Advised(func() (policy, packet packets.Packet, err error) {
		of, by, _ := verify.RefsOf(m)
		var held [2]packets.Packet
		for i, ref := range [...]verify.Ref{by, of} {
			document, err := documentOf(ctx, tx, ref.Table, ref.Key)
			if err != nil {
				return policy, packet, err
			}
			if held[i], err = reader.ReadStored(document); err != nil {
				unread = true
				return policy, packet, err
			}
		}
		return held[0], held[1], nil
	})
	if unread || errors.Is(err, engine.ErrNoRow) {
		return 0, nil
	}
	return advised, err
}

// recordsOn lists the records on one revision and those on others of its id, in log order.
func (s *Store) recordsOn(ctx context.Context, tx engine.Tx, reader *packets.Reader, area terms.Area,
	key packets.Key) (here, elsewhere []records.LoggedRecord, err error) {
	table := terms.EnforcementTable(area)
	on := loggedList{store: s, reader: reader}
	if here, err = on.receipted(ctx, tx, tx.Records().LoggedOn(ctx, table, key, false, on.add)); err != nil {
		return nil, nil, err
	}
	others := loggedList{store: s, reader: reader}
	elsewhere, err = others.receipted(ctx, tx, tx.Records().LoggedOn(ctx, table, key, true, others.add))
	return here, elsewhere, err
}

// AllRecords is the value of limit with which Records has no limit.
const AllRecords = -1

// Records lists at most limit logged records with Numbers below before, newest first. 0 for before
// starts at the newest; the next page starts at the last one's Number, until that is 0.
func (s *Store) Records(ctx context.Context, before int64, limit int) ([]records.LoggedRecord, error) {
	page, err := s.RecordPage(ctx, before, limit)
	return page.Records, err
}

// RecordPage is Records with the number of all of them, in at most six queries, however long the log is.
// The time by which a record has to be handed in is set as far as HandInTally has computed it.
func (s *Store) RecordPage(ctx context.Context, before int64, limit int) (records.Page, error) {
	page, err := ask(ctx, s, "read the records", func(ctx context.Context, tx engine.Tx) (page records.Page, err error) {
		if page.Total, err = tx.Log().CountRecords(ctx); err != nil {
			return page, err
		}
		if before <= 0 || before > page.Total {
			before = page.Total
		}
		first := int64(0)
		if limit >= 0 {
			first = max(0, before-int64(limit))
		}
		list := loggedList{store: s, reader: &packets.Reader{}}
		page.Records, err = list.receipted(ctx, tx, tx.Records().LoggedNumbered(ctx, first, before-first, list.add))
		if err == nil && int64(len(page.Records)) != before-first {
			s.findings.add(found(verify.RecordMissing, "one of the records %d to %d", first, before-1))
		}
		slices.Reverse(page.Records)
		return page, err
	})
	s.metRecords(page.Records)
	s.bounds.tell(page.Records)
	return page, err
}

// Record returns one logged record; the error wraps ErrNotFound if there is none of that id.
func (s *Store) Record(ctx context.Context, id records.RecordID) (records.LoggedRecord, error) {
	found, err := ask(ctx, s, "read the record", func(ctx context.Context, tx engine.Tx) ([]records.LoggedRecord, error) {
		list := loggedList{store: s, reader: &packets.Reader{}}
		found, err := list.receipted(ctx, tx, tx.Records().LoggedAs(ctx, id, list.add))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("record %s: %w", id, ErrNotFound)
		}
		if err != nil {
			return nil, err
		}
		return found, s.boundHandIns(ctx, tx, found)
	})
	if err != nil {
		return records.LoggedRecord{}, err
	}
	s.metRecords(found[:1])
	return found[0], nil
}

// StatsPage reads records of a period for its figures: at most limit, in the order of their ids,
// from the one after an id, "" for the first. A page with fewer is the last. It takes at most seven
// queries; a record is compared with its leaf, and not verified otherwise.
func (s *Store) StatsPage(ctx context.Context, period stats.Period, after records.RecordID, limit int) ([]stats.Record, error) {
	from, to := max(firstID(period.From, ""), string(after)+"\x00"), firstID(period.To, "\U0010ffff")
	var logged []records.LoggedRecord
	var dates map[int64]engine.Dates
	err := s.reading(ctx, "read the records of a period", func(ctx context.Context, tx engine.Tx) (err error) {
		list := loggedList{store: s, reader: &packets.Reader{}}
		logged, err = list.receipted(ctx, tx, tx.Records().LoggedFrom(ctx, from, to, limit, list.add))
		if err != nil || len(logged) == 0 {
			return err
		}
		json.Sort(logged, func(a, b records.LoggedRecord) int { return cmp.Compare(a.Receipt.RecordID, b.Receipt.RecordID) })
		dates, err = tx.Records().Dates(ctx, logged[0].Receipt.RecordID, logged[len(logged)-1].Receipt.RecordID)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.metRecords(logged)
	page := make([]stats.Record, len(logged))
	for i := range logged {
		page[i] = stats.RecordOf(&logged[i])
		of := dates[logged[i].Receipt.Sequence]
		page[i].FiledAt, _ = terms.ParseInstant(of.FiledAt)
		page[i].Deadline, _ = terms.ParseInstant(of.Deadline)
		if page[i].Members == nil {
			continue
		}
		if m := page[i].Members; m.Area == terms.Appeals && !logged[i].Advised.Present() {
			return nil, fmt.Errorf("the packets of record %s: %w", m.RecordID, ErrDamaged)
		}
	}
	return page, nil
}

// firstID returns the beginning of the first id of a time, in the order of ids: "" before 1970,
// where ids begin, and none for an absent time.
func firstID(at terms.Instant, none string) string {
	const digits = len("00000000-0000") // of the time
	switch {
	case !at.Present():
		return none
	case at.Time().Before(time.Unix(0, 0)):
		return ""
	}
	return string(records.NewRecordID(at, [10]byte{})[:digits])
}

// PacketSalt returns the salt of a record's packetDigest; the error wraps ErrNotFound if there is
// none.
func (s *Store) PacketSalt(ctx context.Context, id records.RecordID) (packets.Salt, error) {
	return ask(ctx, s, "read the salt of a record", func(ctx context.Context, tx engine.Tx) (packets.Salt, error) {
		salt, err := tx.Records().PacketSalt(ctx, id)
		return salt, orNotFound(err, "salt of record %s", id)
	})
}

// Statement returns a record's statement of reasons; the error wraps ErrNotFound if there is none.
func (s *Store) Statement(ctx context.Context, id records.RecordID) (records.Statement, error) {
	return ask(ctx, s, "read the statement of reasons", func(ctx context.Context, tx engine.Tx) (records.Statement, error) {
		statement, err := tx.Records().Statement(ctx, id)
		return statement, orNotFound(err, "statement of reasons of record %s", id)
	})
}
