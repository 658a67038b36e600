package verifytest

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	_ "modernc.org/sqlite" // opens the file as any program would

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// ForgeStore changes the newest record of a closed store, which is on an appeal, as its reviewer
// could with the store's key file: it signs the record again, and makes the log, the tree and the
// checkpoints fit. Each replacement is the old text and the new one.
func ForgeStore(t testing.TB, path string, key ssh.Signer, replacements ...[2]string) {
	t.Helper()
	f := &forger{Log: &Log{t: t, added: map[verify.Ref]terms.BlockerSet{}}}
	db, err := sql.Open("sqlite", "file:"+path)
	f.must(err)
	db.SetMaxOpenConns(1)
	f.db = db
	defer func() { f.must(db.Close()) }()
	triggers := f.texts("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
	texts := f.texts("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
	for _, name := range triggers {
		f.do("DROP TRIGGER " + name)
	}
	f.changeNewest(key, replacements)
	f.rebuild(filepath.Dir(path))
	for _, text := range texts {
		f.do(text)
	}
}

type forger struct {
	*Log
	db *sql.DB
}

func (f *forger) do(statement string, args ...any) {
	f.t.Helper()
	_, err := f.db.Exec(statement, args...)
	f.must(err)
}

func (f *forger) texts(query string) (texts []string) {
	f.t.Helper()
	rows, err := f.db.Query(query)
	f.must(err)
	for rows.Next() {
		var text string
		f.must(rows.Scan(&text))
		texts = append(texts, text)
	}
	f.must(rows.Close())
	return texts
}

// changeNewest replaces the newest record and signs it again.
func (f *forger) changeNewest(key ssh.Signer, replacements [][2]string) {
	f.t.Helper()
	newest := " FROM " + terms.AppealEnforcements.String() + " ORDER BY sequence DESC LIMIT 1"
	sequence, document := f.texts("SELECT sequence" + newest)[0], f.texts("SELECT document" + newest)[0]
	for _, replacement := range replacements {
		if !strings.Contains(document, replacement[0]) {
			f.t.Fatalf("%s is not in %s", replacement[0], document)
		}
		document = strings.Replace(document, replacement[0], replacement[1], 1)
	}
	f.do("UPDATE "+terms.AppealEnforcements.String()+" SET document = ? WHERE sequence = "+sequence, document)
	signature := string(f.Armored([]byte(document), key, records.SignatureNamespace))
	f.do("UPDATE docket_log SET signature = ? WHERE position = "+sequence, signature)
}

// rebuild makes the log, the tree and the checkpoints fit the present records.
func (f *forger) rebuild(folder string) {
	f.t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "docket-*.key"))
	f.must(err)
	if len(files) != 1 {
		f.t.Fatalf("%d key files", len(files))
	}
	private, err := os.ReadFile(files[0])
	f.must(err)
	f.signer, err = note.NewSigner(string(bytes.TrimSpace(private)))
	f.must(err)
	var rows []string
	for _, table := range terms.Tables.All() {
		place := "position"
		if !terms.PacketTables.Has(table) {
			place = "sequence"
		}
		rows = append(rows, fmt.Sprintf("SELECT %s AS position, document FROM %s", place, table))
	}
	column := func(name string) []string {
		return f.texts("SELECT " + name + " FROM docket_log JOIN (" + strings.Join(rows, " UNION ALL ") +
			") USING (position) ORDER BY position")
	}
	documents, kinds, tables, subjects, times := column("document"), column("kind"), column("tableName"), column("subject"), column("at")
	f.do("DELETE FROM docket_log_hashes")
	f.do("DELETE FROM docket_checkpoints WHERE size > 0")
	for n, document := range documents {
		stored, entry := len(f.hashes), verify.Entry{At: times[n], Document: []byte(document)}
		var err error
		entry.Kind, err = records.EntryKinds.Parse(kinds[n])
		f.must(err)
		entry.Table, err = terms.Tables.Parse(tables[n])
		f.must(err)
		entry.Key, _ = records.ParsePacketSubject(subjects[n])
		leaf := verify.LeafOf(&entry)
		f.put(entry)
		for i, hash := range f.hashes[stored:] {
			f.do("INSERT INTO docket_log_hashes (position, hash) VALUES (?, ?)", stored+i, hash[:])
		}
		f.do("UPDATE docket_log SET leafHash = ? WHERE position = ?", leaf[:], n)
		f.do("INSERT INTO docket_checkpoints (size, note) VALUES (?, ?)", n+1, string(f.Checkpoint(f.signer.Name())))
	}
}
