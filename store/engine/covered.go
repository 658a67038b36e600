package engine

import "context"

// A CoveredTable is an append-only table beside the log whose rows the anchor covers.
type CoveredTable struct {
	Name  string
	Rows  int64 // how many it has, if none is missing
	Grows bool  // with the log: an opening looks at where it ends, and a check of the storage reads it
}

// Covered are the tables that lose what no record misses when a file is set back, or rows are removed. Those of the log itself are
// covered by its checkpoints, the packets by their heads, and the revoked keys follow from the statements. Skips and drafts are the
// reviewer's own and may go.
type Covered interface {
	// Tables returns them as they are, always in the same order.
	Tables(ctx context.Context) ([]CoveredTable, error)
	// Rows yields the columns of the rows of a table after the first so many, as they are stored: at most most of them, all for -1, and none
	// after a gap. The columns are not to be kept.
	Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error
}
