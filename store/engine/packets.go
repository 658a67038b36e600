package engine

import (
	"context"
	"fmt"
	"math"
	"strings"

	"docket/domain/packets"
	"docket/domain/terms"
)

// A Packet is a stored packet. Its Position is that of its entry in the log.
type Packet struct {
	Position   int64
	Key        packets.Key
	Document   []byte // joined with its texts, as far as they are there, unless it is said otherwise
	ImportedAt string
}

// A Revision is one of the revisions that are held of a case or an amendment.
type Revision struct {
	Number     int64
	ImportedAt string
	Document   []byte // of the requested revision
}

// A LatestRevision holds what permissions depend on: the place, the assignee and the owner of the
// latest revision of an id. It is the zero LatestRevision if the id is not held.
type LatestRevision struct {
	Position, Number int64
	Assignee, Owner  terms.ID
}

// An Arrival is a case or an amendment in the order of arrival, without the time. The id and the
// number are absent if its document is no JSON.
type Arrival struct {
	Packet          // with its document if it is Alone
	Owner  terms.ID // absent likewise, and of a case
	Alone  bool     // the only revision of its id
	Theirs bool     // assigned to the reviewer that was asked for
}

// A Scope selects what is assigned to a reviewer or, without one, the amendments of the owners. The
// zero Scope selects everything.
type Scope struct {
	Reviewer terms.ID
	Owners   []terms.ID
}

// Packets are the imported packets, found by index even where a document is no longer JSON.
type Packets struct{ Tx }

// Packets returns the packets.
func (t Tx) Packets() Packets { return Packets{t} }

// A packetRow is a Packet whose document is not joined with the texts beside it yet.
type packetRow struct {
	Packet
	Texts []byte
}

// Add stores the document of an entry that is there and, if they are not nil, its texts.
func (q Packets) Add(ctx context.Context, table terms.Table, position int64, document, texts []byte) error {
	err := q.on(table).add(ctx, "AddPacket", position, Text(document))
	if err == nil && texts != nil {
		err = q.addText(ctx, position, ofPacket, "", string(texts))
	}
	return err
}

// Packet returns the packet under a key, if its position is not beyond last, or ErrNoRow.
func (q Packets) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (Packet, error) {
	if _, is := packets.Info(table); !is {
		return Packet{}, ErrNoRow
	}
	join, err := q.joiner(ctx, table)
	if err != nil {
		return Packet{}, err
	}
	row, err := one[packetRow](ctx, q.on(table), "Packet", key.ID, key.Number, last)
	row.Document = join(key, row.Document, row.Texts)
	return row.Packet, err
}

// Documents returns the documents under many keys of a table, in their order; nil for missing ones.
func (q Packets) Documents(ctx context.Context, table terms.Table, keys []packets.Key, last int64) ([][]byte, error) {
	type stored struct {
		Index           int64
		Document, Texts []byte
	}
	documents, wanted := make([][]byte, len(keys)), make([][]any, len(keys))
	for i, key := range keys {
		wanted[i] = []any{key.ID, key.Number}
	}
	join, err := q.joiner(ctx, table)
	if err != nil {
		return nil, err
	}
	err = each(ctx, q.on(table), "Documents", func(held *stored) error {
		documents[held.Index] = join(keys[held.Index], held.Document, held.Texts)
		return nil
	}, listed(wanted), last)
	return documents, err
}

// Policy returns a policy and the latest version of it that is held; nil and 0 if there is none.
func (q Packets) Policy(ctx context.Context, table terms.Table, key packets.Key) (document []byte, latest int64, err error) {
	err = q.on(table).get(ctx, "Policy", []any{key.ID, key.Number}, &latest, &document)
	return document, latest, err
}

// Numbers returns the versions or revisions of an id, in order.
func (q Packets) Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error) {
	return all[int64](ctx, q.on(table), "Numbers", id)
}

// Holds reports whether the table holds the id.
func (q Packets) Holds(ctx context.Context, table terms.Table, id terms.ID) (bool, error) {
	return one[bool](ctx, q.on(table), "Holds", id)
}

// Count is how many packets a table holds.
func (q Packets) Count(ctx context.Context, table terms.Table) (int64, error) {
	return one[int64](ctx, q.on(table), "CountPackets")
}

// Last is the position of the packet that came in last; -1 for none.
func (q Packets) Last(ctx context.Context, table terms.Table) (int64, error) {
	return one[int64](ctx, q.on(table), "LastPacket")
}

