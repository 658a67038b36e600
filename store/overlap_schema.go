package store

import (
	"fmt"

	"docket/domain/overlap"
)

// overlapTable holds the receipts of the private-overlap pilot: one canonical document a row, each with the hash of
// the one before it, and beside it the head of the chain with it as the store's key signed it.
const overlapTable = "docket_overlap_receipts"

var overlapReceipts = localTable{name: overlapTable, options: "STRICT", refuses: []string{
	same(overlapTable, overlap.MemberID), notNext(overlapTable, "sequence"),
}, columns: append([]string{
	"sequence INTEGER PRIMARY KEY",
	"document TEXT NOT NULL",
	"head TEXT NOT NULL",
}, receiptColumns()...)}

// receiptColumns derives a column from each member of a receipt but its sequence, which is held to be the row's.
func receiptColumns() []string {
	var columns []string
	for _, name := range overlap.ReceiptMembers() {
		if name == overlap.MemberSequence {
			continue
		}
		unique := ""
		if name == overlap.MemberID {
			unique = " UNIQUE"
		}
		columns = append(columns, fmt.Sprintf("%s TEXT GENERATED ALWAYS AS (json_extract(document, '$.%s')) VIRTUAL NOT NULL%s",
			name, name, unique))
	}
	return append(columns, fmt.Sprintf("CHECK (json_extract(document, '$.%s') IS sequence)", overlap.MemberSequence))
}
