package store

import (
	"context"
	"database/sql"
	"fmt"

	"docket/domain"
)

// related lists the latest revisions of what else is about the same as a packet, by id: other cases on the same subject,
// other amendments of the same agreement. more tells that there are others besides.
func related(ctx context.Context, tx *sql.Tx, reader *domain.Reader, packet domain.Packet, at domain.Instant,
	reviewer domain.ID) (rows []domain.QueueRow, more bool, err error) {
	by, table, key := domain.RelatedBy(packet), packet.Table(), packet.Key()
	if !by.Present() {
		return nil, false, nil
	}
	area := domain.AreaOf(table)
	l := queueLoad{tx: tx, area: area, table: table, at: at, reader: reader, policies: newPolicyBook(tx, area, reader),
		decided: map[domain.Key]bool{}, skipped: map[domain.Key]string{}}
	var document sql.RawBytes
	args := []any{string(by), string(key.ID), domain.MostRelated + 1}
	err = keyed(ctx, tx, relatedTo(table), args, []any{&document}, func(other domain.Key) error {
		if len(rows) == domain.MostRelated {
			more = true
			return nil
		}
		if err := l.know(ctx, other, reviewer); err != nil {
			return err
		}
		row, err := l.row(ctx, other, document)
		rows = append(rows, row)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return rows, more, nil
}

// relatedTo lists the latest revisions that name something, but for those of one id.
func relatedTo(table domain.Table) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT held.%[2]s, held.%[3]s, held.document FROM main.%[1]s AS held INDEXED BY %[5]s "+
		"WHERE held.%[4]s = ? AND held.%[2]s <> ? AND NOT EXISTS "+
		"(SELECT 1 FROM main.%[1]s AS later INDEXED BY %[6]s WHERE later.%[2]s = held.%[2]s AND later.%[3]s > held.%[3]s) "+
		"ORDER BY held.%[2]s LIMIT ?",
		table, quote(id), quote(number), quote(relatedColumn(table)), relatedIndex(table), keyIndex(table))
}

// know looks up whether one revision is decided and whether the reviewer has skipped it.
func (l *queueLoad) know(ctx context.Context, key domain.Key, reviewer domain.ID) error {
	record, err := inForce(ctx, l.tx, l.area, key)
	if err != nil {
		return err
	}
	l.decided[key] = record.Present()
	l.skipped[key], err = skipReason(ctx, l.tx, reviewer, l.table, key)
	return err
}
