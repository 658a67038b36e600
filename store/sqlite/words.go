package sqlite

import (
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
)

// These are engine.Words.

func (flavor) Key(table terms.Table) (id, number string) {
	if info, ok := packets.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if terms.AreaOf(table) == terms.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// An index has the name of its table and one of its own.
func (flavor) From(table, alias, index string) string {
	from := table + " AS " + alias
	if index != "" {
		from += " INDEXED BY " + table + "_" + index
	}
	return from
}

func (flavor) Join() string { return "CROSS JOIN" }

// A CROSS JOIN keeps the order of its left side.
func (flavor) InOrder(string) string    { return "" }
func (flavor) IsJSON(row string) string { return "json_valid(" + row + ".document)" }
func (flavor) Among() string            { return "IN (SELECT value FROM json_each($1))" }

// assignee is the expression of the indexes on the reviewer that a case or an amendment is assigned
// to.
const assignee = "json_extract(%sdocument, '$.record.neutralReview.reviewerId')"

func (flavor) Assignee(row string) string { return fmt.Sprintf(assignee, row+".") }
func (flavor) Owner(row string) string    { return row + ".ownerId" }

func (flavor) About(table terms.Table) string {
	if table == terms.AppealCases {
		return "subjectId"
	}
	return "agreementId"
}

func (flavor) Bytes(text string) string { return text }

func (flavor) SignedBy(row, key string) string {
	return fmt.Sprintf("CASE WHEN json_valid(%[1]s.document) THEN json_extract(%[1]s.document, '$.reviewer.keyFingerprint') = %[2]s.fingerprint"+
		" AND json_extract(%[1]s.document, '$.reviewer.id') = %[2]s.reviewerId END", row, key)
}

func (flavor) Carries(row string) string {
	return fmt.Sprintf(`instr(%[1]s.document, '"reviewerBlockers":[]') = 0 OR instr(%[1]s.document, '"carriedBlockers":[]') = 0`, row)
}

func (f flavor) RecordIDs(table terms.Table) string {
	id, _ := f.Key(table)
	return "(SELECT group_concat(logged.recordId, char(10)) FROM " + f.From(table.String(), "recorded", "key") +
		" CROSS JOIN docket_log AS logged ON logged.sequence = recorded.sequence WHERE recorded." + id + " = latest.id)"
}

func (f flavor) LatestAfter(table terms.Table, after int) string {
	id, number := f.Key(table)
	return fmt.Sprintf("SELECT held.%[1]s AS id, max(held.%[2]s) AS number, held.place FROM %[3]s"+
		" WHERE held.%[1]s > $%[4]d GROUP BY held.%[1]s ORDER BY held.%[1]s LIMIT $%[5]d",
		id, number, f.From(table.String(), "held", "key"), after, after+1)
}

func (f flavor) Assigned(table terms.Table, end bool) string {
	packets := terms.RecordTable(terms.AreaOf(table))
	id, _ := f.Key(table)
	heldID, number := f.Key(packets)
	held := f.From(packets.String(), "held", "assigned")
	if end {
		return fmt.Sprintf("%[1]s AS recorded CROSS JOIN %[2]s ON held.place = (SELECT newest.place FROM %[3]s"+
			" WHERE newest.%[4]s = recorded.%[5]s ORDER BY newest.%[6]s DESC LIMIT 1) AND %[7]s = $1 WHERE true",
			table, held, f.From(packets.String(), "newest", "key"), heldID, id, number, f.Assignee("held"))
	}
	return fmt.Sprintf("%[1]s CROSS JOIN %[2]s ON recorded.%[3]s = held.%[4]s WHERE %[5]s = $1 AND NOT EXISTS"+
		" (SELECT 1 FROM %[6]s WHERE newer.%[4]s = held.%[4]s AND newer.%[7]s > held.%[7]s)",
		held, f.From(table.String(), "recorded", "key"), id, heldID, f.Assignee("held"), f.From(packets.String(), "newer", "key"), number)
}

func (f flavor) On(table terms.Table, compare string) string {
	id, number := f.Key(table)
	return fmt.Sprintf("WHERE leaf.recordId IN (SELECT held.recordId FROM %s WHERE held.%s = $1 AND held.%s %s $2)",
		f.From(table.String(), "held", "key"), id, number, compare)
}

func (flavor) Places(listed bool) string {
	if listed {
		return "WITH place (n) AS (SELECT value FROM json_each($1))%s ORDER BY place.n"
	}
	return "WITH RECURSIVE place (n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < $2)%s"
}
