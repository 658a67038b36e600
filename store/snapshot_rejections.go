package store

import (
	"context"
	"database/sql"

	"docket/store/verify"
)

// Rejections yields the rejections of the snapshot in the order in which they were kept. It stops with the error that yield
// returns, unchanged. No transaction is open while yield runs.
func (v *Snapshot) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	const query = "SELECT rejected.position, coalesce(log.recordId, ''), rejected.signed FROM main." + rejectionsTable + " AS rejected" +
		" LEFT JOIN main." + logTable + " AS log ON log.sequence = rejected.sequence" +
		" WHERE rejected.position > ? AND rejected.position <= ? ORDER BY rejected.position LIMIT ?"
	last := int64(-1)
	for more := true; more; {
		var some []verify.Rejection
		err := v.reading(ctx, "read the rejections", func(ctx context.Context, tx *sql.Tx) error {
			return eachRow(ctx, tx, query, func(scan func(...any) error) error {
				var r verify.Rejection
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
