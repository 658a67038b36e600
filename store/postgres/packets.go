package postgres

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// packetsOf is the engine.Packets of a transaction.
type packetsOf struct{ engine.Tx }

// PacketsOf implements engine.Flavor.
func (*transaction) PacketsOf(tx engine.Tx) engine.Packets { return packetsOf{tx} }

func (q packetsOf) Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error) {
	add := fmt.Sprintf("INSERT INTO %[1]s (place, document, importedAt) VALUES ((SELECT coalesce(max(place), 0) + 1 FROM %[1]s), $1, $2) RETURNING place", in(table))
	if err := q.Row(ctx, add, []any{document, at}, &place); err != nil || texts == nil {
		return place, err
	}
	return place, q.Exec1(ctx, insert("docket_packet_texts", "place, texts"), place, texts)
}

// ofKey selects the rows of a table under a key.
const ofKey = " AS held WHERE held.id = $1 AND held.number = $2"

func (q packetsOf) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (p engine.Packet, err error) {
	p.Key = key
	var texts []byte
	query := fmt.Sprintf("SELECT held.place, held.document, %s, held.importedAt FROM %s"+ofKey+" AND held.place <= $3", textsOf(table, "held"), in(table))
	err = q.Row(ctx, query, []any{key.ID, key.Number, last}, &p.Place, &p.Document, &texts, &p.ImportedAt)
	p.Document = packets.Joined(p.Document, texts)
	return p, err
}

func (q packetsOf) Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error {
	var document, texts []byte
	err := q.Row(ctx, fmt.Sprintf("SELECT held.document, %s FROM %s"+ofKey, textsOf(table, "held"), in(table)), []any{key.ID, key.Number}, &document, &texts)
	if err == nil {
		look(packets.Joined(document, texts))
	}
	return err
}

func (q packetsOf) Documents(ctx context.Context, table terms.Table, keys []packets.Key, last int64) ([][]byte, error) {
	documents, ids, numbers := make([][]byte, len(keys)), make([]string, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		ids[i], numbers[i] = string(key.ID), key.Number
	}
	query := fmt.Sprintf("SELECT wanted.place - 1, held.document, %s FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (id, number, place)"+
		` JOIN %s AS held ON held.id = wanted.id COLLATE "C" AND held.number = wanted.number WHERE held.place <= $3`, textsOf(table, "held"), in(table))
	err := q.EachRow(ctx, query, func(scan engine.Scan) error {
		var place int64
		var document, texts []byte
		err := scan(&place, &document, &texts)
		if err == nil {
			documents[place] = packets.Joined(document, texts)
		}
		return err
	}, ids, numbers, last)
	return documents, err
}

func (q packetsOf) Policy(ctx context.Context, table terms.Table, key packets.Key) (document []byte, latest int64, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(held.number), 0) FROM %[1]s AS held WHERE held.id = $1), (SELECT held.document FROM %[1]s"+ofKey+")", in(table))
	err = q.Row(ctx, query, []any{key.ID, key.Number}, &latest, &document)
	return document, latest, err
}

func (q packetsOf) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) (list []engine.Revision, err error) {
	records := terms.EnforcementTable(terms.AreaOf(table))
	wanted := fmt.Sprintf("revision.number = CASE $2::bigint WHEN 0 THEN (SELECT max(number) FROM %s WHERE id = $1) ELSE $2::bigint END", in(table))
	// The newest in this store of three: the last record here, its rejection, and the last record of the service's log.
	inForce := fmt.Sprintf("SELECT CASE WHEN theirs.recordId IS NULL OR held.sequence >= theirs.afterRecords OR rejected.position >= theirs.afterRejections"+
		" THEN coalesce(rejected.inForce, held.recordId) ELSE theirs.recordId END FROM (SELECT 1) AS one LEFT JOIN %[1]s AS held ON held.sequence ="+
		" (SELECT max(recorded.sequence) FROM %[1]s AS recorded WHERE recorded.id = $1 AND recorded.number = revision.number AND NOT %[2]s)"+
		" LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = held.sequence"+
		" LEFT JOIN docket.docket_handin_records AS theirs ON theirs.position = (SELECT max(theirs.position) FROM %[3]s)",
		in(records), isRevoked(records, "recorded.sequence"), theirsOn(table, "$1", "revision.number"))
	query := fmt.Sprintf("SELECT revision.number, CASE WHEN %[2]s THEN revision.document END, CASE WHEN %[2]s THEN %[3]s END,"+
		" CASE WHEN %[2]s THEN coalesce((%[4]s), '') ELSE '' END, revision.importedAt FROM %[1]s AS revision WHERE revision.id = $1 ORDER BY revision.number",
		in(table), wanted, textsOf(table, "revision"), inForce)
	err = q.EachRow(ctx, query, func(scan engine.Scan) error {
		var r engine.Revision
		var texts []byte
		err := scan(&r.Number, &r.Document, &texts, &r.InForce, &r.ImportedAt)
		r.Document = packets.Joined(r.Document, texts)
		list = append(list, r)
		return err
	}, id, number)
	return list, err
}

func (q packetsOf) Numbers(ctx context.Context, table terms.Table, id terms.ID) ([]int64, error) {
	return engine.Column[int64](ctx, q, "SELECT number FROM "+in(table)+" WHERE id = $1 ORDER BY number", id)
}

func (q packetsOf) Holds(ctx context.Context, table terms.Table, id terms.ID) (held bool, err error) {
	err = q.Row(ctx, "SELECT EXISTS (SELECT 1 FROM "+in(table)+" WHERE id = $1)", []any{id}, &held)
	return held, err
}

func (q packetsOf) Last(ctx context.Context, table terms.Table) (last int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(place), 0) FROM "+in(table), nil, &last)
	return last, err
}

func (q packetsOf) LastImport(ctx context.Context, table terms.Table) (at string, err error) {
	err = q.Row(ctx, "SELECT coalesce((SELECT importedAt FROM "+in(table)+" ORDER BY place DESC LIMIT 1), '')", nil, &at)
	return at, err
}

func (q packetsOf) Stored(ctx context.Context, table terms.Table, after int64, most int, yield func(p engine.Packet, texts []byte) error) error {
	query := fmt.Sprintf("SELECT held.place, held.document, held.importedAt, %s FROM %s AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2",
		textsOf(table, "held"), in(table))
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		var p engine.Packet
		var texts []byte
		if err := scan(&p.Place, &p.Document, &p.ImportedAt, &texts); err != nil {
			return err
		}
		return yield(p, texts)
	}, after, most)
}

const headColumns = "SELECT position, note FROM docket.docket_packet_heads"

func (q packetsOf) Head(ctx context.Context, position int64) (head engine.PacketHead, err error) {
	err = q.Row(ctx, headColumns+" WHERE position = $1", []any{position}, head.Columns()...)
	return head, err
}

func (q packetsOf) NewestHead(ctx context.Context) (head engine.PacketHead, err error) {
	err = q.Row(ctx, headColumns+" ORDER BY position DESC LIMIT 1", nil, head.Columns()...)
	return head, err
}

func (q packetsOf) Heads(ctx context.Context) ([]engine.PacketHead, error) {
	return engine.List(ctx, q, headColumns+" ORDER BY position", (*engine.PacketHead).Columns)
}

func (q packetsOf) AddHead(ctx context.Context, head engine.PacketHead) error {
	return q.Exec1(ctx, "INSERT INTO docket.docket_packet_heads (position, note) SELECT $1::bigint, $2"+
		" WHERE $1 = (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_packet_heads)", head.Position, string(head.Note))
}
