package engine

import (
	"cmp"
	"math"
	"slices"

	"docket/domain/ordered"
	"docket/domain/terms"
)

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
