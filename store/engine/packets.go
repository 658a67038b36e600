package engine

import (
	"context"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

// A Packet is a stored packet. Its Place is its number in the order in which the packets of its table came in, from 1.
type Packet struct {
	Place      int64
	Key        packets.Key
	Document   []byte // joined with its texts, as far as they are there, unless it is said otherwise
	ImportedAt string
}

// A Revision is one of the revisions that are held of a case or an amendment.
type Revision struct {
	Number     int64
	ImportedAt string
	// Of the requested revision: the document, and the newest in the store of these: the last record on it that no
	// revoked key signed, the record that the service named in its place, and the last one of the service's log; "" for
	// none.
	Document []byte
	InForce  records.RecordID
}

// A LatestRevision holds what permissions depend on: the place, the assignee and the owner of the latest revision of an
// id. It is the zero LatestRevision if the id is not held.
type LatestRevision struct {
	Place, Number   int64
	Assignee, Owner terms.ID
}

// An Arrival is a case or an amendment in the order of arrival, without the time. The id and the number are absent if
// its document is no JSON.
type Arrival struct {
	Packet          // with its document if it is Alone
	Owner  terms.ID // absent likewise, and of a case
	Alone  bool     // the only revision of its id
	Theirs bool     // assigned to the reviewer that was asked for
}

// A Scope selects what is assigned to a reviewer or, without one, the amendments of the owners. The zero Scope selects
// everything.
type Scope struct {
	Reviewer terms.ID
	Owners   []terms.ID
}

// Packets are the packets that were imported. They are found by index, so that one whose document is no longer JSON is still found.
type Packets interface {
	// Add stores a document and, if they are not nil, its texts, and returns its place.
	Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error)
	// AddFormer keeps, at a service, the former assignee and owner of a case or an amendment that was just added, where
	// they differ from those of the packet, so that Arrivals finds it for both.
	AddFormer(ctx context.Context, table terms.Table, id terms.ID, place int64) error
	// FormerDiffers reports whether the rows of AddFormer for a table differ from what follows from its packets.
	FormerDiffers(ctx context.Context, table terms.Table) (bool, error)
	// Show calls a function with the document under a key, which the function must not keep; it returns ErrNoRow if
	// there is none.
	Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error
	// Packet returns the packet under a key, if its place is not beyond last, or ErrNoRow.
	Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (Packet, error)
	// Documents returns the documents under many keys of a table, in their order; nil for a missing one.
	Documents(ctx context.Context, table terms.Table, keys []packets.Key, last int64) ([][]byte, error)
	// Policy returns a policy and the latest version of it that is held; nil and 0 if there is none.
	Policy(ctx context.Context, table terms.Table, key packets.Key) (document []byte, latest int64, err error)
	// Revisions returns the revisions of an id, in order, with the document of one; number 0 asks for that of the latest.
	Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) ([]Revision, error)
	// Numbers returns the versions or revisions of an id, in order.
	Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error)
	// Holds reports whether the table holds the id.
	Holds(ctx context.Context, table terms.Table, id terms.ID) (bool, error)

	// Last is the place of the packet that came in last; 0 for none.
	Last(ctx context.Context, table terms.Table) (int64, error)
	// LastImport is when that packet came in; "" for never.
	LastImport(ctx context.Context, table terms.Table) (string, error)
	// Stored yields at most so many packets after a place, in their order. Their documents come without the texts, which are nil where
	// there are none.
	Stored(ctx context.Context, table terms.Table, after int64, most int, yield func(p Packet, texts []byte) error) error

	// Latest returns the latest revision of an id, or ErrNoRow.
	Latest(ctx context.Context, table terms.Table, id terms.ID) (LatestRevision, error)
	// LatestBefore returns the latest of those before a place, or ErrNoRow.
	LatestBefore(ctx context.Context, table terms.Table, id terms.ID, place int64) (LatestRevision, error)
	// PoliciesAfter returns at most so many policies after a place, in their order. The key of one that is no JSON is the zero Key.
	PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) ([]Packet, error)
	// Arrivals returns at most so many cases or amendments after a place, in the order in which they came in: those that are in the scope,
	// or of whose ids the latest revision was just before. It may return others with them.
	Arrivals(ctx context.Context, table terms.Table, of Scope, after int64, most int) ([]Arrival, error)
	// Between returns at most so many revisions of an id, from one number to another, that are not beyond a place, in order.
	Between(ctx context.Context, table terms.Table, id terms.ID, from, to, last int64, most int) ([]Packet, error)

	// Head returns the signed head of the packets at a position, or ErrNoRow.
	Head(ctx context.Context, position int64) (PacketHead, error)
	// NewestHead returns the last one, or ErrNoRow.
	NewestHead(ctx context.Context) (PacketHead, error)
	// Heads returns all of them, oldest first.
	Heads(ctx context.Context) ([]PacketHead, error)
	// AddHead adds one.
	AddHead(ctx context.Context, head PacketHead) error
}

