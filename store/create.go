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
	"docket/store/sqlite"

	"golang.org/x/mod/sumdb/tlog"
)

// checkState turns what is no store of this version into an error.
func checkState(path string, found sqlite.State) error {
	switch found {
	case sqlite.Current, sqlite.Empty:
		return nil
	case sqlite.Older:
		return &Problem{Path: path, Kind: ErrOlder,
			Advice: "this docket does not read it: keep the file, and import its packets into a new store"}
	case sqlite.Newer:
		return &Problem{Path: path, Kind: ErrNewer, Advice: "use the docket that wrote it, or a later one"}
	}
	return &Problem{Path: path, Kind: ErrNotAStore,
		Advice: "it is another program's database; name another file"}
}

// create makes a store of an empty database, unless another process just did. The key file and the anchor are on the disk before
// the transaction is committed: a store whose anchor cannot be made is not made.
func (s *Store) create(ctx context.Context) error {
	keyPath := ""
	made, err := s.db.Create(ctx, func(ctx context.Context, tx *sql.Tx) error {
		key, file, first, err := s.writeMeta(ctx, tx)
		if err != nil {
			return err
		}
		path := keyFile(s.path, key.Origin)
		if err := makeKeyFile(path, file); err != nil {
			return disk.FileError(path, err)
		}
		keyPath = path
		if s.options.AnchorFolder == "" {
			return nil
		}
		if err := merkle.NewAnchor(s.options.AnchorFolder, key, s.busyTimeout()).Begin(first); err != nil {
			return &Problem{Path: s.path, Kind: ErrNoAnchor, Cause: err,
				Advice: fmt.Sprintf("see to it that files can be made in %s (%v); no store was made", s.options.AnchorFolder, disk.Reason(err))}
		}
		return nil
	})
	s.made = made
	if !made && keyPath != "" {
		err = errors.Join(err, os.Remove(keyPath))
	}
	return s.explain("make the store", err)
}

// writeMeta fills docket_meta, and signs the first checkpoint, of a log without records. It returns the key, what its file has
// to hold, and the checkpoint.
func (s *Store) writeMeta(ctx context.Context, tx *sql.Tx) (key *merkle.Key, file string, first merkle.Checkpoint, err error) {
	key, file, err = merkle.NewKey(s.options.Service)
	if err != nil {
		return nil, "", merkle.Checkpoint{}, err
	}
	rows := [][2]string{{metaOrigin, key.Origin}, {metaVerifierKey, key.Encoded}}
	if key.Cosigner != nil {
		rows = append(rows, [2]string{metaCosignerKey, key.Cosigner.Encoded})
	}
	rows = append(rows, [2]string{metaSchemaVersion, fmt.Sprint(sqlite.SchemaVersion)},
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
