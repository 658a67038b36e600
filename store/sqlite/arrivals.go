package sqlite

import (
	"fmt"
	"strings"

	"docket/domain/terms"
	"docket/store/engine"
)

// came returns the parts of a query for the rows after a place, in the order of the places: rows by
// an index of the table, and rows by another table that names the former assignee or owner. Both
// have id and number, so that for the only revision of a case nothing but the packet is read.
func (f flavor) came(table terms.Table, index, column, other, former string, value int) string {
	id, number := f.Key(table)
	return fmt.Sprintf("SELECT * FROM (SELECT held.place, 1 AS theirs, held.%[2]s AS id, held.%[3]s AS number FROM %[4]s WHERE %[5]s = $%[8]d AND held.place > $1 ORDER BY held.place LIMIT $2)"+
		" UNION ALL SELECT * FROM (SELECT other.place, 0, %[9]s, %[10]s FROM %[6]s AS other CROSS JOIN %[1]s AS held ON held.place = other.place"+
		" WHERE other.%[7]s = $%[8]d AND other.place > $1 ORDER BY other.place LIMIT $2)",
		table, id, number, f.From(table.String(), "held", index), column, other, former, value, ifJSON("held."+id, "''"), ifJSON("held."+number, "0"))
}

// ifJSON is a column of held if its document is JSON: otherwise reading it would end the query.
func ifJSON(column, otherwise string) string {
	return "CASE WHEN json_valid(held.document) THEN " + column + " ELSE " + otherwise + " END"
}

// mostOwners is for how many owners a query is made. For more, all rows are read.
const mostOwners = 64

// Arrivals implements engine.Words.
func (f flavor) Arrivals(table terms.Table, of engine.Scope, after int64, most int) (query string, args []any) {
	id, number := f.Key(table)
	args = []any{after, most}
	var parts []string
	switch {
	case of.Reviewer.Present():
		args = append(args, of.Reviewer)
		parts = []string{f.came(table, "assigned", f.Assignee("held"), "docket_service_other_assignees", "tableName = '"+table.String()+"' AND other.assignee", len(args))}
	case table == terms.AmendmentRecords && len(of.Owners) <= mostOwners:
		for _, owner := range of.Owners {
			args = append(args, owner)
			parts = append(parts, f.came(table, "owned", f.Owner("held"), "docket_service_other_owners", "owner", len(args)))
		}
	}
	places := "SELECT place, max(theirs) AS theirs, id, number FROM (" + strings.Join(parts, " UNION ALL ") + ") GROUP BY place ORDER BY place LIMIT $2"
	if parts == nil {
		places = fmt.Sprintf("SELECT held.place, 0 AS theirs, %[2]s AS id, %[3]s AS number FROM %[1]s AS held WHERE held.place > $1 ORDER BY held.place LIMIT $2",
			table, ifJSON("held."+id, "''"), ifJSON("held."+number, "0"))
	}
	return fmt.Sprintf("SELECT came.place, came.theirs, came.id, came.number, %[2]s, CASE WHEN came.id <> '' AND NOT EXISTS"+
		" (SELECT 1 FROM %[3]s WHERE another.%[4]s = came.id AND another.place <> came.place) THEN held.document END, %[5]s"+
		" FROM (%[6]s) AS came CROSS JOIN %[1]s AS held ON held.place = came.place ORDER BY came.place",
		table, ifJSON(engine.OwnerOf(f, table, "held"), "''"), f.From(table.String(), "another", "key"), id, engine.TextsOf(table), places), args
}
