package sqlite

import (
	"context"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// recordsOf is the engine.OwnRecords of a transaction.
type recordsOf struct{ engine.Tx }

// RecordsOf implements engine.Flavor.
func (flavor) RecordsOf(tx engine.Tx) engine.OwnRecords { return recordsOf{tx} }

// loggedQuery selects leaves of the log with everything that is known of their records, in one statement: the leaf, its
// document, the record that superseded it, the service's answer, and the consequences of a rejection. No column of a
// document that is no longer JSON is read, because that would end the query.
var loggedQuery = func() string {
	ofTable := func(query func(table terms.Table) string) string {
		text := "CASE leaf.tableName"
		for _, table := range enforcements {
			text += fmt.Sprintf(" WHEN '%s' THEN (%s)", table, query(table))
		}
		return text + " END"
	}
	// later selects the later records on the same id, compared by their number.
	later := func(table terms.Table, compare string) string {
		id, number := keyColumns(table)
		return fmt.Sprintf("main.%[1]s AS held CROSS JOIN main.%[1]s AS later INDEXED BY %[2]s ON later.%[3]s = held.%[3]s"+
			" AND later.%[4]s %[5]s held.%[4]s AND later.sequence > held.sequence", table, keyIndex(table), quote(id), quote(number), compare)
	}
	document := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT held.document FROM main.%s AS held WHERE held.sequence = leaf.sequence", table)
	})
	supersededBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(recordId) FROM (SELECT later.recordId FROM main.%s AS later INDEXED BY %s WHERE later.supersedes = leaf.recordId AND NOT %s"+
			" UNION ALL SELECT theirs.recordId FROM main.%s AS theirs INDEXED BY %[4]s_supersedes WHERE theirs.supersedes = leaf.recordId AND NOT %[5]s)",
			table, supersedesIndex(table), notInForce(table, "later.sequence"), serviceRecordsTable, isEarlier("theirs"))
	})
	// A record of the service's log replaces this one if the service names it when it rejects a later record on the
	// same revision.
	replacedBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT answer.inForce FROM %s JOIN main.%s AS answer ON answer.sequence = later.sequence WHERE held.sequence = leaf.sequence"+
			" AND answer.inForce NOT IN ('', leaf.recordId) ORDER BY answer.sequence LIMIT 1", later(table, "="), rejectionsTable)
	})
	revoked := ofTable(func(table terms.Table) string { return "SELECT " + isRevoked(table, "leaf.sequence") })
	judgedAgain := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(later.sequence) FROM %s WHERE held.sequence = leaf.sequence", later(table, ">="))
	})
	return fmt.Sprintf("SELECT leaf.sequence, leaf.tableName, leaf.recordId, leaf.leafHash, leaf.document, %[1]s, accepted.receipt, accepted.keptAt,"+
		" rejected.signed, rejected.changes,"+
		" CASE WHEN %[5]s AND json_valid(leaf.document) THEN %[2]s END,"+
		" CASE WHEN (rejected.signed IS NOT NULL OR coalesce(%[9]s, 0)) AND json_valid(leaf.document) THEN %[3]s END,"+
		" EXISTS (SELECT 1 FROM main.%[4]s AS here WHERE here.recordId = rejected.inForce), coalesce(%[9]s, 0), EXISTS (SELECT 1 FROM main.%[10]s WHERE position >= 0)"+
		" FROM (SELECT leaf.*, %[6]s AS document FROM main.%[4]s AS leaf %%s) AS leaf"+
		" LEFT JOIN main.%[7]s AS accepted ON accepted.sequence = leaf.sequence AND NOT "+isEarlier("accepted")+" LEFT JOIN main.%[8]s AS rejected ON rejected.sequence = leaf.sequence"+
		" ORDER BY leaf.sequence",
		supersededBy, replacedBy, judgedAgain, logTable, "EXISTS (SELECT 1 FROM main."+rejectionsTable+")", document, acceptancesTable, rejectionsTable,
		revoked, serviceTable)
}()

// loggedBefore selects the leaves of a page.
var loggedBefore = fmt.Sprintf(loggedQuery, "WHERE leaf.sequence < ? ORDER BY leaf.sequence DESC LIMIT ?")

func (q recordsOf) LoggedBefore(ctx context.Context, before int64, most int, yield func(*engine.Logged) error) error {
	return engine.EachLogged(ctx, q, loggedBefore, yield, before, most)
}

func (q recordsOf) LoggedOn(ctx context.Context, table terms.Table, key packets.Key, others bool, yield func(*engine.Logged) error) error {
	id, number := keyColumns(table)
	compare := "="
	if others {
		compare = "<>"
	}
	which := fmt.Sprintf("WHERE leaf.recordId IN (SELECT recordId FROM main.%s INDEXED BY %s WHERE %s = ? AND %s %s ?)",
		table, keyIndex(table), quote(id), quote(number), compare)
	return engine.EachLogged(ctx, q, fmt.Sprintf(loggedQuery, which), yield, string(key.ID), key.Number)
}

