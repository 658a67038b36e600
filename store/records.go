package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// A leaf is a row of the log.
type leaf struct {
	sequence int64
	table    terms.Table
	id       records.RecordID
	hash     tlog.Hash
}

const leafColumns = "SELECT sequence, tableName, recordId, leafHash FROM main." + logTable

func (l *leaf) scan(row interface{ Scan(into ...any) error }) error {
	var table string
	var hash []byte
	if err := row.Scan(&l.sequence, &table, &l.id, &hash); err != nil {
		return err
	}
	parsed, err := terms.Tables.Parse(table)
	if err != nil || l.sequence < 0 || copy(l.hash[:], hash) != tlog.HashSize {
		return fmt.Errorf("row %d of the log: %w", l.sequence, ErrDamaged)
	}
	l.table = parsed
	return nil
}

// leafOf looks a record up in the log; the error wraps ErrNotFound if it is not there.
func leafOf(ctx context.Context, tx engine.Tx, id records.RecordID) (l leaf, err error) {
	err = l.scan(tx.QueryRowContext(ctx, leafColumns+" WHERE recordId = ?", string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return leaf{}, fmt.Errorf("record %s: %w", id, ErrNotFound)
	}
	return l, err
}

// document returns the stored bytes of the record; none if its row is gone.
func (l *leaf) document(ctx context.Context, tx engine.Tx) (document []byte, err error) {
	query := fmt.Sprintf("SELECT document FROM main.%s WHERE sequence = ?", l.table)
	err = tx.QueryRowContext(ctx, query, l.sequence).Scan(&document)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return document, err
}

// recordQuery selects leaves of the log with all that is known of their records, in one statement: the leaf, its document,
// the record that superseded it, the service's answer, and what follows from a rejection. No column of a document that is no longer
// JSON is read, because that would end the query.
var recordQuery = func() string {
	ofTable := func(query func(table terms.Table) string) string {
		text := "CASE leaf.tableName"
		for _, table := range []terms.Table{terms.AppealEnforcements, terms.AmendmentEnforcements} {
			text += fmt.Sprintf(" WHEN '%s' THEN (%s)", table, query(table))
		}
		return text + " END"
	}
	// later are the records on the same id that followed, compared by their number.
	later := func(table terms.Table, compare string) string {
		id, number := keyColumns(table)
		return fmt.Sprintf("main.%[1]s AS held CROSS JOIN main.%[1]s AS later INDEXED BY %[2]s ON later.%[3]s = held.%[3]s"+
			" AND later.%[4]s %[5]s held.%[4]s AND later.sequence > held.sequence", table, keyIndex(table), quote(id), quote(number), compare)
	}
	document := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT held.document FROM main.%s AS held WHERE held.sequence = leaf.sequence", table)
	})
	supersededBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(later.recordId) FROM main.%s AS later INDEXED BY %s WHERE later.supersedes = leaf.recordId AND NOT %s",
			table, supersedesIndex(table), notInForce(table, "later.sequence"))
	})
	// A record of the service's log takes the place of this one where the service names it when it rejects a later record on the
	// same revision.
	replacedBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT answer.inForce FROM %s JOIN main.%s AS answer ON answer.sequence = later.sequence WHERE held.sequence = leaf.sequence"+
			" AND answer.inForce NOT IN ('', leaf.recordId) ORDER BY answer.sequence LIMIT 1", later(table, "="), rejectionsTable)
	})
	revoked := ofTable(func(table terms.Table) string { return "SELECT " + isRevoked(table, "leaf.sequence") })
	judgedAgain := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(later.sequence) FROM %s WHERE held.sequence = leaf.sequence", later(table, ">="))
	})
	return fmt.Sprintf("SELECT leaf.sequence, leaf.tableName, leaf.recordId, leaf.leafHash, leaf.document, %[1]s, accepted.receipt, accepted.keptAt,"+
		" rejected.signed, rejected.changes,"+
		" CASE WHEN %[5]s AND json_valid(leaf.document) THEN %[2]s END,"+
		" CASE WHEN (rejected.signed IS NOT NULL OR coalesce(%[9]s, 0)) AND json_valid(leaf.document) THEN %[3]s END,"+
		" EXISTS (SELECT 1 FROM main.%[4]s AS here WHERE here.recordId = rejected.inForce), coalesce(%[9]s, 0)"+
		" FROM (SELECT leaf.*, %[6]s AS document FROM main.%[4]s AS leaf %%s) AS leaf"+
		" LEFT JOIN main.%[7]s AS accepted ON accepted.sequence = leaf.sequence AND NOT "+isLost("accepted")+" LEFT JOIN main.%[8]s AS rejected ON rejected.sequence = leaf.sequence"+
		" ORDER BY leaf.sequence",
		supersededBy, replacedBy, judgedAgain, logTable, "EXISTS (SELECT 1 FROM main."+rejectionsTable+")", document, acceptancesTable, rejectionsTable,
		revoked)
}()

