package store

import (
	"docket/domain"

	"github.com/hiddeco/sshsig"
)

// A Submission is a record with what goes with it.
type Submission struct {
	Record    domain.Enforcement
	Signature []byte      // armored SSHSIG of the record's Document in domain.SignatureNamespace, by the reviewer's key
	Note      domain.Note // the private note whose digest the record holds; it stays in this file
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
	return readSignature(sub.Record, sub.Signature)
}
