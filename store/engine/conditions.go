package engine

import (
	"fmt"
	"strings"
	"sync"

	"docket/domain/queue"
	"docket/domain/terms"
)

// Words are what the engines write differently in queries of documents.
type Words interface {
	// Key returns the columns with the id and the number of a table of documents.
	Key(table terms.Table) (id, number string)
	// From names a table under an alias and, in SQLite, the index by which it has to be read, so
	// that a query that would read a whole table fails; "" for its primary key.
	From(table, alias, index string) string
	// Join is the join whose left side SQLite reads first.
	Join() string
	// InOrder orders rows, unless joined tables are read in the order of the first one.
	InOrder(by string) string
	// IsJSON is the condition that the columns of a row's document can be read: where it is no
	// JSON, reading one would end the query in SQLite.
	IsJSON(row string) string
	// Among is the condition that a number is in the list that is the argument $1.
	Among() string

	// Assignee, Owner and About are columns of a row; About is what packets on the same subject
	// share.
	Assignee(row string) string
	Owner(row string) string
	About(table terms.Table) string
	// Bytes is a text as the bytes of a document.
	Bytes(text string) string
	// SignedBy is the condition that a revoked key signed the record in a row.
	SignedBy(row, key string) string
	// Carries is the condition that the record in a row may hold blockers that people added.
	Carries(row string) string
	// RecordIDs are the ids of the records of a table on latest.id, on a line each.
	RecordIDs(table terms.Table) string

	// LatestAfter selects id, number and place of the latest revisions of the ids after an
	// argument; the next argument is the limit.
	LatestAfter(table terms.Table, after int) string
	// Assigned selects, as recorded, the records of a table that are on something that is assigned
	// to $1: from the end of the log, or from all that is assigned.
	Assigned(table terms.Table, end bool) string
	// On selects the leaves of the records on the id $1 whose number compares so with $2.
	On(table terms.Table, compare string) string
	// Places writes a query, for %s, over place (n): the numbers in the list $1, or those from $1
	// up to but not including $2.
	Places(listed bool) string
	// Arrivals is the query of Packets.Arrivals: place, whether it is theirs, id, number, owner
	// and, of the only revision of its id, the document; and the texts.
	Arrivals(table terms.Table, of Scope, after int64, most int) (query string, args []any)
}

// enforcements are the tables of the records.
var enforcements = [...]terms.Table{terms.AppealEnforcements, terms.AmendmentEnforcements}

// write fills in the words in braces of a query over a table of documents: {table}, {id}, {number},
// {join}, {texts}, those beside a row that is called held, and more.
func (t Tx) write(table terms.Table, query string, more ...string) string {
	id, number := t.flavor.Key(table)
	words := append(more, "table", table.String(), "id", id, "number", number,
		"join", t.flavor.Join(), "texts", TextsOf(table))
	meant := func(name string) string {
		for i := 0; ; i += 2 {
			if words[i] == name {
				return words[i+1]
			}
		}
	}
	var written strings.Builder
	for {
		before, rest, there := strings.Cut(query, "{")
		written.WriteString(before)
		if !there {
			return written.String()
		}
		var name string
		name, query, _ = strings.Cut(rest, "}")
		written.WriteString(meant(name))
	}
}

// texts are long queries by their names and the engine's Join.
var texts sync.Map

// once returns a long query, which is written the first time.
func (t Tx) once(name string, write func() string) string {
	name += t.flavor.Join()
	text, there := texts.Load(name)
	if !there {
		text, _ = texts.LoadOrStore(name, write())
	}
	return text.(string)
}

// ofTable selects by the table that the log names of a leaf.
func ofTable(query func(table terms.Table) string) string {
	text := "CASE leaf.tableName"
	for _, table := range enforcements {
		text += fmt.Sprintf(" WHEN '%s' THEN (%s)", table, query(table))
	}
	return text + " END"
}

// TextsOf are the texts beside a row, called held, of a table of packets; NULL where there are
// none.
func TextsOf(table terms.Table) string {
	if table != terms.AppealCases {
		return "NULL"
	}
	return "(SELECT side.texts FROM docket_packet_texts AS side WHERE side.place = held.place)"
}

// ifJSON is a column of a row if its document is JSON.
func (t Tx) ifJSON(row, column, otherwise string) string {
	return "CASE WHEN " + t.flavor.IsJSON(row) + " THEN " + column + " ELSE " + otherwise + " END"
}

