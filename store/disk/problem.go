package disk

import (
	"errors"
	"fmt"
)

// Faults of a store. Each is wrapped in a *Problem with the path and the next step.
var (
	ErrNoStore   = errors.New("there is no store")
	ErrNoService = fmt.Errorf("%w of a service", ErrNoStore)
	ErrNotAStore = errors.New("not a docket store")
	ErrNewer     = errors.New("the store was written by a newer version of docket")
	ErrOlder     = errors.New("the store was made by a docket before the first release")
	ErrAltered   = errors.New("the tables of the store were altered")
	ErrDamaged   = errors.New("the store is damaged")
	ErrReadOnly  = errors.New("the store can only be read")
	ErrLocked    = errors.New("the store is locked by another process")
	ErrCrowded   = errors.New("the store's server has no connection left")
	ErrDiskFull  = errors.New("the disk is full")
	ErrDevice    = errors.New("the disk failed")
	ErrNoAccess  = errors.New("the store cannot be opened")
	ErrExists    = errors.New("there is a file of that name already")
	ErrKind      = errors.New("the store is of another kind")
	// ErrNoAnchor says that the newest checkpoint cannot be kept outside a store that is being
	// made.
	ErrNoAnchor = errors.New("the checkpoint outside the store cannot be made")
	// ErrAnchorLocked says that nothing can be recorded until another program releases the anchor.
	ErrAnchorLocked = errors.New("another program keeps the checkpoint outside the store locked")
	// ErrReplaced says that the open file is no longer the one at the store's path.
	ErrReplaced = errors.New("the store's file was removed or replaced while it was open")
	// ErrMoved says that the store was moved to a database, which takes the records now.
	ErrMoved = errors.New("the store was moved to a database")
	// ErrTampered says that the store has findings and therefore takes nothing.
	ErrTampered = errors.New("the store was changed or damaged outside of docket, and takes no record")
	// ErrUnknownOutcome says that a record may have been written, and that looking it up failed.
	ErrUnknownOutcome = errors.New("it is not known whether the record was written")
)

// A Problem is an error of the store's file or its surroundings, and unwraps to one of those above.
type Problem struct {
	Path   string // of the store's file
	Kind   error  // one of the errors above
	Advice string // what to do, a clause without a full stop
	Cause  error  // what SQLite or the system said; nil if there is no more to say
}

// Error says which store, what is wrong with it and the next step.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s: %v; %s", p.Path, p.Kind, p.Advice)
}

// Unwrap returns the kind and, if there is one, the error of SQLite or the system.
func (p *Problem) Unwrap() []error {
	if p.Cause == nil {
		return []error{p.Kind}
	}
	return []error{p.Kind, p.Cause}
}

// StopsRecording reports whether nothing can be recorded until the store is opened again.
func (p *Problem) StopsRecording() bool {
	return p.Kind == ErrTampered || p.Kind == ErrReplaced || p.Kind == ErrMoved
}
