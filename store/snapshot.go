package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/sqlite"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// A Snapshot is a store as it was at one moment, as a verify.Source. Because nothing is ever changed in a store, it is told apart from
// what came later by numbers alone: it holds no lock, keeps no transaction open and needs no closing.
type Snapshot struct {
	store      *Store
	db         *sqlite.Readers       // what it reads through; nil: what the store reads through
	tx         engine.Tx             // in which it reads, if it is of no use after that; nil otherwise
	origin     string                // "" if the store has none
	verifier   string                // key of the checkpoints; likewise
	size       int64                 // of the log
	last       map[terms.Table]int64 // rowid of the newest packet of a table
	checkpoint []byte
	anchor     *verify.Anchor     // nil: the log is not held to one
	packets    *merkle.PacketHead // that is kept outside the store; nil: likewise
	tables     *merkle.TableHead  // likewise
	signers    []Signer
	statements []signed.Statement

	service       string   // verifier key of the service; "" for none
	services      []string // those that it had before restores
	lastRejection int64    // position; -1 for none

	lastCosignature int64 // likewise
}

// Snapshot returns the store as it is at this moment.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	v := &Snapshot{store: s}
	if err := v.reading(ctx, "read the log", v.take); err != nil {
		return nil, err
	}
	return v, nil
}

// takeAt takes the snapshot through a transaction, in which it goes on reading, in the same time for a log of any size.
func (v *Snapshot) takeAt(ctx context.Context, tx engine.Tx) (err error) {
	v.tx = tx
	v.size, err = logSize(ctx, tx)
	if err != nil && !errors.Is(err, ErrDamaged) { // VerifyHead finds that
		return err
	}
	return v.takeFacts(ctx, tx)
}

func (v *Snapshot) take(ctx context.Context, tx engine.Tx) (err error) {
	if v.size, err = logExtent(ctx, tx); err != nil {
		return err
	}
	return v.takeFacts(ctx, tx)
}

// takeFacts reads all but the size.
func (v *Snapshot) takeFacts(ctx context.Context, tx engine.Tx) error {
	var unusable *merkle.KeyError
	name, err := currentLog(ctx, tx)
	if err != nil && !errors.As(err, &unusable) {
		return err
	}
	v.origin, v.verifier = name.origin, name.verifier
	if v.statements, err = statementsOf(ctx, tx); err != nil {
		return err
	}
	v.last = map[terms.Table]int64{}
	for _, table := range terms.PacketTables.Terms() {
		last := int64(0)
		query := fmt.Sprintf("SELECT coalesce(max(rowid), 0) FROM main.%s", table)
		if err := tx.QueryRowContext(ctx, query).Scan(&last); err != nil {
			return err
		}
		v.last[table] = last
	}
	if v.checkpoint, err = newestCheckpoint(ctx, tx); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if v.signers, err = signersOf(ctx, tx); err != nil {
		return err
	}
	bound, err := boundServiceOf(ctx, tx)
	if err != nil {
		return err
	}
	v.service = bound.newest
	for i := 0; i < len(bound.lineage)-1; i++ {
		v.services = append(v.services, bound.lineage[i].Key)
	}
	const last = "SELECT coalesce(max(position), -1) FROM main." + rejectionsTable
	if err := tx.QueryRowContext(ctx, last).Scan(&v.lastRejection); err != nil {
		return err
	}
	v.lastCosignature, err = lastCosignature(ctx, tx)
	return err
}

// Head implements verify.Source. A signer whose key cannot be read is left out, so that what it signed is found.
func (v *Snapshot) Head(context.Context) (verify.Head, error) {
	head := verify.Head{Origin: v.origin, Size: v.size, Checkpoint: v.checkpoint, ServiceKey: v.service, EarlierServiceKeys: v.services,
		Statements: v.statements, Anchor: v.anchor, Reviewer: v.store.options.Reviewer, KeepsNotes: true}
	if v.verifier != "" {
		head.VerifierKeys = []string{v.verifier}
	}
	for _, signer := range v.signers {
		if key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(signer.PublicKey)); err == nil {
			head.Signers = append(head.Signers, verify.Signer{ID: signer.Reviewer, Key: key, Since: signer.Since})
		}
	}
	return head, nil
}

// StoredRoot implements verify.TreeKeeper.
func (v *Snapshot) StoredRoot(ctx context.Context, size int64) (root terms.Hash, err error) {
	err = v.reading(ctx, "read the tree", func(ctx context.Context, tx engine.Tx) error {
		stored, err := rootOf(ctx, tx, size)
		if errors.Is(err, ErrDamaged) {
			return nil
		}
		root = merkle.FromTree(stored)
		return err
	})
	return root, err
}

