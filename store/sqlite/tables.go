package sqlite

import (
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
)

// The tables of the log, of its records and of what is stored with them. Their columns are in schema.sql.
const (
	logTable         = "docket_log"
	signaturesTable  = "docket_signatures"
	signersTable     = "docket_signers"
	notesTable       = "docket_notes"
	saltsTable       = "docket_packet_salts"
	textsTable       = "docket_packet_texts"
	reasonsTable     = "docket_statements"
	statementsTable  = "docket_log_statements"
	packetHeadsTable = "docket_packet_heads"
	revokedTable     = "docket_revoked_keys"
)

// enforcements are the tables of the records.
var enforcements = [...]terms.Table{terms.AppealEnforcements, terms.AmendmentEnforcements}

// The tables of local state, whose rows may be changed and deleted.
const (
	skipsTable  = "docket_skips"
	draftsTable = "docket_drafts"
	// Cases and amendments that the service assigned to another reviewer, as it last reported; docket pull --afresh has
	// it report them again.
	reassignedTable = "docket_handin_reassigned"
)

// The tables in which a console's store keeps the answers of its service.
const (
	serviceTable     = "docket_handin_service"
	acceptancesTable = "docket_handin_acceptances"
	rejectionsTable  = "docket_handin_rejections"

	serviceRecordsTable = "docket_handin_records"
)

// The tables of a service. In a console's store they stay empty.
const (
	otherAssigneesTable = "docket_service_other_assignees"
	otherOwnersTable    = "docket_service_other_owners" // of amendments
)

// quote makes an identifier of a member's name; some, such as trigger, are key words of SQL.
func quote(name string) string { return `"` + name + `"` }

// Key implements engine.Flavor.
func (flavor) Key(table terms.Table) (id, number string) { return keyColumns(table) }

// keyColumns returns the columns of the key of a table of documents: id and number.
func keyColumns(table terms.Table) (id, number string) {
	if info, ok := packets.Info(table); ok {
		return info.IDMember, info.NumberMember
	}
	if terms.AreaOf(table) == terms.Appeals {
		return "caseId", "caseRevision"
	}
	return "amendmentId", "amendmentRevision"
}

// relatedColumn returns the column that packets of a table about the same subject share; "" if there is none.
func relatedColumn(table terms.Table) string {
	switch table {
	case terms.AppealCases:
		return "subjectId"
	case terms.AmendmentRecords:
		return "agreementId"
	}
	return ""
}

// The indexes of the tables of documents, on their key columns, on what a record supersedes, on its owner, on relatedColumn, on the assignee and
// on the deadline. Queries name them, so that one that would read a whole table fails.
func keyIndex(table terms.Table) string        { return table.String() + "_key" }
func supersedesIndex(table terms.Table) string { return table.String() + "_supersedes" }
func relatedIndex(table terms.Table) string    { return table.String() + "_related" }
func assigneeIndex(table terms.Table) string   { return table.String() + "_assignee" }
func ownerIndex(table terms.Table) string      { return table.String() + "_owner" }
func deadlineIndex(table terms.Table) string   { return table.String() + "_" + deadlineColumn }

// assignedIndex is the index on the assignee, in the order of arrival.
func assignedIndex(table terms.Table) string { return table.String() + "_assigned" }

// ownedIndex is the index on the owner of amendments.
func ownedIndex(table terms.Table) string { return table.String() + "_owned" }

// storedPacket is the packet in a row of a table of packets, as packets.Joined writes it: the document and, while they are there, its
// texts.
func storedPacket(table terms.Table, row string) string {
	if table != terms.AppealCases {
		return row + ".document"
	}
	return fmt.Sprintf("coalesce(substr(%[1]s.document, 1, length(%[1]s.document) - 1) || ',\"texts\":' || %[2]s || '}', %[1]s.document)", row, textsOf(table, row))
}

// textsOf are the texts beside a row of a table of packets; NULL where there are none.
func textsOf(table terms.Table, row string) string {
	if table != terms.AppealCases {
		return "NULL"
	}
	return fmt.Sprintf("(SELECT texts FROM main.%s AS side WHERE side.place = %s.place)", textsTable, row)
}

// joined is the packet in the two columns.
func joined(document string, texts *string) []byte {
	if texts == nil {
		return []byte(document)
	}
	return packets.Joined(document, *texts)
}

// isEarlier is the condition that an answer, the row of the alias, is of a log of the service before the one that the console accepted last.
func isEarlier(alias string) string {
	return fmt.Sprintf("%s.service < (SELECT coalesce(max(position), 0) FROM main.%s)", alias, serviceTable)
}

// A record of the service's log that another console handed in replaces earlier records of this log on its revision.

// isNewest is the condition that accepted is the newest receipt of the record at a place, and that the service did not reject the record since.
func isNewest(sequence string) string {
	return fmt.Sprintf("accepted.sequence = %[1]s AND accepted.service = (SELECT max(service) FROM main.%[2]s WHERE sequence = %[1]s) AND NOT (%[3]s AND %[4]s)",
		sequence, acceptancesTable, isEarlier("accepted"), isRejected(sequence))
}

// theirsOn selects the records of the service's log, as theirs, on the revision of a packet table that the expressions
// name, without those of an earlier log of the service.
func theirsOn(packets terms.Table, id, revisions string) string {
	return fmt.Sprintf("main.%[1]s AS theirs INDEXED BY %[1]s_key WHERE theirs.tableName = '%[2]s' AND theirs.id = %[3]s AND theirs.revision %[4]s AND NOT %[5]s",
		serviceRecordsTable, packets, id, revisions, isEarlier("theirs"))
}

// isRejected is the condition that the service rejected the record at a place of the log.
func isRejected(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%s AS rejected WHERE rejected.sequence = %s)", rejectionsTable, sequence)
}

// isAccepted is the condition that the service's log has the record at a place of the log.
func isAccepted(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%s AS accepted WHERE accepted.sequence = %s AND NOT %s)", acceptancesTable, sequence, isEarlier("accepted"))
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
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%[1]s AS revoked CROSS JOIN main.%[2]s AS late ON late.sequence = %[3]s"+
		" WHERE late.sequence >= revoked.%[4]s AND NOT EXISTS (SELECT 1 FROM main.%[5]s AS accepted WHERE accepted.sequence = late.sequence"+
		" AND accepted.treeSize <= revoked.received AND NOT %[6]s) AND CASE WHEN json_valid(late.document) THEN"+
		" json_extract(late.document, '$.reviewer.keyFingerprint') = revoked.fingerprint AND json_extract(late.document, '$.reviewer.id') = revoked.reviewerId END)",
		revokedTable, table, sequence, bound, acceptancesTable, isEarlier("accepted"))
}

// notInForce is the condition that a record does not count: the service rejected it, or a revoked key signed it.
func notInForce(table terms.Table, sequence string) string {
	return "(" + isRejected(sequence) + " OR " + isRevoked(table, sequence) + ")"
}

// mayCarry is the condition that a record may hold blockers that people added: its document has some, or there is a
// rejection of it. With it the queue need not read every record.
func mayCarry(record string) string {
	return fmt.Sprintf(`(instr(%[1]s.document, '"reviewerBlockers":[]') = 0 OR instr(%[1]s.document, '"carriedBlockers":[]') = 0 OR %[2]s)`,
		record, isRejected(record+".sequence"))
}

// ifJSON guards an expression over a document that would fail if the document were not JSON.
func ifJSON(row, expression, otherwise string) string {
	return "CASE WHEN json_valid(" + row + ".document) THEN " + expression + " ELSE " + otherwise + " END"
}
