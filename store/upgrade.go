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
	boundTable:                             4,
	pullTable:                              4,
	acceptancesTable:                       4,
	rejectionsTable:                        4,
	cosignaturesTable:                      4,
	tokensTable:                            4,
	revocationsTable:                       4,
	keysTable:                              4,
	keyRevocationsTable:                    4,
	witnessedTable:                         4,
	disputedTable:                          4,
}

func (o object) since() int64 { return max(since[o.row().table], since[o.name]) }

// formerTriggers are triggers that have another text since version 4, as they were before: two records could not supersede
// the same one, whatever became of the first.
func formerTriggers() (former []object) {
	for _, table := range domain.Tables.All() {
		if !domain.PacketTables.Has(table) {
			guarded := guards(table.String(), enforcementRefuses(table, same(table.String(), "supersedes"))...)
			former = append(former, guarded[len(guarded)-1])
		}
	}
	return former
}

// upgrade makes a store of an earlier version one of this version by adding what is not there, unless another process
// just did. Of what is there nothing is touched but the text of triggers that has changed.
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
	if err := renewTriggers(ctx, tx); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion))
	return err
}

// renewTriggers gives former triggers their present text. One that is not as an earlier version made it is left as it is, for
// the opening to find.
func renewTriggers(ctx context.Context, tx *sql.Tx) error {
	present := map[string]string{}
	for _, o := range schemaObjects() {
		present[o.name] = o.sql
	}
	for _, o := range formerTriggers() {
		var text string
		err := tx.QueryRowContext(ctx, "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger' AND name = ?", o.name).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) || err == nil && text != o.sql {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DROP TRIGGER main."+o.name); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, present[o.name]); err != nil {
			return err
		}
	}
	return nil
}
