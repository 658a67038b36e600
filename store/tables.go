package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// The tables of the log and of what belongs to its records. Their columns are in sqlite/schema.sql.
const (
	metaTable         = "docket_meta"
	logTable          = "docket_log"
	hashesTable       = "docket_log_hashes"
	signaturesTable   = "docket_signatures"
	signersTable      = "docket_signers"
	checkpointsTable  = "docket_checkpoints"
	notesTable        = "docket_notes"
	saltsTable        = "docket_packet_salts"
	textsTable        = "docket_packet_texts"
	reasonsTable      = "docket_statements"
	statementsTable   = "docket_log_statements"
	cosignaturesTable = "docket_cosignatures"
	packetHeadsTable  = "docket_packet_heads"
	revokedTable      = "docket_revoked_keys"
)

// The tables of local state, whose rows may be changed and deleted.
const (
	skipsTable  = "docket_skips"
	draftsTable = "docket_drafts"
	pullTable   = "docket_handin_pull"
)

// The tables in which a console's store keeps what its service answered.
const (
	boundTable       = "docket_handin_service"
	followedTable    = "docket_handin_statements"
	acceptancesTable = "docket_handin_acceptances"
	rejectionsTable  = "docket_handin_rejections"
)

// The tables of a service. In a console's store they stay empty.
const (
	tokensTable      = "docket_service_tokens"
	revocationsTable = "docket_service_revocations"
	receivedTable    = "docket_service_received"
)

// emptyTables are the tables that a store leaves empty: those of a service in a console's store, and those of a console in a service's.
func emptyTables(service bool) []string {
	if service {
		return []string{skipsTable, draftsTable, pullTable, boundTable, acceptancesTable, rejectionsTable}
	}
	return []string{tokensTable, revocationsTable, receivedTable}
}

// A coveredTable is an append-only table beside the log whose rows the anchor covers.
type coveredTable struct {
	name, columns string
	first         int64 // the number of its first row
	grows         bool  // with the log: an opening looks at where it ends, and a check of the storage reads it
}

// coveredTables are what a file that was set back, or rows that were removed, would take away and no record misses. Those of the log
// itself are covered by its checkpoints, the packets by their heads, and the revoked keys follow from the statements. Skips and drafts
// are the reviewer's own and may go.
var coveredTables = [...]coveredTable{
	{statementsTable, "statement, signature, logSignature, checkpoint", 0, false},
	{followedTable, "ended, size, statement, signature, logSignature, keptAt", 0, false},
	{boundTable, "key, boundAt", 1, false},
	{tokensTable, "id, digest, principal, role, owners, createdAt, expiresAt", 1, false},
	{revocationsTable, "id, revokedAt", 1, false},
	{cosignaturesTable, "checkpoint, cosignature, key, keptAt", 0, true},
	{acceptancesTable, "sequence, origin, treeSize, receipt, proof, checkpoint, keptAt", 1, true},
	{rejectionsTable, "sequence, inForce, signed, changes, keptAt", 0, true},
	{receivedTable, "receivedAt, origin, recordId, size", 0, true},
}

// extend takes the rows after those that a chain covers, up to a number of rows; -1 takes all. It stops at a gap.
func (t *coveredTable) extend(ctx context.Context, tx engine.Tx, chain *merkle.Chain, most int64) error {
	query := fmt.Sprintf("SELECT rowid, %s FROM main.%s WHERE rowid >= ? ORDER BY rowid LIMIT ?", t.columns, t.name)
	columns := make([][]byte, strings.Count(t.columns, ",")+1)
	var place int64
	into := []any{&place}
	for i := range columns {
		into = append(into, &columns[i])
	}
	limit := most
	if most >= 0 {
		limit -= chain.Count
	}
	whole := true
	return eachRow(ctx, tx, query, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		if whole = whole && place == t.first+chain.Count; whole {
			chain.Add(columns...)
		}
		return nil
	}, t.first+chain.Count, limit)
}

