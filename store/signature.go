package store

import (
	"bytes"
	"fmt"

	"docket/domain"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// checkSignature holds an armored SSHSIG to being the reviewer's own signature of the record's bytes, and returns it
// read.
func checkSignature(record domain.Enforcement, armored []byte) (*sshsig.Signature, error) {
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
	if err := verifySignature(record.Document(), signature); err != nil {
		return nil, fmt.Errorf("%w: the signature is not one of this record: %w", domain.ErrRefused, err)
	}
	return signature, nil
}

// verifySignature tells whether the signature is one of the document as an enforcement record, by the key in it.
func verifySignature(document []byte, signature *sshsig.Signature) error {
	return sshsig.Verify(bytes.NewReader(document), signature, signature.PublicKey, signature.HashAlgorithm,
		domain.SignatureNamespace)
}
