package postgres

import (
	"context"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

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
	err = q.Row(ctx, query, []any{id, place}, &l.Place, &l.Number, &l.Assignee, &l.Owner)
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
	list := []former{{"docket_service_other_assignees", "assignee", "assignee, tableName, place", "tableName = '" + table.String() + "'"}}
	if table == terms.AmendmentRecords {
		list = append(list, former{"docket_service_other_owners", "owner", "owner, place", "place > 0"})
	}
	return list
}

// due selects the columns for each row of "came (place, id)" whose assignee or owner differs from that of the latest
// revision when the row came in.
func (f *former) due(table terms.Table, came string) string {
	return fmt.Sprintf("SELECT %[5]s FROM (SELECT before.%[2]s, '%[3]s'::text AS tableName, came.place FROM (%[4]s) AS came"+
		" JOIN %[1]s AS before ON before.place = (SELECT place FROM %[1]s WHERE id = came.id AND place < came.place ORDER BY number DESC LIMIT 1)"+
		" JOIN %[1]s AS held ON held.place = came.place WHERE before.%[2]s NOT IN ('', coalesce(held.%[2]s, ''))) AS due",
		in(table), f.column, table, came, f.columns)
}

func (q packetsOf) AddFormer(ctx context.Context, table terms.Table, id terms.ID, place int64) (err error) {
	for _, f := range formersOf(table) {
		if err == nil {
			_, err = q.Exec(ctx, "INSERT INTO docket."+f.table+" ("+f.columns+") "+f.due(table, `SELECT $1::bigint AS place, $2::text COLLATE "C" AS id`), place, id)
		}
	}
	return err
}

func (q packetsOf) FormerDiffers(ctx context.Context, table terms.Table) (differs bool, err error) {
	for _, f := range formersOf(table) {
		due := f.due(table, "SELECT place, id FROM "+in(table))
		kept := fmt.Sprintf("SELECT %s FROM docket.%s WHERE %s", f.columns, f.table, f.of)
		err = q.Row(ctx, fmt.Sprintf("SELECT EXISTS ((%[1]s) EXCEPT (%[2]s)) OR EXISTS ((%[2]s) EXCEPT (%[1]s))", due, kept), nil, &differs)
		if err != nil || differs {
			return differs, err
		}
	}
	return false, nil
}
