package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/engine"
)

// A Page is a part of what a principal may see.
type Page struct {
	Packets [][]byte // stored packets as packets.Packet.Document writes them, policies first
	Cursor  string   // to ask with for what comes after
	More    bool     // there is more to be looked through already
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
		w := pageWalk{ctx: ctx, tx: tx, rights: &r, at: at, most: max(most, 1)}
		err := w.walk()
		page = Page{Packets: w.packets, Cursor: w.at.write(key, &r), More: w.more}
		return err
	})
	if err != nil {
		return Page{}, err
	}
	return page, nil
}

// Packet returns all revisions of the case or the amendment, after the policies that they name, as far as they are held.
// The error wraps ErrNotFound if there is none, or if the permissions do not allow it.
func (s *Store) Packet(ctx context.Context, r Permissions, id terms.ID) (packets [][]byte, err error) {
	err = s.reading(ctx, "read the packets", func(ctx context.Context, tx engine.Tx) error {
		w := pageWalk{ctx: ctx, tx: tx, rights: &r, most: math.MaxInt}
		for _, table := range []terms.Table{terms.AppealCases, terms.AmendmentRecords} {
			if err := w.whole(table, id); err != nil {
				return err
			}
		}
		packets = w.packets
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(packets) == 0 {
		return nil, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	return packets, nil
}

// pageWalk collects packets within one snapshot.
type pageWalk struct {
	ctx    context.Context
	tx     engine.Tx
	rights *Permissions
	reader packets.Reader

	at      cursor
	most    int
	scanned int
	bytes   int
	more    bool
	packets [][]byte
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
	for i, table := range pageTables {
		read := w.records
		if terms.PolicyTable(terms.AreaOf(table)) == table {
			read = w.policies
		}
		for w.at[i].row < ends[i] && !w.full() {
			if err := read(table, &w.at[i]); err != nil {
				return err
			}
		}
		w.more = w.more || w.at[i].row < ends[i]
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
		if w.at[i].row > ends[i] {
			w.at = cursor{}
		}
	}
	return ends, nil
}

// add puts a document onto the page, if it is what its place says and holds nothing private.
func (w *pageWalk) add(table terms.Table, key packets.Key, document []byte) {
	packet, err := readHeld(&w.reader, document, table, key)
	if err != nil || packet.HoldsPrivate() {
		return
	}
	w.packets = append(w.packets, packet.Document())
	w.bytes += len(document)
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
