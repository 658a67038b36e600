package sqlite

import (
	"context"
	"fmt"
	"math"
	"strings"

	"docket/domain/terms"
	"docket/store/engine"
)

// ownerColumn returns the owner of a row of a table as an expression.
func ownerColumn(row string, table terms.Table) string {
	if terms.AreaOf(table) == terms.Appeals {
		return "''"
	}
	return "coalesce(" + row + `."ownerId", '')`
}

// assigneeOf returns the assignee of a row as an expression.
func assigneeOf(row string) string {
	return "coalesce(json_extract(" + row + ".document, '$.record.neutralReview.reviewerId'), '')"
}

func (q packetsOf) Latest(ctx context.Context, table terms.Table, id terms.ID) (engine.LatestRevision, error) {
	return q.LatestBefore(ctx, table, id, math.MaxInt64)
}

func (q packetsOf) LatestBefore(ctx context.Context, table terms.Table, id terms.ID, place int64) (l engine.LatestRevision, err error) {
	column, number := keyColumns(table)
	query := fmt.Sprintf("SELECT latest.place, %[7]s, %[2]s, %[3]s FROM main.%[1]s AS latest WHERE latest.place = "+
		"(SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = ? AND place < ? ORDER BY %[6]s DESC LIMIT 1)",
		table, ifJSON("latest", assigneeOf("latest"), "''"), ifJSON("latest", ownerColumn("latest", table), "''"), keyIndex(table), quote(column), quote(number),
		ifJSON("latest", "latest."+quote(number), "0"))
	err = q.Row(ctx, query, []any{string(id), place}, &l.Place, &l.Number, &l.Assignee, &l.Owner)
	return l, err
}

func (q packetsOf) PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) ([]engine.Packet, error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT held.place, %s, %s, held.document FROM main.%s AS held WHERE held.place > ? ORDER BY held.place LIMIT ?",
		ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), table)
	return engine.List(ctx, q, query, func(p *engine.Packet) []any { return []any{&p.Place, &p.Key.ID, &p.Key.Number, &p.Document} }, after, most)
}

// came returns the parts of a query for the rows after a place, in the order of the places: rows by an index of the
// table, and rows by another table that names the former assignee or owner. Both have id and number, so that for the
// only revision of a case nothing but the packet is read.
func came(table terms.Table, index, column, other, former string, value int) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT * FROM (SELECT place, 1 AS theirs, %[2]s AS id, %[3]s AS number FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = ?%[10]d AND place > ?1 ORDER BY place LIMIT ?2)"+
		" UNION ALL SELECT * FROM (SELECT other.place, 0, %[6]s, %[7]s FROM main.%[8]s AS other CROSS JOIN main.%[1]s AS held ON held.place = other.place"+
		" WHERE other.%[9]s AND other.place > ?1 ORDER BY other.place LIMIT ?2)",
		table, quote(id), quote(number), index, column, ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), other,
		fmt.Sprintf(former, value), value)
}

// mostOwners is for how many owners a query is made. For more, all rows are read.
const mostOwners = 64