// OwnerOf returns the owner in a row of a table; "”" for none.
func OwnerOf(words Words, table terms.Table, row string) string {
	if terms.AreaOf(table) == terms.Appeals {
		return "''"
	}
	return "coalesce(" + words.Owner(row) + ", '')"
}

// isEarlier is the condition that an answer, the row of the alias, is of a log of the service
// before the one that the console accepted last.
func isEarlier(alias string) string {
	return alias + ".service < (SELECT coalesce(max(position), 0) FROM docket_handin_service)"
}

// isNewest is the condition that accepted is the newest receipt of the record at a place, and that
// the service did not reject the record since.
func isNewest(sequence string) string {
	return fmt.Sprintf("accepted.sequence = %[1]s AND accepted.service ="+
		" (SELECT max(service) FROM docket_handin_acceptances WHERE sequence = %[1]s)"+
		" AND NOT (%[2]s AND %[3]s)", sequence, isEarlier("accepted"), isRejected(sequence))
}

// theirsOn selects the records of the service's log, as theirs, on the revision of a packet table
// that the expressions name, without those of an earlier log of the service. They replace earlier
// records of this log on the revision.
func (t Tx) theirsOn(packets terms.Table, id, revisions string) string {
	return fmt.Sprintf("%s WHERE theirs.tableName = '%s' AND theirs.id = %s AND theirs.revision %s"+
		" AND NOT %s", t.flavor.From("docket_handin_records", "theirs", "key"), packets, id, revisions,
		isEarlier("theirs"))
}

// isRejected is the condition that the service rejected the record at a place of the log.
func isRejected(sequence string) string {
	return "EXISTS (SELECT 1 FROM docket_handin_rejections AS rejected" +
		" WHERE rejected.sequence = " + sequence + ")"
}

// isAccepted is the condition that the service's log has the record at a place of the log.
func isAccepted(sequence string) string {
	return "EXISTS (SELECT 1 FROM docket_handin_acceptances AS accepted" +
		" WHERE accepted.sequence = " + sequence + " AND NOT " + isEarlier("accepted") + ")"
}

// isRevoked is the condition that a revoked key signed the record at a place of an enforcement
// table, so that it is not in force.
func (t Tx) isRevoked(table terms.Table, sequence string) string {
	return t.revokedSince(table, sequence, "fromSequence")
}

// neverInForce is the condition that the key was revoked before the record was made. Blockers of
// other records that are no longer in force stand, because no one can remove a blocker.
func (t Tx) neverInForce(table terms.Table, sequence string) string {
	return t.revokedSince(table, sequence, "madeSize")
}

func (t Tx) revokedSince(table terms.Table, sequence, bound string) string {
	return t.write(table, "EXISTS (SELECT 1 FROM docket_revoked_keys AS revoked"+
		" {join} {table} AS late ON late.sequence = {sequence} WHERE late.sequence >= revoked.{bound}"+
		" AND NOT EXISTS (SELECT 1 FROM docket_handin_acceptances AS accepted"+
		" WHERE accepted.sequence = late.sequence AND accepted.treeSize <= revoked.received"+
		" AND NOT {earlier}) AND {signed})",
		"sequence", sequence, "bound", bound, "earlier", isEarlier("accepted"),
		"signed", t.flavor.SignedBy("late", "revoked"))
}

// notInForce is the condition that a record does not count: the service rejected it, or a revoked
// key signed it.
func (t Tx) notInForce(table terms.Table, sequence string) string {
	return "(" + isRejected(sequence) + " OR " + t.isRevoked(table, sequence) + ")"
}

// mayCarry is the condition that a record may hold blockers that people added: its document has
// some, or there is a rejection of it. With it the queue need not read every record.
func (t Tx) mayCarry(record string) string {
	return "(" + t.flavor.Carries(record) + " OR " + isRejected(record+".sequence") + ")"
}

// Unsettled is the condition of the indexes of appeals, and therefore of their queries: otherwise
// the deadlines of closed cases would fill the top of the queue.
func Unsettled(status string) string {
	var list []string
	for _, word := range queue.SettledCaseStatuses() {
		list = append(list, "'"+word.String()+"'")
	}
	return status + " NOT IN (" + strings.Join(list, ", ") + ")"
}
