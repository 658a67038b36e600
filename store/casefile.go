package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/engine"
)

// CaseFile returns one revision of a case or amendment, evaluated for the moment at, with everything that is known about
// it here. revision 0 is the latest. reviewer is whose skip and draft count; it may be absent. The error wraps ErrNotFound if
// the store has no such revision, and packets.ErrStoredPacket if it cannot be read.
func (s *Store) CaseFile(ctx context.Context, table terms.Table, id terms.ID, revision int64, at terms.Instant,
	reviewer terms.ID) (queue.CaseFile, error) {
	var d queue.CaseFile
	err := s.reading(ctx, "read the packet", func(ctx context.Context, tx engine.Tx) (err error) {
		if d, err = caseFileOf(ctx, tx, &s.cache, table, packets.Key{ID: id, Number: revision}, at, reviewer); err != nil {
			return err
		}
		d.Waits, err = s.waitsFor(ctx, tx, at)
		return err
	})
	if err != nil {
		return queue.CaseFile{}, err
	}
	return d, nil
}

// notFound is the error for a packet that the store does not hold. Ids are opaque and not private.
func notFound(table terms.Table, key packets.Key) error {
	what := fmt.Sprintf("%s in %s", key.ID, table)
	if key.Number > 0 {
		what = fmt.Sprintf("%s revision %d in %s", key.ID, key.Number, table)
	}
	return fmt.Errorf("%s: %w", what, ErrNotFound)
}

func caseFileOf(ctx context.Context, tx engine.Tx, cache *packetCache, table terms.Table, key packets.Key, at terms.Instant,
	reviewer terms.ID) (d queue.CaseFile, err error) {
	if d, err = look(ctx, tx, cache, table, key, at); err != nil {
		return d, err
	}
	area := terms.AreaOf(table)
	key = d.View.Key()
	reader := &packets.Reader{}
	if d.Records, d.Elsewhere, err = recordsOn(ctx, tx, reader, area, key); err != nil {
		return d, err
	}
	if d.Related, d.Unlisted, err = related(ctx, tx, cache, d.View.Record(), at, reviewer); err != nil {
		return d, err
	}
	if d.Skipped, err = skipReason(ctx, tx, reviewer, table, key); err != nil {
		return d, err
	}
	d.Draft, err = draftOf(ctx, tx, reviewer, table, key)
	return d, err
}

// look reads the part of a case file on which a decision depends: the view, the revisions and the record in force.
func look(ctx context.Context, tx engine.Tx, cache *packetCache, table terms.Table, key packets.Key,
	at terms.Instant) (d queue.CaseFile, err error) {
	area := terms.AreaOf(table)
	if table != terms.RecordTable(area) {
		return d, notFound(table, key)
	}
	held, err := heldOf(ctx, tx, table, key)
	if err != nil {
		return d, err
	}
	d.Revisions, d.Arrived, d.InForce = held.revisions, held.arrived, held.inForce
	if held.document == nil {
		return d, notFound(table, key)
	}
	latest := rules.Latest{Revision: d.Revisions[len(d.Revisions)-1]}
	if key.Number == 0 {
		key.Number = latest.Revision
	}
	packet, err := cache.read(held.document, table, key)
	if err != nil {
		return d, fmt.Errorf("%s revision %d in %s: %w", key.ID, key.Number, table, err)
	}
	if packet.Erased() {
		if packet, err = noteErased(ctx, tx, packet); err != nil {
			return d, err
		}
	}
	policy, latestVersion, err := newPolicyBook(tx, area, cache).of(ctx, packet)
	if err != nil {
		return d, err
	}
	latest.PolicyVersion = latestVersion
	carried, err := carriedBlockers(ctx, tx, area, key)
	if err != nil {
		return d, err
	}
	d.View = views.New(policy, packet, latest, at).Carrying(carried)
	return d, nil
}

// A holding is what is held of a case or amendment.
type holding struct {
	revisions []int64          // ascending
	arrived   []terms.Instant  // when each of them came in
	document  []byte           // of the revision that was asked for; nil if that is not held
	inForce   records.RecordID // the last record on it that no revoked key signed, or what the service named in its place; "" if there is none
}

// heldOf reads it in one query; number 0 asks for the latest revision. Numbers come from the index alone, so that a
// document that is no longer JSON is still found.
func heldOf(ctx context.Context, tx engine.Tx, table terms.Table, key packets.Key) (h holding, err error) {
	err = eachRow(ctx, tx, heldQueries[table], func(scan func(...any) error) error {
		var number int64
		var document []byte
		var inForce records.RecordID
		var importedAt string
		if err := scan(&number, &document, &inForce, &importedAt); err != nil {
			return err
		}
		at, _ := terms.ParseInstant(importedAt) // the column is this machine's own word; an absent time shows as none
		h.revisions, h.arrived = append(h.revisions, number), append(h.arrived, at)
		if document != nil {
			h.document, h.inForce = document, inForce
		}
		return nil
	}, string(key.ID), key.Number)
	return h, err
}

// heldQueries are the queries of heldOf.
var heldQueries = map[terms.Table]string{
	terms.AppealCases:      heldQuery(terms.AppealCases),
	terms.AmendmentRecords: heldQuery(terms.AmendmentRecords),
}

