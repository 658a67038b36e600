package store

import (
	"bytes"
	"fmt"

	"docket/domain"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// readSignature reads an armored SSHSIG and holds it to being by the reviewer's own key. That it is one of the record's
// bytes is for isOf to tell.
func readSignature(record domain.Enforcement, armored []byte) (*sshsig.Signature, error) {
	if len(armored) == 0 {
		return nil, fmt.Errorf("%w: the record is not signed; check your key with `docket identity`", domain.ErrRefused)
	}
	signature, err := sshsig.Unarmor(armored)
	if err != nil {
		return nil, fmt.Errorf("%w: the signature is no SSH signature: %w", domain.ErrRefused, err)
	}
	if ssh.FingerprintSHA256(signature.PublicKey) != record.Members().Reviewer.KeyFingerprint {
		return nil, fmt.Errorf("%w: the record is signed with another key than the reviewer's; check it with `docket identity`",
			domain.ErrRefused)
	}
	return signature, nil
}

// isOf refuses a signature that is not one of the record's bytes.
func isOf(document []byte, signature *sshsig.Signature) error {
	if err := verifySignature(document, signature); err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return nil
}

// ErrSignature says that a signature is not one of its record. It wraps domain.ErrRefused.
var ErrSignature = fmt.Errorf("%w: the signature is not one of this record", domain.ErrRefused)

// verifySignature tells whether the signature is one of the document as an enforcement record, by the key in it.
func verifySignature(document []byte, signature *sshsig.Signature) error {
	return sshsig.Verify(bytes.NewReader(document), signature, signature.PublicKey, signature.HashAlgorithm,
		domain.SignatureNamespace)
}
