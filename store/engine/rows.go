package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A StoredTable is a table as a copy of the store takes it to a database of another kind: its name,
// and its columns that are stored and not derived from a document.
type StoredTable struct {
	Name    string
	Columns []StoredColumn
}

// A StoredColumn is a column of a StoredTable, whose name each engine may write in its own way.
type StoredColumn struct {
	Name string
	Kind StoredKind
}

// A StoredKind says what a column holds.
type StoredKind uint8

const (
	StoredText   StoredKind = iota // a []byte that is UTF-8
	StoredBytes                    // a []byte
	StoredNumber                   // an int64
)

// StoredTables are all tables of a store, in an order in which their rows can be added, and in it
// the rows of a table by their columns.
var StoredTables = storedTables(`
docket_meta: name value
docket_log: #position kind tableName subject #number at *leafHash body signature
trade_appeal_policies: #position document
trade_appeal_cases: #position document
trade_agreement_amendment_policies: #position document
trade_agreement_amendment_records: #position document
docket_log_hashes: #position *hash
docket_checkpoints: #size note
trade_challenge_appeal_enforcement_records: #sequence document
trade_agreement_amendment_enforcement_records: #sequence document
docket_signers: #position reviewerId fingerprint publicKey since
docket_texts: #owner member salt text
docket_cosignatures: #position checkpoint cosignature key keptAt
docket_tokens: #position kind id *digest principal role owners at expiresAt
docket_service_moves: #position origin movedAt
docket_service_received: #sequence origin recordId #size
docket_service_formers: kind holder tableName #position
docket_local: #position kind owner tableName id #revision value at
docket_handin_service: #position key boundAt
docket_handin_checkpoints: #position kind checkpoint key keptAt
docket_handin_acceptances: #position #service #sequence origin #treeSize receipt proof checkpoint keptAt
docket_handin_rejections: #position #sequence inForce signed changes keptAt
docket_handin_records: #position #service tableName id #revision recordId supersedes record signature origin #sequence at proof checkpoint #afterRecords #afterRejections keptAt
`)

func stored(name string) *StoredTable {
	return &StoredTables[slices.IndexFunc(StoredTables, func(t StoredTable) bool { return t.Name == name })]
}

// Number is the name of the first column, which in most tables numbers the rows.
func (t *StoredTable) Number() string { return t.Columns[0].Name }

// storedTables reads a line for each table: # stands before a number, * before bytes.
func storedTables(text string) (all []StoredTable) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		name, columns, _ := strings.Cut(strings.TrimSpace(line), ": ")
		table := StoredTable{Name: name}
		for _, column := range strings.Fields(columns) {
			kind := StoredText
			switch column[0] {
			case '#':
				kind = StoredNumber
			case '*':
				kind = StoredBytes
			}
			table.Columns = append(table.Columns, StoredColumn{strings.TrimLeft(column, "#*"), kind})
		}
		all = append(all, table)
	}
	return all
}

// Scan reads a row with the columns of the table. The caller may keep the values.
func (t *StoredTable) Scan(scan func(...any) error) ([]any, error) {
	values, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	numbers, texts := make([]int64, len(values)), make([][]byte, len(values))
	for i, column := range t.Columns {
		if into[i] = &texts[i]; column.Kind == StoredNumber {
			into[i] = &numbers[i]
		}
	}
	if err := scan(into...); err != nil {
		return nil, err
	}
	for i, column := range t.Columns {
		if values[i] = texts[i]; column.Kind == StoredNumber {
			values[i] = numbers[i]
		}
	}
	return values, nil
}

func (t *StoredTable) names() string {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = column.Name
	}
	return strings.Join(names, ", ")
}

// Rows are the rows of the StoredTables as they are stored, for a copy to another engine.
type Rows struct{ Tx }

// Rows returns the rows of the StoredTables.
func (t Tx) Rows() Rows { return Rows{t} }

// Count is how many rows a table has.
func (q Rows) Count(ctx context.Context, table *StoredTable) (count int64, err error) {
	err = q.Row(ctx, "SELECT count(*) FROM "+table.Name, nil, &count)
	return count, err
}

// Each yields the rows of a table by their columns. A value is of the column's kind.
func (q Rows) Each(ctx context.Context, table *StoredTable, yield func(values []any) error) error {
	columns := table.names()
	return q.EachRow(ctx, "SELECT "+columns+" FROM "+table.Name+" ORDER BY "+columns, func(scan Scan) error {
		values, err := table.Scan(scan)
		if err != nil {
			return err
		}
		return yield(values)
	})
}

// Put adds a row as another engine stored it.
func (q Rows) Put(ctx context.Context, table *StoredTable, values []any) error {
	stored, places := make([]any, len(values)), make([]string, len(values))
	for i, column := range table.Columns {
		places[i] = fmt.Sprintf("$%d", i+1)
		if stored[i] = values[i]; column.Kind == StoredText {
			stored[i] = Text(values[i].([]byte))
		}
	}
	return q.Exec1(ctx, "INSERT INTO "+table.Name+" ("+table.names()+") VALUES ("+strings.Join(places, ", ")+")", stored...)
}
