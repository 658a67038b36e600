package cli

import (
	"errors"
	"fmt"

	"docket/domain"
	"docket/store"
)

// A Status is the exit status of the program.
type Status int

// The statuses. Everything that can end the program ends it with one of them.
const (
	Done        Status = 0 // all was done
	Refused     Status = 1 // something was refused or did not verify; the rest was done
	Usage       Status = 2 // the command was called wrongly
	Environment Status = 3 // no store, no terminal, disk full: nothing to do with what was asked

	// Signalled and the number of a signal are the status of a program that the signal ended, as shells have it.
	Signalled Status = 128
)

// failure is an error with the status it ends the program with.
type failure struct {
	status Status
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// wrongUsage says that the command was called wrongly.
func wrongUsage(format string, args ...any) error {
	return &failure{Usage, fmt.Errorf(format, args...)}
}

// refused says that something was refused and has been reported.
func refused(format string, args ...any) error {
	return &failure{Refused, fmt.Errorf(format, args...)}
}

// errReported ends the program with Refused when everything has been said already.
var errReported = errors.New("reported")

// statusOf finds the status for an error. An error that nobody gave a status comes from the environment.
func statusOf(err error) Status {
	var f *failure
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, errReported), errors.Is(err, store.ErrTampered), errors.Is(err, domain.ErrStoredPacket):
		return Refused
	case errors.Is(err, store.ErrDamaged): // what was stored is not what is there; a file that SQLite cannot read is a Problem
		var problem *store.Problem
		if !errors.As(err, &problem) {
			return Refused
		}
	}
	return Environment
}
