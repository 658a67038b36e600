package engine

import (
	"context"
	"encoding/hex"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"

	"golang.org/x/mod/sumdb/tlog"
)

// A Leaf is the row of a record in the log as it is stored. In an edited database it may be of no
// table, and its hash of any length.
type Leaf struct {
	Sequence int64
	Table    string // of the record
	RecordID records.RecordID
	At       string // records.LogTime of the append
	Hash     []byte
}

// A NumberedLeaf is a Leaf with its number among the records of the log; -1 if it is of no record.
type NumberedLeaf struct {
	Leaf
	Number int64
}

// A Checkpoint is a signed checkpoint as it is stored.
type Checkpoint struct {
	Size int64 // of the log
	Note []byte
}

// Log is the log of the records: its leaves, the hashes of its tree and its checkpoints.
type Log struct{ Tx }

// Log returns the log of the records.
func (t Tx) Log() Log { return Log{t} }

// Last is the position of the last entry; -1 for none.
func (q Log) Last(ctx context.Context) (int64, error) { return one[int64](ctx, q.Tx, "LastLeaf") }

// NewestFrom returns the greatest, and therefore newest, record id from a sequence on; "" for none.
func (q Log) NewestFrom(ctx context.Context, sequence int64) (records.RecordID, error) {
	return one[records.RecordID](ctx, q.Tx, "NewestRecordFrom", sequence)
}

// Leaf returns the leaf of a record, or ErrNoRow.
func (q Log) Leaf(ctx context.Context, id records.RecordID) (Leaf, error) {
	return one[Leaf](ctx, q.Tx, "Leaf", id)
}

// Leaves yields the leaves from one sequence up to but not including another, in their order.
func (q Log) Leaves(ctx context.Context, from, to int64, yield func(*NumberedLeaf) error) error {
	return each(ctx, q.Tx, "Leaves", yield, from, to)
}

// LastAt is the time of the newest entry from a position on, as it is stored; "" for none.
func (q Log) LastAt(ctx context.Context, position int64) (string, error) {
	return one[string](ctx, q.Tx, "LastAt", position)
}

// A NewEntry is an entry that is about to be appended.
type NewEntry struct {
	Position int64
	Kind     records.EntryKind
	Table    terms.Table // of the row that holds its body
	Subject  string      // the id of a record, records.PacketSubject, or the kind of a statement
	At       string      // records.LogTime
	Leaf     tlog.Hash
	// The text of a statement, which no other row holds, and the armored signature of a record, or
	// the signed.Statement.Signatures.
	Body, Signature string
}

// Append adds an entry, whose position must be the next one. The row with its body comes after it.
func (q Log) Append(ctx context.Context, e NewEntry) error {
	if e.Kind == records.StatementEntry && q.erased != nil {
		*q.erased = erased{}
	}
	return q.add(ctx, "AddLeaf", e.Position, e.Kind.String(), e.Table.String(), e.Subject, e.At, e.Leaf[:], e.Body, e.Signature)
}

// FirstRecord is the position of the first entry that is a record; -1 for none.
func (q Log) FirstRecord(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "FirstRecord")
}

// CountRecords is how many entries are records.
func (q Log) CountRecords(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "CountRecords")
}

// Hashes yields the stored hashes at the positions, in any order, and skips missing ones.
func (q Log) Hashes(ctx context.Context, positions []int64, yield func(position int64, hash []byte)) error {
	if len(positions) == 0 {
		return nil
	}
	return q.hashes(ctx, "Hashes", yield, listed(positions))
}

// HashesBetween yields the stored hashes from one position up to but not including another.
func (q Log) HashesBetween(ctx context.Context, from, to int64, yield func(position int64, hash []byte)) error {
	return q.hashes(ctx, "HashesBetween", yield, from, to)
}

func (q Log) hashes(ctx context.Context, name string, yield func(position int64, hash []byte), args ...any) error {
	return each(ctx, q.Tx, name, func(row *pair[int64, []byte]) error {
		yield(row.First, row.Second)
		return nil
	}, args...)
}