// A PacketHead is a signed head of the packets as it is stored.
type PacketHead struct {
	Position int64
	Note     []byte
}

// A LastRecord is the state of the last record on a revision or, if there is none, of the last one on an earlier revision.
type LastRecord uint8

const (
	NothingRecorded LastRecord = iota // nor is an earlier revision to be judged again
	LastStands                        // a record on this revision is in force, here or at the service
	LastRejected                      // a record on this revision or an earlier one is not in force
)

// A QueueRow is the stored state of the latest revision of a case or an amendment, for the queue of a reviewer.
type QueueRow struct {
	Key      packets.Key
	Document []byte // not to be kept
	Recorded LastRecord
	Skipped  string // the reviewer's reason; "" for none
	Drafted  bool   // the reviewer has a draft on the id
	Added    bool   // a record on the revision may say that people added blockers
	// Reassigned says that the service assigned it to another reviewer with a later revision.
	Reassigned bool
}

// An IndexRow holds the columns for an index of the latest revision of a case or an amendment.
type IndexRow struct {
	Key      packets.Key
	Document []byte
	Recorded []records.RecordID // on any revision of the id
}

// A QueuePart is a part of the queue whose rows have an order of their own: those assigned to the reviewer or all, and
// of open appeals those with a deadline or those without.
type QueuePart struct{ Mine, Due bool }

// Queue reads the latest revisions of the cases and the amendments. The reviewer may be absent.
type Queue interface {
	// After yields at most so many rows with an id after one, in the order of the ids.
	After(ctx context.Context, area terms.Area, reviewer, after terms.ID, most int, yield func(*QueueRow)) error
	// Of yields the row of an id, if it is held.
	Of(ctx context.Context, area terms.Area, reviewer, id terms.ID, yield func(*QueueRow)) error
	// Top yields at most so many rows of a part of the queue, from its top.
	Top(ctx context.Context, area terms.Area, part QueuePart, reviewer terms.ID, most int, yield func(*QueueRow)) error
	// Related yields at most so many rows about the subject or agreement, but for those of the id, by id.
	Related(ctx context.Context, area terms.Area, reviewer, about, but terms.ID, most int, yield func(*QueueRow)) error

	// IndexAfter yields what an index takes of at most so many ids after one, in their order.
	IndexAfter(ctx context.Context, area terms.Area, after terms.ID, most int, yield func(IndexRow) error) error
	// IndexOf yields that of an id, if it is held.
	IndexOf(ctx context.Context, area terms.Area, id terms.ID, yield func(IndexRow) error) error

	// Mark returns the present sizes of the tables on which the queue of an area depends.
	Mark(ctx context.Context, area terms.Area) (queue.Watermark, error)
	// Changed returns the ids of the packets, records and rejections since the mark; an id may occur more than once.
	Changed(ctx context.Context, area terms.Area, since queue.Watermark) ([]terms.ID, error)
}