func (q recordsOf) LoggedAs(ctx context.Context, id records.RecordID, yield func(*engine.Logged) error) error {
	return engine.EachLogged(ctx, q, fmt.Sprintf(loggedQuery, "WHERE leaf.recordId = ?"), yield, string(id))
}

func (q recordsOf) LoggedFrom(ctx context.Context, from, to string, most int, yield func(*engine.Logged) error) error {
	return engine.EachLogged(ctx, q, fmt.Sprintf(loggedQuery, "WHERE leaf.recordId >= ? AND leaf.recordId < ? ORDER BY leaf.recordId LIMIT ?"), yield, from, to, most)
}

// shortTail is the number of records at the end of the log up to which reading them all is preferred to an index on the
// assignee.
const shortTail = 128

// SequencesAfter reads no row outside the scope except the revisions of the assignee's packets, or the records after
// the sequence if they are few.
func (q recordsOf) SequencesAfter(ctx context.Context, table terms.Table, scope engine.RecordScope, after int64, most int) ([]int64, error) {
	id, _ := keyColumns(table)
	from, named := "main."+table.String()+" AS recorded WHERE ?1 = ''", ""
	switch {
	case scope.About != "":
		named = string(scope.About)
		from = fmt.Sprintf("main.%s AS recorded INDEXED BY %s WHERE recorded.%s = ?1", table, keyIndex(table), quote(id))
	case scope.Assignee != "":
		named = string(scope.Assignee)
		var last int64
		if err := q.Row(ctx, "SELECT coalesce(max(sequence), -1) FROM main."+table.String(), nil, &last); err != nil {
			return nil, err
		}
		from = assignedRecords(table, last-after <= shortTail)
	case scope.Owner != "":
		named = string(scope.Owner)
		from = fmt.Sprintf("main.%s AS recorded INDEXED BY %s WHERE recorded.%s = ?1", table, ownerIndex(table), quote("ownerId"))
	}
	return engine.Column[int64](ctx, q, "SELECT recorded.sequence FROM "+from+" AND recorded.sequence > ?2 ORDER BY recorded.sequence LIMIT ?3", named, after, most)
}

// assignedRecords selects the records of a table whose case or amendment has a latest revision that is assigned to ?1:
// from a tail of the log, or from each packet of the assignee.
func assignedRecords(table terms.Table, tail bool) string {
	held := terms.RecordTable(terms.AreaOf(table))
	id, _ := keyColumns(table)
	heldID, number := keyColumns(held)
	if tail {
		return fmt.Sprintf("main.%[1]s AS recorded CROSS JOIN main.%[2]s AS held INDEXED BY %[3]s ON held.place = (SELECT place FROM main.%[2]s INDEXED BY %[4]s"+
			" WHERE %[5]s = recorded.%[6]s ORDER BY %[7]s DESC LIMIT 1) AND %[8]s = ?1 WHERE true",
			table, held, assignedIndex(held), keyIndex(held), quote(heldID), quote(id), quote(number), assigneeIn("held"))
	}
	return fmt.Sprintf("main.%[1]s AS held INDEXED BY %[2]s CROSS JOIN main.%[3]s AS recorded INDEXED BY %[4]s ON recorded.%[5]s = held.%[6]s"+
		" WHERE %[7]s = ?1 AND NOT EXISTS (SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[8]s WHERE newer.%[6]s = held.%[6]s AND newer.%[9]s > held.%[9]s)",
		held, assignedIndex(held), table, keyIndex(table), quote(id), quote(heldID), assigneeIn("held"), keyIndex(held), quote(number))
}

// assigneeIn returns the expression of the indexes on the assignee over a row.
func assigneeIn(row string) string { return strings.Replace(assignee, "document", row+".document", 1) }

func (q recordsOf) LoggedAt(ctx context.Context, sequences []int64, yield func(*engine.Logged) error) error {
	return engine.EachLogged(ctx, q, fmt.Sprintf(loggedQuery, "WHERE leaf.sequence IN (SELECT value FROM json_each(?))"), yield, numbers(sequences))
}

// numbers returns a list of numbers as an argument of json_each.
func numbers(list []int64) string { return strings.Join(strings.Fields(fmt.Sprint(list)), ",") }

