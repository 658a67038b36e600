//go:build unix

package damage_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"docket/cmd/internal/programtest"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// recordsTable is where the records of a site are.
const recordsTable = "trade_challenge_appeal_enforcement_records"

// A forger has the store's file and the programs sqlite3 and ssh-keygen: the triggers that keep a record from being
// changed are dropped, and put back when it is done.
type forger struct{ *programtest.Site }

// alter runs statements while no trigger guards the tables.
func (f forger) alter(statements ...string) {
	f.T.Helper()
	triggers := strings.Fields(f.SQLite("SELECT name || ' ' || hex(sql) FROM sqlite_schema WHERE type = 'trigger'"))
	if len(triggers) < 40 {
		f.T.Fatalf("%d triggers", len(triggers)/2)
	}
	var drop, again strings.Builder
	for i := 0; i < len(triggers); i += 2 {
		made, err := hex.DecodeString(triggers[i+1])
		must(f.T, err)
		fmt.Fprintf(&drop, "DROP TRIGGER %s;\n", triggers[i])
		fmt.Fprintf(&again, "%s;\n", made)
	}
	f.SQLite("BEGIN;\n" + drop.String() + strings.Join(statements, ";\n") + ";\n" + again.String() + "COMMIT;\n")
}

// record is the id of a record.
func (f forger) record(sequence int64) string {
	f.T.Helper()
	return f.SQLite(fmt.Sprintf("SELECT recordId FROM docket_log WHERE sequence = %d", sequence))
}

func (f forger) document(sequence int64) string {
	f.T.Helper()
	return f.Text(fmt.Sprintf("SELECT document FROM %s WHERE sequence = %d", recordsTable, sequence))
}

// newKey makes a key of the forger's own.
func (f forger) newKey() string {
	f.T.Helper()
	path := f.At("forged_key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path).CombinedOutput(); err != nil {
		f.T.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return path
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// replace puts another document in the place of a record, signed with the key.
func (f forger) replace(sequence int64, document, key string) {
	f.T.Helper()
	f.alter(fmt.Sprintf("UPDATE %s SET document = %s WHERE sequence = %d", recordsTable, quoted(document), sequence),
		fmt.Sprintf("UPDATE docket_signatures SET signature = %s WHERE sequence = %d", quoted(f.Sign(key, document)), sequence))
}

// rebuild makes the leaves, the tree and the checkpoints fit the records, with the key of the log, from the key file beside it.
func (f forger) rebuild() {
	f.T.Helper()
	origin := f.Text("SELECT value FROM docket_meta WHERE name = 'origin'")
	private, err := os.ReadFile(f.Keys()[0])
	must(f.T, err)
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	must(f.T, err)
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (hashes []tlog.Hash, err error) {
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	statements := []string{"DELETE FROM docket_log_hashes", "DELETE FROM docket_checkpoints WHERE size > 0"}
	for n, id := range strings.Fields(f.SQLite("SELECT sequence FROM " + recordsTable + " ORDER BY sequence")) {
		leaf := tlog.RecordHash([]byte(f.document(int64(n))))
		more, err := tlog.StoredHashesForRecordHash(int64(n), leaf, reader)
		if err != nil || id != fmt.Sprint(n) {
			f.T.Fatal(err, id)
		}
		for i, hash := range more {
			statements = append(statements, fmt.Sprintf("INSERT INTO docket_log_hashes (position, hash) VALUES (%d, x'%s')",
				len(stored)+i, hex.EncodeToString(hash[:])))
		}
		stored = append(stored, more...)
		root, err := tlog.TreeHash(int64(n)+1, reader)
		must(f.T, err)
		signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", origin, n+1, root)}, signer)
		must(f.T, err)
		statements = append(statements, fmt.Sprintf("UPDATE docket_log SET leafHash = x'%s' WHERE sequence = %d", hex.EncodeToString(leaf[:]), n),
			fmt.Sprintf("INSERT INTO docket_checkpoints (size, note) VALUES (%d, %s)", n+1, quoted(string(signed))))
	}
	f.alter(statements...)
}
