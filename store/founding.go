package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"docket/domain"
	"docket/store/disk"
	"docket/store/merkle"

	"golang.org/x/mod/sumdb/tlog"
)

// A state is what a file was found to be.
type state uint8

const (
	stateForeign state = iota // no store, and not to be touched
	stateEmpty                // an empty database, to be made a store
	stateStore                // a store of this version
	stateOlder                // a store of an earlier version
	stateNewer                // a store of a later version
)

// inspectAtOnce tells what the database is at one moment: another process may be making it a store just now.
func inspectAtOnce(ctx context.Context, db *sql.DB) (state, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return stateForeign, err
	}
	defer func() { _ = tx.Rollback() }()
	return inspect(ctx, tx)
}

// inspect tells what the database is, changing nothing.
func inspect(ctx context.Context, q querier) (state, error) {
	var application, version, objects int64
	err := errors.Join(
		q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application),
		q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version),
		q.QueryRowContext(ctx, "SELECT count(*) FROM main.sqlite_schema").Scan(&objects))
	switch {
	case err != nil:
		return stateForeign, err
	case application == 0 && version == 0 && objects == 0:
		return stateEmpty, nil
	case application != applicationID || version < 1:
		return stateForeign, nil
	case version > schemaVersion:
		return stateNewer, nil
	case version < schemaVersion:
		return stateOlder, nil
	}
	return stateStore, nil
}

// checkState turns what is no store of this version into an error.
func checkState(path string, found state) error {
	switch found {
	case stateStore, stateEmpty:
		return nil
	case stateOlder:
		return &Problem{Path: path, Kind: ErrOlder,
			Advice: "this docket does not read it: keep the file, and import its packets into a new store"}
	case stateNewer:
		return &Problem{Path: path, Kind: ErrNewer, Advice: "use the docket that wrote it, or a later one"}
	}
	return &Problem{Path: path, Kind: ErrNotAStore,
		Advice: "it is another program's database; name another file with --db"}
}

// found makes the schema in an empty database, unless another process just did.
func (s *Store) found(ctx context.Context) error {
	db, err := openPool(ctx, s.connect(founding), 1)
	if err != nil {
		return explain(s.path, "make the store", err)
	}
	err = s.layFoundation(ctx, db)
	return s.explain("make the store", errors.Join(err, db.Close()))
}

// layFoundation makes the store in one transaction. The key file and the anchor are on the disk before it is committed: a store
// whose anchor cannot be made is not made.
func (s *Store) layFoundation(ctx context.Context, db *sql.DB) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if found, err := inspect(ctx, tx); err != nil || found != stateEmpty {
		return err
	}
	for _, o := range schemaObjects() {
		if _, err := tx.ExecContext(ctx, o.sql); err != nil {
			return err
		}
	}
	key, file, first, err := s.sayWhatItIs(ctx, tx)
	if err != nil {
		return err
	}
	path := keyFile(s.path, key.Origin)
	if err := makeKeyFile(path, file); err != nil {
		return disk.FileError(path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	if s.options.AnchorFolder != "" {
		if err := merkle.NewAnchor(s.options.AnchorFolder, key, s.busyTimeout()).Begin(first); err != nil {
			return &Problem{Path: s.path, Kind: ErrNoAnchor, Cause: err,
				Advice: fmt.Sprintf("see to it that files can be made in %s (%v); no store was made", s.options.AnchorFolder, disk.Reason(err))}
		}
	}
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion)
	if _, err := tx.ExecContext(ctx, marks); err != nil {
		return err
	}
	err = tx.Commit()
	s.made = err == nil
	return err
}

// sayWhatItIs fills docket_meta, and signs the first checkpoint, of a log without records. It returns the key, what its file has
// to hold, and the checkpoint.
func (s *Store) sayWhatItIs(ctx context.Context, tx *sql.Tx) (key *merkle.Key, file string, first merkle.Checkpoint, err error) {
	key, file, err = merkle.NewKey(s.options.Service)
	if err != nil {
		return nil, "", merkle.Checkpoint{}, err
	}
	rows := [][2]string{{metaOrigin, key.Origin}, {metaVerifierKey, key.Encoded}}
	if key.Cosigner != nil {
		rows = append(rows, [2]string{metaCosignerKey, key.Cosigner.Encoded})
	}
	rows = append(rows, [2]string{metaSchemaVersion, fmt.Sprint(schemaVersion)},
		[2]string{metaCreatedAt, domain.InstantOf(s.now()).String()})
	for _, row := range rows {
		statement := "INSERT INTO main." + metaTable + " (name, value) VALUES (?, ?)"
		if err := changeOne(ctx, tx, statement, row[0], row[1]); err != nil {
			return nil, "", merkle.Checkpoint{}, err
		}
	}
	root, err := tlog.TreeHash(0, nil)
	if err != nil {
		return nil, "", merkle.Checkpoint{}, err
	}
	first, err = addCheckpoint(ctx, tx, key, 0, root)
	return key, file, first, err
}
