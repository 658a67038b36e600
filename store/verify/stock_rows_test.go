package verify_test

import (
	"database/sql"
	"encoding/hex"
	"os"
	"strings"
	"time"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/terms"
)

// ReadHashes implements tlog.HashReader.
func (s *stocking) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = s.hashes[position]
	}
	return hashes, nil
}

// insert puts a record into the file.
func (s *stocking) insert(tx *sql.Tx, sequence int, made *stockRecord) {
	document, table := made.record.Document(), made.record.Table()
	leaf := tlog.RecordHash(document)
	hashes, err := tlog.StoredHashesForRecordHash(int64(sequence), leaf, s)
	s.must(err)
	s.execute(tx, "INSERT INTO docket_log (sequence, tableName, recordId, leafHash) VALUES (?, ?, ?, ?)", sequence,
		table.String(), string(made.record.Members().RecordID), leaf[:])
	for _, hash := range hashes {
		s.execute(tx, "INSERT INTO docket_log_hashes (position, hash) VALUES (?, ?)", len(s.hashes), hash[:])
		s.hashes = append(s.hashes, hash)
	}
	s.execute(tx, "INSERT INTO "+table.String()+" (sequence, document) VALUES (?, ?)", sequence, string(document))
	s.execute(tx, "INSERT INTO docket_signatures (sequence, signature) VALUES (?, ?)", sequence, string(made.signature))
	s.execute(tx, "INSERT INTO docket_packet_salts (sequence, salt) VALUES (?, ?)", sequence, string(stockSalt))
	s.execute(tx, "INSERT INTO docket_checkpoints (size, note) VALUES (?, ?)", sequence+1, s.checkpoint(tx, int64(sequence+1)))
}

// checkpoint signs the log at its last size only: a check reads no other one.
func (s *stocking) checkpoint(tx *sql.Tx, size int64) string {
	if size < s.records {
		return "not signed"
	}
	var origin string
	s.must(tx.QueryRow("SELECT value FROM docket_meta WHERE name = 'origin'").Scan(&origin))
	private, err := os.ReadFile(s.keyFile)
	s.must(err)
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	s.must(err)
	root, err := tlog.TreeHash(size, s)
	s.must(err)
	text := log.Checkpoint{Origin: origin, Size: uint64(size), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, signer)
	s.must(err)
	return string(signed)
}

func (s *stocking) execute(tx *sql.Tx, statement string, args ...any) {
	_, err := tx.Exec(statement, args...)
	s.must(err)
}

// listSigner lists the key of all the records.
func (s *stocking) listSigner(tx *sql.Tx) {
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(s.key.PublicKey())))
	s.execute(tx, "INSERT INTO docket_signers (position, reviewerId, fingerprint, publicKey, since) VALUES (0, ?, ?, ?, ?)",
		string(s.who.ID), s.who.KeyFingerprint, line, terms.InstantOf(s.at.Add(time.Millisecond)).String())
}

func treeHash(h tlog.Hash) terms.Hash {
	hash, _ := terms.ParseHash("sha256:" + hex.EncodeToString(h[:]))
	return hash
}
