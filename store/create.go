package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/sqlite"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// checkState returns an error for a file that is not a store of this version.
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
		Advice: "it belongs to a different program; name another file"}
}

// create makes a store of an empty database, unless another process just did. The key file and the anchor are on the disk before
// the transaction is committed: a store whose anchor cannot be made is not made.
func (s *Store) create(ctx context.Context) error {
	keyPath := ""
	made, err := s.db.Create(ctx, func(ctx context.Context, tx engine.Tx) error {
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
// to hold, and what the anchor has to hold: the checkpoint, and the heads of no packets and no rows.
func (s *Store) writeMeta(ctx context.Context, tx engine.Tx) (key *merkle.Key, file string, first merkle.Anchored, err error) {
	key, file, err = merkle.NewKey(ctx, s.options.Service, s.options.LogAgent)
	if err != nil {
		return nil, "", merkle.Anchored{}, &Problem{Path: s.path, Kind: ErrNoKey, Cause: err, Advice: fmt.Sprintf("%v; no store was made", err)}
	}
	made := terms.InstantOf(s.now())
	rows := [][2]string{{metaOrigin, key.Origin}, {metaVerifierKey, key.Encoded}}
	rows = append(rows, [2]string{metaSchemaVersion, fmt.Sprint(sqlite.SchemaVersion)},
		[2]string{metaCreatedAt, made.String()})
	for _, row := range rows {
		if err := tx.Meta().Add(ctx, row[0], row[1]); err != nil {
			return nil, "", merkle.Anchored{}, err
		}
	}
	root, err := tlog.TreeHash(0, nil)
	if err != nil {
		return nil, "", merkle.Anchored{}, err
	}
	if first.Checkpoint, err = addCheckpoint(ctx, tx, key, 0, root); err != nil {
		return nil, "", merkle.Anchored{}, err
	}
	first.Packets.MadeAt = made
	if err = addPacketHead(ctx, tx, key, &first.Packets); err == nil {
		first.Tables, err = coverTables(ctx, tx, key, &merkle.TableHead{})
	}
	return key, file, first, err
}

// The rows of docket_meta.
const (
	metaSchemaVersion = "schemaVersion"
	metaOrigin        = "origin"      // of the log that the store was made with; see currentLog
	metaVerifierKey   = "verifierKey" // of its checkpoints: public; the private half is in the key file
	metaCreatedAt     = "createdAt"
)

// verifyMeta checks that docket_meta has the rows that docket writes. The log's origin and keys are checked by what they signed.
func verifyMeta(ctx context.Context, tx engine.Tx) ([]verify.Finding, error) {
	rows, err := tx.Meta().Values(ctx, mostMeta+1)
	if err != nil {
		return nil, err
	}
	_, timed := terms.ParseInstant(rows[metaCreatedAt])
	altered := !timed || rows[metaSchemaVersion] != fmt.Sprint(sqlite.SchemaVersion)
	for name := range rows {
		switch name {
		case metaSchemaVersion, metaOrigin, metaVerifierKey, metaCreatedAt:
		default:
			altered = true
		}
	}
	if altered {
		return []verify.Finding{found(verify.SchemaAltered, metaRows)}, nil
	}
	return nil, nil
}

// metaRows is what a finding calls them.
const metaRows = "docket_meta"

// mostMeta is how many rows docket_meta has at most.
const mostMeta = 4

// Meta are the store's own facts.
type Meta struct {
	Origin    string // of its log: the first line of every checkpoint
	CreatedAt terms.Instant
}

// Meta returns the store's own facts: the log's origin, and when the store was made.
func (s *Store) Meta(ctx context.Context) (meta Meta, err error) {
	err = s.reading(ctx, "read what the store is", func(ctx context.Context, tx engine.Tx) error {
		name, err := currentLog(ctx, tx)
		if err != nil {
			return err
		}
		created, err := tx.Meta().Value(ctx, metaCreatedAt)
		if err != nil {
			return err
		}
		meta.Origin = name.origin
		meta.CreatedAt, _ = terms.ParseInstant(created)
		return nil
	})
	return meta, err
}
