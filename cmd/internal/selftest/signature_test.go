package selftest

import (
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// signedBy is the fingerprint of the key that made a signature; "" for none.
func signedBy(armored []byte) string {
	signature, err := sshsig.Unarmor(armored)
	if err != nil {
		return ""
	}
	return ssh.FingerprintSHA256(signature.PublicKey)
}
