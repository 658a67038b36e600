package postgres

import (
	"context"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// packetsOf is the engine.Packets of a transaction.
type packetsOf struct{ *transaction }

// Packets implements engine.Tx.
func (t *transaction) Packets() engine.Packets { return packetsOf{t} }

func (q packetsOf) Add(ctx context.Context, table terms.Table, document, texts []byte, at string) (place int64, err error) {
	add := fmt.Sprintf("INSERT INTO %[1]s (place, document, imported_at) VALUES ((SELECT coalesce(max(place), 0) + 1 FROM %[1]s), $1, $2) RETURNING place", in(table))
	if err := q.row(ctx, add, []any{document, at}, &place); err != nil || texts == nil {
		return place, err
	}
	return place, q.changeOne(insert("docket_packet_texts", "place, texts"), place, texts)
}

// ofKey selects the rows of a table under a key.
const ofKey = " AS held WHERE held.id = $1 AND held.number = $2"

func (q packetsOf) Packet(ctx context.Context, table terms.Table, key packets.Key, last int64) (p engine.Packet, err error) {
	p.Key = key
	var texts []byte
	query := fmt.Sprintf("SELECT held.place, held.document, %s, held.imported_at FROM %s"+ofKey+" AND held.place <= $3", textsOf(table, "held"), in(table))
	err = q.row(ctx, query, []any{key.ID, key.Number, last}, &p.Place, &p.Document, &texts, &p.ImportedAt)
	p.Document = packets.Joined(p.Document, texts)
	return p, err
}

func (q packetsOf) Show(ctx context.Context, table terms.Table, key packets.Key, look func(document []byte)) error {
	var document, texts []byte
	err := q.row(ctx, fmt.Sprintf("SELECT held.document, %s FROM %s"+ofKey, textsOf(table, "held"), in(table)), []any{key.ID, key.Number}, &document, &texts)
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
	err = q.row(ctx, query, []any{key.ID, key.Number}, &latest, &document)
	return document, latest, err
}

func (q packetsOf) Revisions(ctx context.Context, table terms.Table, id terms.ID, number int64) (list []engine.Revision, err error) {
	records := terms.EnforcementTable(terms.AreaOf(table))
	wanted := fmt.Sprintf("revision.number = CASE $2::bigint WHEN 0 THEN (SELECT max(number) FROM %s WHERE id = $1) ELSE $2::bigint END", in(table))
	// The newest in this store of three: the last record here, its rejection, and the last record of the service's log.
	inForce := fmt.Sprintf("SELECT CASE WHEN theirs.record_id IS NULL OR held.sequence >= theirs.after_records OR rejected.position >= theirs.after_rejections"+
		" THEN coalesce(rejected.in_force, held.record_id) ELSE theirs.record_id END FROM (SELECT 1) AS one LEFT JOIN %[1]s AS held ON held.sequence ="+
		" (SELECT max(recorded.sequence) FROM %[1]s AS recorded WHERE recorded.id = $1 AND recorded.number = revision.number AND NOT %[2]s)"+
		" LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = held.sequence"+
		" LEFT JOIN docket.docket_handin_records AS theirs ON theirs.position = (SELECT max(theirs.position) FROM %[3]s)",
		in(records), isRevoked(records, "recorded.sequence"), theirsOn(table, "$1", "revision.number"))
	query := fmt.Sprintf("SELECT revision.number, CASE WHEN %[2]s THEN revision.document END, CASE WHEN %[2]s THEN %[3]s END,"+
		" CASE WHEN %[2]s THEN coalesce((%[4]s), '') ELSE '' END, revision.imported_at FROM %[1]s AS revision WHERE revision.id = $1 ORDER BY revision.number",
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
	err = q.row(ctx, "SELECT EXISTS (SELECT 1 FROM "+in(table)+" WHERE id = $1)", []any{id}, &held)
	return held, err
}

func (q packetsOf) Last(ctx context.Context, table terms.Table) (last int64, err error) {
	err = q.row(ctx, "SELECT coalesce(max(place), 0) FROM "+in(table), nil, &last)
	return last, err
}

func (q packetsOf) LastImport(ctx context.Context, table terms.Table) (at string, err error) {
	err = q.row(ctx, "SELECT coalesce((SELECT imported_at FROM "+in(table)+" ORDER BY place DESC LIMIT 1), '')", nil, &at)
	return at, err
}

func (q packetsOf) Stored(ctx context.Context, table terms.Table, after int64, most int, yield func(p engine.Packet, texts []byte) error) error {
	query := fmt.Sprintf("SELECT held.place, held.document, held.imported_at, %s FROM %s AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2",
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

// ownerOf returns the owner of a row of a table as an expression.
func ownerOf(table terms.Table, row string) string {
	if terms.AreaOf(table) == terms.Appeals {
		return "''"
	}
	return "coalesce(" + row + ".owner, '')"
}

func (q packetsOf) Latest(ctx context.Context, table terms.Table, id terms.ID) (engine.LatestRevision, error) {
	return q.LatestBefore(ctx, table, id, math.MaxInt64)
}

func (q packetsOf) LatestBefore(ctx context.Context, table terms.Table, id terms.ID, place int64) (l engine.LatestRevision, err error) {
	query := fmt.Sprintf("SELECT latest.place, latest.number, coalesce(latest.assignee, ''), %s FROM %s AS latest"+
		" WHERE latest.id = $1 AND latest.place < $2 ORDER BY latest.number DESC LIMIT 1", ownerOf(table, "latest"), in(table))
	err = q.row(ctx, query, []any{id, place}, &l.Place, &l.Number, &l.Assignee, &l.Owner)
	return l, err
}

func (q packetsOf) PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) ([]engine.Packet, error) {
	query := "SELECT place, id, number, document FROM " + in(table) + " WHERE place > $1 ORDER BY place LIMIT $2"
	return engine.List(ctx, q, query, func(p *engine.Packet) []any { return []any{&p.Place, &p.Key.ID, &p.Key.Number, &p.Document} }, after, most)
}

func (q packetsOf) Arrivals(ctx context.Context, table terms.Table, of engine.Scope, after int64, most int) (list []engine.Arrival, err error) {
	var whose []string
	f := formersOf(table)[0]
	switch {
	case of.Reviewer.Present():
		whose = []string{string(of.Reviewer)}
	case table == terms.AmendmentRecords && len(of.Owners) > 0:
		f = formersOf(table)[1]
		for _, owner := range of.Owners {
			whose = append(whose, string(owner))
		}
	}
	came := fmt.Sprintf("SELECT place, max(theirs) AS theirs, id, number FROM unnest($1::text[]) AS of (whose) CROSS JOIN LATERAL"+
		" ((SELECT held.place, 1 AS theirs, held.id, held.number FROM %[1]s AS held WHERE held.%[2]s = of.whose COLLATE \"C\" AND held.place > $2 ORDER BY held.place LIMIT $3)"+
		" UNION ALL (SELECT other.place, 0, held.id, held.number FROM docket.%[3]s AS other JOIN %[1]s AS held ON held.place = other.place"+
		" WHERE other.%[2]s = of.whose COLLATE \"C\" AND other.%[4]s AND other.place > $2 ORDER BY other.place LIMIT $3)) AS either"+
		" GROUP BY place, id, number ORDER BY place LIMIT $3", in(table), f.column, f.table, f.of)
	if whose == nil {
		came = fmt.Sprintf("SELECT held.place, 0 AS theirs, held.id, held.number FROM %s AS held WHERE $1::text[] IS NULL AND held.place > $2 ORDER BY held.place LIMIT $3", in(table))
	}
	query := fmt.Sprintf("SELECT came.place, came.theirs = 1, came.id, came.number, %[2]s, CASE WHEN came.alone THEN held.document END,"+
		" CASE WHEN came.alone THEN %[3]s END FROM (SELECT came.*, NOT EXISTS (SELECT 1 FROM %[1]s AS another WHERE another.id = came.id AND another.place <> came.place)"+
		" AS alone FROM (%[4]s) AS came) AS came JOIN %[1]s AS held ON held.place = came.place ORDER BY came.place",
		in(table), ownerOf(table, "held"), textsOf(table, "held"), came)
	err = q.EachRow(ctx, query, func(scan engine.Scan) error {
		var a engine.Arrival
		var texts []byte
		err := scan(&a.Place, &a.Theirs, &a.Key.ID, &a.Key.Number, &a.Owner, &a.Document, &texts)
		a.Theirs = a.Theirs && of.Reviewer.Present()
		a.Alone, a.Document = a.Document != nil, packets.Joined(a.Document, texts)
		list = append(list, a)
		return err
	}, whose, after, most)
	return list, err
}

// A former describes a table with the former assignee or owner of packets: the column with their present one, and the
// condition for the rows of a packet table.
type former struct{ table, column, columns, of string }

// formersOf returns the formers of a table.
func formersOf(table terms.Table) []former {
	list := []former{{"docket_service_other_assignees", "assignee", "assignee, table_name, place", "table_name = '" + table.String() + "'"}}
	if table == terms.AmendmentRecords {
		list = append(list, former{"docket_service_other_owners", "owner", "owner, place", "place > 0"})
	}
	return list
}

// due selects the columns for each row of "came (place, id)" whose assignee or owner differs from that of the latest
// revision when the row came in.
func (f *former) due(table terms.Table, came string) string {
	return fmt.Sprintf("SELECT %[5]s FROM (SELECT before.%[2]s, '%[3]s'::text AS table_name, came.place FROM (%[4]s) AS came"+
		" JOIN %[1]s AS before ON before.place = (SELECT place FROM %[1]s WHERE id = came.id AND place < came.place ORDER BY number DESC LIMIT 1)"+
		" JOIN %[1]s AS held ON held.place = came.place WHERE before.%[2]s NOT IN ('', coalesce(held.%[2]s, ''))) AS due",
		in(table), f.column, table, came, f.columns)
}

func (q packetsOf) AddFormer(_ context.Context, table terms.Table, id terms.ID, place int64) (err error) {
	for _, f := range formersOf(table) {
		if err == nil {
			err = q.change(-1, "INSERT INTO docket."+f.table+" ("+f.columns+") "+f.due(table, `SELECT $1::bigint AS place, $2::text COLLATE "C" AS id`), place, id)
		}
	}
	return err
}

func (q packetsOf) FormerDiffers(ctx context.Context, table terms.Table) (differs bool, err error) {
	for _, f := range formersOf(table) {
		due := f.due(table, "SELECT place, id FROM "+in(table))
		kept := fmt.Sprintf("SELECT %s FROM docket.%s WHERE %s", f.columns, f.table, f.of)
		err = q.row(ctx, fmt.Sprintf("SELECT EXISTS ((%[1]s) EXCEPT (%[2]s)) OR EXISTS ((%[2]s) EXCEPT (%[1]s))", due, kept), nil, &differs)
		if err != nil || differs {
			return differs, err
		}
	}
	return false, nil
}

func (q packetsOf) Between(ctx context.Context, table terms.Table, id terms.ID, from, to, last int64, most int) (list []engine.Packet, err error) {
	query := fmt.Sprintf("SELECT held.number, held.document, %s FROM %s AS held WHERE held.id = $1 AND held.number BETWEEN $2 AND $3 AND held.place <= $4"+
		" ORDER BY held.number LIMIT $5", textsOf(table, "held"), in(table))
	err = q.EachRow(ctx, query, func(scan engine.Scan) error {
		p := engine.Packet{Key: packets.Key{ID: id}}
		var texts []byte
		err := scan(&p.Key.Number, &p.Document, &texts)
		p.Document = packets.Joined(p.Document, texts)
		list = append(list, p)
		return err
	}, id, from, to, last, most)
	return list, err
}

const headColumns = "SELECT position, note FROM docket.docket_packet_heads"

func (q packetsOf) Head(ctx context.Context, position int64) (head engine.PacketHead, err error) {
	err = q.row(ctx, headColumns+" WHERE position = $1", []any{position}, head.Columns()...)
	return head, err
}

func (q packetsOf) NewestHead(ctx context.Context) (head engine.PacketHead, err error) {
	err = q.row(ctx, headColumns+" ORDER BY position DESC LIMIT 1", nil, head.Columns()...)
	return head, err
}

func (q packetsOf) Heads(ctx context.Context) ([]engine.PacketHead, error) {
	return engine.List(ctx, q, headColumns+" ORDER BY position", (*engine.PacketHead).Columns)
}

func (q packetsOf) AddHead(_ context.Context, head engine.PacketHead) error {
	return q.changeOne("INSERT INTO docket.docket_packet_heads (position, note) SELECT $1::bigint, $2"+
		" WHERE $1 = (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_packet_heads)", head.Position, string(head.Note))
}
