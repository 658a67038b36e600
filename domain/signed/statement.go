package signed

import (
	"bytes"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain"
)

// A Statement is a statement about a log as it is kept: its text, with the armored SSHSIG of the person who accepted something of the
// log. Nothing in it has been checked.
type Statement struct {
	Text      string
	Signature []byte
}

// Open reads the statement and holds it to its signature, which has to be by the key that the statement names. Whether that key is
// the person's, nothing here tells. The error wraps domain.ErrLogStatement.
func (s Statement) Open() (domain.LogStatement, error) {
	statement, err := domain.ReadLogStatement(s.Text)
	if err != nil {
		return domain.LogStatement{}, err
	}
	signature, err := sshsig.Unarmor(s.Signature)
	if err != nil || !bytes.Equal(sshsig.Armor(signature), s.Signature) ||
		ssh.FingerprintSHA256(signature.PublicKey) != statement.KeyFingerprint ||
		sshsig.Verify(bytes.NewReader([]byte(s.Text)), signature, signature.PublicKey, signature.HashAlgorithm, domain.LogStatementNamespace) != nil {
		return domain.LogStatement{}, fmt.Errorf("%w: it is not signed by the key that it names", domain.ErrLogStatement)
	}
	return statement, nil
}
