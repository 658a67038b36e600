package screen

import (
	"context"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
)

// A Workbench gives the console its data and records its decisions. Every method may wait for a
// disk; the console calls them in commands only, from several goroutines. When ctx ends, a method
// returns soon.
type Workbench interface {
	// Reviewer is the reviewer; the zero Reviewer may read and not decide.
	Reviewer() records.Reviewer
	// Now is the time by which packets are judged.
	Now() terms.Instant
	// Top returns at most this many rows by deadline. It is quick, however long the queue is.
	Top(ctx context.Context, area terms.Area, most int) ([]queue.Row, error)
	// Queue judges the latest revision of everything in the area. Packets that cannot be read are
	// in it, marked. The console owns the queue. The mark is for Changes; progress is called now
	// and then from the same goroutine.
	Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (*queue.Queue, queue.Watermark, error)
	// Changes returns the changes of the area since the mark, other than by time and by skips.
	Changes(ctx context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error)
	// Rows judges the latest revisions of the ids again, in any order.
	Rows(ctx context.Context, area terms.Area, ids []terms.ID) ([]queue.Row, error)
	// Open returns a revision of a case or an amendment, judged now; 0 is the latest one held.
	Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error)
	// Record appends the reviewer's decision. When it returns a receipt, the record is durable. A
	// *records.StaleError says that the packet has changed, any other error that wraps
	// records.ErrRefused that it may not be recorded; in both cases nothing was written. When ctx
	// ends before the record is appended, Record returns at once, nothing is written, and the error
	// wraps the cause of ctx; later it goes through. A *decision.UnknownOutcomeError is the only
	// one after which the record may be in the log. A *decision.WaitingError says within two
	// seconds that another program holds the lock of the anchor. The note stays on this machine;
	// NoteDigest of the choice is filled in on the way.
	Record(ctx context.Context, view *views.View, choice records.Choice, note string) (records.Receipt, error)
	// Skip puts a revision aside with a reason, for this reviewer only; reason "" undoes that.
	Skip(ctx context.Context, table terms.Table, key packets.Key, reason string) error
	// Contracts lists the published contracts: the reports with their checks, and their companions.
	Contracts(ctx context.Context) ([]pages.Page, error)
	// Records reads a page of the log, newest first: at most this many records with a number
	// below before, 0 for the newest. Records that cannot be read are in it, marked. It is quick,
	// however long the log is.
	Records(ctx context.Context, before int64, most int) (records.Page, error)

	// HandIns returns the tally with the service; the zero tally if none was ever contacted.
	HandIns(ctx context.Context) (records.HandInTally, error)

	decision.Drafts
	eraser
	logReader
}

type eraser interface {
	// PlanErasures returns what erasing each text of a list would do, for those that exist or were
	// erased before. The error wraps records.ErrRefused if the reviewer may not erase here.
	PlanErasures(ctx context.Context, list []records.Erasure) ([]records.ErasurePlan, error)
	// Erase erases permanently and keeps a statement of the erasure, signed by the reviewer. When
	// ctx ends before the statement is written, Erase returns at once, nothing is erased, and the
	// error wraps the cause of ctx; later it completes. An error that wraps records.ErrErased says
	// that the text is erased but later work failed.
	Erase(ctx context.Context, e records.Erasure) error
}

// A logReader checks, counts and exports the records; every method may take long.
type logReader interface {
	// Examine checks each record with a sequence from one up to but not including the other, and
	// returns the states of those that exist, in order. A fault of a record is in its state; the
	// error says that it could not be examined.
	Examine(ctx context.Context, from, to int64) ([]records.State, error)
	// Stats counts the decisions of a period. progress, if not nil, gets the number of records read.
	Stats(ctx context.Context, period stats.Period, progress func(read int64)) (stats.Figures, error)
	// Reasons returns the statement of reasons of a record; "" for none, or one that is erased.
	Reasons(ctx context.Context, id records.RecordID) (string, error)
	// Statement composes the statement of a record to the parties. The record is checked; findings
	// come first, and sound is then false.
	Statement(ctx context.Context, id records.RecordID) (laid pages.Page, sound bool, err error)
	// WriteStatement writes a statement to a file, readable for its owner only. Without replace the
	// error wraps fs.ErrExist if there is a file, which stays as it is.
	WriteStatement(ctx context.Context, path, text string, replace bool) error
	// Export writes the log as a bundle into a folder, reads it back and checks it before it is put
	// into place, and returns the head of the log that is in it. If it returns an error, or ctx
	// ends, nothing is put into place. progress is called with the current step and its progress,
	// from a second goroutine, many times, one at a time.
	Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (records.LogHead, error)
}
