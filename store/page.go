package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// A Page is a part of what a principal may see.
type Page struct {
	Packets [][]byte // stored packets as packets.Packet.Document writes them, policies first
	Cursor  string   // to ask with for what comes after
	More    bool     // there is more to be looked through already
	// Erasures are the statements by which the operator of the service erased something of what the caller may see: those after the
	// cursor, and those about the packets of this page.
	Erasures []signed.Statement
}

// What one page takes at most.
const (
	pageBytes   = 1 << 20 // of documents, but always one of them
	pageScanned = 2048    // rows that are read, including those that the caller may not see
	pagePortion = 128     // rows that one query reads
)

// Page returns at most so many packets after the cursor that the permissions allow, and the cursor after them. It may return fewer,
// or none, while there are more: then More is set. Packets are in the order of their import; when a newer revision comes in, all
// revisions come with it, so that a principal who may see an id sees all of it. The empty cursor is the beginning, as is one
// of other permissions. The error is ErrCursor if the cursor is not one of this store. A packet that cannot be read, or that holds
// private text, is left out.
func (s *Store) Page(ctx context.Context, r Permissions, after string, most int) (page Page, err error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return Page{}, err
	}
	key := s.key
	release()
	if key == nil {
		return Page{}, s.checkNoFindings()
	}
	at, err := readCursor(after, key, &r)
	if err != nil {
		return Page{}, err
	}
	err = s.reading(ctx, "read the packets", func(ctx context.Context, tx engine.Tx) error {
		w := pageWalk{ctx: ctx, tx: tx, rights: &r, key: key, at: at, most: max(most, 1)}
		err := w.walk()
		page = Page{Packets: w.packets, Cursor: w.at.write(key, &r), More: w.more, Erasures: w.erasures.list}
		return err
	})
	if err != nil {
		return Page{}, err
	}
	return page, nil
}

