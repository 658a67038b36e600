package engine

import (
	"context"
	"strings"

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
type Packets struct {
	Tx
	OwnPackets
}

// Packets returns the packets.
func (t Tx) Packets() Packets { return Packets{t, t.flavor.PacketsOf(t)} }

// OwnPackets are the methods of Packets that each engine has in its own words.
type OwnPackets interface {
	// AddFormer keeps, at a service, the former assignee and owner of a case or an amendment that was just added, where
	// they differ from those of the packet, so that Arrivals finds it for both.
	AddFormer(ctx context.Context, table terms.Table, id terms.ID, place int64) error
	// FormerDiffers reports whether the rows of AddFormer for a table differ from what follows from its packets.
	FormerDiffers(ctx context.Context, table terms.Table) (bool, error)
	// Revisions returns the revisions of an id, in order, with the document of one; number 0 asks for that of the latest.
	Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) ([]Revision, error)

	// Latest returns the latest revision of an id, or ErrNoRow.
	Latest(ctx context.Context, table terms.Table, id terms.ID) (LatestRevision, error)
	// LatestBefore returns the latest of those before a place, or ErrNoRow.
	LatestBefore(ctx context.Context, table terms.Table, id terms.ID, place int64) (LatestRevision, error)
	// PoliciesAfter returns at most so many policies after a place, in their order. The key of one that is no JSON is the zero Key.
	PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) ([]Packet, error)
	// Arrivals returns at most so many cases or amendments after a place, in the order in which they came in: those that are in the scope,
	// or of whose ids the latest revision was just before. It may return others with them.
	Arrivals(ctx context.Context, table terms.Table, of Scope, after int64, most int) ([]Arrival, error)
}

// shape writes a query of a table of packets, where %[1]s is the table, %[2]s and %[3]s its columns with the id and the number,
// and %[4]s the texts beside a row that is called held.
func (q Packets) shape(table terms.Table, query string) string {
	id, number := q.flavor.Key(table)
	texts := "NULL"
	if table == terms.AppealCases {
		texts = "(SELECT side.texts FROM docket_packet_texts AS side WHERE side.place = held.place)"
	}
	return strings.NewReplacer("%[1]s", table.String(), "%[2]s", id, "%[3]s", number, "%[4]s", texts).Replace(query)
}

// Add stores a document and, if they are not nil, its texts, and returns its place.
func (q Packets) Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error) {
	const add = "INSERT INTO %[1]s (place, document, importedAt) VALUES ((SELECT coalesce(max(place), 0) + 1 FROM %[1]s), $1, $2) RETURNING place"
	if err := q.Row(ctx, q.shape(table, add), []any{Text(document), at}, &place); err != nil || texts == nil {
		return place, err
	}
	return place, q.add(ctx, "AddPacketTexts", place, Text(texts))
}

// Packet returns the packet under a key, if its place is not beyond last, or ErrNoRow.
func (q Packets) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (p Packet, err error) {
	const query = "SELECT held.place, held.document, %[4]s, held.importedAt FROM %[1]s AS held" +
		" WHERE held.place = (SELECT place FROM %[1]s WHERE %[2]s = $1 AND %[3]s = $2) AND held.place <= $3"
	if _, is := packets.Info(table); !is {
		return p, ErrNoRow
	}
	p.Key = key
	var texts []byte
	err = q.Row(ctx, q.shape(table, query), []any{key.ID, key.Number, last}, &p.Place, &p.Document, &texts, &p.ImportedAt)
	p.Document = packets.Joined(p.Document, texts)
	return p, err
}

// Show calls a function with the document under a key, which the function must not keep; it returns ErrNoRow if there is none.
func (q Packets) Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error {
	const query = "SELECT held.document, %[4]s FROM %[1]s AS held WHERE held.place = (SELECT place FROM %[1]s WHERE %[2]s = $1 AND %[3]s = $2)"
	if _, is := packets.Info(table); !is {
		return ErrNoRow
	}
	var document, texts []byte
	err := q.Row(ctx, q.shape(table, query), []any{key.ID, key.Number}, &document, &texts)
	if err == nil {
		look(packets.Joined(document, texts))
	}
	return err
}

// Documents returns the documents under many keys of a table, in their order; nil for a missing one.
func (q Packets) Documents(ctx context.Context, table terms.Table, keys []packets.Key, last int64) ([][]byte, error) {
	documents, wanted := make([][]byte, len(keys)), make([][]any, len(keys))
	for i, key := range keys {
		wanted[i] = []any{key.ID, key.Number}
	}
	query := q.shape(table, "SELECT wanted.place, held.document, %[4]s FROM ("+q.named("WantedKeys")+") AS wanted JOIN %[1]s AS held"+
		" ON held.place = (SELECT place FROM %[1]s WHERE %[2]s = wanted.id AND %[3]s = wanted.number) WHERE held.place <= $2")
	err := q.EachRow(ctx, query, func(scan Scan) error {
		var place int64
		var document, texts []byte
		err := scan(&place, &document, &texts)
		if err == nil {
			documents[place] = packets.Joined(document, texts)
		}
		return err
	}, listed(wanted), last)
	return documents, err
}

