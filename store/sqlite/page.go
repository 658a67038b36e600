package sqlite

import (
	"context"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// ownerColumn is the owner of what a table holds, as an expression over its row.
func ownerColumn(row string, table terms.Table) string {
	if terms.AreaOf(table) == terms.Appeals {
		return "''"
	}
	return "coalesce(" + row + `."ownerId", '')`
}

// assigneeOf is to whom a row is assigned, as an expression over its row.
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
	err = q.row(ctx, query, []any{string(id), place}, &l.Place, &l.Number, &l.Assignee, &l.Owner)
	return l, err
}

func (q packetsOf) PoliciesAfter(ctx context.Context, table terms.Table, after int64, most int) (list []engine.Packet, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT held.place, %s, %s, held.document FROM main.%s AS held WHERE held.place > ? ORDER BY held.place LIMIT ?",
		ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), table)
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		var p engine.Packet
		err := scan(&p.Place, &p.Key.ID, &p.Key.Number, &p.Document)
		list = append(list, p)
		return err
	}, after, most)
	return list, err
}

// arrivalQueries are the queries for what comes after a place, by table: of a reviewer and of everybody. What is a reviewer's comes from
// indexes, with id and number, so that of a case that is alone nothing is read but the packet.
var arrivalQueries = func() map[terms.Table][2]string {
	queries := map[terms.Table][2]string{}
	for _, table := range []terms.Table{terms.AppealCases, terms.AmendmentRecords} {
		id, number := keyColumns(table)
		owner := "''"
		if terms.AreaOf(table) != terms.Appeals {
			owner = ifJSON("held", ownerColumn("held", table), "''")
		}
		theirs := fmt.Sprintf("SELECT place, max(theirs) AS theirs, id, number FROM"+
			" (SELECT * FROM (SELECT place, 1 AS theirs, %[2]s AS id, %[3]s AS number FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = ?1 AND place > ?2 ORDER BY place LIMIT ?3)"+
			" UNION ALL SELECT * FROM (SELECT other.place, 0, %[6]s, %[7]s FROM main.%[8]s AS other CROSS JOIN main.%[1]s AS held ON held.place = other.place"+
			" WHERE other.assignee = ?1 AND other.tableName = '%[1]s' AND other.place > ?2 ORDER BY other.place LIMIT ?3))"+
			" GROUP BY place ORDER BY place LIMIT ?3",
			table, quote(id), quote(number), assignedIndex(table), assignee, ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), otherAssigneesTable)
		all := fmt.Sprintf("SELECT held.place, 0 AS theirs, %[2]s AS id, %[3]s AS number FROM main.%[1]s AS held WHERE ?1 = '' AND held.place > ?2 ORDER BY held.place LIMIT ?3",
			table, ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"))
		for i, came := range []string{theirs, all} {
			both := queries[table]
			both[i] = fmt.Sprintf("SELECT came.place, came.theirs, came.id, came.number, %[2]s, CASE WHEN came.id <> '' AND NOT EXISTS"+
				" (SELECT 1 FROM main.%[1]s INDEXED BY %[3]s WHERE %[4]s = came.id AND place <> came.place) THEN %[5]s END"+
				" FROM (%[6]s) AS came CROSS JOIN main.%[1]s AS held ON held.place = came.place ORDER BY came.place",
				table, owner, keyIndex(table), quote(id), storedPacket(table, "held"), came)
			queries[table] = both
		}
	}
	return queries
}()

func (q packetsOf) Arrivals(ctx context.Context, table terms.Table, reviewer terms.ID, after int64, most int) (list []engine.Arrival, err error) {
	query := arrivalQueries[table][0]
	if !reviewer.Present() {
		query = arrivalQueries[table][1]
	}
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		var a engine.Arrival
		err := scan(&a.Place, &a.Theirs, &a.Key.ID, &a.Key.Number, &a.Owner, &a.Document)
		a.Alone = a.Document != nil
		list = append(list, a)
		return err
	}, string(reviewer), after, most)
	return list, err
}

// otherAssignees selects the assignee of the latest revision of an id as each row of "came (place, id)" came in, with the place, where that
// is not the assignee of the row.
func otherAssignees(table terms.Table, came string) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT %[2]s AS assignee, '%[1]s' AS tableName, came.place AS place FROM (%[3]s) AS came CROSS JOIN main.%[1]s AS before ON before.place ="+
		" (SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = came.id AND place < came.place ORDER BY %[6]s DESC LIMIT 1)"+
		" CROSS JOIN main.%[1]s AS held ON held.place = came.place WHERE %[2]s NOT IN ('', %[7]s)",
		table, ifJSON("before", assigneeOf("before"), "''"), came, keyIndex(table), quote(id), quote(number), ifJSON("held", assigneeOf("held"), "''"))
}

func (q packetsOf) AddOtherAssignee(ctx context.Context, table terms.Table, id terms.ID, place int64) error {
	_, err := q.count(ctx, "INSERT INTO main."+otherAssigneesTable+" (assignee, tableName, place) "+otherAssignees(table, "SELECT ?1 AS place, ?2 AS id"),
		place, string(id))
	return err
}

func (q packetsOf) OtherAssigneesDiffer(ctx context.Context, table terms.Table) (differ bool, err error) {
	id, _ := keyColumns(table)
	due := otherAssignees(table, fmt.Sprintf("SELECT place, %[2]s AS id FROM main.%[1]s INDEXED BY %[3]s ORDER BY %[2]s", table, quote(id), keyIndex(table)))
	kept := fmt.Sprintf("SELECT assignee, tableName, place FROM main.%s WHERE tableName = '%s'", otherAssigneesTable, table)
	err = q.row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT * FROM (%[1]s) EXCEPT SELECT * FROM (%[2]s)) OR EXISTS (SELECT * FROM (%[2]s) EXCEPT SELECT * FROM (%[1]s))",
		due, kept), nil, &differ)
	return differ, err
}

func (q packetsOf) Between(ctx context.Context, table terms.Table, id terms.ID, from, to, last int64, most int) (list []engine.Packet, err error) {
	column, number := keyColumns(table)
	query := fmt.Sprintf("SELECT held.%[3]s, %[5]s FROM main.%[1]s AS held INDEXED BY %[4]s WHERE held.%[2]s = ?"+
		" AND held.%[3]s BETWEEN ? AND ? AND held.place <= ? ORDER BY held.%[3]s LIMIT ?",
		table, quote(column), quote(number), keyIndex(table), storedPacket(table, "held"))
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		p := engine.Packet{Key: packets.Key{ID: id}}
		err := scan(&p.Key.Number, &p.Document)
		list = append(list, p)
		return err
	}, string(id), from, to, last, most)
	return list, err
}
