//go:build unix

package damage_test

import (
	"strings"

	"docket/cmd/internal/programtest"
)

// A forgery is something done to the file of a store with three records, with the findings that have to be named.
type forgery struct {
	name string
	do   func(forger)
	want []named
}

// A named is a finding with the record that it has to name; -1: none.
type named struct {
	kind     string
	sequence int64
}

var forgeries = []forgery{
	{"an edited record", func(f forger) {
		f.alter("UPDATE " + recordsTable + " SET document = replace(document, 'request_evidence', 'route_human_review') WHERE sequence = 0")
	}, []named{{"signature_invalid", 0}, {"leaf_differs", 0}, {"root_differs", -1}}},
	{"an edited record with its tree made to fit", func(f forger) {
		f.alter("UPDATE " + recordsTable + " SET document = replace(document, 'request_evidence', 'route_human_review') WHERE sequence = 0")
		f.rebuild()
	}, []named{{"signature_invalid", 0}, {"head_not_prefix", 1}, {"head_not_prefix", 2}, {"forked", -1}}},
	{"a deleted tail", func(f forger) {
		f.alter("DELETE FROM docket_notes WHERE sequence = 2", "DELETE FROM docket_signatures WHERE sequence = 2",
			"DELETE FROM "+recordsTable+" WHERE sequence = 2", "DELETE FROM docket_log WHERE sequence = 2")
	}, []named{{"rolled_back", -1}, {"tail_missing", -1}}},
	{"a deleted tail with its tree made to fit", func(f forger) {
		f.alter("DELETE FROM docket_notes WHERE sequence = 2", "DELETE FROM docket_signatures WHERE sequence = 2",
			"DELETE FROM "+recordsTable+" WHERE sequence = 2", "DELETE FROM docket_log WHERE sequence = 2")
		f.rebuild()
	}, []named{{"rolled_back", -1}}},
	{"a swapped signature", func(f forger) {
		f.alter("UPDATE docket_signatures SET signature = (SELECT signature FROM docket_signatures WHERE sequence = 0) WHERE sequence = 1")
	}, []named{{"signature_invalid", 1}}},
	{"a record that an unknown key signed again", func(f forger) {
		f.replace(1, f.document(1), f.newKey())
	}, []named{{"signer_unknown", 1}}},
	{"a record that another key signed again, which is then listed as the reviewer's", func(f forger) {
		key := f.newKey()
		f.replace(1, f.document(1), key)
		f.alter("INSERT INTO docket_signers (reviewerId, fingerprint, publicKey, since) VALUES ('rev-0417', " +
			quoted(programtest.Fingerprint(f.T, key)) + ", " + quoted(strings.TrimSpace(f.Read("forged_key.pub"))) + ", '2026-01-01T00:00:00Z')")
	}, []named{{"key_differs", 1}}},
	{"a dropped trigger", func(f forger) {
		f.SQLite("DROP TRIGGER " + recordsTable + "_no_update")
	}, []named{{"schema_altered", -1}}},
	{"a trigger that does nothing any more", func(f forger) {
		f.SQLite("DROP TRIGGER docket_log_no_delete; CREATE TRIGGER docket_log_no_delete BEFORE DELETE ON docket_log BEGIN SELECT 1; END")
	}, []named{{"schema_altered", -1}}},
	{"a trigger that swallows records", func(f forger) {
		f.SQLite("CREATE TRIGGER swallow BEFORE INSERT ON docket_log BEGIN SELECT RAISE(IGNORE); END")
	}, []named{{"schema_altered", -1}}},
	{"a record that its own reviewer forged, with all made to fit", func(f forger) {
		f.replace(2, blockedOtherwise(f), f.At(programtest.OwnKey))
		f.rebuild()
	}, []named{{"blockers_differ", 2}, {"forked", -1}}},
	{"a packet that was changed after it was judged", func(f forger) {
		f.alter("UPDATE trade_appeal_cases SET document = replace(document, 'evr-000482', 'evr-000483')")
	}, []named{{"packet_altered", 0}, {"packet_altered", 1}, {"packet_altered", 2}}},
}

// besideForgeries change what lies beside the records.
var besideForgeries = []forgery{
	{"a private note that was changed", func(f forger) { f.alter("UPDATE docket_notes SET note = 'x' WHERE sequence = 1") },
		[]named{{"note_altered", 1}}},
	{"a private note that is gone", func(f forger) { f.alter("DELETE FROM docket_notes WHERE sequence = 1") },
		[]named{{"note_missing", 1}}},
	{"an older checkpoint in the place of another", func(f forger) {
		f.alter("UPDATE docket_checkpoints SET note = (SELECT note FROM docket_checkpoints WHERE size = 1) WHERE size = 2")
	}, []named{{"root_differs", -1}}},
	{"an older checkpoint that is gone", func(f forger) { f.alter("DELETE FROM docket_checkpoints WHERE size = 1") },
		[]named{{"checkpoint_missing", -1}}},
	{"an older checkpoint with another signature", func(f forger) {
		// One character in the middle of the signature, into one that it is not.
		f.alter("UPDATE docket_checkpoints SET note = substr(note, 1, length(note) - 20) || CASE substr(note, length(note) - 19, 1) " +
			"WHEN 'A' THEN 'B' ELSE 'A' END || substr(note, length(note) - 18) WHERE size = 1")
	}, []named{{"checkpoint_unreadable", -1}}},
	{"a hash of the tree", func(f forger) { f.alter("UPDATE docket_log_hashes SET hash = zeroblob(32) WHERE position = 0") },
		[]named{{"tree_differs", 0}}},
	{"a listed key", func(f forger) { f.alter("UPDATE docket_signers SET publicKey = replace(publicKey, 'A', 'B')") },
		[]named{{"signer_altered", -1}, {"signer_unknown", 0}}},
	{"the id under which a record is filed", func(f forger) { f.alter("UPDATE docket_log SET recordId = 'x' WHERE sequence = 1") },
		[]named{{"record_misplaced", 1}}},
	{"a record that is gone from the middle", func(f forger) { f.alter("DELETE FROM " + recordsTable + " WHERE sequence = 1") },
		[]named{{"record_missing", 1}}},
	{"a record in the other table at the same place", func(f forger) {
		f.alter("INSERT INTO trade_agreement_amendment_enforcement_records (sequence, document) SELECT 1, " +
			"json_set(document, '$.amendmentId', 'a', '$.amendmentRevision', 1) FROM " + recordsTable + " WHERE sequence = 1")
	}, []named{{"record_without_leaf", 1}}},
}

// blockedOtherwise is the last record as if its packet had a blocker that it has not.
func blockedOtherwise(f forger) string {
	document := f.document(2)
	for old, replacement := range map[string]string{`"computedBlockers":[]`: `"computedBlockers":["notice_missing"]`, `"gate":"pass"`: `"gate":"blocked"`} {
		if !strings.Contains(document, old) {
			f.T.Fatalf("%s is not in %s", old, document)
		}
		document = strings.Replace(document, old, replacement, 1)
	}
	return document
}