// loggedFrom reads the records of leaves, in log order, in two queries: one for all that is kept of them and one for the
// hashes of their receipts. which chooses the leaves. A record that cannot be read, or is not what was logged, says so.
func loggedFrom(ctx context.Context, tx engine.Tx, reader *packets.Reader, which string, args ...any) ([]records.LoggedRecord, error) {
	var list []records.LoggedRecord
	var leaves []leaf
	err := eachRow(ctx, tx, fmt.Sprintf(recordQuery, which), func(scan func(...any) error) error {
		var l leaf
		var table string
		var hash, document []byte
		var superseded, replaced sql.NullString
		var again sql.NullInt64
		var answer handInRow
		var r records.LoggedRecord
		err := scan(&l.sequence, &table, &l.id, &hash, &document, &superseded, &answer.receipt, &answer.acceptedAt, &answer.rejection,
			&answer.changes, &replaced, &again, &r.InForceHere, &r.Revoked)
		if err != nil {
			return err
		}
		if l.table, err = terms.Tables.Parse(table); err != nil || l.sequence < 0 || copy(l.hash[:], hash) != tlog.HashSize {
			return fmt.Errorf("row %d of the log: %w", l.sequence, ErrDamaged)
		}
		r.HandIn = answer.read()
		if r.HandIn.State != records.Rejected && !r.Revoked { // one that is not in force has no place that another could take
			r.SupersededBy = records.RecordID(cmp.Or(superseded.String, replaced.String))
		}
		r.JudgedAgain = again.Int64
		if tlog.RecordHash(document) != l.hash {
			r.Unreadable = "its bytes are not those that were logged; verify the store"
		} else if r.Record, err = records.ReadEnforcement(reader, terms.AreaOf(l.table), document); err != nil {
			r.Record, r.Unreadable = records.Enforcement{}, err.Error()
		}
		list, leaves = append(list, r), append(leaves, l)
		return nil
	}, args...)
	if err != nil {
		return nil, err
	}
	log, sizes := merkle.NewLog(0, hashTable{ctx, tx}), make([]int64, len(leaves))
	for i := range leaves {
		sizes[i] = leaves[i].sequence + 1
	}
	if err := log.Hashes.Preload(sizes); err != nil {
		return nil, err
	}
	for i := range leaves {
		if list[i].Receipt, err = log.Receipt(leaves[i].id, leaves[i].sequence, leaves[i].hash); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// recordsOn lists the records on one revision, and those on the other revisions of its id, in log order.
func recordsOn(ctx context.Context, tx engine.Tx, reader *packets.Reader, area terms.Area,
	key packets.Key) (here, elsewhere []records.LoggedRecord, err error) {
	table := terms.EnforcementTable(area)
	id, number := keyColumns(table)
	which := fmt.Sprintf("WHERE leaf.recordId IN (SELECT recordId FROM main.%s INDEXED BY %s WHERE %s = ? AND %s %%s ?)",
		table, keyIndex(table), quote(id), quote(number))
	if here, err = loggedFrom(ctx, tx, reader, fmt.Sprintf(which, "="), string(key.ID), key.Number); err != nil {
		return nil, nil, err
	}
	elsewhere, err = loggedFrom(ctx, tx, reader, fmt.Sprintf(which, "<>"), string(key.ID), key.Number)
	return here, elsewhere, err
}

// AllRecords is the limit that Records takes for no limit.
const AllRecords = -1

// Records lists logged records, newest first: at most limit of those whose sequence is below before. 0 for before
// starts at the newest; the sequence of the last one is where the next page starts, until it is 0.
func (s *Store) Records(ctx context.Context, before int64, limit int) ([]records.LoggedRecord, error) {
	page, err := s.RecordPage(ctx, before, limit)
	return page.Records, err
}

// RecordPage is Records with the size of the log. It takes three queries for a page of some hundred records, however long the
// log is.
func (s *Store) RecordPage(ctx context.Context, before int64, limit int) (page records.Page, err error) {
	err = s.reading(ctx, "read the records", func(ctx context.Context, tx engine.Tx) (err error) {
		page, err = recordPage(ctx, tx, before, limit)
		return err
	})
	return page, err
}

func recordPage(ctx context.Context, tx engine.Tx, before int64, limit int) (page records.Page, err error) {
	if page.Total, err = logSize(ctx, tx); err != nil {
		return records.Page{}, err
	}
	if before <= 0 {
		before = page.Total
	}
	const which = "WHERE leaf.sequence < ? ORDER BY leaf.sequence DESC LIMIT ?"
	if page.Records, err = loggedFrom(ctx, tx, &packets.Reader{}, which, before, limit); err != nil {
		return records.Page{}, err
	}
	slices.Reverse(page.Records)
	return page, nil
}

// Record returns one logged record; the error wraps ErrNotFound if there is none of that id.
func (s *Store) Record(ctx context.Context, id records.RecordID) (records.LoggedRecord, error) {
	var record records.LoggedRecord
	err := s.reading(ctx, "read the record", func(ctx context.Context, tx engine.Tx) error {
		found, err := loggedFrom(ctx, tx, &packets.Reader{}, "WHERE leaf.recordId = ?", string(id))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("record %s: %w", id, ErrNotFound)
		}
		record = found[0]
		return nil
	})
	if err != nil {
		return records.LoggedRecord{}, err
	}
	return record, nil
}

// StatsPage reads records of a period for its figures: at most limit, in the order of their ids, from the one after an id, "" for the
// first. Fewer are the last. It takes four queries for a page; a record is compared with its leaf, and not verified otherwise.
func (s *Store) StatsPage(ctx context.Context, period stats.Period, after records.RecordID, limit int) ([]stats.Record, error) {
	from, to := max(idBound(period.From, ""), string(after)+"\x00"), idBound(period.To, "\U0010ffff")
	const which = "WHERE leaf.recordId >= ? AND leaf.recordId < ? ORDER BY leaf.recordId LIMIT ?"
	var logged []records.LoggedRecord
	dates := map[int64][2]terms.Instant{}
	err := s.reading(ctx, "read the records of a period", func(ctx context.Context, tx engine.Tx) (err error) {
		if logged, err = loggedFrom(ctx, tx, &packets.Reader{}, which, from, to, limit); err != nil || len(logged) == 0 {
			return err
		}
		slices.SortFunc(logged, func(a, b records.LoggedRecord) int { return cmp.Compare(a.Receipt.RecordID, b.Receipt.RecordID) })
		return eachRow(ctx, tx, datesQuery, func(scan func(...any) error) error {
			var sequence int64
			var filed, deadline sql.NullString
			err := scan(&sequence, &filed, &deadline)
			filedAt, _ := terms.ParseInstant(filed.String)
			due, _ := terms.ParseInstant(deadline.String)
			dates[sequence] = [2]terms.Instant{filedAt, due}
			return err
		}, string(logged[0].Receipt.RecordID), string(logged[len(logged)-1].Receipt.RecordID))
	})
	if err != nil {
		return nil, err
	}
	page := make([]stats.Record, len(logged))
	for i := range logged {
		page[i] = stats.RecordOf(&logged[i])
		page[i].FiledAt, page[i].Deadline = dates[logged[i].Receipt.Sequence][0], dates[logged[i].Receipt.Sequence][1]
		if page[i].Members == nil {
			continue
		}
		known := false
		if page[i].Against, known = page[i].Members.AgainstAdvice(); !known {
			if page[i].Against, err = s.againstAdvice(ctx, page[i].Members); err != nil {
				return nil, err
			}
		}
	}
	return page, nil
}

// idBound is where the ids of a time begin in the order of ids; none for a time that no id can have.
func idBound(at terms.Instant, none string) string {
	const digits = len("00000000-0000") // of the time
	if ms := at.Time().UnixMilli(); !at.Present() || ms < 0 || ms >= 1<<48 {
		return none
	}
	return string(records.NewRecordID(at, [10]byte{})[:digits])
}

// datesQuery selects the dates of the cases that the records of a range of ids have judged.
var datesQuery = func() string {
	const enforcements, cases = terms.AppealEnforcements, terms.AppealCases
	id, number := keyColumns(enforcements)
	caseID, revision := keyColumns(cases)
	of := func(column string) string {
		return "CASE WHEN json_valid(held.document) THEN held." + quote(column) + " END"
	}
	date := func(column string) string {
		return "CASE WHEN json_valid(judged.document) THEN judged." + quote(column) + " END"
	}
	return fmt.Sprintf("SELECT held.sequence, %s, %s FROM main.%s AS leaf CROSS JOIN main.%s AS held ON held.sequence = leaf.sequence"+
		" CROSS JOIN main.%s AS judged INDEXED BY %s ON judged.%s = %s AND judged.%s = %s WHERE leaf.recordId >= ? AND leaf.recordId <= ?",
		date("filedAt"), date(deadlineColumn), logTable, enforcements, cases, keyIndex(cases), quote(caseID), of(id), quote(revision), of(number))
}()

// againstAdvice judges the packets of a record again, to tell what docket advised.
func (s *Store) againstAdvice(ctx context.Context, m *records.Members) (bool, error) {
	var held [2]packets.Packet
	packet, policy, _ := verify.RefsOf(m)
	for i, ref := range [...]verify.Ref{packet, policy} {
		document, _, err := s.PacketDocument(ctx, ref.Table, ref.Key.ID, ref.Key.Number)
		if err != nil {
			return false, err
		}
		var reader packets.Reader
		if held[i], err = reader.ReadStored(document); err != nil {
			return false, fmt.Errorf("%s %s: %w", ref.Table, ref.Key.ID, err)
		}
	}
	return m.AgainstAdviceOn(held[1], held[0]), nil
}

// ofRecord picks the row that belongs to the record of an id.
const ofRecord = " WHERE sequence = (SELECT sequence FROM main." + logTable + " WHERE recordId = ?)"

// Signature returns the armored SSHSIG of a record; the error wraps ErrNotFound if there is none.
func (s *Store) Signature(ctx context.Context, id records.RecordID) ([]byte, error) {
	var signature []byte
	err := s.reading(ctx, "read the signature", func(ctx context.Context, tx engine.Tx) error {
		const query = "SELECT signature FROM main." + signaturesTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&signature)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("signature of record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return signature, err
}

// PacketSalt returns the salt of a record's packetDigest; the error wraps ErrNotFound if there is none.
func (s *Store) PacketSalt(ctx context.Context, id records.RecordID) (salt packets.Salt, err error) {
	err = s.reading(ctx, "read the salt of a record", func(ctx context.Context, tx engine.Tx) error {
		const query = "SELECT salt FROM main." + saltsTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&salt)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("salt of record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return salt, err
}

// Statement returns the statement of reasons of a record; the error wraps ErrNotFound if there is none.
func (s *Store) Statement(ctx context.Context, id records.RecordID) (statement records.Statement, err error) {
	err = s.reading(ctx, "read the statement of reasons", func(ctx context.Context, tx engine.Tx) error {
		const query = "SELECT salt, statement FROM main." + reasonsTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&statement.Salt, &statement.Text)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("statement of reasons of record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return statement, err
}

// Note returns the private note on a record; the error wraps ErrNotFound if there is none.
func (s *Store) Note(ctx context.Context, id records.RecordID) (records.Note, error) {
	var note records.Note
	err := s.reading(ctx, "read the note", func(ctx context.Context, tx engine.Tx) error {
		const query = "SELECT salt, note FROM main." + notesTable + ofRecord
		err := tx.QueryRowContext(ctx, query, string(id)).Scan(&note.Salt, &note.Text)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("note on record %s: %w", id, ErrNotFound)
		}
		return err
	})
	return note, err
}

// WeeklyCounts counts the decisions of the area by week, up to the week that now is in. It reads the log backwards, as far as
// the weeks go; a record that cannot be read counts nowhere.
func (s *Store) WeeklyCounts(ctx context.Context, area terms.Area, now terms.Instant) (queue.WeeklyCounts, error) {
	trend := queue.NewWeeklyCounts(area, now)
	err := s.reading(ctx, "read the trend", func(ctx context.Context, tx engine.Tx) error { return readWeeklyCounts(ctx, tx, &trend) })
	if err != nil {
		return queue.WeeklyCounts{}, err
	}
	return trend, nil
}

func readWeeklyCounts(ctx context.Context, tx engine.Tx, trend *queue.WeeklyCounts) (err error) {
	// A document that is no longer JSON would end the query if its columns were read.
	query := fmt.Sprintf("SELECT CASE WHEN json_valid(document) THEN recordedAt END, "+
		"CASE WHEN json_valid(document) THEN computedBlockers END FROM main.%s ORDER BY sequence DESC", terms.EnforcementTable(trend.Area))
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	since := trend.Since()
	for rows.Next() {
		var recordedAt, computed sql.NullString
		if err := rows.Scan(&recordedAt, &computed); err != nil {
			return err
		}
		at, _ := terms.ParseInstant(recordedAt.String)
		if at.Present() && at.Before(since) {
			return nil
		}
		if codes, ok := readBlockers(computed.String); ok {
			trend.Add(at, codes)
		}
	}
	return rows.Err()
}
