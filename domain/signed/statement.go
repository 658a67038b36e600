package signed

import (
	"bytes"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/records"
)

// A Statement is a statement about a log as it is kept: its text, with the armored SSHSIG of the person who accepted something of the
// log. Nothing in it has been checked.
type Statement struct {
	Text      string
	Signature []byte
}

// Open reads the statement and holds it to its signature, which has to be by the key that the statement names. Whether that key is
// the person's, nothing here tells. The error wraps records.ErrLogStatement.
func (s Statement) Open() (records.LogStatement, error) {
	statement, err := records.ReadLogStatement(s.Text)
	if err != nil {
		return records.LogStatement{}, err
	}
	signature, err := sshsig.Unarmor(s.Signature)
	if err != nil || !bytes.Equal(sshsig.Armor(signature), s.Signature) ||
		ssh.FingerprintSHA256(signature.PublicKey) != statement.KeyFingerprint ||
		sshsig.Verify(bytes.NewReader([]byte(s.Text)), signature, signature.PublicKey, signature.HashAlgorithm, records.LogStatementNamespace) != nil {
		return records.LogStatement{}, fmt.Errorf("%w: it is not signed by the key that it names", records.ErrLogStatement)
	}
	return statement, nil
}
