package engine

import (
	"context"
	"fmt"

	"docket/domain/keys"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// A Record is an enforcement record with what is stored with it, all at its sequence of the log.
type Record struct {
	Sequence   int64
	Table      terms.Table
	Document   []byte
	Signature  []byte            // armored
	PacketSalt packets.Salt      // "": none is stored
	Statement  records.Statement // of reasons; the same
	Note       records.Note      // the same
}

// An Ending is the end of the log, with the state on which appending a record depends.
type Ending struct {
	Last    int64            // sequence of the last leaf; -1: none
	Known   bool             // there is a record under the id
	Listed  bool             // the reviewer's key has signed before
	Other   bool             // another key of the reviewer has
	Revoked bool             // the reviewer's key is revoked
	Newest  records.RecordID // the greatest of the log; "" for none
}

// A Logged is a leaf of the log with everything that the store knows of its record.
type Logged struct {
	Leaf
	Document     []byte           // nil if its row is gone
	SupersededBy records.RecordID // the newest record in force that names it; "" for none, or if its document is no JSON
	Answer       Answer           // of the service
	ReplacedBy   records.RecordID // which the service named when it rejected a later record on the same revision
	JudgedAgain  int64            // sequence of the last record that followed one that is not in force; 0 for none
	InForceHere  bool             // the record that the service's rejection names is in this log
	Revoked      bool             // a revoked key signed it
	Bound        bool             // there is a service that a record waits for
}

// Dates are the dates of a case as they are stored; "" for none, or if the document is not JSON.
type Dates struct{ FiledAt, Deadline string }

// An Added is a record that may say which blockers people added, and the rejection that the service signed, if it did.
type Added struct {
	Revision  int64
	Document  []byte
	Rejected  bool
	Rejection string
}

// An Entry is what is stored at one sequence of the log.
type Entry struct {
	Sequence   int64
	Table      string // as the log says; "" if it has no such leaf
	RecordID   records.RecordID
	LeafHash   []byte
	Document   []byte // in the table that the log names; nil if there is none
	Elsewhere  []byte // in the other table
	Signature  []byte
	PacketSalt packets.Salt
	Statement  records.Statement
	Note       records.Note
	Acceptance *signed.Acceptance // nil for none that stands
}

// A RecordScope selects records of a table: all of them or, if a member is set, those that it names.
type RecordScope struct {
	About    terms.ID // the case or the amendment that they are on
	Assignee terms.ID // to whom the latest revision of what they are on is assigned
	Owner    terms.ID // of the amendment, as they say
}

// Records are the enforcement records and what is stored with them. A record is not in force if the service rejected it
// or a revoked key signed the record.
type Records struct{ Tx }

// Records returns the enforcement records.
func (t Tx) Records() Records { return Records{t} }

// Ending returns the end of the log for a record of a reviewer.
func (q Records) Ending(ctx context.Context, id records.RecordID, reviewer records.Reviewer) (end Ending, err error) {
	err = q.get(ctx, "Ending", []any{id, reviewer.ID, reviewer.KeyFingerprint}, &end.Last, &end.Known, &end.Listed, &end.Other, &end.Revoked, &end.Newest)
	return end, err
}

// Add adds a record. Its leaf has to be there.
func (q Records) Add(ctx context.Context, r *Record) error {
	err := q.Exec1(ctx, "INSERT INTO "+r.Table.String()+" (sequence, document) VALUES ($1, $2)", r.Sequence, Text(r.Document))
	if err == nil {
		err = q.add(ctx, "AddSignature", r.Sequence, string(r.Signature))
	}
	if err == nil && r.PacketSalt != "" {
		err = q.add(ctx, "AddPacketSalt", r.Sequence, r.PacketSalt)
	}
	if err == nil && r.Statement.Present() {
		err = q.add(ctx, "AddReasons", r.Sequence, r.Statement.Salt, Text(r.Statement.Text))
	}
	if err == nil && r.Note.Text != "" {
		err = q.add(ctx, "AddNote", r.Sequence, r.Note.Salt, Text(r.Note.Text))
	}
	return err
}

// Document returns the bytes at a sequence of a table, or ErrNoRow.
func (q Records) Document(ctx context.Context, table terms.Table, sequence int64) (document []byte, err error) {
	err = q.Row(ctx, "SELECT document FROM "+table.String()+" WHERE sequence = $1", []any{sequence}, &document)
	return document, err
}

// About is the id of the case or the amendment of the record at a sequence of a table, or ErrNoRow.
func (q Records) About(ctx context.Context, table terms.Table, sequence int64) (id terms.ID, err error) {
	column, _ := q.flavor.Key(table)
	err = q.Row(ctx, "SELECT "+column+" FROM "+table.String()+" WHERE sequence = $1", []any{sequence}, &id)
	return id, err
}

// Signature returns that of a record, or ErrNoRow.
func (q Records) Signature(ctx context.Context, id records.RecordID) ([]byte, error) {
	return value[[]byte](ctx, q.Tx, "Signature", id)
}

// PacketSalt returns that of a record's packet digest, or ErrNoRow.
func (q Records) PacketSalt(ctx context.Context, id records.RecordID) (packets.Salt, error) {
	return value[packets.Salt](ctx, q.Tx, "PacketSalt", id)
}

// Statement returns the statement of reasons of a record, or ErrNoRow.
func (q Records) Statement(ctx context.Context, id records.RecordID) (s records.Statement, err error) {
	err = q.get(ctx, "Reasons", []any{id}, &s.Salt, &s.Text)
	return s, err
}

// Note returns that of a record, or ErrNoRow.
func (q Records) Note(ctx context.Context, id records.RecordID) (note records.Note, err error) {
	err = q.get(ctx, "Note", []any{id}, &note.Salt, &note.Text)
	return note, err
}

// loggedQuery selects the leaves of the log that a clause, for %s, selects, with everything that is known of their
// records, in one statement: the leaf, its document, the record that superseded it, the service's answer, and the
// consequences of a rejection.
func (q Records) loggedQuery() string {
	// later selects the later records on the same id, compared by their number.
	later := func(table terms.Table, compare string) string {
		return q.write(table, "{table} AS held {join} {later} ON later.{id} = held.{id} AND later.{number} {compare} held.{number}"+
			" AND later.sequence > held.sequence", "later", q.flavor.From(table.String(), "later", "key"), "compare", compare)
	}
	document := ofTable(func(table terms.Table) string {
		return "SELECT held.document FROM " + table.String() + " AS held WHERE held.sequence = leaf.sequence"
	})
	supersededBy := ofTable(func(table terms.Table) string {
		return "SELECT max(recordId) FROM (SELECT later.recordId FROM " + q.flavor.From(table.String(), "later", "supersedes") +
			" WHERE later.supersedes = leaf.recordId AND NOT " + q.notInForce(table, "later.sequence") +
			" UNION ALL SELECT theirs.recordId FROM " + q.flavor.From("docket_handin_records", "theirs", "supersedes") +
			" WHERE theirs.supersedes = leaf.recordId AND NOT " + isEarlier("theirs") + ") AS every"
	})
	// A record of the service's log replaces this one if the service names it when it rejects a later record on the
	// same revision.
	replacedBy := ofTable(func(table terms.Table) string {
		return "SELECT answer.inForce FROM " + later(table, "=") + " JOIN docket_handin_rejections AS answer ON answer.sequence = later.sequence" +
			" WHERE held.sequence = leaf.sequence AND answer.inForce NOT IN ('', leaf.recordId) ORDER BY answer.sequence LIMIT 1"
	})
	judgedAgain := ofTable(func(table terms.Table) string {
		return "SELECT max(later.sequence) FROM " + later(table, ">=") + " WHERE held.sequence = leaf.sequence"
	})
	revoked := ofTable(func(table terms.Table) string { return "SELECT " + q.isRevoked(table, "leaf.sequence") })
	return "SELECT leaf.sequence, leaf.tableName, leaf.recordId, leaf.leafHash, leaf.document, " + supersededBy + ", accepted.receipt, accepted.keptAt," +
		" rejected.signed, rejected.changes, CASE WHEN EXISTS (SELECT 1 FROM docket_handin_rejections) AND " + q.flavor.IsJSON("leaf") + " THEN " + replacedBy + " END," +
		" CASE WHEN (rejected.signed IS NOT NULL OR leaf.revoked) AND " + q.flavor.IsJSON("leaf") + " THEN " + judgedAgain + " END," +
		" EXISTS (SELECT 1 FROM docket_log AS here WHERE here.recordId = rejected.inForce), leaf.revoked, EXISTS (SELECT 1 FROM docket_handin_service WHERE position >= 0)" +
		" FROM (SELECT leaf.*, " + document + " AS document, coalesce(" + revoked + ", false) AS revoked FROM docket_log AS leaf %s) AS leaf" +
		" LEFT JOIN docket_handin_acceptances AS accepted ON accepted.sequence = leaf.sequence AND NOT " + isEarlier("accepted") +
		" LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = leaf.sequence ORDER BY leaf.sequence"
}

func (q Records) logged(ctx context.Context, which string, yield func(*Logged) error, args ...any) error {
	query := fmt.Sprintf(q.once("logged", q.loggedQuery), which)
	return q.EachRow(ctx, query, func(scan Scan) error {
		var l Logged
		var superseded, replaced *string
		var again *int64
		var answer answerRow
		columns := append(append(l.Leaf.Columns(), &l.Document, &superseded), answer.Columns()...)
		if err := scan(append(columns, &replaced, &again, &l.InForceHere, &l.Revoked, &l.Bound)...); err != nil {
			return err
		}
		l.SupersededBy, l.ReplacedBy = records.RecordID(text(superseded)), records.RecordID(text(replaced))
		if again != nil {
			l.JudgedAgain = *again
		}
		l.Answer = answer.Answer()
		return yield(&l)
	}, args...)
}

// LoggedBefore yields at most so many leaves with a sequence below before, the last ones, in the order of the log.
func (q Records) LoggedBefore(ctx context.Context, before int64, most int, yield func(*Logged) error) error {
	return q.logged(ctx, "WHERE leaf.sequence < $1 ORDER BY leaf.sequence DESC LIMIT $2", yield, before, most)
}

// LoggedOn yields those of the records on one revision, or on the other revisions of its id, in the order of the log.
func (q Records) LoggedOn(ctx context.Context, table terms.Table, key packets.Key, others bool, yield func(*Logged) error) error {
	compare := "="
	if others {
		compare = "<>"
	}
	return q.logged(ctx, q.flavor.On(table, compare), yield, key.ID, key.Number)
}

// LoggedAs yields that of the record of an id, if there is one.
func (q Records) LoggedAs(ctx context.Context, id records.RecordID, yield func(*Logged) error) error {
	return q.logged(ctx, "WHERE leaf.recordId = $1", yield, id)
}

// LoggedFrom yields at most so many with an id from one on and below another, in the order of the log: those whose ids come first.
func (q Records) LoggedFrom(ctx context.Context, from, to string, most int, yield func(*Logged) error) error {
	return q.logged(ctx, "WHERE leaf.recordId >= $1 AND leaf.recordId < $2 ORDER BY leaf.recordId LIMIT $3", yield, from, to, most)
}

// LoggedAt yields the leaves at sequences, in the order of the log.
func (q Records) LoggedAt(ctx context.Context, sequences []int64, yield func(*Logged) error) error {
	return q.logged(ctx, "WHERE leaf.sequence "+q.flavor.Among(), yield, listed(sequences))
}

// shortTail is the number of records at the end of the log up to which reading them all is preferred to an index on the
// assignee.
const shortTail = 128

// SequencesAfter returns at most so many sequences of the records of a table in the scope, those that come next after
// one, in order. It reads no row outside the scope except the revisions of the assignee's packets, or the records after
// the sequence if they are few.
func (q Records) SequencesAfter(ctx context.Context, table terms.Table, scope RecordScope, after int64, most int) ([]int64, error) {
	id, _ := q.flavor.Key(table)
	from, named := table.String()+" AS recorded WHERE $1 = ''", terms.ID("")
	switch {
	case scope.About != "":
		named, from = scope.About, q.flavor.From(table.String(), "recorded", "key")+" WHERE recorded."+id+" = $1"
	case scope.Assignee != "":
		var last int64
		if err := q.Row(ctx, "SELECT coalesce(max(sequence), -1) FROM "+table.String(), nil, &last); err != nil {
			return nil, err
		}
		named, from = scope.Assignee, q.flavor.Assigned(table, last-after <= shortTail)
	case scope.Owner != "":
		named, from = scope.Owner, q.flavor.From(table.String(), "recorded", "owner")+" WHERE "+q.flavor.Owner("recorded")+" = $1"
	}
	return Column[int64](ctx, q, "SELECT recorded.sequence FROM "+from+" AND recorded.sequence > $2 ORDER BY recorded.sequence LIMIT $3", named, after, most)
}

// Dates returns those of the cases that the records with ids from one to another judged, by the sequence of the record.
func (q Records) Dates(ctx context.Context, from, to records.RecordID) (map[int64]Dates, error) {
	const cases = terms.AppealCases
	id, number := q.flavor.Key(terms.AppealEnforcements)
	query := q.write(cases, "SELECT held.sequence, coalesce({filedAt}, ''), coalesce({deadline}, '') FROM docket_log AS leaf"+
		" {join} {held} ON held.sequence = leaf.sequence {join} {judged} ON judged.{id} = {of} AND judged.{number} = {on}"+
		" WHERE leaf.recordId >= $1 AND leaf.recordId <= $2",
		"filedAt", q.ifJSON("judged", "judged.filedAt", "NULL"),
		"deadline", q.ifJSON("judged", "judged.deadline", "NULL"),
		"held", q.flavor.From(terms.AppealEnforcements.String(), "held", ""),
		"judged", q.flavor.From(cases.String(), "judged", "key"),
		"of", q.ifJSON("held", "held."+id, "NULL"), "on", q.ifJSON("held", "held."+number, "NULL"))
	dates := map[int64]Dates{}
	return dates, q.EachRow(ctx, query, func(scan Scan) error {
		var sequence int64
		var d Dates
		err := scan(&sequence, &d.FiledAt, &d.Deadline)
		dates[sequence] = d
		return err
	}, from, to)
}

// Added yields the records of a table on a revision and on those before it that were ever in force or that the service rejected,
// and those of the service's log. A record without an answer stops counting once a record of the service's log on
// its revision is kept, because the service will reject it.
func (q Records) Added(ctx context.Context, table terms.Table, key packets.Key, yield func(Added) error) error {
	packets := terms.RecordTable(terms.AreaOf(table))
	id, number := q.flavor.Key(table)
	query := "SELECT held." + number + ", held.document, coalesce(rejected.signed, ''), rejected.signed IS NOT NULL FROM " + q.flavor.From(table.String(), "held", "key") +
		" LEFT JOIN docket_handin_rejections AS rejected ON rejected.sequence = held.sequence WHERE held." + id + " = $1 AND held." + number + " <= $2" +
		" AND NOT " + q.neverInForce(table, "held.sequence") + " AND (rejected.signed IS NOT NULL OR " + isAccepted("held.sequence") +
		" OR NOT EXISTS (SELECT 1 FROM " + q.theirsOn(packets, "$1", "= held."+number) + " AND theirs.afterRecords > held.sequence))" +
		" UNION ALL SELECT theirs.revision, " + q.flavor.Bytes("theirs.record") + ", '', false FROM " + q.theirsOn(packets, "$1", "<= $2")
	columns := func(a *Added) []any { return []any{&a.Revision, &a.Document, &a.Rejection, &a.Rejected} }
	return Each(ctx, q, query, columns, func(a *Added) error { return yield(*a) }, key.ID, key.Number)
}

// entries reads the rows of the sequences in place (n), gaps included. It finds records by their place and reads no
// column that is derived from a document.
var entries = fmt.Sprintf(`
SELECT place.n, log.tableName, log.recordId, log.leafHash, signature.signature,
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), reasons.statement, coalesce(note.salt, ''), note.note,
  accepted.receipt, accepted.checkpoint, accepted.proof,
  CASE log.tableName WHEN '%[2]s' THEN amendment.document ELSE appeal.document END,
  CASE log.tableName WHEN '%[2]s' THEN appeal.document ELSE amendment.document END
FROM place
LEFT JOIN docket_log AS log ON log.sequence = place.n
LEFT JOIN %[1]s AS appeal ON appeal.sequence = place.n
LEFT JOIN %[2]s AS amendment ON amendment.sequence = place.n
LEFT JOIN docket_signatures AS signature ON signature.sequence = place.n
LEFT JOIN docket_packet_salts AS packet ON packet.sequence = place.n
LEFT JOIN docket_statements AS reasons ON reasons.sequence = place.n
LEFT JOIN docket_notes AS note ON note.sequence = place.n
LEFT JOIN docket_handin_acceptances AS accepted ON %[3]s`, terms.AppealEnforcements, terms.AmendmentEnforcements, isNewest("place.n"))

// Entries yields the stored entries of each sequence from one up to but not including another, gaps included.
func (q Records) Entries(ctx context.Context, from, to int64, yield func(*Entry) error) error {
	return q.entries(ctx, false, yield, from, to)
}

// EntriesAt yields the stored entries at these sequences.
func (q Records) EntriesAt(ctx context.Context, sequences []int64, yield func(*Entry) error) error {
	return q.entries(ctx, true, yield, listed(sequences))
}

// entries yields one entry a sequence, also where an edited store has two receipts that stand for a record:
// Answers.Acceptances yields both.
func (q Records) entries(ctx context.Context, some bool, yield func(*Entry) error, args ...any) error {
	last := int64(-1)
	return q.EachRow(ctx, fmt.Sprintf(q.flavor.Places(some), entries), func(scan Scan) error {
		var e Entry
		var table, id, receipt, checkpoint, proof *string
		var statement, note []byte
		err := scan(&e.Sequence, &table, &id, &e.LeafHash, &e.Signature, &e.PacketSalt, &e.Statement.Salt, &statement,
			&e.Note.Salt, &note, &receipt, &checkpoint, &proof, &e.Document, &e.Elsewhere)
		if err != nil || e.Sequence == last {
			return err
		}
		last = e.Sequence
		if receipt != nil {
			e.Acceptance = &signed.Acceptance{Receipt: *receipt, Checkpoint: text(checkpoint), Proof: text(proof)}
		}
		e.Table, e.RecordID = text(table), records.RecordID(text(id))
		e.Statement.Text, e.Note.Text = string(statement), string(note)
		return yield(&e)
	}, args...)
}

// A Signer is a key that has signed a record, as it is stored.
type Signer struct {
	Reviewer    terms.ID
	Fingerprint string // OpenSSH's SHA256:… form
	PublicKey   string // in one line of the form of authorized_keys
	Since       string // recordedAt of the first record it signed
}

// Keys are the keys of the reviewers.
type Keys struct{ Tx }

// Keys returns the keys of the reviewers.
func (t Tx) Keys() Keys { return Keys{t} }

// Signers returns the keys that have signed, in the order in which they were first used.
func (q Keys) Signers(ctx context.Context) ([]Signer, error) {
	return all[Signer](ctx, q.Tx, "Signers")
}

// AddSigner adds one.
func (q Keys) AddSigner(ctx context.Context, s Signer) error {
	return q.add(ctx, "AddSigner", s.Reviewer, s.Fingerprint, s.PublicKey, s.Since)
}

// Revoked returns the revocations that the queries use.
func (q Keys) Revoked(ctx context.Context) ([]keys.Revocation, error) {
	return List(ctx, q, q.named("RevokedKeys"), RevocationColumns)
}

// SetRevoked replaces them.
func (q Keys) SetRevoked(ctx context.Context, list []keys.Revocation) error {
	_, err := q.run(ctx, "ClearRevokedKeys")
	for _, r := range list {
		if err == nil {
			err = q.add(ctx, "AddRevokedKey", r.Reviewer, r.Fingerprint, r.From, r.Made, r.Received)
		}
	}
	return err
}
