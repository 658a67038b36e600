//go:build unix

package main_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
)

// recordsTable is where the records of a site are.
const recordsTable = "trade_challenge_appeal_enforcement_records"

// A forger has the store's file and the programs sqlite3 and ssh-keygen: the triggers that keep a record from being
// changed are dropped, and put back when it is done.
type forger struct{ *site }

// needs skips the test where a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
}

// alter runs statements while no trigger guards the tables.
func (f forger) alter(statements ...string) {
	f.t.Helper()
	var script strings.Builder
	names := strings.Fields(f.sqlite("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
	if len(names) < 20 {
		f.t.Fatalf("%d triggers", len(names))
	}
	script.WriteString("BEGIN;\n")
	for _, name := range names {
		fmt.Fprintf(&script, "DROP TRIGGER %s;\n", name)
	}
	script.WriteString(strings.Join(statements, ";\n") + ";\n")
	for _, name := range names {
		script.WriteString(f.text("SELECT sql FROM sqlite_schema WHERE name = '"+name+"'") + ";\n")
	}
	script.WriteString("COMMIT;\n")
	f.sqlite(script.String())
}

// record is the id of a record.
func (f forger) record(sequence int64) string {
	f.t.Helper()
	return f.sqlite(fmt.Sprintf("SELECT recordId FROM docket_log WHERE sequence = %d", sequence))
}

func (f forger) document(sequence int64) string {
	f.t.Helper()
	return f.text(fmt.Sprintf("SELECT document FROM %s WHERE sequence = %d", recordsTable, sequence))
}

// sign signs with an OpenSSH key file, as a reviewer's key signs records.
func (f forger) sign(key, document string) string {
	f.t.Helper()
	command := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-n", records.SignatureNamespace, "-f", key)
	command.Stdin = strings.NewReader(document)
	made, err := command.Output()
	if err != nil {
		f.t.Fatalf("ssh-keygen: %v", err)
	}
	signature, err := sshsig.Unarmor(made)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(sshsig.Armor(signature)) // docket wraps its lines elsewhere than ssh-keygen
}

// newKey makes a key of the forger's own.
func (f forger) newKey() string {
	f.t.Helper()
	path := f.at("forged_key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path).CombinedOutput(); err != nil {
		f.t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return path
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// replace puts another document in the place of a record, signed with the key.
func (f forger) replace(sequence int64, document, key string) {
	f.t.Helper()
	f.alter(fmt.Sprintf("UPDATE %s SET document = %s WHERE sequence = %d", recordsTable, quoted(document), sequence),
		fmt.Sprintf("UPDATE docket_signatures SET signature = %s WHERE sequence = %d", quoted(f.sign(key, document)), sequence))
}

// rebuild makes the leaves, the tree and the checkpoints fit the records, with the key of the log, from the key file beside it.
func (f forger) rebuild() {
	f.t.Helper()
	origin := f.text("SELECT value FROM docket_meta WHERE name = 'origin'")
	private, err := os.ReadFile(f.keys()[0])
	if err != nil {
		f.t.Fatal(err)
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	if err != nil {
		f.t.Fatal(err)
	}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (hashes []tlog.Hash, err error) {
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	statements := []string{"DELETE FROM docket_log_hashes", "DELETE FROM docket_checkpoints WHERE size > 0"}
	for n, id := range strings.Fields(f.sqlite("SELECT sequence FROM " + recordsTable + " ORDER BY sequence")) {
		leaf := tlog.RecordHash([]byte(f.document(int64(n))))
		more, err := tlog.StoredHashesForRecordHash(int64(n), leaf, reader)
		if err != nil || id != fmt.Sprint(n) {
			f.t.Fatal(err, id)
		}
		for i, hash := range more {
			statements = append(statements, fmt.Sprintf("INSERT INTO docket_log_hashes (position, hash) VALUES (%d, x'%s')",
				len(stored)+i, hex.EncodeToString(hash[:])))
		}
		stored = append(stored, more...)
		root, err := tlog.TreeHash(int64(n)+1, reader)
		if err != nil {
			f.t.Fatal(err)
		}
		signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", origin, n+1, root)}, signer)
		if err != nil {
			f.t.Fatal(err)
		}
		statements = append(statements, fmt.Sprintf("UPDATE docket_log SET leafHash = x'%s' WHERE sequence = %d", hex.EncodeToString(leaf[:]), n),
			fmt.Sprintf("INSERT INTO docket_checkpoints (size, note) VALUES (%d, %s)", n+1, quoted(string(signed))))
	}
	f.alter(statements...)
}