// coveredEnds returns where the covered tables end: how many rows each has, if none is missing.
func coveredEnds(ctx context.Context, tx engine.Tx) (ends [len(coveredTables)]int64, err error) {
	var into []any
	for i := range ends {
		into = append(into, &ends[i])
	}
	return ends, tx.QueryRowContext(ctx, coveredEndsQuery).Scan(into...)
}

var coveredEndsQuery = func() string {
	var ends []string
	for _, t := range coveredTables {
		ends = append(ends, fmt.Sprintf("(SELECT coalesce(max(rowid) - %d, 0) FROM main.%s)", t.first-1, t.name))
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

// coverTables returns the head of the tables as they are in the transaction, which goes on from an earlier one; without a Note where
// nothing came since. The error is errRowsGone if it covers rows that are not there.
func coverTables(ctx context.Context, tx engine.Tx, key *merkle.Key, before *merkle.TableHead) (head merkle.TableHead, err error) {
	ends, err := coveredEnds(ctx, tx)
	if err != nil {
		return merkle.TableHead{}, err
	}
	more := before.Note == nil
	head.Chains = map[string]merkle.Chain{}
	for i := range coveredTables {
		t := &coveredTables[i]
		chain := before.Chains[t.name]
		if chain.Count > ends[i] {
			return merkle.TableHead{}, errRowsGone
		}
		if chain.Count < ends[i] {
			more = true
			if err := t.extend(ctx, tx, &chain, -1); err != nil {
				return merkle.TableHead{}, err
			}
		}
		head.Chains[t.name] = chain
	}
	if !more {
		return merkle.TableHead{}, nil
	}
	return head, key.SignTables(&head)
}

// errRowsGone says that a table has fewer rows than this process saw in it.
var errRowsGone = errors.New("a table beside the log has fewer rows than before")

// verifyCovered holds the tables to the head that is kept outside the store; nil: there is none. Those that grow with the log are read if
// storage says so, and else looked at where they end.
func verifyCovered(ctx context.Context, tx engine.Tx, held *merkle.TableHead, storage bool) (list []verify.Finding, err error) {
	if held == nil {
		return nil, nil
	}
	ends, err := coveredEnds(ctx, tx)
	if err != nil {
		return nil, err
	}
	for i := range coveredTables {
		t := &coveredTables[i]
		due := held.Chains[t.name]
		var chain merkle.Chain
		switch {
		case ends[i] < due.Count:
			list = append(list, found(verify.RowsRolledBack, "%s: %d rows were there, and %d are", t.name, due.Count, max(0, ends[i])))
			continue
		case t.grows != storage:
			continue
		}
		if err := t.extend(ctx, tx, &chain, due.Count); err != nil {
			return nil, err
		}
		if chain != due {
			list = append(list, found(verify.RowsRolledBack, "%s: its first %d rows are others", t.name, due.Count))
		}
	}
	return list, nil
}

// quote makes an identifier of a member's name; some, such as trigger, are words of SQL.
func quote(name string) string { return `"` + name + `"` }

// keyColumns are the columns that name a row of a table of documents: id and number, in that order.
func keyColumns(table terms.Table) (id, number string) {
	if info, ok := packets.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if terms.AreaOf(table) == terms.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// relatedColumn is the column by which packets of a table belong together; "" if there is none.
func relatedColumn(table terms.Table) string {
	switch table {
	case terms.AppealCases:
		return "subjectId"
	case terms.AmendmentRecords:
		return "agreementId"
	}
	return ""
}

// The indexes of the tables of documents, on their key columns, on what a record supersedes, on relatedColumn, on the assignee and
// on the deadline. Queries name them, so that one that would read a whole table fails.
func keyIndex(table terms.Table) string        { return table.String() + "_key" }
func supersedesIndex(table terms.Table) string { return table.String() + "_supersedes" }
func relatedIndex(table terms.Table) string    { return table.String() + "_related" }
func assigneeIndex(table terms.Table) string   { return table.String() + "_assignee" }
func deadlineIndex(table terms.Table) string   { return table.String() + "_" + deadlineColumn }

// storedPacket is the packet in a row of a table of packets, as packets.Joined writes it: the document and, while they are there, its
// texts.
func storedPacket(table terms.Table, row string) string {
	if table != terms.AppealCases {
		return row + ".document"
	}
	return fmt.Sprintf("coalesce(substr(%[1]s.document, 1, length(%[1]s.document) - 1) || ',\"texts\":' || "+
		"(SELECT texts FROM main.%[2]s AS side WHERE side.place = %[1]s.rowid) || '}', %[1]s.document)", row, textsTable)
}

// isLost is the condition that a restore of the service, which the console followed, lost the acceptance of the alias: the log that
// accepted it ended, and then or later fewer records were restored.
func isLost(alias string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%[1]s AS ending JOIN main.%[1]s AS later ON later.position >= ending.position"+
		" WHERE ending.ended = %[2]s.origin AND later.size < %[2]s.treeSize)", followedTable, alias)
}

// isRejected is the condition that the service rejected the record at a place of the log.
func isRejected(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%s AS rejected WHERE rejected.sequence = %s)", rejectionsTable, sequence)
}

// isRevoked is the condition that a revoked key signed the record at a place of an enforcement table, so that it is not in force.
func isRevoked(table terms.Table, sequence string) string {
	return revokedSince(table, sequence, "fromSequence")
}

// neverInForce is the condition that the key was revoked before the record was made. Blockers of other records that are not in
// force any more stand: nobody can remove one.
func neverInForce(table terms.Table, sequence string) string {
	return revokedSince(table, sequence, "madeSize")
}

func revokedSince(table terms.Table, sequence, bound string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%[1]s AS revoked CROSS JOIN main.%[2]s AS late ON late.sequence = %[3]s"+
		" WHERE late.sequence >= revoked.%[4]s AND CASE WHEN json_valid(late.document) THEN"+
		" json_extract(late.document, '$.reviewer.keyFingerprint') = revoked.fingerprint AND json_extract(late.document, '$.reviewer.id') = revoked.reviewerId END)",
		revokedTable, table, sequence, bound)
}