// LastImport is when that packet came in; "" for never.
func (q Packets) LastImport(ctx context.Context, table terms.Table) (string, error) {
	return one[string](ctx, q.on(table), "LastImport")
}

// Between returns at most so many revisions of an id in a range, up to a position, in order.
func (q Packets) Between(ctx context.Context, table terms.Table, id terms.ID, from, to, last int64,
	most int) (list []Packet, err error) {
	join, err := q.joiner(ctx, table)
	if err != nil {
		return nil, err
	}
	err = each(ctx, q.on(table), "Between", func(row *packetRow) error {
		row.Document = join(row.Key, row.Document, row.Texts)
		list = append(list, row.Packet)
		return nil
	}, id, from, to, last, most)
	return list, err
}

// Revisions returns the revisions of an id, in order, with the document of one; 0: of the latest.
func (q Packets) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) (list []Revision, err error) {
	type stored struct {
		Revision
		Texts []byte
	}
	join, err := q.joiner(ctx, table)
	if err != nil {
		return nil, err
	}
	err = each(ctx, q.on(table), "Revisions", func(row *stored) error {
		row.Document = join(packets.Key{ID: id, Number: row.Number}, row.Document, row.Texts)
		list = append(list, row.Revision)
		return nil
	}, id, number)
	return list, err
}

// Latest returns the latest revision of an id, or ErrNoRow.
func (q Packets) Latest(ctx context.Context, table terms.Table, id terms.ID) (LatestRevision, error) {
	return q.LatestBefore(ctx, table, id, math.MaxInt64)
}

// LatestBefore returns the latest of those before a position, or ErrNoRow.
func (q Packets) LatestBefore(ctx context.Context, table terms.Table, id terms.ID, position int64) (LatestRevision, error) {
	return one[LatestRevision](ctx, q.on(table), "LatestBefore", id, position)
}

// PoliciesFrom returns at most so many policies from a position on, in their order. The key of one that
// is no JSON is the zero Key.
func (q Packets) PoliciesFrom(ctx context.Context, table terms.Table, from int64, most int) ([]Packet, error) {
	return all[Packet](ctx, q.on(table), "PoliciesFrom", from, most)
}

// mostOwners is for how many owners a query is made. For more, all rows are read.
const mostOwners = 64

// Arrivals returns at most so many cases or amendments from a position on, in the order in which they
// came in: those that are in the scope, or of whose ids the latest revision was just before. It may
// return others with them.
func (q Packets) Arrivals(ctx context.Context, table terms.Table, of Scope, from int64, most int) (list []Arrival, err error) {
	args := []any{from, most}
	var parts []string
	switch {
	case of.Reviewer.Present():
		args, parts = append(args, of.Reviewer), []string{"{cameToAssignee $3}"}
	case table == terms.AmendmentRecords && len(of.Owners) <= mostOwners:
		for _, owner := range of.Owners {
			args = append(args, owner)
			parts = append(parts, fmt.Sprintf("{cameToOwner $%d}", len(args)))
		}
	}
	came := "{cameToAll}"
	if parts != nil {
		came = "{cameTo " + strings.Join(parts, " UNION ALL ") + "}"
	}
	type stored struct {
		Arrival
		Texts []byte
	}
	join, err := q.joiner(ctx, table)
	if err != nil {
		return nil, err
	}
	err = each(ctx, q.on(table, "came", came), "Arrivals", func(row *stored) error {
		row.Theirs = row.Theirs && of.Reviewer.Present()
		if row.Alone = row.Document != nil; row.Alone {
			row.Document = join(row.Key, row.Document, row.Texts)
		}
		list = append(list, row.Arrival)
		return nil
	}, args...)
	return list, err
}

// AddFormers keeps, at a service, the former assignee and owner of a case or an amendment that was
// just added, where they differ from those of the packet, so that Arrivals finds it for both.
func (q Packets) AddFormers(ctx context.Context, table terms.Table, id terms.ID, position int64) error {
	_, err := q.on(table).run(ctx, "AddFormers", position, id)
	return err
}

// FormersDiffer reports whether a table's rows of AddFormers differ from what its packets say.
func (q Packets) FormersDiffer(ctx context.Context, table terms.Table) (bool, error) {
	return one[bool](ctx, q.on(table), "FormersDiffer")
}
