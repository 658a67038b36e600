package postgres

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
)

// Key implements engine.Flavor.
func (*transaction) Key(terms.Table) (id, number string) { return "id", "number" }

// in returns the name of a table of documents in a statement.
func in(table terms.Table) string { return "docket." + table.String() }

// enforcements lists the tables of the records.
var enforcements = [...]terms.Table{terms.AppealEnforcements, terms.AmendmentEnforcements}

// textsOf returns the expression of the texts of the packet in a row; NULL if there are none.
func textsOf(table terms.Table, row string) string {
	if table != terms.AppealCases {
		return "NULL::bytea"
	}
	return "(SELECT side.texts FROM docket.docket_packet_texts AS side WHERE side.place = " + row + ".place)"
}

// isEarlier is the condition that an answer, the row of the alias, is of a log of the service before the one that the console accepted last.
func isEarlier(alias string) string {
	return alias + ".service < (SELECT coalesce(max(position), 0) FROM docket.docket_handin_service)"
}

// isNewest is the condition that accepted is the newest receipt of the record at a place, and that the service did not reject the record since.
func isNewest(sequence string) string {
	return fmt.Sprintf("accepted.sequence = %[1]s AND accepted.service = (SELECT max(service) FROM docket.docket_handin_acceptances WHERE sequence = %[1]s)"+
		" AND NOT (%[2]s AND %[3]s)", sequence, isEarlier("accepted"), isRejected(sequence))
}

// theirsOn selects the records of the service's log, as theirs, on the revision of a packet table that the expressions
// name, without those of an earlier log of the service.
func theirsOn(packets terms.Table, id, revisions string) string {
	return fmt.Sprintf("docket.docket_handin_records AS theirs WHERE theirs.tableName = '%s' AND theirs.id = %s AND theirs.revision %s AND NOT %s",
		packets, id, revisions, isEarlier("theirs"))
}

// isAccepted is the condition that the service's log has the record at a place of the log.
func isAccepted(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM docket.docket_handin_acceptances AS accepted WHERE accepted.sequence = %s AND NOT %s)", sequence, isEarlier("accepted"))
}

// isRejected is the condition that the service rejected the record at a place of the log.
func isRejected(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM docket.docket_handin_rejections AS rejected WHERE rejected.sequence = %s)", sequence)
}

// isRevoked is the condition that a revoked key signed the record at a place of an enforcement table, so that it is not in force.
func isRevoked(table terms.Table, sequence string) string {
	return revokedSince(table, sequence, "fromSequence")
}

// neverInForce is the condition that the key was revoked before the record was made. Blockers of other records that are
// no longer in force stand, because no one can remove a blocker.
func neverInForce(table terms.Table, sequence string) string {
	return revokedSince(table, sequence, "madeSize")
}

func revokedSince(table terms.Table, sequence, bound string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM docket.docket_revoked_keys AS revoked JOIN %[1]s AS late"+
		" ON late.fingerprint = revoked.fingerprint AND late.reviewer = revoked.reviewerId WHERE late.sequence = %[2]s"+
		" AND late.sequence >= revoked.%[3]s AND NOT EXISTS (SELECT 1 FROM docket.docket_handin_acceptances AS accepted"+
		" WHERE accepted.sequence = late.sequence AND accepted.treeSize <= revoked.received AND NOT %[4]s))",
		in(table), sequence, bound, isEarlier("accepted"))
}

// notInForce is the condition that a record does not count: the service rejected it, or a revoked key signed it.
func notInForce(table terms.Table, sequence string) string {
	return "(" + isRejected(sequence) + " OR " + isRevoked(table, sequence) + ")"
}

// isOpen is the condition that a case is not settled, or an amendment not closed. For cases it is also the condition of
// their indexes.
func isOpen(area terms.Area) string {
	if area == terms.Appeals {
		return noneOf(queue.SettledCaseStatuses())
	}
	return noneOf(queue.ClosedAmendmentStates())
}

// noneOf is the condition that the status of a case, or the state of an amendment, is none of the words.
func noneOf[W fmt.Stringer](words []W) string {
	var list []string
	for _, word := range words {
		list = append(list, "'"+word.String()+"'")
	}
	return "listed.status NOT IN (" + strings.Join(list, ", ") + ")"
}

// isLatest is the condition that no later revision than that of the alias is held.
func isLatest(table terms.Table, alias string) string {
	return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %[1]s AS newer WHERE newer.id = %[2]s.id AND newer.number > %[2]s.number)", in(table), alias)
}
