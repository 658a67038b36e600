package engine

import (
	"context"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"

	"golang.org/x/mod/sumdb/tlog"
)

// A Leaf is a row of the log as it is stored. In an edited database it may be of no table, and its hash of any length.
type Leaf struct {
	Sequence int64
	Table    string // of the record
	RecordID records.RecordID
	Hash     []byte
}

// A Checkpoint is a signed checkpoint as it is stored.
type Checkpoint struct {
	Size int64 // of the log
	Note []byte
}

// Log is the log of the records: its leaves, the hashes of its tree and its checkpoints.
type Log interface {
	// Last is the sequence of the last leaf; -1 for none.
	Last(ctx context.Context) (int64, error)
	// NewestFrom returns the greatest, and therefore newest, record id from a sequence on; "" for none.
	NewestFrom(ctx context.Context, sequence int64) (records.RecordID, error)
	// Leaf returns the leaf of a record, or ErrNoRow.
	Leaf(ctx context.Context, id records.RecordID) (Leaf, error)
	// Leaves yields the leaves from one sequence up to but not including another, in their order.
	Leaves(ctx context.Context, from, to int64, yield func(Leaf) error) error
	// AddLeaf adds a leaf.
	AddLeaf(ctx context.Context, leaf Leaf) error

	// Hashes yields the stored hashes at the positions, in any order, and skips missing ones.
	Hashes(ctx context.Context, positions []int64, yield func(position int64, hash []byte)) error
	// HashesBetween yields the stored hashes from one position up to but not including another.
	HashesBetween(ctx context.Context, from, to int64, yield func(position int64, hash []byte)) error
	// AddHashes adds hashes at consecutive positions from the first on.
	AddHashes(ctx context.Context, first int64, hashes []tlog.Hash) error

	// Checkpoint returns the checkpoint of a size, or ErrNoRow.
	Checkpoint(ctx context.Context, size int64) (note []byte, err error)
	// NewestCheckpoint returns the checkpoint of the greatest size, or ErrNoRow.
	NewestCheckpoint(ctx context.Context) (Checkpoint, error)
	// Checkpoints returns the checkpoints of the sizes from the first to the last, by their size.
	Checkpoints(ctx context.Context, first, last int64) (map[int64]string, error)
	// AddCheckpoint adds a checkpoint.
	AddCheckpoint(ctx context.Context, checkpoint Checkpoint) error
}

// A StoredStatement is a statement about the log or its keys as it is stored.
type StoredStatement struct {
	Position int64 // from 0
	signed.Statement
	Checkpoint []byte // the first one of the log that a restore began; empty for other statements
}

// Statements are the statements about the log and its keys.
type Statements interface {
	// Count returns the last position plus one.
	Count(ctx context.Context) (int64, error)
	// All returns the statements, oldest first.
	All(ctx context.Context) ([]StoredStatement, error)
	// NewestRestore returns the last statement that has a checkpoint, without its signatures, or ErrNoRow.
	NewestRestore(ctx context.Context) (StoredStatement, error)
	// AnyErasure reports whether any is about an erasure.
	AnyErasure(ctx context.Context) (bool, error)
	// Add adds a statement after the last one; its Position is ignored.
	Add(ctx context.Context, statement StoredStatement) error
}

// A Cosigned is a checkpoint with the cosignature of a witness as it is stored.
type Cosigned struct {
	Position         int64
	Checkpoint, Line []byte
	Key              string
}

// Cosignatures holds the checkpoints that witnesses cosigned.
type Cosignatures interface {
	// Last is the position of the newest one; -1 for none.
	Last(ctx context.Context) (int64, error)
	// Before returns at most so many of those with a position below before and not above last, the newest first.
	Before(ctx context.Context, before, last int64, most int) ([]Cosigned, error)
	// Newest returns the newest one of a witness's key whose checkpoint begins with the text, or ErrNoRow.
	Newest(ctx context.Context, key, beginning string) (Cosigned, error)
	// Has reports whether the checkpoint is kept at any position.
	Has(ctx context.Context, c Cosigned) (bool, error)
	// Add adds one after the last; its Position is ignored.
	Add(ctx context.Context, c Cosigned, at terms.Instant) error
}