// Policy returns a policy and the latest version of it that is held; nil and 0 if there is none.
func (q Packets) Policy(ctx context.Context, table terms.Table, key packets.Key) (document []byte, latest int64, err error) {
	const query = "SELECT (SELECT coalesce(max(%[3]s), 0) FROM %[1]s WHERE %[2]s = $1)," +
		" (SELECT document FROM %[1]s WHERE place = (SELECT place FROM %[1]s WHERE %[2]s = $1 AND %[3]s = $2))"
	err = q.Row(ctx, q.shape(table, query), []any{key.ID, key.Number}, &latest, &document)
	return document, latest, err
}

// Numbers returns the versions or revisions of an id, in order.
func (q Packets) Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error) {
	return Column[int64](ctx, q, q.shape(table, "SELECT %[3]s FROM %[1]s WHERE %[2]s = $1 ORDER BY 1"), id)
}

// Holds reports whether the table holds the id.
func (q Packets) Holds(ctx context.Context, table terms.Table, id terms.ID) (held bool, err error) {
	err = q.Row(ctx, q.shape(table, "SELECT EXISTS (SELECT 1 FROM %[1]s WHERE %[2]s = $1)"), []any{id}, &held)
	return held, err
}

// Last is the place of the packet that came in last; 0 for none.
func (q Packets) Last(ctx context.Context, table terms.Table) (last int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(place), 0) FROM "+table.String(), nil, &last)
	return last, err
}

// LastImport is when that packet came in; "" for never.
func (q Packets) LastImport(ctx context.Context, table terms.Table) (at string, err error) {
	err = q.Row(ctx, "SELECT coalesce((SELECT importedAt FROM "+table.String()+" ORDER BY place DESC LIMIT 1), '')", nil, &at)
	return at, err
}

// Stored yields at most so many packets after a place, in their order. Their documents come without the texts, which are nil where
// there are none.
func (q Packets) Stored(ctx context.Context, table terms.Table, after int64, most int, yield func(p Packet, texts []byte) error) error {
	const query = "SELECT held.place, held.document, held.importedAt, %[4]s FROM %[1]s AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2"
	return q.EachRow(ctx, q.shape(table, query), func(scan Scan) error {
		var p Packet
		var texts []byte
		if err := scan(&p.Place, &p.Document, &p.ImportedAt, &texts); err != nil {
			return err
		}
		return yield(p, texts)
	}, after, most)
}

// Between returns at most so many revisions of an id, from one number to another, that are not beyond a place, in order.
func (q Packets) Between(ctx context.Context, table terms.Table, id terms.ID, from, to, last int64, most int) (list []Packet, err error) {
	const query = "SELECT held.%[3]s, held.document, %[4]s FROM %[1]s AS held WHERE held.%[2]s = $1 AND held.%[3]s BETWEEN $2 AND $3" +
		" AND held.place <= $4 ORDER BY held.%[3]s LIMIT $5"
	err = q.EachRow(ctx, q.shape(table, query), func(scan Scan) error {
		p := Packet{Key: packets.Key{ID: id}}
		var texts []byte
		err := scan(&p.Key.Number, &p.Document, &texts)
		p.Document = packets.Joined(p.Document, texts)
		list = append(list, p)
		return err
	}, id, from, to, last, most)
	return list, err
}

// Head returns the signed head of the packets at a position, or ErrNoRow.
func (q Packets) Head(ctx context.Context, position int64) (head PacketHead, err error) {
	err = q.get(ctx, "PacketHead", []any{position}, head.Columns()...)
	return head, err
}

// NewestHead returns the last one, or ErrNoRow.
func (q Packets) NewestHead(ctx context.Context) (head PacketHead, err error) {
	err = q.get(ctx, "NewestPacketHead", nil, head.Columns()...)
	return head, err
}

// Heads returns all of them, oldest first.
func (q Packets) Heads(ctx context.Context) ([]PacketHead, error) {
	return List(ctx, q, q.named("PacketHeads"), (*PacketHead).Columns)
}

// AddHead adds one, whose position must be the next one.
func (q Packets) AddHead(ctx context.Context, head PacketHead) error {
	return q.add(ctx, "AddPacketHead", head.Position, string(head.Note))
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
	// ImportedAt is when the revision came in.
	ImportedAt string
	Recorded   LastRecord
	Skipped    string // the reviewer's reason; "" for none
	Drafted    bool   // the reviewer has a draft on the id
	Added      bool   // a record on the revision, or on one before it, may say that people added blockers
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