// Packet returns all revisions of the case or the amendment, after the policies that they name, as far as they are held.
// The error wraps ErrNotFound if there is none, or if the permissions do not allow it.
func (s *Store) Packet(ctx context.Context, r Permissions, id terms.ID) (page Page, err error) {
	err = s.reading(ctx, "read the packets", func(ctx context.Context, tx engine.Tx) error {
		w := pageWalk{ctx: ctx, tx: tx, rights: &r, key: s.key, most: math.MaxInt}
		for _, table := range []terms.Table{terms.AppealCases, terms.AmendmentRecords} {
			if err := w.whole(table, id); err != nil {
				return err
			}
		}
		page.Packets, page.Erasures = w.packets, w.erasures.list
		return nil
	})
	if err != nil {
		return Page{}, err
	}
	if len(page.Packets) == 0 {
		return Page{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	return page, nil
}

// pageWalk collects packets within one snapshot.
type pageWalk struct {
	ctx    context.Context
	tx     engine.Tx
	rights *Permissions
	key    *merkle.Key // of the log
	reader packets.Reader

	at      cursor
	most    int
	scanned int
	bytes   int
	more    bool
	packets [][]byte

	erasures struct {
		list []signed.Statement
		all  []statedErasure // of the log; read when the first one is asked for
		read bool
	}
}

// A statedErasure is a statement about an erasure at its position among the statements about the log.
type statedErasure struct {
	records.Erasure
	position int64
	kept     signed.Statement
}

// full reports whether the page is full.
func (w *pageWalk) full() bool {
	return len(w.packets) >= w.most || w.bytes >= pageBytes || w.scanned >= pageScanned
}

// walk goes through the tables from where the cursor is.
func (w *pageWalk) walk() error {
	ends, err := w.ends()
	if err != nil {
		return err
	}
	if err := w.newErasures(); err != nil {
		return err
	}
	for i, table := range pageTables {
		read := w.records
		if terms.PolicyTable(terms.AreaOf(table)) == table {
			read = w.policies
		}
		for w.at.tables[i].row < ends[i] && !w.full() {
			if err := read(table, &w.at.tables[i]); err != nil {
				return err
			}
		}
		w.more = w.more || w.at.tables[i].row < ends[i]
	}
	return nil
}

// ends are the last rows of the tables. Where the cursor is beyond one of them, the store is an older one than the one that
// gave it out, and is read from the beginning.
func (w *pageWalk) ends() (ends [len(pageTables)]int64, err error) {
	for i, table := range pageTables {
		query := fmt.Sprintf("SELECT coalesce(max(rowid), 0) FROM main.%s", table)
		if err := w.tx.QueryRowContext(w.ctx, query).Scan(&ends[i]); err != nil {
			return ends, err
		}
		if w.at.tables[i].row > ends[i] {
			w.at = cursor{}
		}
	}
	return ends, nil
}

// newErasures puts the erasures after the cursor that the caller may know of onto the page. They come before packets, so that a packet
// whose texts were erased never comes without its statement.
func (w *pageWalk) newErasures() error {
	var count int64
	if err := w.tx.QueryRowContext(w.ctx, "SELECT coalesce(max(position) + 1, 0) FROM main."+statementsTable).Scan(&count); err != nil {
		return err
	}
	if w.at.erasures > count {
		w.at = cursor{}
	}
	if w.at.erasures == count {
		return nil
	}
	if err := w.readErasures(); err != nil {
		return err
	}
	for i := range w.erasures.all {
		stated := &w.erasures.all[i]
		if stated.position < w.at.erasures {
			continue
		}
		seen, err := w.seesErasure(&stated.Erasure)
		if err != nil {
			return err
		}
		if seen {
			w.erasures.list = append(w.erasures.list, stated.kept)
		}
	}
	w.at.erasures = count
	return nil
}

// readErasures reads the statements about erasures that are signed.
func (w *pageWalk) readErasures() error {
	if w.erasures.read || w.key == nil {
		return nil
	}
	w.erasures.read = true
	statements, err := statementsOf(w.ctx, w.tx)
	if err != nil {
		return err
	}
	_, opened := verify.ReadLineage(w.key.Origin, w.key.Encoded, nil, statements)
	for i := range opened {
		if e, is := opened[i].Statement.Erasure(); is && opened[i].OK {
			w.erasures.all = append(w.erasures.all, statedErasure{e, int64(i), statements[i]})
		}
	}
	return nil
}

// seesErasure reports whether the caller may know of an erasure: of texts and statements of reasons on what the caller may see.
func (w *pageWalk) seesErasure(e *records.Erasure) (bool, error) {
	table, id := e.Table, e.Key.ID
	switch e.What {
	case records.ErasableTexts:
	case records.ErasableStatement:
		leaf, err := leafOf(w.ctx, w.tx, e.Record)
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		table = terms.RecordTable(terms.AreaOf(leaf.table))
		column, _ := keyColumns(table)
		err = w.tx.QueryRowContext(w.ctx, "SELECT "+quote(column)+" FROM main."+leaf.table.String()+" WHERE sequence = ?", leaf.sequence).Scan(&id)
		if err != nil {
			return false, err
		}
	default:
		return false, nil // a note, a draft and a skip are of a console
	}
	latest, held, err := latestRowOf(w.ctx, w.tx, table, id)
	return held && w.rights.see(terms.AreaOf(table), latest.assignee, latest.owner), err
}

// add puts a document onto the page, if it is what its place says and holds nothing private.
func (w *pageWalk) add(table terms.Table, key packets.Key, document []byte) {
	packet, err := readHeld(&w.reader, document, table, key)
	if err != nil || packet.HoldsPrivate() {
		return
	}
	if packet.Erased() && !w.withErasure(packet) {
		return // without its statement nobody could take it
	}
	w.packets = append(w.packets, packet.Document())
	w.bytes += len(document)
}

// withErasure puts the statement about the erased texts of a packet onto the page; false if there is none.
func (w *pageWalk) withErasure(packet packets.Packet) bool {
	if w.readErasures() != nil {
		return false
	}
	of := records.Erasure{What: records.ErasableTexts, Table: packet.Table(), Key: packet.Key()}
	i := slices.IndexFunc(w.erasures.all, func(e statedErasure) bool { return e.Object() == of })
	if i < 0 {
		return false
	}
	if stated := w.erasures.all[i].kept; !slices.ContainsFunc(w.erasures.list, func(s signed.Statement) bool { return s.Text == stated.Text }) {
		w.erasures.list = append(w.erasures.list, stated)
	}
	return true
}

// A pageRow is a row of a table of packets.
type pageRow struct {
	place    int64
	key      packets.Key // the zero Key if the document is no JSON
	document []byte      // of a policy
	latest   latestRow   // of a case or an amendment
}

// rows reads rows after a place.
func (w *pageWalk) rows(query string, after int64, scan func(r *pageRow) []any) (rows []pageRow, err error) {
	err = eachRow(w.ctx, w.tx, query, func(into func(...any) error) error {
		var r pageRow
		err := into(scan(&r)...)
		rows = append(rows, r)
		return err
	}, after, pagePortion)
	return rows, err
}

// ifJSON is an expression over a document that would fail if it were no JSON.
func ifJSON(row, expression, otherwise string) string {
	return "CASE WHEN json_valid(" + row + ".document) THEN " + expression + " ELSE " + otherwise + " END"
}

// policies puts the next rows of a table of policies onto the page.
func (w *pageWalk) policies(table terms.Table, at *cursorPlace) error {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT held.rowid, %s, %s, held.document FROM main.%s AS held WHERE held.rowid > ? ORDER BY held.rowid LIMIT ?",
		ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), table)
	rows, err := w.rows(query, at.row, func(r *pageRow) []any { return []any{&r.place, &r.key.ID, &r.key.Number, &r.document} })
	if err != nil {
		return err
	}
	for i := range rows {
		if w.full() {
			return nil
		}
		w.add(table, rows[i].key, rows[i].document)
		w.done(at, rows[i].place)
	}
	return nil
}

