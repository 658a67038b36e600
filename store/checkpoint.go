package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"docket/domain"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A checkpoint is a signed statement of what the log was at one size: a C2SP tlog-checkpoint.
type checkpoint struct {
	size int64
	root tlog.Hash
	note []byte // as it was signed
}

// sign makes the checkpoint of a tree.
func (k *logKey) sign(size int64, root tlog.Hash) (checkpoint, error) {
	if k.signer == nil {
		return checkpoint{}, ErrNoKey
	}
	text := log.Checkpoint{Origin: k.origin, Size: uint64(size), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, k.signer)
	if err != nil {
		return checkpoint{}, fmt.Errorf("sign the checkpoint of %d records: %w", size, err)
	}
	return checkpoint{size: size, root: root, note: signed}, nil
}

// What may be wrong with a checkpoint.
var (
	errOtherOrigin  = errors.New("it is of another log")
	errBadSignature = errors.New("it is not signed with this store's key")
	errNoCheckpoint = errors.New("it is no checkpoint")
)

// open reads a checkpoint of this log, and only as this store writes one: any other byte is an error. Signing is
// deterministic, so that with the private key the signature is held to the one that the key makes again, at half the price of
// verifying it.
func (k *logKey) open(signed []byte) (checkpoint, error) {
	if origin, _, _ := strings.Cut(string(signed), "\n"); origin != k.origin {
		if !strings.HasPrefix(origin, domain.OriginPrefix) {
			return checkpoint{}, errNoCheckpoint
		}
		return checkpoint{}, errOtherOrigin
	}
	var parsed log.Checkpoint
	if _, err := parsed.Unmarshal(signed); err != nil || len(parsed.Hash) != tlog.HashSize || parsed.Size > math.MaxInt64 {
		return checkpoint{}, errNoCheckpoint
	}
	if k.signer == nil {
		text := log.Checkpoint{Origin: k.origin, Size: parsed.Size, Hash: parsed.Hash}.Marshal()
		if !k.verify(signed, string(text)) {
			return checkpoint{}, errBadSignature
		}
		return checkpoint{size: int64(parsed.Size), root: tlog.Hash(parsed.Hash), note: bytes.Clone(signed)}, nil
	}
	c, err := k.sign(int64(parsed.Size), tlog.Hash(parsed.Hash))
	if err != nil {
		return checkpoint{}, err
	}
	if string(c.note) != string(signed) {
		return checkpoint{}, errBadSignature
	}
	return c, nil
}

// addCheckpoint signs the log as it is now in the transaction and keeps that.
func addCheckpoint(ctx context.Context, tx *sql.Tx, key *logKey, size int64, root tlog.Hash) (checkpoint, error) {
	c, err := key.sign(size, root)
	if err != nil {
		return checkpoint{}, err
	}
	return c, c.add(ctx, tx)
}

// add keeps the checkpoint in the store.
func (c *checkpoint) add(ctx context.Context, tx *sql.Tx) error {
	const statement = "INSERT INTO main." + checkpointsTable + " (size, note) VALUES (?, ?)"
	return changeOne(ctx, tx, statement, c.size, string(c.note))
}

// checkpointOf is what was signed of the log at a size.
func (k *logKey) checkpointOf(ctx context.Context, q querier, size int64) (c checkpoint, err error) {
	var signed []byte
	err = q.QueryRowContext(ctx, "SELECT note FROM main."+checkpointsTable+" WHERE size = ?", size).Scan(&signed)
	if err == nil {
		c, err = k.open(signed)
	}
	if err != nil {
		return checkpoint{}, fmt.Errorf("the checkpoint of %d records: %w: %w", size, err, ErrDamaged)
	}
	return c, nil
}

// newestCheckpoint is what was signed last, unverified; sql.ErrNoRows if there is none.
func newestCheckpoint(ctx context.Context, q querier) (signed []byte, err error) {
	const query = "SELECT note FROM main." + checkpointsTable + " ORDER BY size DESC LIMIT 1"
	err = q.QueryRowContext(ctx, query).Scan(&signed)
	return signed, err
}

// Checkpoint returns the newest checkpoint of the log: a C2SP tlog-checkpoint, signed with the key that Verifier
// tells. An empty log has one too.
func (s *Store) Checkpoint(ctx context.Context) (signed []byte, err error) {
	err = s.reading(ctx, "read the checkpoint", func(ctx context.Context, tx *sql.Tx) error {
		signed, err = newestCheckpoint(ctx, tx)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("a checkpoint of the log: %w", ErrNotFound)
		}
		return err
	})
	return signed, err
}
