package sqlite

import (
	"context"
	"database/sql"
	"fmt"

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

func (q packetsOf) Latest(ctx context.Context, table terms.Table, id terms.ID) (l engine.LatestRevision, err error) {
	column, number := keyColumns(table)
	query := fmt.Sprintf("SELECT latest.place, %[2]s, %[3]s FROM main.%[1]s AS latest WHERE latest.place = "+
		"(SELECT place FROM main.%[1]s INDEXED BY %[4]s WHERE %[5]s = ? ORDER BY %[6]s DESC LIMIT 1)",
		table, ifJSON("latest", assigneeOf("latest"), "''"), ifJSON("latest", ownerColumn("latest", table), "''"), keyIndex(table), quote(column), quote(number))
	err = q.row(ctx, query, []any{string(id)}, &l.Place, &l.Assignee, &l.Owner)
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

func (q packetsOf) RecordsAfter(ctx context.Context, table terms.Table, after int64, most int) (list []engine.Packet, latest []engine.LatestRevision, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT scanned.place, scanned.id, scanned.number, latest.place, %[2]s, %[3]s FROM"+
		" (SELECT held.place, %[4]s AS id, %[5]s AS number FROM main.%[1]s AS held WHERE held.place > ? ORDER BY held.place LIMIT ?) AS scanned"+
		" LEFT JOIN main.%[1]s AS latest ON latest.place ="+
		" (SELECT place FROM main.%[1]s INDEXED BY %[6]s WHERE %[7]s = scanned.id ORDER BY %[8]s DESC LIMIT 1) ORDER BY scanned.place",
		table, ifJSON("latest", assigneeOf("latest"), "''"), ifJSON("latest", ownerColumn("latest", table), "''"),
		ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), keyIndex(table), quote(id), quote(number))
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		var p engine.Packet
		var l engine.LatestRevision
		var place sql.NullInt64
		err := scan(&p.Place, &p.Key.ID, &p.Key.Number, &place, &l.Assignee, &l.Owner)
		l.Place = place.Int64
		list, latest = append(list, p), append(latest, l)
		return err
	}, after, most)
	return list, latest, err
}

// Reassigned begins with what was the reviewer's, which the index finds.
func (q packetsOf) Reassigned(ctx context.Context, table terms.Table, reviewer terms.ID, after, last int64) (list []engine.Reassigned, err error) {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT theirs.id, %[10]s, theirs.owner, latest.place, %[4]s, %[5]s FROM"+
		" (SELECT DISTINCT %[11]s AS id, %[6]s AS owner FROM main.%[1]s AS held INDEXED BY %[7]s WHERE %[9]s = ?1) AS theirs"+
		" CROSS JOIN main.%[1]s AS latest ON latest.place ="+
		" (SELECT place FROM main.%[1]s INDEXED BY %[8]s WHERE %[2]s = theirs.id ORDER BY %[3]s DESC LIMIT 1)"+
		" WHERE latest.place > ?2 AND latest.place <= ?3 AND (%[4]s IS NOT ?1 OR %[5]s IS NOT theirs.owner) ORDER BY latest.place",
		table, quote(id), quote(number), ifJSON("latest", assigneeOf("latest"), "''"), ifJSON("latest", ownerColumn("latest", table), "''"),
		ifJSON("held", ownerColumn("held", table), "''"), assignedIndex(table), keyIndex(table), assignee,
		ifJSON("latest", "latest."+quote(number), "0"), ifJSON("held", "held."+quote(id), "''"))
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		var r engine.Reassigned
		err := scan(&r.Key.ID, &r.Key.Number, &r.Owner, &r.Latest.Place, &r.Latest.Assignee, &r.Latest.Owner)
		if r.Key.Number > 0 { // else its document is no JSON any more
			list = append(list, r)
		}
		return err
	}, string(reviewer), after, last)
	return list, err
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
