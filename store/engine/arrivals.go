package engine

import (
	"context"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/terms"
)

// Latest returns the latest revision of an id, or ErrNoRow.
func (q Packets) Latest(ctx context.Context, table terms.Table, id terms.ID) (LatestRevision, error) {
	return q.LatestBefore(ctx, table, id, math.MaxInt64)
}

// LatestBefore returns the latest of those before a place, or ErrNoRow.
func (q Packets) LatestBefore(ctx context.Context, table terms.Table, id terms.ID, place int64) (l LatestRevision, err error) {
	_, number := q.flavor.Key(table)
	query := q.write(table, "SELECT latest.place, {revision}, {assignee}, {owner} FROM {table} AS latest WHERE latest.place ="+
		" (SELECT held.place FROM {held} WHERE held.{id} = $1 AND held.place < $2 ORDER BY held.{number} DESC LIMIT 1)",
		"revision", q.ifJSON("latest", "latest."+number, "0"),
		"assignee", q.ifJSON("latest", "coalesce("+q.flavor.Assignee("latest")+", '')", "''"),
		"owner", q.ifJSON("latest", OwnerOf(q.flavor, table, "latest"), "''"),
		"held", q.flavor.From(table.String(), "held", "key"))
	err = q.Row(ctx, query, []any{id, place}, &l.Place, &l.Number, &l.Assignee, &l.Owner)
	return l, err
}

// PoliciesAfter returns at most so many policies after a place, in their order. The key of one that
// is no JSON is the zero Key.
func (q Packets) PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) ([]Packet, error) {
	id, number := q.flavor.Key(table)
	query := "SELECT held.place, " + q.ifJSON("held", "held."+id, "''") + ", " + q.ifJSON("held", "held."+number, "0") +
		", held.document FROM " + table.String() + " AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2"
	return List(ctx, q, query, func(p *Packet) []any { return []any{&p.Place, &p.Key.ID, &p.Key.Number, &p.Document} }, after, most)
}

// Arrivals returns at most so many cases or amendments after a place, in the order in which they
// came in: those that are in the scope, or of whose ids the latest revision was just before. It may
// return others with them.
func (q Packets) Arrivals(ctx context.Context, table terms.Table, of Scope, after int64, most int) (list []Arrival, err error) {
	query, args := q.flavor.Arrivals(table, of, after, most)
	err = q.EachRow(ctx, query, func(scan Scan) error {
		var a Arrival
		var texts []byte
		err := scan(&a.Place, &a.Theirs, &a.Key.ID, &a.Key.Number, &a.Owner, &a.Document, &texts)
		a.Theirs = a.Theirs && of.Reviewer.Present()
		if a.Alone = a.Document != nil; a.Alone {
			a.Document = packets.Joined(a.Document, texts)
		}
		list = append(list, a)
		return err
	}, args...)
	return list, err
}

// A former is a table with the former assignee or owner of packets: its columns, and the condition
// for the rows of a packet table.
type former struct{ table, columns, of, whose string }

// formers are those of a table. due selects the columns for each row of "came (place, id)" whose
// assignee or owner differs from that of the latest revision when the row came in.
func (q Packets) formers(table terms.Table, came string, each func(table, columns, of, due string) error) error {
	list := []former{{"docket_service_other_assignees", "assignee, tableName, place", "tableName = '" + table.String() + "'", "assignee"}}
	if table == terms.AmendmentRecords {
		list = append(list, former{"docket_service_other_owners", "owner, place", "true", "owner"})
	}
	for _, f := range list {
		whose := func(row string) string {
			if f.whose == "owner" {
				return q.ifJSON(row, OwnerOf(q.flavor, table, row), "''")
			}
			return q.ifJSON(row, "coalesce("+q.flavor.Assignee(row)+", '')", "''")
		}
		due := q.write(table, "SELECT {columns} FROM (SELECT {before} AS {whose}, CAST('{table}' AS text) AS tableName, came.place AS place FROM ({came}) AS came"+
			" {join} {table} AS before ON before.place = (SELECT earlier.place FROM {earlier} WHERE earlier.{id} = came.id AND earlier.place < came.place"+
			" ORDER BY earlier.{number} DESC LIMIT 1) {join} {table} AS held ON held.place = came.place WHERE {before} NOT IN ('', {held})) AS due",
			"columns", f.columns, "before", whose("before"), "held", whose("held"),
			"whose", f.whose, "came", came,
			"earlier", q.flavor.From(table.String(), "earlier", "key"))
		if err := each(f.table, f.columns, f.of, due); err != nil {
			return err
		}
	}
	return nil
}

// AddFormer keeps, at a service, the former assignee and owner of a case or an amendment that was
// just added, where they differ from those of the packet, so that Arrivals finds it for both.
func (q Packets) AddFormer(ctx context.Context, table terms.Table, id terms.ID, place int64) error {
	const came = "SELECT CAST($1 AS bigint) AS place, CAST($2 AS text) AS id"
	return q.formers(table, came, func(into, columns, _, due string) error {
		_, err := q.Exec(ctx, "INSERT INTO "+into+" ("+columns+") "+due, place, id)
		return err
	})
}

// FormerDiffers reports whether the rows of AddFormer for a table differ from what follows from its
// packets.
func (q Packets) FormerDiffers(ctx context.Context, table terms.Table) (differs bool, err error) {
	came := q.write(table, "SELECT held.place, held.{id} AS id FROM {held} ORDER BY held.{id}", "held", q.flavor.From(table.String(), "held", "key"))
	err = q.formers(table, came, func(in, columns, of, due string) error {
		kept := fmt.Sprintf("SELECT %s FROM %s WHERE %s", columns, in, of)
		query := fmt.Sprintf("SELECT EXISTS (SELECT * FROM (%[1]s) AS due EXCEPT SELECT * FROM (%[2]s) AS kept)"+
			" OR EXISTS (SELECT * FROM (%[2]s) AS kept EXCEPT SELECT * FROM (%[1]s) AS due)", due, kept)
		if differs {
			return nil
		}
		return q.Row(ctx, query, nil, &differs)
	})
	return differs, err
}