// done moves the cursor past a row.
func (w *pageWalk) done(at *cursorPlace, place int64) {
	*at = cursorPlace{row: place}
	w.scanned++
}

// records goes on through the rows of a table of cases or amendments. A row that is not the latest revision of its id comes
// with the latest, or, if it came in after that, alone.
func (w *pageWalk) records(table terms.Table, at *cursorPlace) error {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT scanned.place, scanned.id, scanned.number, latest.rowid, %[2]s, %[3]s FROM"+
		" (SELECT held.rowid AS place, %[4]s AS id, %[5]s AS number FROM main.%[1]s AS held WHERE held.rowid > ? ORDER BY held.rowid LIMIT ?) AS scanned"+
		" LEFT JOIN main.%[1]s AS latest ON latest.rowid ="+
		" (SELECT rowid FROM main.%[1]s INDEXED BY %[6]s WHERE %[7]s = scanned.id ORDER BY %[8]s DESC LIMIT 1) ORDER BY scanned.place",
		table, ifJSON("latest", assigneeOf("latest"), "''"), ifJSON("latest", ownerColumn("latest", table), "''"),
		ifJSON("held", "held."+quote(id), "''"), ifJSON("held", "held."+quote(number), "0"), keyIndex(table), quote(id), quote(number))
	rows, err := w.rows(query, at.row, func(r *pageRow) []any {
		return []any{&r.place, &r.key.ID, &r.key.Number, &nullable{&r.latest.place}, &r.latest.assignee, &r.latest.owner}
	})
	if err != nil {
		return err
	}
	for i := range rows {
		if w.full() {
			return nil
		}
		r := &rows[i]
		if r.latest.place <= r.place && w.rights.see(terms.AreaOf(table), r.latest.assignee, r.latest.owner) {
			whole, err := w.revisions(table, r, at)
			if err != nil || !whole {
				return err
			}
		}
		w.done(at, r.place)
	}
	return nil
}

