package postgres

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// recordsOf is the engine.OwnRecords of a transaction.
type recordsOf struct{ engine.Tx }

// RecordsOf implements engine.Flavor.
func (*transaction) RecordsOf(tx engine.Tx) engine.OwnRecords { return recordsOf{tx} }

// loggedQuery selects leaves of the log with everything that is known of their records, in one statement: the leaf, its
// document, the record that superseded it, the service's answer, and the consequences of a rejection.
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
		return fmt.Sprintf("%[1]s AS held JOIN %[1]s AS later ON later.id = held.id AND later.number %[2]s held.number AND later.sequence > held.sequence", in(table), compare)
	}
	document := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT held.document FROM %s AS held WHERE held.sequence = leaf.sequence", in(table))
	})
	supersededBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(recordId) FROM (SELECT later.recordId FROM %s AS later WHERE later.supersedes = leaf.recordId AND NOT %s"+
			" UNION ALL SELECT theirs.recordId FROM docket.docket_handin_records AS theirs WHERE theirs.supersedes = leaf.recordId AND NOT %s) AS every",
			in(table), notInForce(table, "later.sequence"), isEarlier("theirs"))
	})
	// A record of the service's log replaces this one if the service names it when it rejects a later record on the
	// same revision.
	replacedBy := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT answer.inForce FROM %s JOIN docket.docket_handin_rejections AS answer ON answer.sequence = later.sequence"+
			" WHERE held.sequence = leaf.sequence AND answer.inForce NOT IN ('', leaf.recordId) ORDER BY answer.sequence LIMIT 1", later(table, "="))
	})
	revoked := ofTable(func(table terms.Table) string { return "SELECT " + isRevoked(table, "leaf.sequence") })
	judgedAgain := ofTable(func(table terms.Table) string {
		return fmt.Sprintf("SELECT max(later.sequence) FROM %s WHERE held.sequence = leaf.sequence", later(table, ">="))
	})
	return fmt.Sprintf("SELECT leaf.sequence, leaf.tableName, leaf.recordId, leaf.leafHash, leaf.document, %[1]s, accepted.receipt, accepted.keptAt,"+
		" rejected.signed, rejected.changes, CASE WHEN EXISTS (SELECT 1 FROM docket.docket_handin_rejections) THEN %[2]s END,"+
		" CASE WHEN rejected.signed IS NOT NULL OR leaf.revoked THEN %[3]s END,"+
		" EXISTS (SELECT 1 FROM docket.docket_log AS here WHERE here.recordId = rejected.inForce), leaf.revoked, EXISTS (SELECT 1 FROM docket.docket_handin_service)"+
		" FROM (SELECT leaf.*, %[4]s AS document, coalesce(%[5]s, false) AS revoked FROM docket.docket_log AS leaf %%s) AS leaf"+
		" LEFT JOIN docket.docket_handin_acceptances AS accepted ON accepted.sequence = leaf.sequence AND NOT "+isEarlier("accepted")+
		" LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = leaf.sequence ORDER BY leaf.sequence",
		supersededBy, replacedBy, judgedAgain, document, revoked)
}()

func (q recordsOf) LoggedBefore(ctx context.Context, before int64, most int, yield func(*engine.Logged) error) error {
	return q.logged(ctx, "WHERE leaf.sequence < $1 ORDER BY leaf.sequence DESC LIMIT $2", yield, before, most)
}

func (q recordsOf) LoggedOn(ctx context.Context, table terms.Table, key packets.Key, others bool, yield func(*engine.Logged) error) error {
	compare := "="
	if others {
		compare = "<>"
	}
	which := fmt.Sprintf("JOIN %s AS held ON held.recordId = leaf.recordId WHERE held.id = $1 AND held.number %s $2", in(table), compare)
	return q.logged(ctx, which, yield, key.ID, key.Number)
}

func (q recordsOf) LoggedAs(ctx context.Context, id records.RecordID, yield func(*engine.Logged) error) error {
	return q.logged(ctx, "WHERE leaf.recordId = $1", yield, id)
}

func (q recordsOf) LoggedFrom(ctx context.Context, from, to string, most int, yield func(*engine.Logged) error) error {
	return q.logged(ctx, "WHERE leaf.recordId >= $1 AND leaf.recordId < $2 ORDER BY leaf.recordId LIMIT $3", yield, from, to, most)
}

func (q recordsOf) LoggedAt(ctx context.Context, sequences []int64, yield func(*engine.Logged) error) error {
	return q.logged(ctx, "WHERE leaf.sequence = ANY ($1::bigint[])", yield, sequences)
}

// logged yields the leaves that a clause of the query selects.
func (q recordsOf) logged(ctx context.Context, which string, yield func(*engine.Logged) error, args ...any) error {
	return engine.EachLogged(ctx, q, fmt.Sprintf(loggedQuery, which), yield, args...)
}

// shortTail is the number of records at the end of the log up to which reading them all is preferred to an index on the
// assignee.
const shortTail = 128

