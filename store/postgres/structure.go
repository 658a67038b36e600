package postgres

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/store/engine"
)

// coveredOf is the engine.Covered of a transaction.
type coveredOf struct{ *transaction }

// Covered implements engine.Tx.
func (t *transaction) Covered() engine.Covered { return coveredOf{t} }

// A coveredTable is an append-only table beside the log. A column numbers its rows from 0.
type coveredTable struct {
	name, number, columns string
	grows                 bool
}

var coveredTables = [...]coveredTable{
	{"docket_log_statements", "position", "statement, signature, log_signature, checkpoint", false},
	{"docket_handin_statements", "position", "ended, size::text, statement, signature, log_signature, kept_at", false},
	{"docket_handin_service", "position", "key, bound_at", false},
	{"docket_handin_checkpoints", "position", "kind, checkpoint, key, known, known_key, proof, kept_at", true},
	{"docket_service_tokens", "position", "id, digest, principal, role, owners, created_at, expires_at", false},
	{"docket_service_revocations", "position", "id, revoked_at", false},
	{"docket_service_moves", "position", "origin, moved_at", false},
	{"docket_cosignatures", "position", "checkpoint, cosignature, key, kept_at", true},
	{"docket_handin_acceptances", "position", "sequence::text, origin, tree_size::text, receipt, proof, checkpoint, kept_at", true},
	{"docket_handin_rejections", "position", "sequence::text, in_force, signed, changes, kept_at", true},
	{"docket_handin_records", "position", "table_name, id, revision::text, record_id, supersedes, record, signature, origin, sequence::text, proof, checkpoint," +
		" after_records::text, after_rejections::text, kept_at", true},
	{"docket_service_received", "sequence", "received_at, origin, record_id, size::text", true},
}

var coveredEnds = func() string {
	var ends []string
	for _, t := range coveredTables {
		ends = append(ends, fmt.Sprintf("(SELECT coalesce(max(%s) + 1, 0) FROM docket.%s)", t.number, t.name))
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

func (q coveredOf) Tables(ctx context.Context) ([]engine.CoveredTable, error) {
	tables, into := make([]engine.CoveredTable, len(coveredTables)), make([]any, len(coveredTables))
	for i, t := range coveredTables {
		tables[i].Name, tables[i].Grows, into[i] = t.name, t.grows, &tables[i].Rows
	}
	return tables, q.row(ctx, coveredEnds, nil, into...)
}

func (q coveredOf) Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error {
	t := &coveredTables[slices.IndexFunc(coveredTables[:], func(t coveredTable) bool { return t.name == table })]
	if most < 0 {
		most = math.MaxInt64
	}
	query := fmt.Sprintf("SELECT %[1]s, %[2]s FROM docket.%[3]s WHERE %[1]s >= $1 ORDER BY %[1]s LIMIT $2", t.number, t.columns, t.name)
	columns := make([][]byte, strings.Count(t.columns, ",")+1)
	var place int64
	into := []any{&place}
	for i := range columns {
		into = append(into, &columns[i])
	}
	whole, due := true, after
	return q.eachRow(ctx, query, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		if whole = whole && place == due; whole {
			yield(columns)
			due++
		}
		return nil
	}, due, most)
}

// structureOf is the engine.Structure of a transaction.
type structureOf struct{ *transaction }

// Structure implements engine.Tx.
func (t *transaction) Structure() engine.Structure { return structureOf{t} }

// TryWrite asks for the right to write, and has the server write a sort to its disk, which is gone afterwards: a table that has room in its
// pages would say nothing of a disk that is full.
func (q structureOf) TryWrite(ctx context.Context) error {
	const onDisk = "SELECT set_config(name, CASE name WHEN 'work_mem' THEN '64' ELSE '' END, true) FROM pg_settings WHERE name IN ('work_mem', 'temp_tablespaces')"
	const sort = `SELECT count(*) FROM (SELECT (repeat('docket', 80) || n) COLLATE "C" FROM generate_series(1, 1000) AS n ORDER BY 1 OFFSET 0) AS sorted`
	if _, err := q.count(ctx, "UPDATE docket.docket_head SET turn = turn WHERE false"); err != nil {
		return err
	}
	if err := q.eachRow(ctx, onDisk, func(func(...any) error) error { return nil }); err != nil {
		return err
	}
	return q.row(ctx, sort, nil, new(int64))
}

func (q structureOf) Ends(ctx context.Context) (ends engine.Ends, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(sequence), -1) FROM docket.docket_signatures),"+
		" greatest((SELECT max(sequence) FROM %s), (SELECT max(sequence) FROM %s), -1), (SELECT coalesce(max(position), -1) FROM docket.docket_log_hashes)",
		in(terms.AppealEnforcements), in(terms.AmendmentEnforcements))
	err = q.row(ctx, query, nil, &ends.Signatures, &ends.Records, &ends.Hashes)
	return ends, err
}

