package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

// An ImportResult is the outcome of importing a packet. The zero value claims nothing was stored.
type ImportResult uint8

const (
	Conflict  ImportResult = iota // the key is held with other content; nothing was stored
	Unchanged                     // the same record is held already
	Imported                      // it is held now
)

var importWords = [...]string{Conflict: "conflict", Unchanged: "unchanged", Imported: "imported"}

// String returns the word for the result.
func (r ImportResult) String() string {
	if int(r) >= len(importWords) {
		return importWords[Conflict]
	}
	return importWords[r]
}

// ImportResults lists the words, in the order of the results' values.
func ImportResults() []string { return append([]string(nil), importWords[:]...) }

// Import stores packets in one transaction and returns the outcome for each, in their order. When it returns without an
// error, all that is Imported is durable. With an error none of it is, or, if the disk failed in the very last moment,
// all: importing again does no harm. Callers with many packets hand them over in portions of a few hundred, so that
// others can write in between.
//
// Two packets with the same key are the same if their records are, with or without private members. Different
// records are a Conflict: a frozen packet does not change. Numbers lower than the latest are stored as history.
func (s *Store) Import(ctx context.Context, packets []packets.Packet) ([]ImportResult, error) {
	for i := range packets {
		if !terms.PacketTables.Has(packets[i].Table()) {
			return nil, fmt.Errorf("packet %d of the portion has not been read and redacted", i)
		}
	}
	results := make([]ImportResult, len(packets))
	err := s.writing(ctx, "store packets", func(ctx context.Context, tx *sql.Tx) error {
		in := importing{tx: tx, key: s.key, at: terms.InstantOf(s.now()).String()}
		for i := range packets {
			result, err := in.add(ctx, &packets[i])
			if err != nil {
				return err
			}
			results[i] = result
		}
		return in.keepHead(ctx)
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// importing is one call of Import. Statements are prepared once a table and call.
type importing struct {
	tx     *sql.Tx
	key    *merkle.Key
	head   packetHead // of the packets with those of this call; nil while it has brought none
	at     string
	reader packets.Reader
	tables [terms.AmendmentRecords + 1]struct{ find, insert *sql.Stmt }
	texts  *sql.Stmt
}

func (in *importing) prepare(ctx context.Context, table terms.Table) (err error) {
	statements := &in.tables[table]
	if statements.insert != nil {
		return nil
	}
	id, number := keyColumns(table)
	find := fmt.Sprintf("SELECT %s FROM main.%s AS held WHERE %s = ? AND %s = ?", storedPacket(table, "held"), table, quote(id), quote(number))
	insert := fmt.Sprintf("INSERT INTO main.%s (document, importedAt) VALUES (?, ?)", table)
	if statements.find, err = in.tx.PrepareContext(ctx, find); err != nil {
		return err
	}
	if statements.insert, err = in.tx.PrepareContext(ctx, insert); err != nil || in.texts != nil {
		return err
	}
	in.texts, err = in.tx.PrepareContext(ctx, "INSERT INTO main."+textsTable+" (place, texts) VALUES (?, ?)")
	return err
}

// add stores one packet unless the store holds its key.
func (in *importing) add(ctx context.Context, p *packets.Packet) (ImportResult, error) {
	if err := in.prepare(ctx, p.Table()); err != nil {
		return Conflict, err
	}
	statements := &in.tables[p.Table()]
	key := p.Key()
	compare := func(held []byte) ImportResult { return in.compare(held, p) }
	found, err := firstRow(ctx, statements.find, compare, string(key.ID), key.Number)
	if !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	document, texts := p.Stored(packets.Salt(rand.Text()))
	result, err := statements.insert.ExecContext(ctx, string(document), in.at)
	if err != nil {
		return Conflict, err
	}
	if err := changedExactly(1, result); err != nil {
		return Conflict, err
	}
	if texts != nil {
		if err := in.addTexts(ctx, result, texts); err != nil {
			return Conflict, err
		}
	}
	if in.head == nil {
		if in.head, err = newestPacketHead(ctx, in.tx, in.key); err != nil {
			return Conflict, err
		}
	}
	chain := in.head[p.Table()]
	chain.add(document)
	in.head[p.Table()] = chain
	return Imported, nil
}

// addTexts keeps the texts of the packet that was just added.
func (in *importing) addTexts(ctx context.Context, added sql.Result, texts []byte) error {
	place, err := added.LastInsertId()
	if err != nil {
		return err
	}
	result, err := in.texts.ExecContext(ctx, place, string(texts))
	if err != nil {
		return err
	}
	return changedExactly(1, result)
}

// keepHead signs the new head of the packets.
func (in *importing) keepHead(ctx context.Context) error {
	if in.head == nil {
		return nil
	}
	return in.head.keep(ctx, in.tx, in.key)
}

// firstRow shows the one column of the first row to look, without copying it; sql.ErrNoRows if there is none.
func firstRow[T any](ctx context.Context, statement *sql.Stmt, look func([]byte) T, args ...any) (seen T, err error) {
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return seen, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return seen, err
		}
		return seen, sql.ErrNoRows
	}
	var column sql.RawBytes
	if err := rows.Scan(&column); err != nil {
		return seen, err
	}
	return look(column), rows.Err()
}

// compare reports whether the held packet is of the same record. One that cannot be read is not.
func (in *importing) compare(held []byte, p *packets.Packet) ImportResult {
	packet, err := in.reader.ReadStored(held)
	if err != nil || !packet.SameRecord(*p) {
		return Conflict
	}
	return Unchanged
}

// A packetHead covers the packets as they were imported: of each table how many there are, and a hash chain over their
// documents. Every import signs one with the log's key, so that an edit of a packet is found before it is evaluated.
type packetHead map[terms.Table]packetChain

type packetChain struct {
	count int64
	sum   [sha256.Size]byte
}

func (c *packetChain) add(document []byte) {
	digest := sha256.Sum256(document)
	c.sum = sha256.Sum256(append(c.sum[:], digest[:]...))
	c.count++
}

const packetHeadLine = "docket-packets/v1"

// text is what is signed: a line for each table.
func (h packetHead) text(origin string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n", packetHeadLine, origin)
	for _, table := range terms.PacketTables.Terms() {
		chain := h[table]
		fmt.Fprintf(&text, "%s %d %s\n", table, chain.count, hex.EncodeToString(chain.sum[:]))
	}
	return text.String()
}

// errPacketHead says that the store did not sign the newest head of the packets.
var errPacketHead = fmt.Errorf("the newest head of the packets is none that this store signed: %w", ErrDamaged)

// openPacketHead reads a head and verifies its signature.
func openPacketHead(k *merkle.Key, signed []byte) (packetHead, error) {
	opened, err := k.OpenNote(signed)
	if err != nil {
		return nil, errPacketHead
	}
	head, tables := packetHead{}, terms.PacketTables.Terms()
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != len(tables)+3 {
		return nil, errPacketHead
	}
	for i, table := range tables {
		var chain packetChain
		var name, sum string
		if _, err := fmt.Sscanf(lines[i+2], "%s %d %s", &name, &chain.count, &sum); err != nil {
			return nil, errPacketHead
		}
		raw, err := hex.DecodeString(sum)
		if err != nil || len(raw) != len(chain.sum) {
			return nil, errPacketHead
		}
		copy(chain.sum[:], raw)
		head[table] = chain
	}
	if !k.Verify(signed, head.text(k.Origin)) {
		return nil, errPacketHead
	}
	return head, nil
}

// newestPacketHead is the one of the last import; without any it covers nothing.
func newestPacketHead(ctx context.Context, q querier, key *merkle.Key) (packetHead, error) {
	var signed []byte
	err := q.QueryRowContext(ctx, "SELECT note FROM main."+packetHeadsTable+" ORDER BY position DESC LIMIT 1").Scan(&signed)
	if errors.Is(err, sql.ErrNoRows) {
		return packetHead{}, nil
	}
	if err != nil {
		return nil, err
	}
	return openPacketHead(key, signed)
}

// keep signs the head and adds it.
func (h packetHead) keep(ctx context.Context, tx *sql.Tx, key *merkle.Key) error {
	signed, err := key.SignNote(h.text(key.Origin))
	if err != nil {
		return fmt.Errorf("sign the head of the packets: %w", err)
	}
	const add = "INSERT INTO main." + packetHeadsTable + " (position, note) SELECT coalesce(max(position) + 1, 0), ? FROM main." + packetHeadsTable
	return changeOne(ctx, tx, add, string(signed))
}

// packetsAtOnce is how many packets are read and held in memory.
const packetsAtOnce = 512

// verifyPackets reads every packet as an evaluation does, and compares all of them with the newest head, in one snapshot.
func (c *storageCheck) verifyPackets(ctx context.Context) error {
	if c.key == nil {
		return nil // what is wrong with it has been found
	}
	tx, err := c.q.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	head, err := newestPacketHead(ctx, tx, c.key)
	if errors.Is(err, errPacketHead) {
		c.add(verify.PacketsUnsigned.OfLog(""))
	} else if err != nil {
		return err
	}
	for _, table := range terms.PacketTables.Terms() {
		chain, err := c.verifyPacketsOf(ctx, tx, table)
		if err != nil {
			return err
		}
		if head != nil && chain != head[table] {
			c.add(found(verify.PacketsDiffer, "%s: %d are there, and %d were signed for", table, chain.count, head[table].count))
		}
	}
	return nil
}

// readersOfPackets are used again and again: each keeps room for a document.
var readersOfPackets = sync.Pool{New: func() any { return &packets.Reader{} }}

func (c *storageCheck) verifyPacketsOf(ctx context.Context, tx *sql.Tx, table terms.Table) (chain packetChain, err error) {
	texts := "NULL"
	if table == terms.AppealCases {
		texts = "(SELECT texts FROM main." + textsTable + " AS side WHERE side.place = held.rowid)"
	}
	query := fmt.Sprintf("SELECT held.rowid, held.document, %s FROM main.%s AS held WHERE held.rowid > ? ORDER BY held.rowid LIMIT ?", texts, table)
	for last := int64(-1 << 62); ; {
		var rows []int64
		var documents, joined [][]byte
		err := eachRow(ctx, tx, query, func(scan func(...any) error) error {
			var document, texts []byte
			err := scan(&last, &document, &texts)
			rows, documents, joined = append(rows, last), append(documents, document), append(joined, packets.Joined(document, texts))
			return err
		}, last, packetsAtOnce)
		if err != nil || len(rows) == 0 {
			return chain, err
		}
		bad := make([]bool, len(rows))
		err = inParallel(len(rows), func(i int) {
			reader := readersOfPackets.Get().(*packets.Reader)
			defer readersOfPackets.Put(reader)
			packet, err := reader.ReadStored(joined[i])
			bad[i] = err != nil || packet.Table() != table
		})
		if err != nil {
			return chain, err
		}
		for i := range rows {
			if chain.add(documents[i]); bad[i] {
				c.add(found(verify.PacketAltered, "row %d of %s", rows[i], table))
			}
		}
		if c.full() {
			return chain, nil
		}
	}
}