// AddHashes adds hashes at consecutive positions from the first on, which must be the next one.
func (q Log) AddHashes(ctx context.Context, first int64, hashes []tlog.Hash) error {
	digits := make([]string, len(hashes))
	for i := range hashes {
		digits[i] = hex.EncodeToString(hashes[i][:])
	}
	return q.ExecRows(ctx, int64(len(hashes)), q.named("AddHashes"), first, listed(digits))
}

// Checkpoint returns the checkpoint of a size, or ErrNoRow.
func (q Log) Checkpoint(ctx context.Context, size int64) ([]byte, error) {
	return one[[]byte](ctx, q.Tx, "Checkpoint", size)
}

// NewestCheckpoint returns the checkpoint of the greatest size, or ErrNoRow.
func (q Log) NewestCheckpoint(ctx context.Context) (Checkpoint, error) {
	return one[Checkpoint](ctx, q.Tx, "NewestCheckpoint")
}

// Checkpoints returns the checkpoints of the sizes from the first to the last, by their size.
func (q Log) Checkpoints(ctx context.Context, first, last int64) (map[int64]string, error) {
	return pairs[int64, string](ctx, q.Tx, "Checkpoints", first, last)
}

// AddCheckpoint adds a checkpoint, whose size must be larger than all others.
func (q Log) AddCheckpoint(ctx context.Context, c Checkpoint) error {
	return q.add(ctx, "AddCheckpoint", c.Size, string(c.Note))
}

// A StoredStatement is a statement of the log as it is stored.
type StoredStatement struct {
	Position         int64
	Text, Signatures string
}

// Signed returns the statement with its signatures.
func (s *StoredStatement) Signed() signed.Statement {
	return signed.WithSignatures(s.Text, s.Signatures)
}

// Statements are the entries of the log that are statements.
type Statements struct{ Tx }

// Statements returns the statements of the log.
func (t Tx) Statements() Statements { return Statements{t} }

// End returns the last position plus one.
func (q Statements) End(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "EndOfStatements")
}

// All returns the statements, oldest first.
func (q Statements) All(ctx context.Context) ([]StoredStatement, error) {
	return all[StoredStatement](ctx, q.Tx, "Statements")
}

// Restores returns the statements about restores, newest first.
func (q Statements) Restores(ctx context.Context) ([]StoredStatement, error) {
	return all[StoredStatement](ctx, q.Tx, "Restores")
}

// AnyErasure reports whether any is about an erasure.
func (q Statements) AnyErasure(ctx context.Context) (bool, error) {
	return one[bool](ctx, q.Tx, "AnyErasure")
}

// A Cosigned is a checkpoint with the cosignature of a witness as it is stored.
type Cosigned struct {
	Position         int64
	Checkpoint, Line []byte
	Key              string
}

// Cosignatures holds the checkpoints that witnesses cosigned.
type Cosignatures struct{ Tx }

// Cosignatures returns the checkpoints that witnesses cosigned.
func (t Tx) Cosignatures() Cosignatures { return Cosignatures{t} }

// Last is the position of the newest one; -1 for none.
func (q Cosignatures) Last(ctx context.Context) (int64, error) {
	return one[int64](ctx, q.Tx, "LastCosignature")
}

// Before returns at most so many of those with a position below before and not above last, the
// newest first. Reading a row with a forged position takes no longer than reading any other.
func (q Cosignatures) Before(ctx context.Context, before, last int64, most int) ([]Cosigned, error) {
	return all[Cosigned](ctx, q.Tx, "CosignaturesBefore", before, last, most)
}

// Newest returns the newest of a witness's key whose checkpoint begins with the text, or ErrNoRow.
func (q Cosignatures) Newest(ctx context.Context, key, beginning string) (Cosigned, error) {
	return one[Cosigned](ctx, q.Tx, "NewestCosignature", key, beginning)
}

// Has reports whether the checkpoint is kept at any position.
func (q Cosignatures) Has(ctx context.Context, c Cosigned) (bool, error) {
	return one[bool](ctx, q.Tx, "HasCosignature", string(c.Checkpoint), string(c.Line), c.Key)
}

// Add adds one after the last; its Position is ignored.
func (q Cosignatures) Add(ctx context.Context, c Cosigned, at terms.Instant) error {
	return q.add(ctx, "AddCosignature", string(c.Checkpoint), string(c.Line), c.Key, at.String())
}