func (q structureOf) Extent(ctx context.Context) (int64, error) {
	var extent, rows int64
	for _, table := range []string{"docket_log", "docket_signatures", terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()} {
		var last, count int64
		if err := q.row(ctx, "SELECT coalesce(max(sequence), -1), count(*) FROM docket."+table, nil, &last, &count); err != nil {
			return 0, err
		}
		extent, rows = max(extent, min(last, math.MaxInt64-1)+1), rows+count
	}
	return min(extent, rows), nil
}

func (q structureOf) BelowZero(ctx context.Context) (list []string, err error) {
	numbered := []coveredTable{{name: "docket_log_hashes", number: "position"}, {name: "docket_checkpoints", number: "size"},
		{name: "docket_packet_heads", number: "position"}, {name: "docket_signers", number: "position"}}
	for _, table := range append(besideRecords(), "docket_log") {
		numbered = append(numbered, coveredTable{name: table, number: "sequence"})
	}
	for _, t := range append(numbered, coveredTables[:]...) {
		if list, err = q.ifAny(ctx, list, t.name, t.number+" < 0"); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// besideRecords are the tables with a row at the sequence of a record, or with the record.
func besideRecords() []string {
	return []string{terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String(), "docket_signatures", "docket_packet_salts", "docket_statements", "docket_notes"}
}

// ifAny adds the table to the list if it has a row for which the condition holds.
func (q structureOf) ifAny(ctx context.Context, list []string, table, condition string) ([]string, error) {
	var there bool
	err := q.row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM docket.%s AS held WHERE %s)", table, condition), nil, &there)
	if there {
		list = append(list, table)
	}
	return list, err
}

func (q structureOf) Strays(ctx context.Context) (list []string, err error) {
	// A packet that is gone from between others is found by the heads of the packets.
	stray := map[string]string{"docket_packet_texts": fmt.Sprintf("place < 1 OR place > (SELECT coalesce(max(place), 0) FROM %s)", in(terms.AppealCases))}
	for _, t := range coveredTables {
		stray[t.name] = fmt.Sprintf("%[1]s > 0 AND NOT EXISTS (SELECT 1 FROM docket.%[2]s AS before WHERE before.%[1]s = held.%[1]s - 1)", t.number, t.name)
	}
	for _, table := range append(besideRecords(), "docket_service_received") {
		stray[table] = "NOT EXISTS (SELECT 1 FROM docket.docket_log AS log WHERE log.sequence = held.sequence)"
	}
	for _, table := range slices.Sorted(maps.Keys(stray)) {
		if list, err = q.ifAny(ctx, list, table, stray[table]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (q structureOf) InOtherTable(ctx context.Context, table terms.Table, most int) ([]engine.Leaf, error) {
	query := fmt.Sprintf("SELECT log.sequence, log.table_name, log.record_id, log.leaf_hash FROM %s AS held"+
		" JOIN docket.docket_log AS log ON log.sequence = held.sequence WHERE log.table_name <> '%s' ORDER BY log.sequence LIMIT $1", in(table), table)
	return list(ctx, q.transaction, query, []any{most}, readLeaf)
}

func (q structureOf) OfOtherKind(ctx context.Context, service bool) (list []string, err error) {
	for _, table := range emptyTables(service) {
		if list, err = q.ifAny(ctx, list, table, "true"); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Faults counts rows with columns that are not those of their document.
func (q structureOf) Faults(ctx context.Context) (faults int, err error) {
	for _, table := range append(terms.PacketTables.Terms(), enforcements[:]...) {
		query := fmt.Sprintf("SELECT count(*) FROM %s AS held WHERE docket.filled_%s(held) IS DISTINCT FROM held", in(table), table)
		var differ int
		err := q.Nested(ctx, func(ctx context.Context, tx engine.Tx) error { return tx.(*transaction).row(ctx, query, nil, &differ) })
		if strings.HasPrefix(codeOf(err), "22") { // a document that is no JSON
			differ, err = 1, nil
		}
		if err != nil {
			return 0, err
		}
		faults += differ
	}
	return faults, nil
}