func heldQuery(table terms.Table) string {
	records := terms.EnforcementTable(terms.AreaOf(table))
	id, number := keyColumns(table)
	recordOf, recordOn := keyColumns(records)
	wanted := fmt.Sprintf("revision.%[3]s = CASE ?2 WHEN 0 THEN (SELECT max(%[3]s) FROM main.%[1]s WHERE %[2]s = ?1) ELSE ?2 END",
		table, quote(id), quote(number))
	inForce := fmt.Sprintf("SELECT coalesce(rejected.inForce, held.recordId) FROM main.%[1]s AS held INDEXED BY %[2]s "+
		"LEFT JOIN main.%[5]s AS rejected ON rejected.sequence = held.sequence "+
		"WHERE held.%[3]s = ?1 AND held.%[4]s = revision.%[6]s AND NOT %[7]s ORDER BY held.sequence DESC LIMIT 1",
		records, keyIndex(records), quote(recordOf), quote(recordOn), rejectionsTable, quote(number), isRevoked(records, "held.sequence"))
	return fmt.Sprintf("SELECT revision.%[3]s, "+
		"CASE WHEN %[5]s THEN (SELECT %[7]s FROM main.%[1]s AS held WHERE held.rowid = revision.rowid) END, "+
		"CASE WHEN %[5]s THEN coalesce((%[6]s), '') ELSE '' END, revision.importedAt "+
		"FROM main.%[1]s AS revision INDEXED BY %[4]s WHERE revision.%[2]s = ?1 ORDER BY revision.%[3]s",
		table, quote(id), quote(number), keyIndex(table), wanted, inForce, storedPacket(table, "held"))
}

// Find returns the packet tables that hold an id: as a case, an amendment or a policy.
func (s *Store) Find(ctx context.Context, id terms.ID) ([]terms.Table, error) {
	var tables []terms.Table
	err := s.reading(ctx, "look an id up", func(ctx context.Context, tx engine.Tx) error {
		for _, table := range terms.PacketTables.Terms() {
			column, _ := keyColumns(table)
			query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s WHERE %s = ?)", table, quote(column))
			var held bool
			if err := tx.QueryRowContext(ctx, query, string(id)).Scan(&held); err != nil {
				return err
			}
			if held {
				tables = append(tables, table)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tables, nil
}

// A RevisionState is the present state of a revision of a case or an amendment.
type RevisionState struct {
	InForce  records.RecordID // "" for none
	Latest   int64            // the latest revision that is held
	Blockers []terms.Blocker
	Carried  terms.BlockerSet // added by people, in records on the revision
}

// RevisionState evaluates a revision for now. For one that is not held the zero RevisionState is returned.
func (s *Store) RevisionState(ctx context.Context, area terms.Area, key packets.Key) (standing RevisionState, err error) {
	err = s.reading(ctx, "look at what is in force", func(ctx context.Context, tx engine.Tx) error {
		d, err := look(ctx, tx, &s.cache, terms.RecordTable(area), key, terms.InstantOf(s.now()))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		standing = RevisionState{InForce: d.InForce, Latest: d.Revisions[len(d.Revisions)-1], Blockers: d.View.Evaluation().Blockers(),
			Carried: d.View.Carried()}
		return nil
	})
	return standing, err
}

// carriedBlockers returns the blockers that people added to a revision: those of every record on it that is or was in
// force, and those that the service's rejections name. They stand even where the rules find nothing.
func carriedBlockers(ctx context.Context, tx engine.Tx, area terms.Area, key packets.Key) (codes terms.BlockerSet, err error) {
	err = eachRow(ctx, tx, carriedQueries[area], func(scan func(...any) error) error {
		var added, carried string
		var rejection sql.NullString
		if err := scan(&added, &carried, &rejection); err != nil {
			return err
		}
		if rejection.Valid {
			statement, err := signed.Unverified(rejection.String)
			codes = codes.Union(statement.Carried)
			return err
		}
		for _, list := range [...]string{added, carried} {
			blockers, ok := readBlockers(list)
			if !ok {
				return fmt.Errorf("the blockers of a record on %s revision %d: %w", key.ID, key.Number, ErrDamaged)
			}
			codes = codes.Union(terms.SetOf(blockers...))
		}
		return nil
	}, string(key.ID), key.Number)
	return codes, err
}

// readBlockers reads a column with a list of blockers.
func readBlockers(text string) (blockers []terms.Blocker, ok bool) {
	words, ok := readWords([]byte(text))
	for _, word := range words {
		blocker, err := terms.Blockers.Parse(word)
		if err != nil {
			return nil, false
		}
		blockers = append(blockers, blocker)
	}
	return blockers, ok
}

// carriedQueries are the queries of carriedOn.
var carriedQueries = map[terms.Area]string{
	terms.Appeals:    carriedQuery(terms.AppealEnforcements),
	terms.Amendments: carriedQuery(terms.AmendmentEnforcements),
}

// carriedQuery reads documents that are JSON only; of one that is not, every check finds that it was altered.
func carriedQuery(table terms.Table) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT coalesce(json_extract(held.document, '$.reviewerBlockers'), '[]'), "+
		"coalesce(json_extract(held.document, '$.carriedBlockers'), '[]'), rejected.signed "+
		"FROM main.%[1]s AS held INDEXED BY %[2]s LEFT JOIN main.%[5]s AS rejected ON rejected.sequence = held.sequence "+
		"WHERE held.%[3]s = ?1 AND held.%[4]s = ?2 AND NOT %[6]s",
		table, keyIndex(table), quote(id), quote(number), rejectionsTable, neverInForce(table, "held.sequence"))
}

// mayCarry is the condition that a record may bring blockers that people added: its document does not say that there are none, or
// a rejection speaks of it. With it the queue need not read every record.
func mayCarry(record string) string {
	return fmt.Sprintf(`(instr(%[1]s.document, '"reviewerBlockers":[]') = 0 OR instr(%[1]s.document, '"carriedBlockers":[]') = 0 OR %[2]s)`,
		record, isRejected(record+".sequence"))
}
