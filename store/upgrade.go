package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
)

// ErrOlder says that a store that is only to be read was made by an earlier version and is not up to date.
var ErrOlder = errors.New("the store was made by an earlier version of docket")

// since says with which version of the schema a table or an index came; the others were there from the first. What
// belongs to a table came with it.
var since = map[string]int64{
	overlapTable:                           2,
	assigneeIndex(domain.AppealCases):      3,
	deadlineIndex(domain.AppealCases):      3,
	assigneeIndex(domain.AmendmentRecords): 3,
	relatedIndex(domain.AppealCases):       3,
	relatedIndex(domain.AmendmentRecords):  3,
	draftsTable:                            3,
	tokensTable:                            4,
	revocationsTable:                       4,
	keysTable:                              4,
	keyRevocationsTable:                    4,
	witnessedTable:                         4,
	disputedTable:                          4,
}

func (o object) since() int64 { return max(since[o.row().table], since[o.name]) }

// upgrade makes a store of an earlier version one of this version by adding what is not there, unless another process
// just did. Nothing that is there is touched.
func (s *Store) upgrade(ctx context.Context) error {
	db, err := openPool(ctx, s.connect(founding), 1)
	if err != nil {
		return explain(s.path, "bring the store up to date", err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		defer func() { _ = tx.Rollback() }()
		if err = addTables(ctx, tx); err == nil {
			err = tx.Commit()
		}
	}
	return explain(s.path, "bring the store up to date", errors.Join(err, db.Close()))
}

// addTables makes the tables that came after the store's version, and states the new version.
func addTables(ctx context.Context, tx *sql.Tx) error {
	if found, err := inspect(ctx, tx); err != nil || found != stateOlder {
		return err
	}
	var version int64
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for _, o := range schemaObjects() {
		if o.since() > version {
			if _, err := tx.ExecContext(ctx, o.sql); err != nil {
				return err
			}
		}
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion))
	return err
}