// SequencesAfter reads no row outside the scope except the revisions of the assignee's packets, or the records after
// the sequence if they are few.
func (q recordsOf) SequencesAfter(ctx context.Context, table terms.Table, scope engine.RecordScope, after int64, most int) ([]int64, error) {
	where, named := "$1 = ''", ""
	switch {
	case scope.About != "":
		named, where = string(scope.About), "recorded.id = $1"
	case scope.Owner != "":
		named, where = string(scope.Owner), "recorded.owner = $1"
	case scope.Assignee != "":
		var last int64
		if err := q.Row(ctx, "SELECT coalesce(max(sequence), -1) FROM "+in(table), nil, &last); err != nil {
			return nil, err
		}
		held := terms.RecordTable(terms.AreaOf(table))
		named = string(scope.Assignee)
		where = fmt.Sprintf("recorded.id IN (SELECT held.id FROM %s AS held WHERE held.assignee = $1 AND %s)", in(held), isLatest(held, "held"))
		if last-after <= shortTail {
			where = fmt.Sprintf("(SELECT held.assignee FROM %s AS held WHERE held.id = recorded.id ORDER BY held.number DESC LIMIT 1) = $1", in(held))
		}
	}
	query := fmt.Sprintf("SELECT recorded.sequence FROM %s AS recorded WHERE %s AND recorded.sequence > $2 ORDER BY recorded.sequence LIMIT $3", in(table), where)
	return engine.Column[int64](ctx, q, query, named, after, most)
}

func (q recordsOf) Dates(ctx context.Context, from, to records.RecordID) (map[int64]engine.Dates, error) {
	query := fmt.Sprintf("SELECT held.sequence, coalesce(judged.filedAt, ''), coalesce(judged.deadline, '') FROM docket.docket_log AS leaf"+
		" JOIN %s AS held ON held.sequence = leaf.sequence JOIN %s AS judged ON judged.id = held.id AND judged.number = held.number"+
		" WHERE leaf.recordId >= $1 AND leaf.recordId <= $2", in(terms.AppealEnforcements), in(terms.AppealCases))
	return engine.DatesOf(ctx, q, query, from, to)
}

func (q recordsOf) Added(ctx context.Context, table terms.Table, key packets.Key, yield func(engine.Added) error) error {
	packets := terms.RecordTable(terms.AreaOf(table))
	query := fmt.Sprintf("SELECT held.number, held.document, coalesce(rejected.signed, ''), rejected.signed IS NOT NULL"+
		" FROM %[1]s AS held LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = held.sequence"+
		" WHERE held.id = $1 AND held.number <= $2 AND NOT %[2]s AND (rejected.signed IS NOT NULL OR %[3]s OR NOT EXISTS (SELECT 1 FROM %[4]s"+
		" AND theirs.afterRecords > held.sequence)) UNION ALL SELECT theirs.revision, convert_to(theirs.record, 'UTF8'), '', false FROM %[5]s",
		in(table), neverInForce(table, "held.sequence"), isAccepted("held.sequence"), theirsOn(packets, "$1", "= held.number"), theirsOn(packets, "$1", "<= $2"))
	return engine.Each(ctx, q, query, (*engine.Added).Columns, func(a *engine.Added) error { return yield(*a) }, key.ID, key.Number)
}

// entriesQuery reads the rows of the sequences in place (n), gaps included.
var entriesQuery = fmt.Sprintf(`
SELECT place.n, log.tableName, log.recordId, log.leafHash, signature.signature,
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), reasons.statement, coalesce(note.salt, ''), note.note,
  accepted.receipt, accepted.checkpoint, accepted.proof,
  CASE log.tableName WHEN '%[2]s' THEN amendment.document ELSE appeal.document END,
  CASE log.tableName WHEN '%[2]s' THEN appeal.document ELSE amendment.document END
FROM %%s AS place (n)
LEFT JOIN docket.docket_log AS log ON log.sequence = place.n
LEFT JOIN docket.%[1]s AS appeal ON appeal.sequence = place.n
LEFT JOIN docket.%[2]s AS amendment ON amendment.sequence = place.n
LEFT JOIN docket.docket_signatures AS signature ON signature.sequence = place.n
LEFT JOIN docket.docket_packet_salts AS packet ON packet.sequence = place.n
LEFT JOIN docket.docket_statements AS reasons ON reasons.sequence = place.n
LEFT JOIN docket.docket_notes AS note ON note.sequence = place.n
LEFT JOIN docket.docket_handin_acceptances AS accepted ON %[3]s
ORDER BY place.n`, terms.AppealEnforcements, terms.AmendmentEnforcements, isNewest("place.n"))

func (q recordsOf) Entries(ctx context.Context, from, to int64, yield func(*engine.Entry) error) error {
	return engine.EachEntry(ctx, q, fmt.Sprintf(entriesQuery, "generate_series($1::bigint, $2::bigint - 1)"), yield, from, to)
}

func (q recordsOf) EntriesAt(ctx context.Context, sequences []int64, yield func(*engine.Entry) error) error {
	return engine.EachEntry(ctx, q, fmt.Sprintf(entriesQuery, "unnest($1::bigint[])"), yield, sequences)
}
