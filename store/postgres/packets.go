package postgres

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// packetsOf is the engine.OwnPackets of a transaction.
type packetsOf struct{ engine.Tx }

// PacketsOf implements engine.Flavor.
func (*transaction) PacketsOf(tx engine.Tx) engine.OwnPackets { return packetsOf{tx} }

func (q packetsOf) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) (list []engine.Revision, err error) {
	records := terms.EnforcementTable(terms.AreaOf(table))
	wanted := fmt.Sprintf("revision.number = CASE $2::bigint WHEN 0 THEN (SELECT max(number) FROM %s WHERE id = $1) ELSE $2::bigint END", in(table))
	// The newest in this store of three: the last record here, its rejection, and the last record of the service's log.
	inForce := fmt.Sprintf("SELECT CASE WHEN theirs.recordId IS NULL OR held.sequence >= theirs.afterRecords OR rejected.position >= theirs.afterRejections"+
		" THEN coalesce(rejected.inForce, held.recordId) ELSE theirs.recordId END FROM (SELECT 1) AS one LEFT JOIN %[1]s AS held ON held.sequence ="+
		" (SELECT max(recorded.sequence) FROM %[1]s AS recorded WHERE recorded.id = $1 AND recorded.number = revision.number AND NOT %[2]s)"+
		" LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = held.sequence"+
		" LEFT JOIN docket.docket_handin_records AS theirs ON theirs.position = (SELECT max(theirs.position) FROM %[3]s)",
		in(records), isRevoked(records, "recorded.sequence"), theirsOn(table, "$1", "= revision.number"))
	query := fmt.Sprintf("SELECT revision.number, CASE WHEN %[2]s THEN revision.document END, CASE WHEN %[2]s THEN %[3]s END,"+
		" coalesce((%[4]s), ''), revision.importedAt FROM %[1]s AS revision WHERE revision.id = $1 ORDER BY revision.number",
		in(table), wanted, textsOf(table, "revision"), inForce)
	err = q.EachRow(ctx, query, func(scan engine.Scan) error {
		var r engine.Revision
		var texts []byte
		err := scan(&r.Number, &r.Document, &texts, &r.InForce, &r.ImportedAt)
		r.Document = packets.Joined(r.Document, texts)
		list = append(list, r)
		return err
	}, id, number)
	return list, err
}
