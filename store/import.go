package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/merkle"
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
func (s *Store) Import(ctx context.Context, packets []domain.Packet) ([]ImportResult, error) {
	for i := range packets {
		if !domain.PacketTables.Has(packets[i].Table()) {
			return nil, fmt.Errorf("packet %d of the portion has not been read and redacted", i)
		}
	}
	results := make([]ImportResult, len(packets))
	err := s.writing(ctx, "store packets", func(ctx context.Context, tx *sql.Tx) error {
		in := importing{tx: tx, key: s.key, at: domain.InstantOf(s.now()).String()}
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
	reader domain.Reader
	tables [domain.AmendmentRecords + 1]struct{ find, insert *sql.Stmt }
}

func (in *importing) prepare(ctx context.Context, table domain.Table) (err error) {
	statements := &in.tables[table]
	if statements.insert != nil {
		return nil
	}
	id, number := keyColumns(table)
	find := fmt.Sprintf("SELECT document FROM main.%s WHERE %s = ? AND %s = ?", table, quote(id), quote(number))
	insert := fmt.Sprintf("INSERT INTO main.%s (document, importedAt) VALUES (?, ?)", table)
	if statements.find, err = in.tx.PrepareContext(ctx, find); err != nil {
		return err
	}
	statements.insert, err = in.tx.PrepareContext(ctx, insert)
	return err
}

// add stores one packet unless its key is held.
func (in *importing) add(ctx context.Context, p *domain.Packet) (ImportResult, error) {
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
	result, err := statements.insert.ExecContext(ctx, string(p.Document()), in.at)
	if err != nil {
		return Conflict, err
	}
	if err := changedExactly(1, result); err != nil {
		return Conflict, err
	}
	if in.head == nil {
		if in.head, err = newestPacketHead(ctx, in.tx, in.key); err != nil {
			return Conflict, err
		}
	}
	chain := in.head[p.Table()]
	chain.add(p.Document())
	in.head[p.Table()] = chain
	return Imported, nil
}

// keepHead signs for what came in.
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

// compare tells whether the held document is of the same record. One that cannot be read is not.
func (in *importing) compare(held []byte, p *domain.Packet) ImportResult {
	if bytes.Equal(held, p.Document()) {
		return Unchanged
	}
	packet, err := in.reader.ReadStored(held)
	if err != nil || !packet.Digests().Record.Matches(p.Digests().Record) {
		return Conflict
	}
	return Unchanged
}
