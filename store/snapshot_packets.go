package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"docket/domain"
	"docket/store/verify"
)

// Packet returns the stored document under a key and when it came in. The error wraps ErrNotFound if there is none.
// The document is looked up in an index and has not been checked: that it is what was asked for is for it to say.
func (v *Snapshot) Packet(ctx context.Context, table domain.Table, id domain.ID,
	number int64) (document []byte, importedAt string, err error) {
	name := verify.Ref{Table: table, Key: domain.Key{ID: id, Number: number}}
	err = v.reading(ctx, "read the packet", func(ctx context.Context, tx *sql.Tx) (err error) {
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
	places := map[domain.Table][]int{}
	for i := range names {
		places[names[i].Table] = append(places[names[i].Table], i)
	}
	documents := make([][]byte, len(names))
	err := v.reading(ctx, "read packets", func(ctx context.Context, tx *sql.Tx) error {
		for table, wanted := range places {
			for len(wanted) > 0 && domain.PacketTables.Has(table) {
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
func (v *Snapshot) packetsIn(ctx context.Context, tx *sql.Tx, table domain.Table, names []verify.Ref, wanted []int,
	documents [][]byte) error {
	width := 1 << bits.Len(uint(len(wanted)-1))
	id, number := keyColumns(table)
	query := fmt.Sprintf("WITH wanted (place, id, number) AS (VALUES (?, ?, ?)%[5]s) "+
		"SELECT wanted.place, held.document FROM wanted CROSS JOIN main.%[1]s AS held ON held.rowid = "+
		"(SELECT rowid FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = wanted.id AND %[3]s = wanted.number) WHERE held.rowid <= ?",
		table, quote(id), quote(number), keyIndex(table), strings.Repeat(", (?, ?, ?)", width-1))
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

func (v *Snapshot) packetIn(ctx context.Context, tx *sql.Tx, name verify.Ref) (document []byte, importedAt string, err error) {
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
var packetQueries = func() map[domain.Table]string {
	queries := map[domain.Table]string{}
	for _, table := range domain.PacketTables.Words() {
		id, number := keyColumns(table)
		queries[table] = fmt.Sprintf("SELECT document, importedAt FROM main.%[1]s WHERE rowid = "+
			"(SELECT rowid FROM main.%[1]s INDEXED BY %[4]s WHERE %[2]s = ? AND %[3]s = ?) AND rowid <= ?",
			table, quote(id), quote(number), keyIndex(table))
	}
	return queries
}()

// PacketDocument returns a stored packet as Snapshot.Packet does, as of now.
func (s *Store) PacketDocument(ctx context.Context, table domain.Table, id domain.ID,
	number int64) (document []byte, importedAt string, err error) {
	now := &Snapshot{store: s, last: map[domain.Table]int64{table: math.MaxInt64}}
	return now.Packet(ctx, table, id, number)
}
