package sqlite

import (
	"context"
	"fmt"

	"docket/domain/terms"
	"docket/store/engine"
)

// packetsOf is the engine.OwnPackets of a transaction.
type packetsOf struct{ engine.Tx }

// PacketsOf implements engine.Flavor.
func (flavor) PacketsOf(tx engine.Tx) engine.OwnPackets { return packetsOf{tx} }

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
		serviceRecordsTable, theirsOn(table, "?1", "= revision."+quote(number)))
	return fmt.Sprintf("SELECT revision.%[3]s, "+
		"CASE WHEN %[5]s THEN (SELECT %[7]s FROM main.%[1]s AS held WHERE held.place = revision.place) END, "+
		"coalesce((%[6]s), ''), revision.importedAt "+
		"FROM main.%[1]s AS revision INDEXED BY %[4]s WHERE revision.%[2]s = ?1 ORDER BY revision.%[3]s",
		table, quote(id), quote(number), keyIndex(table), wanted, inForce, storedPacket(table, "held"))
}

func (q packetsOf) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) ([]engine.Revision, error) {
	return engine.List(ctx, q, revisionQueries[table], func(r *engine.Revision) []any {
		return []any{&r.Number, &r.Document, &r.InForce, &r.ImportedAt}
	}, string(id), number)
}
