package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"docket/domain/records"
	"docket/domain/terms"
)

// Ends are the last numbers in the tables of the log, and the position of its last record; -1: none.
type Ends struct{ RecordEntries, Records, Hashes int64 }

// Structure reports on the integrity of the database. Its results name tables.
type Structure struct{ Tx }

// Structure returns the checks of the database's structure.
func (t Tx) Structure() Structure { return Structure{t} }

// Altered names the tables, indexes and triggers that are missing, changed or unexpected. The error
// is disk.ErrAltered if the store cannot even be read.
func (q Structure) Altered(ctx context.Context) ([]string, error) { return q.flavor.Altered(ctx, q.Tx) }

// Faults counts what the database's own check of its structure finds, indexes included.
func (q Structure) Faults(ctx context.Context) (int, error) { return q.flavor.Faults(ctx, q.Tx) }

// TryWrite writes nothing, and fails where nothing can be written.
func (q Structure) TryWrite(ctx context.Context) error { return q.flavor.TryWrite(ctx, q.Tx) }

// OpenedEarly yields the records of a console's store in a table that were opened in the second in
// which their packet came in, or before.
func (q Structure) OpenedEarly(ctx context.Context, table terms.Table, yield func(*Opened) error) error {
	return each(ctx, q.on(table), "OpenedEarly", yield)
}

// Ends returns the ends of the tables that grow with the log.
func (q Structure) Ends(ctx context.Context) (Ends, error) { return one[Ends](ctx, q.Tx, "Ends") }

// Extent returns the highest sequence of any row plus one: the size of the log or, in an edited
// log, the range to check. It is never more than the number of rows, so that a forged sequence
// cannot prolong a check.
func (q Structure) Extent(ctx context.Context) (int64, error) {
	var extent, all int64
	list := storedAs(append(slices.Clone(besideRecords), "docket_log")...)
	for _, table := range terms.PacketTables.Terms() {
		list = append(list, stored(table.String()))
	}
	for _, t := range list {
		var last, rows int64
		if err := q.Row(ctx, "SELECT coalesce(max("+t.Number()+"), -1), count(*) FROM "+t.Name, nil, &last, &rows); err != nil {
			return 0, err
		}
		extent, all = max(extent, min(last, math.MaxInt64-1)+1), all+rows
	}
	return min(extent, all), nil
}

// BelowZero names the tables with rows numbered below 0, which a count from 0 does not reach.
func (q Structure) BelowZero(ctx context.Context) (names []string, err error) {
	list := storedAs("docket_log", "docket_log_hashes", "docket_checkpoints", "docket_signers", "docket_texts", receivedTable)
	list = append(list, storedAs(besideRecords...)...)
	for _, table := range terms.PacketTables.Terms() {
		list = append(list, stored(table.String()))
	}
	for i := range Coverings {
		list = append(list, Coverings[i].StoredTable)
	}
	for _, t := range list {
		if names, err = q.having(ctx, names, t, t.Number()+" < 0"); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// OfOtherKind names the tables that have rows although a store of this kind leaves them empty: a
// service's, or a console's.
func (q Structure) OfOtherKind(ctx context.Context, service bool) (names []string, err error) {
	list := storedAs("docket_tokens", "docket_service_moves", receivedTable, "docket_service_formers")
	if service {
		list = storedAs("docket_local", "docket_handin_service",
			"docket_handin_checkpoints", "docket_handin_acceptances", "docket_handin_rejections", "docket_handin_records")
	}
	for _, t := range list {
		if names, err = q.having(ctx, names, t, "true"); err != nil {
			return nil, err
		}
	}
	return names, nil
}

const (
	// The log has no such record.
	ofNoLeaf = "NOT EXISTS (SELECT 1 FROM docket_log AS log WHERE log.position = held.sequence AND log.kind = 'record')"
	// The log has no such packet.
	ofNoPacket = "NOT EXISTS (SELECT 1 FROM docket_log AS log WHERE log.position = held.position AND log.kind = 'packet')"
	// It is of no packet, of no record, or none of the texts.
	strayText = "CASE WHEN member = '" + ofPacket +
		"' THEN salt <> '' OR NOT EXISTS (SELECT 1 FROM trade_appeal_cases AS packet WHERE packet.position = held.owner)" +
		" WHEN member = '" + ofPacketDigest + "' AND text = '' OR member IN ('" + ofStatement + "', '" + ofNote + "')" +
		" THEN NOT EXISTS (SELECT 1 FROM docket_log AS log WHERE log.position = held.owner AND log.kind = 'record') ELSE true END"
)

// Strays names, sorted, the tables that have rows of no entry of the log, texts of no packet, or rows
// beside the log that are numbered above 0 although no row has the number before.
func (q Structure) Strays(ctx context.Context) (names []string, err error) {
	names, err = q.having(ctx, nil, stored("docket_texts"), strayText)
	for _, t := range storedAs(append(slices.Clone(besideRecords), receivedTable)...) {
		if err == nil {
			names, err = q.having(ctx, names, t, ofNoLeaf)
		}
	}
	for _, table := range terms.PacketTables.Terms() {
		if err == nil {
			names, err = q.having(ctx, names, stored(table.String()), ofNoPacket)
		}
	}
	for i := range Coverings {
		if t := Coverings[i].StoredTable; err == nil {
			afterAGap := fmt.Sprintf(
				"%[1]s > 0 AND NOT EXISTS (SELECT 1 FROM %[2]s AS before WHERE before.%[1]s = held.%[1]s - 1)",
				t.Number(), t.Name)
			names, err = q.having(ctx, names, t, afterAGap)
		}
	}
	slices.Sort(names)
	return names, err
}

// having adds a table's name if one of its rows, as held, meets the condition.
func (q Structure) having(ctx context.Context, names []string, table *StoredTable, condition string) ([]string, error) {
	there := false
	err := q.Row(ctx, "SELECT EXISTS (SELECT 1 FROM "+table.Name+" AS held WHERE "+condition+")", nil, &there)
	if there {
		names = append(names, table.Name)
	}
	return names, err
}

// InOtherTable returns at most so many entries whose rows are in a table that the log does not name.
func (q Structure) InOtherTable(ctx context.Context, table terms.Table, most int) ([]Leaf, error) {
	return all[Leaf](ctx, q.on(table), "InOtherTable", most)
}

// Opened is when the packet of a record was opened, and when it came in.
type Opened struct {
	Sequence             int64
	RecordID             records.RecordID
	OpenedAt, ImportedAt string
}

// besideRecords are the tables with a row at the sequence of a record, or with the record.
var besideRecords = []string{terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()}

// receivedTable follows from the records of a service.
const receivedTable = "docket_service_received"

func storedAs(names ...string) (list []*StoredTable) {
	for _, name := range names {
		list = append(list, stored(name))
	}
	return list
}
