package postgres

import (
	"fmt"

	"docket/domain/terms"
	"docket/store/engine"
)

// These are engine.Words.

func (*transaction) Key(terms.Table) (id, number string) { return "id", "number" }
func (*transaction) From(table, alias, _ string) string  { return table + " AS " + alias }
func (*transaction) Join() string                        { return "JOIN" }
func (*transaction) InOrder(by string) string            { return " ORDER BY " + by }

// A trigger fills the columns.
func (*transaction) IsJSON(string) string { return "true" }

func (*transaction) Among() string {
	return "= ANY (ARRAY (SELECT jsonb_array_elements_text($1::jsonb)::bigint))"
}

func (*transaction) Assignee(row string) string { return row + ".assignee" }
func (*transaction) Owner(row string) string    { return row + ".owner" }
func (*transaction) About(terms.Table) string   { return "about" }
func (*transaction) Bytes(text string) string   { return "convert_to(" + text + ", 'UTF8')" }

func (*transaction) SignedBy(row, key string) string {
	return fmt.Sprintf("%[1]s.fingerprint = %[2]s.fingerprint AND %[1]s.reviewer = %[2]s.reviewerId", row, key)
}

// What the columns do not say is unknown.
func (*transaction) Carries(row string) string {
	return fmt.Sprintf("%[1]s.byReviewer IS DISTINCT FROM '[]' OR %[1]s.carried IS DISTINCT FROM '[]'", row)
}

func (*transaction) RecordIDs(table terms.Table) string {
	return "(SELECT string_agg(recorded.recordId, chr(10) ORDER BY recorded.sequence) FROM " + table.String() + " AS recorded WHERE recorded.id = latest.id)"
}

func (*transaction) LatestAfter(table terms.Table, after int) string {
	return fmt.Sprintf("SELECT DISTINCT ON (id) id, number, place FROM %s WHERE id > $%d ORDER BY id, number DESC LIMIT $%d", table, after, after+1)
}

func (*transaction) Assigned(table terms.Table, end bool) string {
	held := terms.RecordTable(terms.AreaOf(table))
	if end {
		return fmt.Sprintf("%s AS recorded WHERE (SELECT held.assignee FROM %s AS held WHERE held.id = recorded.id ORDER BY held.number DESC LIMIT 1) = $1", table, held)
	}
	return fmt.Sprintf("%[1]s AS recorded WHERE recorded.id IN (SELECT held.id FROM %[2]s AS held WHERE held.assignee = $1"+
		" AND NOT EXISTS (SELECT 1 FROM %[2]s AS newer WHERE newer.id = held.id AND newer.number > held.number))", table, held)
}

func (*transaction) On(table terms.Table, compare string) string {
	return fmt.Sprintf("JOIN %s AS held ON held.recordId = leaf.recordId WHERE held.id = $1 AND held.number %s $2", table, compare)
}

func (*transaction) Places(listed bool) string {
	if listed {
		return "WITH place (n) AS (SELECT jsonb_array_elements_text($1::jsonb)::bigint)%s ORDER BY place.n"
	}
	return "WITH place (n) AS (SELECT generate_series($1::bigint, $2::bigint - 1))%s ORDER BY place.n"
}

func (f *transaction) Arrivals(table terms.Table, of engine.Scope, after int64, most int) (query string, args []any) {
	var whose []string
	column, former, which := "assignee", "docket_service_other_assignees", "tableName = '"+table.String()+"'"
	switch {
	case of.Reviewer.Present():
		whose = []string{string(of.Reviewer)}
	case table == terms.AmendmentRecords && len(of.Owners) > 0:
		column, former, which = "owner", "docket_service_other_owners", "place > 0"
		for _, owner := range of.Owners {
			whose = append(whose, string(owner))
		}
	}
	came := fmt.Sprintf("SELECT place, max(theirs) AS theirs, id, number FROM unnest($1::text[]) AS of (whose) CROSS JOIN LATERAL"+
		" ((SELECT held.place, 1 AS theirs, held.id, held.number FROM %[1]s AS held WHERE held.%[2]s = of.whose COLLATE \"C\" AND held.place > $2 ORDER BY held.place LIMIT $3)"+
		" UNION ALL (SELECT other.place, 0, held.id, held.number FROM %[3]s AS other JOIN %[1]s AS held ON held.place = other.place"+
		" WHERE other.%[2]s = of.whose COLLATE \"C\" AND other.%[4]s AND other.place > $2 ORDER BY other.place LIMIT $3)) AS either"+
		" GROUP BY place, id, number ORDER BY place LIMIT $3", table, column, former, which)
	if whose == nil {
		came = fmt.Sprintf("SELECT held.place, 0 AS theirs, held.id, held.number FROM %s AS held WHERE $1::text[] IS NULL AND held.place > $2 ORDER BY held.place LIMIT $3", table)
	}
	return fmt.Sprintf("SELECT came.place, came.theirs = 1, came.id, came.number, %[2]s, CASE WHEN came.alone THEN held.document END,"+
		" CASE WHEN came.alone THEN %[3]s END FROM (SELECT came.*, NOT EXISTS (SELECT 1 FROM %[1]s AS another WHERE another.id = came.id AND another.place <> came.place)"+
		" AS alone FROM (%[4]s) AS came) AS came JOIN %[1]s AS held ON held.place = came.place ORDER BY came.place",
		table, engine.OwnerOf(f, table, "held"), engine.TextsOf(table), came), []any{whose, after, most}
}
