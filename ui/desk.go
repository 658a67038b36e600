package ui

import (
	"context"

	"docket/domain"
)

// A Desk is what the console works on. Every method may wait for a disk; the console calls them in commands only, from
// several goroutines. When ctx ends, a method returns soon.
type Desk interface {
	// Reviewer is who works here; the zero Reviewer may look and not decide.
	Reviewer() domain.Reviewer
	// Now is the time by which packets are judged.
	Now() domain.Instant
	// Queue lists the latest revision of everything in the area, in any order. What cannot be read is in it, marked. The
	// console owns the slice.
	Queue(ctx context.Context, area domain.Area) ([]domain.QueueRow, error)
	// Open returns a revision of a case or an amendment, judged now; revision 0 is the latest one held.
	Open(ctx context.Context, table domain.Table, id domain.ID, revision int64) (domain.Dossier, error)
	// Record appends the reviewer's decision. When it returns a receipt, the record is durable. A *domain.StaleError says
	// that the packet has changed, any other error that wraps domain.ErrRefused that it may not be recorded; in both cases
	// nothing was written. The note stays on this machine; NoteDigest of the choice is filled in on the way.
	Record(ctx context.Context, view *domain.View, choice domain.Choice, note string) (domain.Receipt, error)
	// Skip puts a revision aside with a reason, for this reviewer only; reason "" takes it back.
	Skip(ctx context.Context, table domain.Table, key domain.Key, reason string) error
	// Records lists the log, oldest first. What cannot be read is in it, marked.
	Records(ctx context.Context) ([]domain.LoggedRecord, error)

	Drafts
	Log
}