// SignManifest signs the manifest of an export of this log with the log's key. Without the private half of the key the error is a
// *Problem that names its file.
func (v *Snapshot) SignManifest(_ context.Context, m signed.Manifest) ([]byte, error) {
	v.store.handles.RLock()
	defer v.store.handles.RUnlock()
	key := v.store.key
	if key == nil || m.Origin != key.Origin {
		return nil, fmt.Errorf("the manifest is not one of this log: %w", merkle.ErrNoKey)
	}
	if !key.CanSign() {
		probe := *key
		if err := v.store.unlock(&probe); err != nil {
			return nil, err
		}
		key = &probe
	}
	return key.SignNote(m.Text())
}

// logExtent is one more than the highest sequence of any row: the size of the log, or in an edited log the range that is left to
// check. It is never more than the number of rows, so that a forged sequence does not make a check count to it.
func logExtent(ctx context.Context, tx engine.Tx) (int64, error) {
	var extent, rows int64
	for _, table := range []string{logTable, signaturesTable,
		terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()} {
		var last, count int64
		query := fmt.Sprintf("SELECT coalesce(max(sequence), -1), count(*) FROM main.%s", table)
		if err := tx.QueryRowContext(ctx, query).Scan(&last, &count); err != nil {
			return 0, err
		}
		extent, rows = max(extent, min(last, math.MaxInt64-1)+1), rows+count
	}
	return min(extent, rows), nil
}

// entriesAtOnce is how many entries are read in one transaction and held in memory.
const entriesAtOnce = 128

// entriesQuery reads what belongs to each of a range of sequences, gaps included. Records are found by their place
// alone: no column that is derived from a document is read.
var entriesQuery = fmt.Sprintf(`WITH RECURSIVE place (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < ?2)
SELECT place.n, log.tableName, log.recordId, log.leafHash, signature.signature,
  coalesce(packet.salt, ''), coalesce(reasons.salt, ''), coalesce(reasons.statement, ''), coalesce(note.salt, ''), coalesce(note.note, ''),
  accepted.receipt, accepted.checkpoint,
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
LEFT JOIN main.%[8]s AS accepted ON accepted.sequence = place.n AND NOT %[9]s`,
	logTable, terms.AppealEnforcements, terms.AmendmentEnforcements, signaturesTable, saltsTable, reasonsTable, notesTable, acceptancesTable, isLost("accepted"))

// Entries yields the entries from a sequence on in order, one for each number below the size that the log has when
// Entries is called, also where something is missing. It stops with the error that yield returns, unchanged. What an
// Entry points to is yield's own. No transaction is open while yield runs.
func (s *Store) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snapshot.Entries(ctx, from, yield)
}

