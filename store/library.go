package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"docket/domain"
)

// A Page is a part of what a principal may see.
type Page struct {
	Packets [][]byte // stored packets as domain.Packet.Document writes them, policies first
	Cursor  string   // to ask with for what comes after
	More    bool     // there is more to be looked through already
}

// What one page takes at most.
const (
	pageBytes   = 1 << 20 // of documents, but always one of them
	pageScanned = 2048    // rows that are looked at, most of which may be nobody's who asks
	pagePortion = 128     // rows that one query reads
)

// Page returns at most so many packets after the cursor that the rights let see, and the cursor after them: fewer, or none,
// also where there are more, which More then says. What came in later comes later; when a newer revision comes in, all
// revisions come with it, so that whoever comes to see an id sees all of it. The empty cursor is the beginning, as is one
// of other rights. The error is ErrCursor if it is no cursor of this store. A packet that cannot be read, or that holds
// what nobody may see, is left out.
func (s *Store) Page(ctx context.Context, r Rights, after string, most int) (page Page, err error) {
	release, err := s.hold(ctx)
	if err != nil {
		return Page{}, err
	}
	key := s.key
	release()
	if key == nil {
		return Page{}, s.checkUntouched()
	}
	at, err := readCursor(after, key, &r)
	if err != nil {
		return Page{}, err
	}
	err = s.reading(ctx, "read the packets", func(ctx context.Context, tx *sql.Tx) error {
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
// The error wraps ErrNotFound if there is none, or if the rights do not let see it.
func (s *Store) Packet(ctx context.Context, r Rights, id domain.ID) (packets [][]byte, err error) {
	err = s.reading(ctx, "read the packets", func(ctx context.Context, tx *sql.Tx) error {
		w := pageWalk{ctx: ctx, tx: tx, rights: &r, most: math.MaxInt}
		for _, table := range []domain.Table{domain.AppealCases, domain.AmendmentRecords} {
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
	tx     *sql.Tx
	rights *Rights
	reader domain.Reader

	at      cursor
	most    int
	scanned int
	bytes   int
	more    bool
	packets [][]byte
}

// full tells whether nothing more goes onto the page.
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
		if domain.PolicyTable(domain.AreaOf(table)) == table {
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
func (w *pageWalk) add(table domain.Table, key domain.Key, document []byte) {
	packet, err := readHeld(&w.reader, document, table, key)
	if err != nil || packet.HoldsPrivate() {
		return
	}
	w.packets = append(w.packets, packet.Document())
	w.bytes += len(document)
}
