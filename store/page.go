package store

import (
	"context"
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
	"docket/store/parsed"
	"docket/store/verify"
)

// A Page is a part of what a principal may see.
type Page struct {
	Packets [][]byte // stored packets as packets.Packet.Document writes them, policies first
	Cursor  string   // to ask with for what comes after
	More    bool     // there is more to be looked through already
	// Reassigned are the cases and amendments that the caller could see and that were given to
	// somebody else after the cursor, each with its latest revision.
	Reassigned []verify.Ref
	// Erasures are the statements by which the operator erased something of what the caller may
	// see: those after the cursor, and those about the packets of this page.
	Erasures []signed.Statement
}

// The limits of one page.
const (
	pageBytes   = 1 << 20 // of documents, but always one of them
	pageScanned = 2048    // rows that are read, including those that the caller may not see
	pagePortion = 128     // rows that one query reads
)

// Page returns at most so many packets after the cursor that the permissions allow, and the cursor
// after them. It may return fewer, or none, while there are more: then More is set. Packets are in
// the order of their import; when a newer revision comes in, all revisions come with it, so that a
// principal who may see an id sees all of it. The empty cursor is the beginning, as is one of other
// permissions. The error is ErrCursor if the cursor is not one of this store. A packet that cannot
// be read, or that holds private text, is left out.
func (s *Store) Page(ctx context.Context, r Permissions, after string, most int) (Page, error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return Page{}, err
	}
	key := s.key
	release()
	if key == nil {
		return Page{}, s.checkNoFindings()
	}
	var at cursor
	if same, err := readCursorOf(packetCursor, at.values(), after, key, &r); err != nil {
		return Page{}, err
	} else if !same {
		at = cursor{}
	}
	return ask(ctx, s, "read the packets", func(ctx context.Context, tx engine.Tx) (Page, error) {
		w := pageWalk{store: s, ctx: ctx, tx: tx, rights: &r, key: key, at: at, most: max(most, 1)}
		err := w.walk()
		return Page{Packets: w.packets, Cursor: writeCursor(packetCursor, w.at.values(), key, &r), More: w.more,
			Reassigned: w.reassigned, Erasures: w.erasures}, err
	})
}

// Packet returns all revisions of the case or the amendment, after the policies that they name, as
// far as they are held. The error wraps ErrNotFound if there is none that the permissions allow.
func (s *Store) Packet(ctx context.Context, r Permissions, id terms.ID) (Page, error) {
	return ask(ctx, s, "read the packets", func(ctx context.Context, tx engine.Tx) (Page, error) {
		w := pageWalk{store: s, ctx: ctx, tx: tx, rights: &r, key: s.key, most: math.MaxInt}
		for _, table := range []terms.Table{terms.AppealCases, terms.AmendmentRecords} {
			if err := w.whole(table, id); err != nil {
				return Page{}, err
			}
		}
		if len(w.packets) == 0 {
			return Page{}, fmt.Errorf("%s: %w", id, ErrNotFound)
		}
		return Page{Packets: w.packets, Erasures: w.erasures}, nil
	})
}

// pageWalk collects packets within one snapshot.
type pageWalk struct {
	store  *Store
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

	last       int64 // place of the table that is read
	reassigned []verify.Ref

	erasures []signed.Statement
}

// A statedErasure has its position in the log.
type statedErasure struct {
	records.Erasure
	position int64
	kept     signed.Statement
}

func (w *pageWalk) full() bool {
	return len(w.packets) >= w.most || w.bytes >= pageBytes || w.scanned >= pageScanned
}

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
		w.last = ends[i]
		for w.at.tables[i].row < ends[i] && !w.full() {
			if err := read(table, &w.at.tables[i]); err != nil {
				return err
			}
		}
		w.more = w.more || w.at.tables[i].row < ends[i]
	}
	return nil
}

// ends returns the positions behind the last rows of the tables; a cursor beyond one, of a newer state, starts again.
func (w *pageWalk) ends() (ends [len(pageTables)]int64, err error) {
	for i, table := range pageTables {
		if ends[i], err = w.tx.Packets().Last(w.ctx, table); err != nil {
			return ends, err
		}
		if ends[i]++; w.at.tables[i].row > ends[i] {
			w.at = cursor{}
		}
	}
	return ends, nil
}

// newErasures adds the erasures after the cursor, before the packets that need their statements.
func (w *pageWalk) newErasures() error {
	end, err := w.tx.Statements().End(w.ctx)
	if err != nil {
		return err
	}
	if w.at.erasures > end {
		w.at = cursor{}
	}
	if w.at.erasures == end {
		return nil
	}
	l, err := w.store.registered(w.ctx, w.tx)
	if err != nil {
		return err
	}
	for i := range l.erasures {
		stated := &l.erasures[i]
		if stated.position < w.at.erasures {
			continue
		}
		seen, err := w.seesErasure(&stated.Erasure)
		if err != nil {
			return err
		}
		if seen {
			w.erasures = append(w.erasures, stated.kept)
		}
	}
	w.at.erasures = end
	return nil
}

// seesErasure allows erasures of texts and statements of reasons on what the caller may see.
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
		if id, err = w.tx.Records().About(w.ctx, leaf.table, leaf.sequence); err != nil {
			return false, err
		}
	default:
		return false, nil // a note, a draft and a skip are of a console
	}
	latest, err := w.tx.Packets().Latest(w.ctx, table, id)
	return err == nil && w.rights.see(terms.AreaOf(table), latest.Assignee, latest.Owner), unlessNoRow(err)
}