// Entries yields the entries of the snapshot from a sequence on, as Store.Entries does.
func (v *Snapshot) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	for from = max(from, 0); from < v.size; from += entriesAtOnce {
		entries, err := v.entries(ctx, from, min(from+entriesAtOnce, v.size))
		if err != nil {
			return err
		}
		for i := range entries {
			if err := yield(entries[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries reads those from one sequence up to, and not with, another.
func (v *Snapshot) entries(ctx context.Context, from, to int64) (entries []verify.Entry, err error) {
	err = v.reading(ctx, "read the log", func(ctx context.Context, tx engine.Tx) (err error) {
		entries, err = entriesOf(ctx, tx, from, to)
		return err
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func entriesOf(ctx context.Context, tx engine.Tx, from, to int64) (entries []verify.Entry, err error) {
	rows, err := tx.QueryContext(ctx, entriesQuery, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	entries = make([]verify.Entry, 0, to-from)
	for rows.Next() {
		var e verify.Entry
		var table, id, receipt, checkpoint sql.NullString
		var note records.Note
		var elsewhere []byte // the record at the same place of the other table
		err := rows.Scan(&e.Sequence, &table, &id, &e.LeafHash, &e.Signature, &e.PacketSalt, &e.Statement.Salt, &e.Statement.Text,
			&note.Salt, &note.Text, &receipt, &checkpoint, &e.Document, &elsewhere)
		if err != nil {
			return nil, err
		}
		e.NoteDigest = note.Digest()
		if receipt.Valid {
			e.Acceptance = &signed.Acceptance{Receipt: receipt.String, Checkpoint: checkpoint.String}
		}
		if e.Table, err = terms.Tables.Parse(table.String); err != nil && e.Document == nil {
			e.Document = elsewhere
		}
		e.RecordID = records.RecordID(id.String)
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// Packet returns the stored document under a key and when it came in. The error wraps ErrNotFound if there is none.
// The document is found by an index and has not been checked.
func (v *Snapshot) Packet(ctx context.Context, table terms.Table, id terms.ID,
	number int64) (document []byte, importedAt string, err error) {
	name := verify.Ref{Table: table, Key: packets.Key{ID: id, Number: number}}
	err = v.reading(ctx, "read the packet", func(ctx context.Context, tx engine.Tx) (err error) {
		document, importedAt, err = v.packetIn(ctx, tx, name)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return document, importedAt, nil
}

// Packets returns the documents under many names, in their order, as Packet does; nil where there is none.
func (v *Snapshot) Packets(ctx context.Context, names []verify.Ref) ([][]byte, error) {
	places := map[terms.Table][]int{}
	for i := range names {
		places[names[i].Table] = append(places[names[i].Table], i)
	}
	documents := make([][]byte, len(names))
	err := v.reading(ctx, "read packets", func(ctx context.Context, tx engine.Tx) error {
		for table, wanted := range places {
			for len(wanted) > 0 && terms.PacketTables.Has(table) {
				some := wanted[:min(len(wanted), mostNames)]
				if err := v.packetsIn(ctx, tx, table, names, some, documents); err != nil {
					return err
				}
				wanted = wanted[len(some):]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return documents, nil
}

// mostNames is how many packets one query asks for.
const mostNames = 64

// packetsIn reads those packets of a table whose places among the names are wanted. There is a query for each power of
// two, so that they are few and stay prepared; the last name stands in it as often as is needed.
func (v *Snapshot) packetsIn(ctx context.Context, tx engine.Tx, table terms.Table, names []verify.Ref, wanted []int,
	documents [][]byte) error {
	width := 1 << bits.Len(uint(len(wanted)-1))
	id, number := keyColumns(table)
	query := fmt.Sprintf("WITH wanted (place, id, number) AS (VALUES (?, ?, ?)%[5]s) "+
		"SELECT wanted.place, %[6]s FROM wanted CROSS JOIN main.%[1]s AS held ON held.rowid = "+
		"(SELECT rowid FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = wanted.id AND %[3]s = wanted.number) WHERE held.rowid <= ?",
		table, quote(id), quote(number), keyIndex(table), strings.Repeat(", (?, ?, ?)", width-1), storedPacket(table, "held"))
	args := make([]any, 0, 3*width+1)
	for i := range width {
		place := wanted[min(i, len(wanted)-1)]
		args = append(args, place, string(names[place].Key.ID), names[place].Key.Number)
	}
	return eachRow(ctx, tx, query, func(scan func(...any) error) error {
		var place int
		var document []byte
		if err := scan(&place, &document); err != nil {
			return err
		}
		documents[place] = document
		return nil
	}, append(args, v.last[table])...)
}

func (v *Snapshot) packetIn(ctx context.Context, tx engine.Tx, name verify.Ref) (document []byte, importedAt string, err error) {
	query, there := packetQueries[name.Table]
	if !there {
		return nil, "", notFound(name.Table, name.Key)
	}
	err = tx.QueryRowContext(ctx, query, string(name.Key.ID), name.Key.Number, v.last[name.Table]).Scan(&document, &importedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", notFound(name.Table, name.Key)
	}
	return document, importedAt, err
}

// packetQueries are the queries for one packet of each table.
var packetQueries = func() map[terms.Table]string {
	queries := map[terms.Table]string{}
	for _, table := range terms.PacketTables.Terms() {
		id, number := keyColumns(table)
		queries[table] = fmt.Sprintf("SELECT %[5]s, importedAt FROM main.%[1]s AS held WHERE rowid = "+
			"(SELECT rowid FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = ? AND %[3]s = ?) AND rowid <= ?",
			table, quote(id), quote(number), keyIndex(table), storedPacket(table, "held"))
	}
	return queries
}()

// PacketDocument returns a stored packet as Snapshot.Packet does, as of now.
func (s *Store) PacketDocument(ctx context.Context, table terms.Table, id terms.ID,
	number int64) (document []byte, importedAt string, err error) {
	now := &Snapshot{store: s, last: map[terms.Table]int64{table: math.MaxInt64}}
	return now.Packet(ctx, table, id, number)
}

// Rejections yields the rejections of the snapshot in the order in which they were kept. It stops with the error that yield
// returns, unchanged. No transaction is open while yield runs.
func (v *Snapshot) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	const query = "SELECT rejected.position, coalesce(log.recordId, ''), rejected.signed FROM main." + rejectionsTable + " AS rejected" +
		" LEFT JOIN main." + logTable + " AS log ON log.sequence = rejected.sequence" +
		" WHERE rejected.position > ? AND rejected.position <= ? ORDER BY rejected.position LIMIT ?"
	last := int64(-1)
	for more := true; more; {
		var some []verify.Rejection
		err := v.reading(ctx, "read the rejections", func(ctx context.Context, tx engine.Tx) error {
			return eachRow(ctx, tx, query, func(scan func(...any) error) error {
				var r verify.Rejection
				err := scan(&last, &r.RecordID, &r.Signed)
				some = append(some, r)
				return err
			}, last, v.lastRejection, entriesAtOnce)
		})
		if err != nil {
			return err
		}
		for _, r := range some {
			if err := yield(r); err != nil {
				return err
			}
		}
		more = len(some) == entriesAtOnce
	}
	return nil
}
