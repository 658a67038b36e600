package store

import (
	"bytes"
	"fmt"

	"docket/domain"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// A Submission is a record with its signature and what is stored with it.
type Submission struct {
	Record    domain.Enforcement
	Signature []byte      // armored SSHSIG of the record's Document in domain.SignatureNamespace, by the reviewer's key
	Note      domain.Note // the private note whose digest the record holds; it stays in this file

	PacketSalt domain.Salt      // of the record's packetDigest
	Statement  domain.Statement // the statement of reasons whose digest the record holds
}

// check checks what needs no lock.
func (sub *Submission) check() (*sshsig.Signature, error) {
	m := sub.Record.Members()
	if !m.RecordID.Valid() || len(sub.Record.Document()) == 0 {
		return nil, &domain.Refusal{Reason: "there is no record"}
	}
	if digest := sub.Note.Digest(); digest != m.NoteDigest {
		return nil, &domain.Refusal{Reason: "the private note is not the one that the record vouches for"}
	}
	if err := sub.checkBeside(m); err != nil {
		return nil, err
	}
	return readSignature(sub.Record, sub.Signature)
}

// checkBeside checks what is stored with the record, at a console and at a service.
func (sub *Submission) checkBeside(m *domain.EnforcementMembers) error {
	if !sub.PacketSalt.Valid() {
		return &domain.Refusal{Reason: "the salt of the packet digest is missing"}
	}
	if sub.Statement.Digest() != m.StatementDigest {
		return &domain.Refusal{Reason: "the statement of reasons is not the one that the record vouches for"}
	}
	return sub.Statement.Check()
}

// checkHandedIn is check for a record that is handed in.
func (sub *Submission) checkHandedIn() (*sshsig.Signature, error) {
	m := sub.Record.Members()
	if !m.RecordID.Valid() || len(sub.Record.Document()) == 0 {
		return nil, &domain.Refusal{Reason: "there is no record"}
	}
	if sub.Note != (domain.Note{}) {
		return nil, &domain.Refusal{Reason: "a private note stays where it was written"}
	}
	if err := sub.checkBeside(m); err != nil {
		return nil, err
	}
	signature, err := readSignature(sub.Record, sub.Signature)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return signature, nil
}

// readSignature reads an armored SSHSIG and holds it to being by the reviewer's own key. That it is one of the record's
// bytes is for isOf to tell.
func readSignature(record domain.Enforcement, armored []byte) (*sshsig.Signature, error) {
	if len(armored) == 0 {
		return nil, fmt.Errorf("%w: the record is not signed; check your key", domain.ErrRefused)
	}
	signature, err := sshsig.Unarmor(armored)
	if err != nil {
		return nil, fmt.Errorf("%w: the signature is no SSH signature: %w", domain.ErrRefused, err)
	}
	if ssh.FingerprintSHA256(signature.PublicKey) != record.Members().Reviewer.KeyFingerprint {
		return nil, fmt.Errorf("%w: the record is signed with another key than the reviewer's; check your key",
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
