package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"strings"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// packetsOf is the engine.Packets of a transaction.
type packetsOf struct{ engine.Tx }

// PacketsOf implements engine.Flavor.
func (flavor) PacketsOf(tx engine.Tx) engine.Packets { return packetsOf{tx} }

func (q packetsOf) Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error) {
	err = q.Row(ctx, "INSERT INTO main."+table.String()+" (document, importedAt) VALUES (?, ?) RETURNING place", []any{string(document), at}, &place)
	if err != nil || texts == nil {
		return place, err
	}
	return place, q.Exec1(ctx, "INSERT INTO main."+textsTable+" (place, texts) VALUES (?, ?)", place, string(texts))
}

// packetQueries are the queries for one packet of each table, up to a place.
var packetQueries = func() map[terms.Table]string {
	queries := map[terms.Table]string{}
	for _, table := range terms.PacketTables.Terms() {
		id, number := keyColumns(table)
		queries[table] = fmt.Sprintf("SELECT held.place, %[5]s, importedAt FROM main.%[1]s AS held WHERE place = "+
			"(SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = ? AND %[3]s = ?) AND place <= ?",
			table, quote(id), quote(number), keyIndex(table), storedPacket(table, "held"))
	}
	return queries
}()

func (q packetsOf) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (p engine.Packet, err error) {
	query, there := packetQueries[table]
	if !there {
		return p, engine.ErrNoRow
	}
	p.Key = key
	err = q.Row(ctx, query, []any{string(key.ID), key.Number, last}, &p.Place, &p.Document, &p.ImportedAt)
	return p, err
}

// documentQueries are the queries for one document of each table.
var documentQueries = func() map[terms.Table]string {
	queries := map[terms.Table]string{}
	for _, table := range terms.PacketTables.Terms() {
		id, number := keyColumns(table)
		queries[table] = fmt.Sprintf("SELECT %[4]s FROM main.%[1]s AS held WHERE held.place = "+
			"(SELECT place FROM main.%[1]s WHERE %[2]s = ? AND %[3]s = ?)", table, quote(id), quote(number), storedPacket(table, "held"))
	}
	return queries
}()

func (q packetsOf) Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error {
	shown := false
	err := q.EachRow(ctx, documentQueries[table], func(scan engine.Scan) error {
		var document sql.RawBytes
		if err := scan(&document); err != nil {
			return err
		}
		shown = true
		look(document)
		return nil
	}, string(key.ID), key.Number)
	if err == nil && !shown {
		return engine.ErrNoRow
	}
	return err
}

// Documents has a query for each power of two, so that they are few and stay prepared; the last key is repeated to fill
// it.
func (q packetsOf) Documents(ctx context.Context, table terms.Table, keys []packets.Key, last int64) ([][]byte, error) {
	documents := make([][]byte, len(keys))
	width := 1 << bits.Len(uint(len(keys)-1))
	id, number := keyColumns(table)
	query := fmt.Sprintf("WITH wanted (place, id, number) AS (VALUES (?, ?, ?)%[5]s) "+
		"SELECT wanted.place, %[6]s FROM wanted CROSS JOIN main.%[1]s AS held ON held.place = "+
		"(SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = wanted.id AND %[3]s = wanted.number) WHERE held.place <= ?",
		table, quote(id), quote(number), keyIndex(table), strings.Repeat(", (?, ?, ?)", width-1), storedPacket(table, "held"))
	args := make([]any, 0, 3*width+1)
	for i := range width {
		place := min(i, len(keys)-1)
		args = append(args, place, string(keys[place].ID), keys[place].Number)
	}
	return documents, engine.EachPair(ctx, q, query, func(place int, document []byte) { documents[place] = document }, append(args, last)...)
}

func (q packetsOf) Policy(ctx context.Context, table terms.Table, key packets.Key) (document []byte, latest int64, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(%[3]s), 0) FROM main.%[1]s WHERE %[2]s = ?1), "+
		"(SELECT document FROM main.%[1]s WHERE place = (SELECT place FROM main.%[1]s WHERE %[2]s = ?1 AND %[3]s = ?2))",
		table, quote(id), quote(number))
	err = q.Row(ctx, query, []any{string(key.ID), key.Number}, &latest, &document)
	return document, latest, err
}

// revisionQueries take the id and the number; numbers come from the index alone.
var revisionQueries = map[terms.Table]string{
	terms.AppealCases:      revisionQuery(terms.AppealCases),
	terms.AmendmentRecords: revisionQuery(terms.AmendmentRecords),
}

