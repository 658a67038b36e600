package store

import (
	"fmt"

	"docket/domain"
)

// The tables in which a console's store keeps what it knows of its service.
const (
	boundTable        = "docket_handin_service"
	pullTable         = "docket_handin_pull"
	acceptancesTable  = "docket_handin_acceptances"
	rejectionsTable   = "docket_handin_rejections"
	cosignaturesTable = "docket_handin_cosignatures"
)

// handInTables are append-only but for the cursor of the pulls. A record is answered for once: accepted or rejected.
var handInTables = []localTable{
	{name: boundTable, options: "STRICT", refuses: []string{"EXISTS (SELECT 1 FROM " + boundTable + ")"}, columns: []string{
		"key TEXT NOT NULL",
		"boundAt TEXT NOT NULL",
	}},
	{name: pullTable, options: "STRICT", mutable: true, columns: []string{
		"id INTEGER PRIMARY KEY CHECK (id = 0)",
		"cursor TEXT NOT NULL",
		"completedAt TEXT NOT NULL",
	}},
	{name: acceptancesTable, options: "STRICT", refuses: []string{
		same(acceptancesTable, "treeSize"), same(rejectionsTable, "sequence"), unlogged("sequence"),
	}, columns: []string{
		"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
		"treeSize INTEGER NOT NULL UNIQUE",
		"receipt TEXT NOT NULL",
		"checkpoint TEXT NOT NULL",
		"keptAt TEXT NOT NULL",
	}},
	{name: rejectionsTable, options: "STRICT", refuses: []string{
		notNext(rejectionsTable, "position"), same(rejectionsTable, "sequence"), same(acceptancesTable, "sequence"), unlogged("sequence"),
	}, columns: []string{
		"position INTEGER PRIMARY KEY",
		"sequence INTEGER NOT NULL UNIQUE REFERENCES docket_log (sequence)",
		"inForce TEXT NOT NULL",
		"signed TEXT NOT NULL",
		"changes TEXT NOT NULL",
		"keptAt TEXT NOT NULL",
	}},
	{name: cosignaturesTable, options: "STRICT", refuses: []string{
		"EXISTS (SELECT 1 FROM " + cosignaturesTable + " WHERE size > NEW.size)",
	}, columns: []string{
		"size INTEGER PRIMARY KEY",
		"cosignature TEXT NOT NULL",
		"key TEXT NOT NULL",
		"keptAt TEXT NOT NULL",
	}},
}

// unlogged is the condition that the new row belongs to no record of the log.
func unlogged(column string) string {
	return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s WHERE sequence = NEW.%s)", logTable, column)
}

// isRejected is the condition that the service turned the record at a place of the log away.
func isRejected(sequence string) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM main.%s AS rejected WHERE rejected.sequence = %s)", rejectionsTable, sequence)
}

// supersededAlready is the condition that a record that was not rejected supersedes what the new one does.
func supersededAlready(table domain.Table) string {
	return fmt.Sprintf("EXISTS (SELECT 1 FROM %s AS earlier WHERE earlier.\"supersedes\" = NEW.\"supersedes\""+
		" AND NOT EXISTS (SELECT 1 FROM %s AS rejected WHERE rejected.sequence = earlier.sequence))", table, rejectionsTable)
}