// add adds a document if its table and key are right and it holds nothing private.
func (w *pageWalk) add(table terms.Table, key packets.Key, document []byte) {
	shown, digest := w.store.checked.Shown(document, table, key)
	if shown == nil {
		packet, err := parsed.Read(&w.reader, document, table, key)
		if err != nil || packet.HoldsPrivate() {
			return
		}
		if packet.Erased() && !w.withErasure(packet) {
			return // without its statement nobody could take it
		}
		shown = packet.Document()
		w.store.checked.Remember(digest, document, shown, packet)
	}
	w.packets = append(w.packets, shown)
	w.bytes += len(document)
}

// withErasure adds the statement about the erased texts of a packet; false if there is none.
func (w *pageWalk) withErasure(packet packets.Packet) bool {
	of := records.Erasure{What: records.ErasableTexts, Table: packet.Table(), Key: packet.Key()}
	stated, err := w.store.erasureOf(w.ctx, w.tx, of)
	if err != nil {
		return false
	}
	if !slices.ContainsFunc(w.erasures, func(s signed.Statement) bool { return s.Text == stated.Text }) {
		w.erasures = append(w.erasures, stated)
	}
	return true
}

func (w *pageWalk) policies(table terms.Table, at *cursorPlace) error {
	rows, err := w.tx.Packets().PoliciesFrom(w.ctx, table, at.row, pagePortion)
	if err != nil {
		return err
	}
	for i := range rows {
		if w.full() {
			return nil
		}
		w.add(table, rows[i].Key, rows[i].Document)
		*at = cursorPlace{row: rows[i].Position + 1}
		w.scanned++
	}
	return nil
}

// records goes on through the cases or the amendments that came in and concern the caller; a row
// that is not the latest revision comes with the latest or, if it came in after that, alone.
func (w *pageWalk) records(table terms.Table, at *cursorPlace) error {
	scope, some := w.rights.scope(terms.AreaOf(table))
	if !some {
		*at = cursorPlace{row: w.last}
		return nil
	}
	most := max(min(pagePortion, w.most-len(w.packets)), 1)
	rows, err := w.tx.Packets().Arrivals(w.ctx, table, scope, at.row, most)
	if err != nil {
		return err
	}
	for i := range rows {
		if w.full() {
			return nil
		}
		if whole, err := w.arrival(table, &rows[i], at); err != nil || !whole {
			return err
		}
		*at = cursorPlace{row: rows[i].Position + 1}
		w.scanned++
	}
	if len(rows) < most {
		*at = cursorPlace{row: w.last}
	}
	return nil
}

// arrival adds all that comes with a row, and reports whether it was complete.
func (w *pageWalk) arrival(table terms.Table, r *engine.Arrival, at *cursorPlace) (whole bool, err error) {
	area := terms.AreaOf(table)
	if r.Alone {
		var assignee terms.ID
		if r.Theirs {
			assignee = w.rights.ID
		}
		if w.rights.see(area, assignee, r.Owner) {
			w.add(table, r.Key, r.Document)
		}
		return true, nil
	}
	latest, err := w.tx.Packets().Latest(w.ctx, table, r.Key.ID)
	if errors.Is(err, engine.ErrNoRow) {
		return true, nil
	}
	switch {
	case err != nil:
		return false, err
	case !w.rights.see(area, latest.Assignee, latest.Owner):
		return true, w.given(table, r, &latest)
	case latest.Position > r.Position:
		return true, nil
	}
	return w.revisions(table, &r.Packet, &latest, at)
}

// given adds that a packet is not the caller's any more, if it was before; not whose it is.
func (w *pageWalk) given(table terms.Table, r *engine.Arrival, latest *engine.LatestRevision) error {
	before, err := w.tx.Packets().LatestBefore(w.ctx, table, r.Key.ID, r.Position)
	ref := verify.Ref{Table: table, Key: packets.Key{ID: r.Key.ID, Number: latest.Number}}
	if err == nil && w.rights.see(terms.AreaOf(table), before.Assignee, before.Owner) && !slices.Contains(w.reassigned, ref) {
		w.reassigned = append(w.reassigned, ref)
	}
	return unlessNoRow(err)
}

// revisions adds the revisions that come with a row, and reports whether they were complete.
func (w *pageWalk) revisions(table terms.Table, r *engine.Packet, latest *engine.LatestRevision,
	at *cursorPlace) (whole bool, err error) {
	least, most := at.number+1, r.Key.Number
	if latest.Position < r.Position {
		least = r.Key.Number
	}
	list, err := w.tx.Packets().Between(w.ctx, table, r.Key.ID, least, most, r.Position, max(w.most-len(w.packets), 0)+1)
	for i := range list {
		if !w.full() {
			w.add(table, list[i].Key, list[i].Document)
			at.number = list[i].Key.Number
			w.scanned++
			whole = list[i].Key.Number == most
		}
	}
	return whole || len(list) == 0, err
}

// whole adds all revisions of an id that the permissions allow, after the policies that they name.
func (w *pageWalk) whole(table terms.Table, id terms.ID) error {
	latest, err := w.tx.Packets().Latest(w.ctx, table, id)
	if err != nil || !w.rights.see(terms.AreaOf(table), latest.Assignee, latest.Owner) {
		return unlessNoRow(err)
	}
	numbers, err := w.tx.Packets().Numbers(w.ctx, table, id)
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
		packet, err := parsed.Read(&w.reader, document, table, key)
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

func (w *pageWalk) policyOf(packet packets.Packet, there map[packets.Key]bool) error {
	key := packet.PolicyKey()
	if there[key] {
		return nil
	}
	there[key] = true
	table := terms.PolicyTable(terms.AreaOf(packet.Table()))
	document, err := documentOf(w.ctx, w.tx, table, key)
	if err == nil {
		w.add(table, key, document)
	}
	return unlessNoRow(err)
}
