package engine

import (
	"context"

	"docket/domain/packets"
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
type Packets struct{ Tx }

// Packets returns the packets.
func (t Tx) Packets() Packets { return Packets{t} }

// Add stores a document and, if they are not nil, its texts, and returns its place.
func (q Packets) Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error) {
	const add = "INSERT INTO {table} (place, document, importedAt) VALUES ((SELECT coalesce(max(place), 0) + 1 FROM {table}), $1, $2) RETURNING place"
	if err := q.Row(ctx, q.write(table, add), []any{Text(document), at}, &place); err != nil || texts == nil {
		return place, err
	}
	return place, q.add(ctx, "AddPacketTexts", place, Text(texts))
}

// Packet returns the packet under a key, if its place is not beyond last, or ErrNoRow.
func (q Packets) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (p Packet, err error) {
	const query = "SELECT held.place, held.document, {texts}, held.importedAt FROM {table} AS held" +
		" WHERE held.place = (SELECT place FROM {table} WHERE {id} = $1 AND {number} = $2) AND held.place <= $3"
	if _, is := packets.Info(table); !is {
		return p, ErrNoRow
	}
	p.Key = key
	var texts []byte
	err = q.Row(ctx, q.write(table, query), []any{key.ID, key.Number, last}, &p.Place, &p.Document, &texts, &p.ImportedAt)
	p.Document = packets.Joined(p.Document, texts)
	return p, err
}

// Show calls a function with the document under a key, which the function must not keep; it returns ErrNoRow if there is none.
func (q Packets) Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error {
	const query = "SELECT held.document, {texts} FROM {table} AS held WHERE held.place = (SELECT place FROM {table} WHERE {id} = $1 AND {number} = $2)"
	if _, is := packets.Info(table); !is {
		return ErrNoRow
	}
	var document, texts []byte
	err := q.Row(ctx, q.write(table, query), []any{key.ID, key.Number}, &document, &texts)
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
	query := q.write(table, "SELECT wanted.place, held.document, {texts} FROM ("+q.named("WantedKeys")+") AS wanted JOIN {table} AS held"+
		" ON held.place = (SELECT place FROM {table} WHERE {id} = wanted.id AND {number} = wanted.number) WHERE held.place <= $2")
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
	const query = "SELECT (SELECT coalesce(max({number}), 0) FROM {table} WHERE {id} = $1)," +
		" (SELECT document FROM {table} WHERE place = (SELECT place FROM {table} WHERE {id} = $1 AND {number} = $2))"
	err = q.Row(ctx, q.write(table, query), []any{key.ID, key.Number}, &latest, &document)
	return document, latest, err
}

// Numbers returns the versions or revisions of an id, in order.
func (q Packets) Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error) {
	return Column[int64](ctx, q, q.write(table, "SELECT {number} FROM {table} WHERE {id} = $1 ORDER BY 1"), id)
}

// Holds reports whether the table holds the id.
func (q Packets) Holds(ctx context.Context, table terms.Table, id terms.ID) (held bool, err error) {
	err = q.Row(ctx, q.write(table, "SELECT EXISTS (SELECT 1 FROM {table} WHERE {id} = $1)"), []any{id}, &held)
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
	const query = "SELECT held.place, held.document, held.importedAt, {texts} FROM {table} AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2"
	return q.EachRow(ctx, q.write(table, query), func(scan Scan) error {
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
	const query = "SELECT held.{number}, held.document, {texts} FROM {table} AS held WHERE held.{id} = $1 AND held.{number} BETWEEN $2 AND $3" +
		" AND held.place <= $4 ORDER BY held.{number} LIMIT $5"
	err = q.EachRow(ctx, q.write(table, query), func(scan Scan) error {
		p := Packet{Key: packets.Key{ID: id}}
		var texts []byte
		err := scan(&p.Key.Number, &p.Document, &texts)
		p.Document = packets.Joined(p.Document, texts)
		list = append(list, p)
		return err
	}, id, from, to, last, most)
	return list, err
}

// revisionsQuery takes the id and the number.
func (q Packets) revisionsQuery(table terms.Table) string {
	recorded := terms.EnforcementTable(terms.AreaOf(table))
	of, on := q.flavor.Key(recorded)
	_, revision := q.flavor.Key(table)
	// The newest in this store of three: the last record here, its rejection, and the last record of the service's log.
	inForce := q.write(recorded, "SELECT CASE WHEN theirs.recordId IS NULL OR held.sequence >= theirs.afterRecords OR rejected.position >= theirs.afterRejections"+
		" THEN coalesce(rejected.inForce, held.recordId) ELSE theirs.recordId END FROM (SELECT 1) AS one LEFT JOIN {table} AS held ON held.sequence ="+
		" (SELECT max(recorded.sequence) FROM {recorded} WHERE recorded.{of} = $1 AND recorded.{on} = revision.{revision} AND NOT {revoked})"+
		" LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = held.sequence"+
		" LEFT JOIN docket_handin_records AS theirs ON theirs.position = (SELECT max(theirs.position) FROM {theirs})",
		"recorded", q.flavor.From(recorded.String(), "recorded", "key"), "of", of, "on", on,
		"revision", revision,
		"revoked", q.isRevoked(recorded, "recorded.sequence"),
		"theirs", q.theirsOn(table, "$1", "= revision."+revision))
	return q.write(table, "SELECT revision.{number}, CASE WHEN {wanted} THEN (SELECT held.document FROM {table} AS held WHERE held.place = revision.place) END,"+
		" CASE WHEN {wanted} THEN (SELECT {texts} FROM {table} AS held WHERE held.place = revision.place) END,"+
		" coalesce(({inForce}), ''), revision.importedAt FROM {revisions} WHERE revision.{id} = $1 ORDER BY revision.{number}",
		"wanted", q.write(table, "revision.{number} = CASE CAST($2 AS bigint) WHEN 0 THEN (SELECT max({number}) FROM {table} WHERE {id} = $1) ELSE CAST($2 AS bigint) END"),
		"inForce", inForce, "revisions", q.flavor.From(table.String(), "revision", "key"))
}

// Revisions returns the revisions of an id, in order, with the document of one; number 0 asks for that of the latest.
func (q Packets) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) (list []Revision, err error) {
	query := q.once(table.String(), func() string { return q.revisionsQuery(table) })
	err = q.EachRow(ctx, query, func(scan Scan) error {
		var r Revision
		var texts []byte
		err := scan(&r.Number, &r.Document, &texts, &r.InForce, &r.ImportedAt)
		r.Document = packets.Joined(r.Document, texts)
		list = append(list, r)
		return err
	}, id, number)
	return list, err
}

// Head returns the signed head of the packets at a position, or ErrNoRow.
func (q Packets) Head(ctx context.Context, position int64) (PacketHead, error) {
	return first[PacketHead](ctx, q.Tx, "PacketHead", position)
}

// NewestHead returns the last one, or ErrNoRow.
func (q Packets) NewestHead(ctx context.Context) (PacketHead, error) {
	return first[PacketHead](ctx, q.Tx, "NewestPacketHead")
}

// Heads returns all of them, oldest first.
func (q Packets) Heads(ctx context.Context) ([]PacketHead, error) {
	return all[PacketHead](ctx, q.Tx, "PacketHeads")
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