// notInForce is the condition that a record does not count: the service rejected it, or a revoked key signed it.
func notInForce(table terms.Table, sequence string) string {
	return "(" + isRejected(sequence) + " OR " + isRevoked(table, sequence) + ")"
}

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
func latestAfter(table terms.Table) string { return withState(table, revisionsAfter(table, 3)) }

// revisionsAfter are the latest revisions of the ids after an argument, at most as many as the next argument says.
func revisionsAfter(table terms.Table, after int) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT %[2]s AS id, max(%[3]s) AS number, rowid AS place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s > ?%[5]d GROUP BY %[2]s ORDER BY %[2]s LIMIT ?%[6]d", table, quote(id), quote(number), keyIndex(table), after, after+1)
}

// latestOf selects the latest revision of the id ?3.
func latestOf(table terms.Table) string { return withState(table, lastRevisionOf(table, 3)) }

// lastRevisionOf is the latest revision of the id that is an argument.
func lastRevisionOf(table terms.Table, named int) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT %[2]s AS id, %[3]s AS number, rowid AS place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s = ?%[5]d ORDER BY %[3]s DESC LIMIT 1", table, quote(id), quote(number), keyIndex(table), named)
}

// withRecordIDs selects, for the rows of "latest (id, number, place)", id, number, document, and the ids of the records on any revision
// of the id, on a line each.
func withRecordIDs(table terms.Table, latest string) string {
	enforcements := terms.EnforcementTable(terms.AreaOf(table))
	id, _ := keyColumns(enforcements)
	return fmt.Sprintf("SELECT latest.id, latest.number, %[6]s, coalesce((SELECT group_concat(logged.recordId, char(10))"+
		" FROM main.%[2]s AS recorded INDEXED BY %[3]s CROSS JOIN main.%[4]s AS logged ON logged.sequence = recorded.sequence"+
		" WHERE recorded.%[5]s = latest.id), '') FROM (%[7]s) AS latest CROSS JOIN main.%[1]s AS held ON held.rowid = latest.place",
		table, enforcements, keyIndex(enforcements), logTable, quote(id), storedPacket(table, "held"), latest)
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
