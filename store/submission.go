package store

import (
	"fmt"

	"docket/domain"

	"github.com/hiddeco/sshsig"
)

// A Submission is a record with what goes with it.
type Submission struct {
	Record    domain.Enforcement
	Signature []byte      // armored SSHSIG of the record's Document in domain.SignatureNamespace, by the reviewer's key
	Note      domain.Note // the private note whose digest the record holds; it stays in this file

	PacketSalt domain.Salt      // of the record's packetDigest
	Statement  domain.Statement // the statement of reasons whose digest the record holds
}

// check looks at what needs no lock.
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

// checkBeside looks at what lies beside the record wherever it is.
func (sub *Submission) checkBeside(m *domain.EnforcementMembers) error {
	if !sub.PacketSalt.Valid() {
		return &domain.Refusal{Reason: "the salt of the packet digest is missing"}
	}
	if sub.Statement.Digest() != m.StatementDigest {
		return &domain.Refusal{Reason: "the statement of reasons is not the one that the record vouches for"}
	}
	return sub.Statement.Check()
}

// checkHandedIn looks at what needs no lock of a record that is handed in.
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