// arrivalQuery is the query for what comes after ?1, at most ?2, of a scope, whose values begin at ?3.
func arrivalQuery(table terms.Table, of engine.Scope) string {
	id, number := keyColumns(table)
	var parts []string
	switch {
	case of.Reviewer.Present():
		parts = []string{came(table, assignedIndex(table), assignee, otherAssigneesTable, "assignee = ?%d AND other.tableName = '"+table.String()+"'", firstOfScope)}
	case table == terms.AmendmentRecords && len(of.Owners) > 0 && len(of.Owners) <= mostOwners:
		for i := range of.Owners {
			parts = append(parts, came(table, ownedIndex(table), quote("ownerId"), otherOwnersTable, "owner = ?%d", firstOfScope+i))
		}
	}
	places := "SELECT place, max(theirs) AS theirs, id, number FROM (" + strings.Join(parts, " UNION ALL ") + ") GROUP BY place ORDER BY place LIMIT ?2"
	if parts == nil {
		places = fmt.Sprintf("SELECT held.place, 0 AS theirs, %[2]s AS id, %[3]s AS number FROM main.%[1]s AS held WHERE held.place > ?1 ORDER BY held.place LIMIT ?2",
			table, ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"))
	}
	owner := "''"
	if table == terms.AmendmentRecords {
		owner = ifJSON("held", ownerColumn("held", table), "''")
	}
	return fmt.Sprintf("SELECT came.place, came.theirs, came.id, came.number, %[2]s, CASE WHEN came.id <> '' AND NOT EXISTS"+
		" (SELECT 1 FROM main.%[1]s INDEXED BY %[3]s WHERE %[4]s = came.id AND place <> came.place) THEN held.document END, %[5]s"+
		" FROM (%[6]s) AS came CROSS JOIN main.%[1]s AS held ON held.place = came.place ORDER BY came.place",
		table, owner, keyIndex(table), quote(id), textsOf(table, "held"), places)
}

// firstOfScope is the number of the first value of a scope in the query.
const firstOfScope = 3

func (q packetsOf) Arrivals(ctx context.Context, table terms.Table, of engine.Scope, after int64, most int) (list []engine.Arrival, err error) {
	args := []any{after, most}
	if of.Reviewer.Present() {
		args = append(args, string(of.Reviewer))
	} else if len(of.Owners) <= mostOwners {
		for _, owner := range of.Owners {
			args = append(args, string(owner))
		}
	}
	err = q.EachRow(ctx, arrivalQuery(table, of), func(scan engine.Scan) error {
		var a engine.Arrival
		var document, texts *string
		err := scan(&a.Place, &a.Theirs, &a.Key.ID, &a.Key.Number, &a.Owner, &document, &texts)
		a.Theirs = a.Theirs && of.Reviewer.Present()
		if a.Alone = document != nil; a.Alone {
			a.Document = joined(*document, texts)
		}
		list = append(list, a)
		return err
	}, args...)
	return list, err
}

// A former describes the table with the former assignee or owner of rows: its columns, the expression of the present
// assignee or owner, and the condition for the rows of a table.
type former struct {
	table, columns, of string
	whose              func(row string, table terms.Table) string
}

// formersOf returns the formers of a table.
func formersOf(table terms.Table) []former {
	of := fmt.Sprintf("tableName = '%s'", table)
	list := []former{{otherAssigneesTable, "assignee, tableName, place", of, func(row string, _ terms.Table) string { return assigneeOf(row) }}}
	if table == terms.AmendmentRecords {
		list = append(list, former{otherOwnersTable, "owner, place", "true", ownerColumn})
	}
	return list
}

// due selects the columns for each row of "came (place, id)" whose assignee or owner differs from that of the latest
// revision when the row came in.
func (f *former) due(table terms.Table, came string) string {
	id, number := keyColumns(table)
	columns := "assignee, '" + table.String() + "' AS tableName, place"
	if f.table == otherOwnersTable {
		columns = "assignee AS owner, place"
	}
	before, held := ifJSON("before", f.whose("before", table), "''"), ifJSON("held", f.whose("held", table), "''")
	return fmt.Sprintf("SELECT %[8]s FROM (SELECT %[2]s AS assignee, came.place AS place FROM (%[3]s) AS came CROSS JOIN main.%[1]s AS before ON before.place ="+
		" (SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = came.id AND place < came.place ORDER BY %[6]s DESC LIMIT 1)"+
		" CROSS JOIN main.%[1]s AS held ON held.place = came.place WHERE %[2]s NOT IN ('', %[7]s))",
		table, before, came, keyIndex(table), quote(id), quote(number), held, columns)
}

func (q packetsOf) AddFormer(ctx context.Context, table terms.Table, id terms.ID, place int64) error {
	for _, f := range formersOf(table) {
		if _, err := q.Exec(ctx, "INSERT INTO main."+f.table+" ("+f.columns+") "+f.due(table, "SELECT ?1 AS place, ?2 AS id"), place, string(id)); err != nil {
			return err
		}
	}
	return nil
}

func (q packetsOf) FormerDiffers(ctx context.Context, table terms.Table) (differs bool, err error) {
	id, _ := keyColumns(table)
	for _, f := range formersOf(table) {
		due := f.due(table, fmt.Sprintf("SELECT place, %[2]s AS id FROM main.%[1]s INDEXED BY %[3]s ORDER BY %[2]s", table, quote(id), keyIndex(table)))
		kept := fmt.Sprintf("SELECT %s FROM main.%s WHERE %s", f.columns, f.table, f.of)
		err = q.Row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT * FROM (%[1]s) EXCEPT SELECT * FROM (%[2]s)) OR EXISTS (SELECT * FROM (%[2]s) EXCEPT SELECT * FROM (%[1]s))",
			due, kept), nil, &differs)
		if err != nil || differs {
			return differs, err
		}
	}
	return false, nil
}