func revisionQuery(table terms.Table) string {
	records := terms.EnforcementTable(terms.AreaOf(table))
	id, number := keyColumns(table)
	recordOf, recordOn := keyColumns(records)
	wanted := fmt.Sprintf("revision.%[3]s = CASE ?2 WHEN 0 THEN (SELECT max(%[3]s) FROM main.%[1]s WHERE %[2]s = ?1) ELSE ?2 END",
		table, quote(id), quote(number))
	// The newest in this store of three: the last record here, its rejection, and the last record of the service's log.
	inForce := fmt.Sprintf("SELECT CASE WHEN theirs.recordId IS NULL OR held.sequence >= theirs.afterRecords OR rejected.position >= theirs.afterRejections"+
		" THEN coalesce(rejected.inForce, held.recordId) ELSE theirs.recordId END FROM (SELECT 1) LEFT JOIN main.%[1]s AS held ON held.sequence ="+
		" (SELECT max(recorded.sequence) FROM main.%[1]s AS recorded INDEXED BY %[2]s WHERE recorded.%[3]s = ?1 AND recorded.%[4]s = revision.%[6]s AND NOT %[7]s)"+
		" LEFT JOIN main.%[5]s AS rejected ON rejected.sequence = held.sequence"+
		" LEFT JOIN main.%[8]s AS theirs ON theirs.position = (SELECT max(theirs.position) FROM %[9]s)",
		records, keyIndex(records), quote(recordOf), quote(recordOn), rejectionsTable, quote(number), isRevoked(records, "recorded.sequence"),
		serviceRecordsTable, theirsOn(table, "?1", "revision."+quote(number)))
	return fmt.Sprintf("SELECT revision.%[3]s, "+
		"CASE WHEN %[5]s THEN (SELECT %[7]s FROM main.%[1]s AS held WHERE held.place = revision.place) END, "+
		"CASE WHEN %[5]s THEN coalesce((%[6]s), '') ELSE '' END, revision.importedAt "+
		"FROM main.%[1]s AS revision INDEXED BY %[4]s WHERE revision.%[2]s = ?1 ORDER BY revision.%[3]s",
		table, quote(id), quote(number), keyIndex(table), wanted, inForce, storedPacket(table, "held"))
}

func (q packetsOf) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) ([]engine.Revision, error) {
	return engine.List(ctx, q, revisionQueries[table], func(r *engine.Revision) []any {
		return []any{&r.Number, &r.Document, &r.InForce, &r.ImportedAt}
	}, string(id), number)
}

func (q packetsOf) Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error) {
	column, number := keyColumns(table)
	query := fmt.Sprintf("SELECT %[3]s FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = ? ORDER BY 1", table, quote(column), quote(number), keyIndex(table))
	return engine.Column[int64](ctx, q, query, string(id))
}

func (q packetsOf) Holds(ctx context.Context, table terms.Table, id terms.ID) (held bool, err error) {
	column, _ := keyColumns(table)
	err = q.Row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s WHERE %s = ?)", table, quote(column)), []any{string(id)}, &held)
	return held, err
}

func (q packetsOf) Last(ctx context.Context, table terms.Table) (last int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(place), 0) FROM main."+table.String(), nil, &last)
	return last, err
}

func (q packetsOf) LastImport(ctx context.Context, table terms.Table) (at string, err error) {
	err = q.Row(ctx, fmt.Sprintf("SELECT coalesce((SELECT importedAt FROM main.%s ORDER BY place DESC LIMIT 1), '')", table), nil, &at)
	return at, err
}

func (q packetsOf) Stored(ctx context.Context, table terms.Table, after int64, most int, yield func(p engine.Packet, texts []byte) error) error {
	texts := "NULL"
	if table == terms.AppealCases {
		texts = "(SELECT texts FROM main." + textsTable + " AS side WHERE side.place = held.place)"
	}
	query := fmt.Sprintf("SELECT held.place, held.document, held.importedAt, %s FROM main.%s AS held WHERE held.place > ? ORDER BY held.place LIMIT ?", texts, table)
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		var p engine.Packet
		var texts []byte
		if err := scan(&p.Place, &p.Document, &p.ImportedAt, &texts); err != nil {
			return err
		}
		return yield(p, texts)
	}, after, most)
}

func (q packetsOf) Head(ctx context.Context, position int64) (head engine.PacketHead, err error) {
	err = q.Row(ctx, headColumns+" WHERE position = ?", []any{position}, head.Columns()...)
	return head, err
}

const headColumns = "SELECT position, note FROM main." + packetHeadsTable

func (q packetsOf) NewestHead(ctx context.Context) (head engine.PacketHead, err error) {
	err = q.Row(ctx, headColumns+" ORDER BY position DESC LIMIT 1", nil, head.Columns()...)
	return head, err
}

func (q packetsOf) Heads(ctx context.Context) ([]engine.PacketHead, error) {
	return engine.List(ctx, q, headColumns+" ORDER BY position", (*engine.PacketHead).Columns)
}

func (q packetsOf) AddHead(ctx context.Context, head engine.PacketHead) error {
	return q.Exec1(ctx, "INSERT INTO main."+packetHeadsTable+" (position, note) VALUES (?, ?)", head.Position, string(head.Note))
}
