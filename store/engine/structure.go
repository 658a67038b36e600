package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"docket/domain/ordered"
	"docket/domain/records"
	"docket/domain/terms"
)

// Ends are the last numbers in the tables of the log; -1 for none.
type Ends struct{ Signatures, Records, Hashes int64 }

// Structure reports on the integrity of the database. Its results name tables.
type Structure interface {
	// Altered names the tables, indexes and triggers that are missing, changed or unexpected. The error is
	// disk.ErrAltered if the store cannot even be read.
	Altered(ctx context.Context) ([]string, error)
	// Faults counts the errors that the database's own check of its structure finds. It compares indexes with their
	// tables.
	Faults(ctx context.Context) (int, error)
	// Ends returns the ends of the tables that grow with the log.
	Ends(ctx context.Context) (Ends, error)
	// Extent returns the highest sequence of any row plus one: the size of the log or, in an edited log, the range to
	// check. It is never more than the number of rows, so that a forged sequence cannot prolong a check.
	Extent(ctx context.Context) (int64, error)
	// BelowZero names the tables with rows whose number is below 0, which a count from 0 does not reach.
	BelowZero(ctx context.Context) ([]string, error)
	// Strays names the tables that have rows at a sequence that the log does not have, texts before the first packet or after the last, or rows
	// beside the log after a number that no row has.
	Strays(ctx context.Context) ([]string, error)
	// InOtherTable returns at most so many leaves whose record is in this table although the log names another.
	InOtherTable(ctx context.Context, table terms.Table, most int) ([]Leaf, error)
	// OpenedEarly yields the records of a console's store in a table that were opened in the second in which their packet came
	// in, or before.
	OpenedEarly(ctx context.Context, table terms.Table, yield func(*Opened)) error
	// TryWrite writes nothing, and fails where nothing can be written.
	TryWrite(ctx context.Context) error
	// OfOtherKind names the tables that have rows although a store of this kind leaves them empty: a service's, or a console's.
	OfOtherKind(ctx context.Context, service bool) ([]string, error)
}

// Opened is when the packet of a record was opened, and when it came in.
type Opened struct {
	Sequence             int64
	RecordID             records.RecordID
	OpenedAt, ImportedAt string
}

// The parts of Structure that are the same in every engine: the tables that are asked, and the order of the answers.

// besideRecords are the tables with a row at the sequence of a record, or with the record.
var besideRecords = []string{terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String(), "docket_signatures", "docket_packet_salts", "docket_statements",
	"docket_notes"}

// WithAny returns the names of the tables for which any returns true, in their order.
func WithAny(tables []*StoredTable, any func(*StoredTable) (bool, error)) (names []string, err error) {
	for _, t := range tables {
		is, err := any(t)
		if err != nil {
			return nil, err
		}
		if is {
			names = append(names, t.Name)
		}
	}
	return names, nil
}

// Numbered are the tables of Structure.BelowZero: their Number is never below 0.
func Numbered() []*StoredTable {
	list := storedAs("docket_log", "docket_log_hashes", "docket_checkpoints", "docket_packet_heads", "docket_signers")
	list = append(list, storedAs(besideRecords...)...)
	for _, table := range terms.PacketTables.Terms() {
		list = append(list, stored(table.String()))
	}
	for i := range Coverings {
		list = append(list, Coverings[i].StoredTable)
	}
	return list
}

// OfOtherKind are the tables of Structure.OfOtherKind: those of a service, which a console's store leaves empty, and the other way round.
func OfOtherKind(service bool) []*StoredTable {
	if service {
		return storedAs("docket_skips", "docket_drafts", "docket_handin_pull", "docket_handin_reassigned", "docket_handin_service",
			"docket_handin_checkpoints", "docket_handin_acceptances", "docket_handin_rejections", "docket_handin_records")
	}
	return storedAs("docket_service_tokens", "docket_service_revocations", "docket_service_moves", "docket_service_received",
		"docket_service_other_assignees", "docket_service_other_owners")
}

func storedAs(names ...string) (list []*StoredTable) {
	for _, name := range names {
		list = append(list, stored(name))
	}
	return list
}

// A StrayKind says which rows of a table are strays.
type StrayKind uint8

const (
	OfNoPacket StrayKind = iota // their place is before the first packet of their table or after the last; one that is gone from between is found by the packets' heads
	AfterAGap                   // they are numbered above 0, and no row has the number before
	OfNoLeaf                    // the log has no such sequence
)

// A Strayable is a table that may have strays.
type Strayable struct {
	*StoredTable
	Kind StrayKind
}

// Strays returns the names, sorted, of the tables that have strays; any reports whether a table has some.
func Strays(any func(Strayable) (bool, error)) (names []string, err error) {
	list := []Strayable{{stored("docket_packet_texts"), OfNoPacket}}
	for _, t := range storedAs(append(slices.Clone(besideRecords), "docket_service_received")...) {
		list = append(list, Strayable{t, OfNoLeaf})
	}
	for i := range Coverings {
		if name := Coverings[i].Name; name != "docket_service_received" {
			list = append(list, Strayable{Coverings[i].StoredTable, AfterAGap})
		}
	}
	ordered.Sort(list, func(a, b Strayable) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range list {
		is, err := any(t)
		if err != nil {
			return nil, err
		}
		if is {
			names = append(names, t.Name)
		}
	}
	return names, nil
}

// Extent computes Structure.Extent. ends returns the last sequence of a table, -1 if it is empty, and the number of its rows.
func Extent(ends func(table string) (last, rows int64, err error)) (int64, error) {
	var extent, all int64
	for _, table := range []string{"docket_log", "docket_signatures", terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()} {
		last, rows, err := ends(table)
		if err != nil {
			return 0, err
		}
		extent, all = max(extent, min(last, math.MaxInt64-1)+1), all+rows
	}
	return min(extent, all), nil
}
