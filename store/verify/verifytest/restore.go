package verifytest

import (
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// Restore ends the log and begins another one, as `docket restore` does with a backup of size
// records. by signs the statement with the key of their id. change may change the statement before
// it is signed; it may be nil.
func (l *Log) Restore(size int, origin string, by terms.ID, change func(*records.LogStatement)) {
	l.t.Helper()
	known := l.Seen()
	old := l.signer
	l.Cut(size)
	l.Rebuild()
	statement := l.Statement(records.LogRestored, by)
	statement.Restore = records.Restore{OldKey: l.Says.VerifierKeys[0], Reason: records.StoreLost,
		Known: []records.KnownHead{{From: records.KnownFromAnchor, Size: known.Size, Root: known.Root}}}
	l.Says.Origin = origin
	l.NewStoreKey(origin)
	statement.Restore.NewKey = l.Says.VerifierKeys[0]
	if change != nil {
		change(&statement)
	}
	l.State(statement, by, old)
	l.Sign()
}

// State adds a statement, signed with the key of an id and, unless log is nil, with the log's key.
func (l *Log) State(statement records.LogStatement, by terms.ID, log note.Signer) {
	l.t.Helper()
	text := statement.Text()
	s := signed.Statement{Text: text, Signature: l.Armored([]byte(text), Key(string(by)), records.LogStatementNamespace)}
	if log != nil {
		s.LogSignature = []byte(strings.TrimPrefix(string(signNote(text, log)), text+"\n"))
	}
	l.Says.Statements = append(l.Says.Statements, s)
	l.Add(verify.Entry{Kind: records.StatementEntry, Stated: statement.Kind, Document: []byte(text)})
}

// StateKey adds a statement, signed with the key of an id and, if its kind requires it, the log's.
func (l *Log) StateKey(statement records.LogStatement, by terms.ID) {
	l.t.Helper()
	var log note.Signer
	if statement.LogSigns() {
		log = l.signer
	}
	l.State(statement, by, log)
	if newest := &l.Says.Statements[len(l.Says.Statements)-1]; !statement.PersonSigns() {
		newest.Signature = nil
	}
}

// Erase adds the statement about an erasure at the log's present size, signed by a person and the
// log's key; the test itself removes the erased part.
func (l *Log) Erase(e records.Erasure, by terms.ID) {
	l.t.Helper()
	if e.What == records.ErasableTexts {
		var reader packets.Reader
		// One that is not held has any digest.
		packet, _ := reader.ReadStored(l.Held[verify.Ref{Table: e.Table, Key: e.Key}])
		document, _ := packet.Stored("saltsaltsaltsaltsaltsalt")
		e.Rest = terms.HashOf(packets.Rest(document))
	}
	l.StateKey(l.Statement(records.Erased, by, e.Words()...), by)
}

// About returns a statement about a key of the assigned reviewer, of the log as it is; by and key
// are seeds of keys, and a revocation is from now on.
func (l *Log) About(kind records.LogStatementKind, by, key string) records.LogStatement {
	s := l.Statement(kind, Assigned)
	s.KeyFingerprint, s.Key.PublicKey = fingerprintOf(terms.ID(by)), signed.AuthorizedKey(Key(key).PublicKey())
	if kind == records.KeyRevoked {
		s.Key.From = s.Size
	}
	return s
}

// Statement returns a statement of a person about the log as it is, not yet signed.
func (l *Log) Statement(kind records.LogStatementKind, by terms.ID, words ...string) records.LogStatement {
	seen := l.Seen()
	return records.LogStatement{Kind: kind, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: terms.InstantOf(l.now),
		By: by, KeyFingerprint: fingerprintOf(by), Found: words}
}

func fingerprintOf(id terms.ID) string { return ssh.FingerprintSHA256(Key(string(id)).PublicKey()) }
