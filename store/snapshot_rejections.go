package store

import (
	"context"
	"database/sql"

	"docket/domain"
)

// A StoredRejection is a rejection as the store holds it. Nothing in it has been checked.
type StoredRejection struct {
	RecordID domain.RecordID // of the record at whose place of the log it is kept; "" if the log has none there
	Signed   []byte
}

// Service is the verifier key of the service that the store was bound to; "" for none.
func (v *Snapshot) Service() string { return v.service }

// Rejections yields the rejections of the snapshot in the order in which they were kept. It stops with the error that yield
// returns, unchanged. No transaction is open while yield runs.
func (v *Snapshot) Rejections(ctx context.Context, yield func(StoredRejection) error) error {
	const query = "SELECT rejected.position, coalesce(log.recordId, ''), rejected.signed FROM main." + rejectionsTable + " AS rejected" +
		" LEFT JOIN main." + logTable + " AS log ON log.sequence = rejected.sequence" +
		" WHERE rejected.position > ? AND rejected.position <= ? ORDER BY rejected.position LIMIT ?"
	last := int64(-1)
	for more := true; more; {
		var some []StoredRejection
		err := v.store.reading(ctx, "read the rejections", func(ctx context.Context, tx *sql.Tx) error {
			return eachRow(ctx, tx, query, func(scan func(...any) error) error {
				var r StoredRejection
				err := scan(&last, &r.RecordID, &r.Signed)
				some = append(some, r)
				return err
			}, last, v.lastRejection, entriesAtOnce)
		})
		if err != nil {
			return err
		}
		for _, r := range some {
			if err := yield(r); err != nil {
				return err
			}
		}
		more = len(some) == entriesAtOnce
	}
	return nil
}
