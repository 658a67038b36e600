package signed

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

const leastRSA = 3072

// KeyFault says why no signature by a key counts; nil for ed25519, ECDSA, RSA of 3072 bits or more,
// and the two kinds of keys that a security key holds.
func KeyFault(key ssh.PublicKey) error {
	switch kind := key.Type(); kind {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256:
		return nil
	case ssh.KeyAlgoRSA:
		held, _ := key.(ssh.CryptoPublicKey)
		if public, is := held.CryptoPublicKey().(*rsa.PublicKey); !is || public.N.BitLen() < leastRSA {
			return fmt.Errorf("it is an RSA key of fewer than %d bits; make one with `ssh-keygen -t ed25519`", leastRSA)
		}
		return nil
	default:
		return fmt.Errorf(
			"it is of the kind %q; docket takes ed25519, ECDSA, RSA of %d bits or more, and keys on a security key",
			kind, leastRSA)
	}
}

// OnSecurityKey reports whether a security key holds the key: it signs once a person touches it.
func OnSecurityKey(key ssh.PublicKey) bool {
	return key.Type() == ssh.KeyAlgoSKED25519 || key.Type() == ssh.KeyAlgoSKECDSA256
}

// userPresent is the flag of a touched security key's signature (OpenSSH's PROTOCOL.u2f).
const userPresent = 1

// Verify checks that a signature is one of a document in a namespace, by the key in it, and that
// signatures by such a key count: an RSA signature is made with SHA-512, and a person touched the
// security key that made one.
func Verify(namespace string, document []byte, s *sshsig.Signature) error {
	if err := KeyFault(s.PublicKey); err != nil {
		return err
	}
	switch made := s.Signature; {
	case s.PublicKey.Type() == ssh.KeyAlgoRSA && made.Format != ssh.KeyAlgoRSASHA512:
		return errors.New("it is an RSA signature without SHA-512")
	case OnSecurityKey(s.PublicKey) && (len(made.Rest) == 0 || made.Rest[0]&userPresent == 0):
		return errors.New("nobody touched the security key that made it")
	}
	return sshsig.Verify(bytes.NewReader(document), s, s.PublicKey, s.HashAlgorithm, namespace)
}

// sshSigned reports whether the key with a fingerprint signed a text, in SSHSIG's one written form.
func sshSigned(namespace, text string, armored []byte, fingerprint string) bool {
	signature, err := sshsig.Unarmor(armored)
	return err == nil && bytes.Equal(sshsig.Armor(signature), armored) && ssh.FingerprintSHA256(signature.PublicKey) == fingerprint &&
		Verify(namespace, []byte(text), signature) == nil
}
