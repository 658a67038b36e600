package engine

import (
	"context"
	"math"
	"slices"
)

// A CoveredTable is an append-only table beside the log whose rows the anchor covers.
type CoveredTable struct {
	Name  string
	Rows  int64 // one more than its last number: how many it has, if none is missing
	Grows bool  // with the log: an opening looks at where it ends, and a check of the storage reads it
}

// Covered are the tables whose rows could be lost, when a file is set back or rows are removed, without any record
// missing them. Checkpoints cover those of the log itself, and heads the packets; the revoked keys follow from the
// statements. Skips and drafts are the reviewer's own and may go.
type Covered interface {
	// Tables returns them as they are, always in the same order.
	Tables(ctx context.Context) ([]CoveredTable, error)
	// Rows yields the columns of the rows of a table after the first so many, as they are stored: at most most of them, all for -1, and none
	// after a gap. The columns are not to be kept.
	Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error
}

// A Covering is a table whose rows the anchor covers, as it is stored: its first column numbers the rows from 0, and the others are covered, in
// their order.
type Covering struct {
	*StoredTable
	grows bool
}

// Coverings are the tables of Covered, in their order.
var Coverings = []Covering{
	{stored("docket_log_statements"), false},
	{stored("docket_handin_statements"), false},
	{stored("docket_handin_service"), false},
	{stored("docket_handin_checkpoints"), true},
	{stored("docket_service_tokens"), false},
	{stored("docket_service_revocations"), false},
	{stored("docket_service_moves"), false},
	{stored("docket_cosignatures"), true},
	{stored("docket_handin_acceptances"), true},
	{stored("docket_handin_rejections"), true},
	{stored("docket_handin_records"), true},
	{stored("docket_service_received"), true},
}

// CoveringOf returns the covering of a table, whose name must be in Coverings.
func CoveringOf(table string) *Covering {
	return &Coverings[slices.IndexFunc(Coverings, func(c Covering) bool { return c.Name == table })]
}

// CoveredTables returns the tables of Coverings, and pointers to their Rows, into which a query scans one more than the last
// number of each.
func CoveredTables() (tables []CoveredTable, into []any) {
	tables = make([]CoveredTable, len(Coverings))
	for i, c := range Coverings {
		tables[i].Name, tables[i].Grows = c.Name, c.grows
		into = append(into, &tables[i].Rows)
	}
	return tables, into
}

// Rows is Covered.Rows by a query that takes the number from which on rows are wanted, and how many of them, and selects the columns in their order,
// numbers as text but for the first.
func (c *Covering) Rows(ctx context.Context, q Querier, query string, after, most int64, yield func(columns [][]byte)) error {
	if most < 0 {
		most = math.MaxInt64
	}
	columns := make([][]byte, len(c.Columns)-1)
	var place int64
	into := []any{&place}
	for i := range columns {
		into = append(into, &columns[i])
	}
	whole, due := true, after
	return q.EachRow(ctx, query, func(scan Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		if whole = whole && place == due; whole {
			yield(columns)
			due++
		}
		return nil
	}, after, most)
}
