package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
)

// related lists the latest revisions of what else is about the same as a packet, by id: other cases on the same subject,
// other amendments of the same agreement. more tells that there are others besides.
func related(ctx context.Context, tx *sql.Tx, shelf *shelf, packet domain.Packet, at domain.Instant,
	reviewer domain.ID) (rows []domain.QueueRow, more bool, err error) {
	by, table, key := domain.RelatedBy(packet), packet.Table(), packet.Key()
	if !by.Present() {
		return nil, false, nil
	}
	load := newQueueLoad(shelf, domain.AreaOf(table), at, reviewer)
	rows, err = load.portion(ctx, tx, relatedTo(table), string(by), string(key.ID), domain.MostRelated+1)
	if err != nil || len(rows) <= domain.MostRelated {
		return rows, false, err
	}
	return rows[:domain.MostRelated], true, nil
}

// relatedTo selects rows for the queue: the latest revisions that name ?3, but for those of the id ?4, at most ?5 of
// them, by id.
func relatedTo(table domain.Table) string {
	id, number := keyColumns(table)
	return withState(table, fmt.Sprintf("SELECT named.%[2]s AS id, named.%[3]s AS number, named.rowid AS place "+
		"FROM main.%[1]s AS named INDEXED BY %[5]s WHERE named.%[4]s = ?3 AND named.%[2]s <> ?4 AND NOT EXISTS "+
		"(SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[6]s WHERE newer.%[2]s = named.%[2]s AND newer.%[3]s > named.%[3]s) "+
		"ORDER BY named.%[2]s LIMIT ?5",
		table, quote(id), quote(number), quote(relatedColumn(table)), relatedIndex(table), keyIndex(table)))
}
