package verifytest

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	_ "modernc.org/sqlite" // opens the file as any program would

	"docket/domain/records"
	"docket/domain/terms"
)

// ForgeStore changes the newest record of a closed store, which is on an appeal, as its reviewer could with the store's
// key file: it signs the record again, and makes the log, the tree and the checkpoints fit. Each replacement is the old
// text and the new one.
func ForgeStore(t testing.TB, path string, key ssh.Signer, replacements ...[2]string) {
	t.Helper()
	f := &forger{t: t}
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
	t  testing.TB
	db *sql.DB
}

func (f *forger) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
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

// changeNewest replaces the newest record and its signature.
func (f *forger) changeNewest(key ssh.Signer, replacements [][2]string) {
	f.t.Helper()
	var sequence int64
	var document string
	f.must(f.db.QueryRow("SELECT sequence, document FROM "+terms.AppealEnforcements.String()+" ORDER BY sequence DESC LIMIT 1").Scan(&sequence, &document))
	for _, replacement := range replacements {
		if !strings.Contains(document, replacement[0]) {
			f.t.Fatalf("%s is not in %s", replacement[0], document)
		}
		document = strings.Replace(document, replacement[0], replacement[1], 1)
	}
	signature, err := sshsig.Sign(strings.NewReader(document), key, sshsig.HashSHA512, records.SignatureNamespace)
	f.must(err)
	f.do("UPDATE "+terms.AppealEnforcements.String()+" SET document = ? WHERE sequence = ?", document, sequence)
	f.do("UPDATE docket_signatures SET signature = ? WHERE sequence = ?", string(sshsig.Armor(signature)), sequence)
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
	signer, err := note.NewSigner(string(bytes.TrimSpace(private)))
	f.must(err)
	documents := f.texts(fmt.Sprintf("SELECT document FROM (SELECT sequence, document FROM %s UNION ALL SELECT sequence, document FROM %s) ORDER BY sequence",
		terms.AppealEnforcements, terms.AmendmentEnforcements))
	f.do("DELETE FROM docket_log_hashes")
	f.do("DELETE FROM docket_checkpoints WHERE size > 0")
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(positions []int64) (hashes []tlog.Hash, err error) {
		for _, position := range positions {
			hashes = append(hashes, stored[position])
		}
		return hashes, nil
	})
	for n, document := range documents {
		hashes, err := tlog.StoredHashes(int64(n), []byte(document), reader)
		f.must(err)
		for _, hash := range hashes {
			f.do("INSERT INTO docket_log_hashes (position, hash) VALUES (?, ?)", len(stored), hash[:])
			stored = append(stored, hash)
		}
		root, err := tlog.TreeHash(int64(n)+1, reader)
		f.must(err)
		signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), n+1, root)}, signer)
		f.must(err)
		leaf := tlog.RecordHash([]byte(document))
		f.do("UPDATE docket_log SET leafHash = ? WHERE sequence = ?", leaf[:], n)
		f.do("INSERT INTO docket_checkpoints (size, note) VALUES (?, ?)", n+1, string(signed))
	}
}
