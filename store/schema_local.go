package store

import (
	"fmt"
	"slices"
	"strings"
)

// The tables that are this program's own.
const (
	metaTable        = "docket_meta"
	logTable         = "docket_log"
	hashesTable      = "docket_log_hashes"
	signaturesTable  = "docket_signatures"
	signersTable     = "docket_signers"
	checkpointsTable = "docket_checkpoints"
	notesTable       = "docket_notes"
	saltsTable       = "docket_packet_salts"
	reasonsTable     = "docket_statements"
	statementsTable  = "docket_log_statements"
	packetHeadsTable = "docket_packet_heads"
	skipsTable       = "docket_skips"
	draftsTable      = "docket_drafts"
)

// A localTable is one of this program's own tables.
type localTable struct {
	name    string
	columns []string
	mutable bool     // rows may be changed and deleted
	refuses []string // conditions on which a new row is refused, besides that its rowid exists
	options string
}

// localTables are append-only but for the skips, the drafts and the cursor of the pulls.
var localTables = slices.Concat(ownTables, handInTables)

var ownTables = []localTable{
	{name: metaTable, options: "STRICT", refuses: []string{same(metaTable, "name")}, columns: []string{
		"name TEXT NOT NULL UNIQUE",
		"value TEXT NOT NULL",
	}},
	{name: logTable, options: "STRICT", refuses: []string{
		same(logTable, "recordId"), notNext(logTable, "sequence"),
	}, columns: []string{
		"sequence INTEGER PRIMARY KEY",
		"tableName TEXT NOT NULL",
		"recordId TEXT NOT NULL UNIQUE",
		"leafHash BLOB NOT NULL CHECK (length(leafHash) = 32)",
	}},
	{name: hashesTable, options: "STRICT", refuses: []string{notNext(hashesTable, "position")}, columns: []string{
		"position INTEGER PRIMARY KEY",
		"hash BLOB NOT NULL CHECK (length(hash) = 32)",
	}},
	{name: signaturesTable, options: "STRICT", refuses: []string{notNext(signaturesTable, "sequence")}, columns: []string{
		"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
		"signature TEXT NOT NULL",
	}},
	{name: signersTable, options: "STRICT", refuses: []string{
		same(signersTable, "reviewerId", "fingerprint"),
	}, columns: []string{
		"reviewerId TEXT NOT NULL",
		"fingerprint TEXT NOT NULL",
		"publicKey TEXT NOT NULL",
		"since TEXT NOT NULL",
		"UNIQUE (reviewerId, fingerprint)",
	}},
	{name: checkpointsTable, options: "STRICT", refuses: []string{notNext(checkpointsTable, "size")}, columns: []string{
		"size INTEGER PRIMARY KEY",
		"note TEXT NOT NULL",
	}},
	{name: notesTable, options: "STRICT", columns: []string{
		"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
		"salt TEXT NOT NULL",
		"note TEXT NOT NULL",
	}},
	{name: saltsTable, options: "STRICT", columns: []string{
		"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
		"salt TEXT NOT NULL",
	}},
	{name: reasonsTable, options: "STRICT", columns: []string{
		"sequence INTEGER PRIMARY KEY REFERENCES docket_log (sequence)",
		"salt TEXT NOT NULL",
		"statement TEXT NOT NULL",
	}},
	{name: packetHeadsTable, options: "STRICT", refuses: []string{notNext(packetHeadsTable, "position")}, columns: []string{
		"position INTEGER PRIMARY KEY",
		"note TEXT NOT NULL",
	}},
	{name: statementsTable, options: "STRICT", refuses: []string{notNext(statementsTable, "position")}, columns: []string{
		"position INTEGER PRIMARY KEY",
		"statement TEXT NOT NULL",
		"signature TEXT NOT NULL",
	}},
	serviceTokens,
	serviceRevocations,
	serviceKeys,
	serviceKeyRevocations,
	serviceWitnessed,
	serviceDisputed,
	serviceReceived,
	{name: skipsTable, options: "STRICT, WITHOUT ROWID", mutable: true, columns: []string{
		"reviewer TEXT NOT NULL",
		"tableName TEXT NOT NULL",
		"id TEXT NOT NULL",
		"revision INTEGER NOT NULL",
		"reason TEXT NOT NULL",
		"skippedAt TEXT NOT NULL",
		"PRIMARY KEY (reviewer, tableName, id, revision)",
	}},
	{name: draftsTable, options: "STRICT, WITHOUT ROWID", mutable: true, columns: []string{
		"reviewer TEXT NOT NULL",
		"tableName TEXT NOT NULL",
		"id TEXT NOT NULL",
		"revision INTEGER NOT NULL",
		"draft TEXT NOT NULL",
		"savedAt TEXT NOT NULL",
		"PRIMARY KEY (reviewer, tableName, id, revision)",
	}},
}

// names are those of the columns.
func (t *localTable) names() []string {
	var names []string
	for _, column := range t.columns {
		if name, _, _ := strings.Cut(column, " "); name != strings.ToUpper(name) { // else it is a constraint
			names = append(names, name)
		}
	}
	return names
}

func localObjects() []object {
	var objects []object
	for _, t := range localTables {
		objects = append(objects, object{t.name,
			fmt.Sprintf("CREATE TABLE %s (\n  %s\n) %s", t.name, strings.Join(t.columns, ",\n  "), t.options)})
		if !t.mutable {
			objects = append(objects, guards(t.name, t.refuses...)...)
		}
	}
	return objects
}

// notNext is the condition that the new row does not carry the next number from 0: a log has no gaps.
func notNext(table, column string) string {
	return fmt.Sprintf("NEW.%[2]s IS NOT (SELECT coalesce(max(%[2]s) + 1, 0) FROM %[1]s)", table, column)
}

// guards are the triggers that make a table append-only. The one on insertion is there because INSERT OR REPLACE
// deletes without firing the trigger on deletion unless the connection asks for that; it holds whatever it asks.
func guards(table string, refuses ...string) []object {
	raise := func(name, when, what string) object {
		return object{name, fmt.Sprintf("CREATE TRIGGER %s %s BEGIN SELECT RAISE(ABORT, '%s'); END", name, when, what)}
	}
	exists := append([]string{fmt.Sprintf("EXISTS (SELECT 1 FROM %s WHERE rowid = NEW.rowid)", table)}, refuses...)
	return []object{
		raise(table+"_no_update", "BEFORE UPDATE ON "+table, table+" is append-only"),
		raise(table+"_no_delete", "BEFORE DELETE ON "+table, table+" is append-only"),
		raise(table+"_no_replace", "BEFORE INSERT ON "+table+" WHEN "+strings.Join(exists, "\n  OR "),
			table+" already has that row, or the row is not the next one"),
	}
}
