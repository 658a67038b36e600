package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrNoRow says that the database has no such row.
var ErrNoRow = errors.New("there is no such row")

// A Tx is a transaction: it reads one snapshot of the database, and writes if it was begun for that. Its methods are called by one
// goroutine at a time.
type Tx interface {
	Structure() Structure
	Meta() Meta
	Log() Log
	Statements() Statements
	Cosignatures() Cosignatures
	Records() Records
	Covered() Covered
	Keys() Keys
	Packets() Packets
	Queue() Queue
	Answers() Answers
	Local() Local
	Service() Service
	Rows() Rows

	// Nested runs work as a part of the transaction. If it fails, what it wrote is undone, its error is returned, and the transaction
	// goes on; an error of undoing it ends the transaction.
	Nested(ctx context.Context, work Work) error
}

// Work is the function that a transaction runs.
type Work func(ctx context.Context, tx Tx) error

// A CommitError is a COMMIT that failed, or was not answered: whether the transaction was committed is not known.
type CommitError struct{ Cause error }

// Error says what happened.
func (e *CommitError) Error() string { return fmt.Sprintf("commit: %v", e.Cause) }

// Unwrap returns the Cause.
func (e *CommitError) Unwrap() error { return e.Cause }

// An UndoError is a part of a transaction that could not be undone, so that the whole must not be committed.
type UndoError struct{ Cause error }

// Error says what happened.
func (e *UndoError) Error() string { return fmt.Sprintf("undo a part of the transaction: %v", e.Cause) }

// Unwrap returns the Cause.
func (e *UndoError) Unwrap() error { return e.Cause }

// Doubtful reports whether an error is one of these, after which every engine is Broken.
func Doubtful(err error) bool {
	var commit *CommitError
	var undo *UndoError
	return errors.As(err, &commit) || errors.As(err, &undo)
}