// datesQuery selects the dates of the cases of the records of a range of ids.
var datesQuery = func() string {
	const enforcements, cases = terms.AppealEnforcements, terms.AppealCases
	id, number := keyColumns(enforcements)
	caseID, revision := keyColumns(cases)
	of := func(column string) string { return ifJSON("held", "held."+quote(column), "NULL") }
	date := func(column string) string { return ifJSON("judged", "judged."+quote(column), "NULL") }
	return fmt.Sprintf("SELECT held.sequence, %s, %s FROM main.%s AS leaf CROSS JOIN main.%s AS held ON held.sequence = leaf.sequence"+
		" CROSS JOIN main.%s AS judged INDEXED BY %s ON judged.%s = %s AND judged.%s = %s WHERE leaf.recordId >= ? AND leaf.recordId <= ?",
		"coalesce("+date("filedAt")+", '')", "coalesce("+date(deadlineColumn)+", '')", logTable, enforcements, cases, keyIndex(cases), quote(caseID), of(id), quote(revision), of(number))
}()

func (q recordsOf) Dates(ctx context.Context, from, to records.RecordID) (map[int64]engine.Dates, error) {
	return engine.DatesOf(ctx, q, datesQuery, string(from), string(to))
}

var addedQueries = func() map[terms.Table]string {
	queries := map[terms.Table]string{}
	for _, table := range enforcements {
		id, number := keyColumns(table)
		packets := terms.RecordTable(terms.AreaOf(table))
		queries[table] = fmt.Sprintf("SELECT held.%[4]s, held.document, coalesce(rejected.signed, ''), rejected.signed IS NOT NULL "+
			"FROM main.%[1]s AS held INDEXED BY %[2]s LEFT JOIN main.%[5]s AS rejected ON rejected.sequence = held.sequence "+
			"WHERE held.%[3]s = ?1 AND held.%[4]s <= ?2 AND NOT %[6]s AND (rejected.signed IS NOT NULL OR %[7]s OR NOT EXISTS (SELECT 1 FROM %[8]s"+
			" AND theirs.afterRecords > held.sequence)) UNION ALL SELECT theirs.revision, theirs.record, '', 0 FROM %[9]s",
			table, keyIndex(table), quote(id), quote(number), rejectionsTable, neverInForce(table, "held.sequence"), isAccepted("held.sequence"),
			theirsOn(packets, "?1", "= held."+quote(number)), theirsOn(packets, "?1", "<= ?2"))
	}
	return queries
}()

func (q recordsOf) Added(ctx context.Context, table terms.Table, key packets.Key, yield func(engine.Added) error) error {
	return engine.Each(ctx, q, addedQueries[table], (*engine.Added).Columns, func(a *engine.Added) error { return yield(*a) }, string(key.ID), key.Number)
}

// entriesQuery reads the rows of each sequence in a range, gaps included. It finds records by their place and reads no
// column that is derived from a document.
var entriesQuery = "WITH RECURSIVE place (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < ?2)" + entriesOfPlaces

// entriesOfPlaces reads the rows of the sequences in place (n).
var entriesOfPlaces = fmt.Sprintf(`
SELECT place.n, log.tableName, log.recordId, log.leafHash, signature.signature,
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), coalesce(reasons.statement, ''), coalesce(note.salt, ''), coalesce(note.note, ''),
  accepted.receipt, accepted.checkpoint, accepted.proof,
  CASE log.tableName WHEN '%[3]s' THEN amendment.document ELSE appeal.document END,
  CASE log.tableName WHEN '%[3]s' THEN appeal.document ELSE amendment.document END
FROM place
LEFT JOIN main.%[1]s AS log ON log.sequence = place.n
LEFT JOIN main.%[2]s AS appeal ON appeal.sequence = place.n
LEFT JOIN main.%[3]s AS amendment ON amendment.sequence = place.n
LEFT JOIN main.%[4]s AS signature ON signature.sequence = place.n
LEFT JOIN main.%[5]s AS packet ON packet.sequence = place.n
LEFT JOIN main.%[6]s AS reasons ON reasons.sequence = place.n
LEFT JOIN main.%[7]s AS note ON note.sequence = place.n
LEFT JOIN main.%[8]s AS accepted ON %[9]s`,
	logTable, terms.AppealEnforcements, terms.AmendmentEnforcements, signaturesTable, saltsTable, reasonsTable, notesTable, acceptancesTable, isNewest("place.n"))

func (q recordsOf) Entries(ctx context.Context, from, to int64, yield func(*engine.Entry) error) error {
	return engine.EachEntry(ctx, q, entriesQuery, yield, from, to)
}

func (q recordsOf) EntriesAt(ctx context.Context, sequences []int64, yield func(*engine.Entry) error) error {
	return engine.EachEntry(ctx, q, "WITH place (n) AS (SELECT value FROM json_each(?1))"+entriesOfPlaces+" ORDER BY place.n", yield, numbers(sequences))
}