// nullable scans a number that may not be there as 0.
type nullable struct{ into *int64 }

// Scan implements sql.Scanner.
func (n *nullable) Scan(value any) error {
	*n.into, _ = value.(int64)
	return nil
}

// revisions puts what comes with a row onto the page, and reports whether that was all of it.
func (w *pageWalk) revisions(table terms.Table, r *pageRow, at *cursorPlace) (whole bool, err error) {
	least, most := at.number+1, r.key.Number
	if r.latest.place < r.place {
		least = r.key.Number
	}
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT held.%[3]s, %[5]s FROM main.%[1]s AS held INDEXED BY %[4]s WHERE held.%[2]s = ?"+
		" AND held.%[3]s BETWEEN ? AND ? AND held.rowid <= ? ORDER BY held.%[3]s LIMIT ?",
		table, quote(id), quote(number), keyIndex(table), storedPacket(table, "held"))
	count := 0
	err = eachRow(w.ctx, w.tx, query, func(scan func(...any) error) error {
		key := packets.Key{ID: r.key.ID}
		var document []byte
		if err := scan(&key.Number, &document); err != nil {
			return err
		}
		count++
		if !w.full() {
			w.add(table, key, document)
			at.number = key.Number
			w.scanned++
			whole = key.Number == most
		}
		return nil
	}, string(r.key.ID), least, most, r.place, max(w.most-len(w.packets), 0)+1)
	return whole || count == 0, err
}

// whole puts all revisions of an id, and before them the policies that they name, onto the page, if the permissions allow it.
func (w *pageWalk) whole(table terms.Table, id terms.ID) error {
	latest, held, err := latestRowOf(w.ctx, w.tx, table, id)
	if err != nil || !held || !w.rights.see(terms.AreaOf(table), latest.assignee, latest.owner) {
		return err
	}
	numbers, err := numbersOf(w.ctx, w.tx, table, id)
	if err != nil {
		return err
	}
	var revisions []packets.Packet
	policies := map[packets.Key]bool{{}: true}
	for _, number := range numbers {
		key := packets.Key{ID: id, Number: number}
		document, err := documentOf(w.ctx, w.tx, table, key)
		if err != nil {
			return err
		}
		packet, err := readHeld(&w.reader, document, table, key)
		if err != nil {
			continue
		}
		revisions = append(revisions, packet)
		if err := w.policyOf(packet, policies); err != nil {
			return err
		}
	}
	for _, packet := range revisions {
		w.add(table, packet.Key(), packet.Document())
	}
	return nil
}

// policyOf puts the policy that a packet names onto the page, unless it is there.
func (w *pageWalk) policyOf(packet packets.Packet, there map[packets.Key]bool) error {
	key := named(packet)
	if there[key] {
		return nil
	}
	there[key] = true
	table := terms.PolicyTable(terms.AreaOf(packet.Table()))
	document, err := documentOf(w.ctx, w.tx, table, key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		w.add(table, key, document)
	}
	return err
}

// numbersOf lists the versions or revisions of an id, ascending.
func numbersOf(ctx context.Context, tx engine.Tx, table terms.Table, id terms.ID) (numbers []int64, err error) {
	column, number := keyColumns(table)
	query := "SELECT " + quote(number) + " FROM main." + table.String() + " INDEXED BY " + keyIndex(table) +
		" WHERE " + quote(column) + " = ? ORDER BY 1"
	err = eachRow(ctx, tx, query, func(scan func(...any) error) error {
		var n int64
		err := scan(&n)
		numbers = append(numbers, n)
		return err
	}, string(id))
	return numbers, err
}
