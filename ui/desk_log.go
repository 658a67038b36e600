package ui

import (
	"context"

	"docket/domain"
)

// A Log tells of the records more than they say themselves. All of it may take long.
type Log interface {
	// Examine looks at the records from one sequence up to, and not with, another, each by itself, and returns one state
	// for each that there is, in order. That something is wrong with a record is in its state; the error says that it
	// could not be looked at.
	Examine(ctx context.Context, from, to int64) ([]domain.RecordState, error)
	// Trend counts the decisions of an area by week, up to now.
	Trend(ctx context.Context, area domain.Area) (domain.Trend, error)
	// Export writes the log as a bundle into a folder, reads it back and checks it before it is put into place, and
	// returns the head of the log that is in it. Where it returns an error, or ctx ends, nothing is put into place.
	// progress is told what is being done and how far it is, from another goroutine, many times, one at a time.
	Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (domain.LogHead, error)
}
