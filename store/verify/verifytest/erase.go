package verifytest

import (
	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
)

// Erase adds the statement about an erasure at the log's present size, signed by a person and the log's key. The test
// itself removes the erased part from the log.
func (l *Log) Erase(e records.Erasure, by terms.ID) {
	l.t.Helper()
	seen := l.Seen()
	l.State(records.LogStatement{Kind: records.Erased, Origin: seen.Origin, Size: seen.Size, Root: seen.Root, At: terms.InstantOf(l.now), By: by,
		KeyFingerprint: ssh.FingerprintSHA256(Key(string(by)).PublicKey()), Found: e.Words()}, by, l.signer)
}
