package store

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
)

// The queries of the queue. Each selects id, number, document, recorded, skipped, drafted and added, and takes the reviewer and the
// table's name first. Ids and numbers come from the index, so that they are there even if a document is no longer
// JSON.

// withState selects, for the rows of "latest (id, number, place)", the columns of a row of the queue.
func withState(table terms.Table, latest string) string {
	enforcements := terms.EnforcementTable(terms.AreaOf(table))
	id, number := keyColumns(enforcements)
	return fmt.Sprintf("SELECT latest.id, latest.number, %[12]s,"+
		" (SELECT CASE WHEN last.ever IS NULL THEN %[9]d WHEN "+notInForce(enforcements, "coalesce(last.here, last.ever)")+" THEN %[11]d"+
		" WHEN last.here IS NULL THEN %[9]d ELSE %[10]d END FROM"+
		" (SELECT max(recorded.sequence) AS ever, max(CASE WHEN recorded.%[5]s = latest.number THEN recorded.sequence END) AS here"+
		" FROM main.%[2]s AS recorded INDEXED BY %[3]s WHERE recorded.%[4]s = latest.id) AS last),"+
		" (SELECT reason FROM main.%[6]s AS skip WHERE skip.reviewer = ?1 AND skip.tableName = ?2 AND skip.id = latest.id"+
		" AND skip.revision = latest.number),"+
		" EXISTS (SELECT 1 FROM main.%[8]s AS draft WHERE draft.reviewer = ?1 AND draft.tableName = ?2 AND draft.id = latest.id),"+
		" EXISTS (SELECT 1 FROM main.%[2]s AS judged INDEXED BY %[3]s WHERE judged.%[4]s = latest.id AND judged.%[5]s = latest.number AND "+
		mayCarry("judged")+")"+
		" FROM (%[7]s) AS latest CROSS JOIN main.%[1]s AS held ON held.rowid = latest.place",
		table, enforcements, keyIndex(enforcements), quote(id), quote(number), skipsTable, latest, draftsTable,
		nothingRecorded, lastStands, lastRejected, storedPacket(table, "held"))
}

// The state of the last record on a revision or, if there is none, of the last one on an earlier revision, as the queries return it.
const (
	nothingRecorded = iota // nor is an earlier revision to be judged again
	lastStands             // a record on this revision
	lastRejected           // a record on this revision or an earlier one, which the service rejected or a revoked key signed
)

// latestAfter selects the latest revision of each id after ?3, at most ?4 of them, in the order of the ids.
func latestAfter(table terms.Table) string {
	id, number := keyColumns(table)
	return withState(table, fmt.Sprintf("SELECT %[2]s AS id, max(%[3]s) AS number, rowid AS place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s > ?3 GROUP BY %[2]s ORDER BY %[2]s LIMIT ?4", table, quote(id), quote(number), keyIndex(table)))
}

// latestOf selects the latest revision of the id ?3.
func latestOf(table terms.Table) string {
	id, number := keyColumns(table)
	return withState(table, fmt.Sprintf("SELECT %[2]s AS id, %[3]s AS number, rowid AS place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s = ?3 ORDER BY %[3]s DESC LIMIT 1", table, quote(id), quote(number), keyIndex(table)))
}

// A topQuery selects rows from the top of the queue, at most as many as its last argument says; ?3 is the assignee
// where mine is set.
type topQuery struct {
	text string
	mine bool
}

// topQueries go from what comes first in the queue to what comes last.
func topQueries(area terms.Area) []topQuery {
	table := terms.RecordTable(area)
	id, number := keyColumns(table)
	list := func(index, where string, limit int) string {
		order := quote(id)
		if area == terms.Appeals {
			order = quote(deadlineColumn) + ", " + order
		}
		return withState(table, fmt.Sprintf("SELECT %[2]s AS id, %[3]s AS number, rowid AS place FROM main.%[1]s AS listed"+
			" INDEXED BY %[4]s WHERE %[5]s AND NOT EXISTS (SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[8]s WHERE newer.%[2]s = listed.%[2]s"+
			" AND newer.%[3]s > listed.%[3]s) ORDER BY %[6]s LIMIT ?%[7]d",
			table, quote(id), quote(number), index, where, order, limit, keyIndex(table)))
	}
	if area == terms.Amendments {
		return []topQuery{
			{list(assigneeIndex(table), assignee+" = ?3", 4), true},
			{list(keyIndex(table), "true", 3), false},
		}
	}
	due := quote(deadlineColumn) + " IS NOT NULL AND " + unsettled()
	undue := quote(deadlineColumn) + " IS NULL AND " + unsettled()
	return []topQuery{
		{list(assigneeIndex(table), assignee+" = ?3 AND "+due, 4), true},
		{list(assigneeIndex(table), assignee+" = ?3 AND "+undue, 4), true},
		{list(deadlineIndex(table), due, 3), false},
		{list(deadlineIndex(table), undue, 3), false},
	}
}

// assignee is the reviewer that a case or an amendment is assigned to.
const assignee = "json_extract(document, '$.record.neutralReview.reviewerId')"

// deadlineColumn is the member that orders the queue of appeals.
const deadlineColumn = "deadline"

// unsettled is the condition of the indexes of appeals, and so of their queries: old deadlines of cases that are closed would
// otherwise fill the top of the queue.
func unsettled() string {
	var words []string
	for _, status := range queue.SettledCaseStatuses() {
		words = append(words, "'"+status.String()+"'")
	}
	return `"status" NOT IN (` + strings.Join(words, ", ") + ")"
}
