package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A CoveredTable is an append-only table beside the log whose rows the anchor covers.
type CoveredTable struct {
	Name  string
	Rows  int64 // one more than its last number: how many it has, if none is missing
	Grows bool  // with the log: an opening looks at where it ends, and a check of the storage reads it
}

// Covered are the tables whose rows could be lost, when a file is set back or rows are removed,
// without any record missing them. Checkpoints cover those of the log itself. Skips and drafts are
// the reviewer's own and may go.
type Covered struct{ Tx }

// Covered returns the tables whose rows the anchor covers.
func (t Tx) Covered() Covered { return Covered{t} }

// A Covering is a table whose rows the anchor covers, as it is stored: its first column numbers the
// rows from 0, and the others are covered, in their order.
type Covering struct {
	*StoredTable
	grows bool
}

// Coverings are the tables of Covered, in their order.
var Coverings = []Covering{
	{stored("docket_handin_service"), false},
	{stored("docket_handin_checkpoints"), true},
	{stored("docket_tokens"), false},
	{stored("docket_service_moves"), false},
	{stored("docket_cosignatures"), true},
	{stored("docket_handin_acceptances"), true},
	{stored("docket_handin_rejections"), true},
	{stored("docket_handin_records"), true},
}

// CoveringOf returns the covering of a table, whose name must be in Coverings.
func CoveringOf(table string) *Covering {
	return &Coverings[slices.IndexFunc(Coverings, func(c Covering) bool { return c.Name == table })]
}

var coveredEnds = func() string {
	var ends []string
	for _, t := range Coverings {
		ends = append(ends, fmt.Sprintf("(SELECT coalesce(max(%s) + 1, 0) FROM %s)", t.Number(), t.Name))
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

// Tables returns them as they are, always in the same order.
func (q Covered) Tables(ctx context.Context) ([]CoveredTable, error) {
	tables, into := make([]CoveredTable, len(Coverings)), make([]any, len(Coverings))
	for i, c := range Coverings {
		tables[i].Name, tables[i].Grows = c.Name, c.grows
		into[i] = &tables[i].Rows
	}
	return tables, q.Row(ctx, coveredEnds, nil, into...)
}

// Rows yields the columns of a table's rows after the first so many, as they are stored: at most
// most, all for -1, and none after a gap. The columns are not to be kept.
func (q Covered) Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error {
	if most < 0 {
		most = math.MaxInt64
	}
	t := CoveringOf(table)
	columns := make([][]byte, len(t.Columns)-1)
	var place int64
	into := []any{&place}
	for i := range columns {
		into = append(into, &columns[i])
	}
	query := fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s >= $1 ORDER BY %[3]s LIMIT $2", t.names(), t.Name, t.Number())
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
