package signed

import (
	"errors"
	"fmt"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// A ServiceRecord is a record that another console handed in to a service, with unchecked proofs.
type ServiceRecord struct {
	Record     string `json:"record"`     // the canonical bytes
	Signature  string `json:"signature"`  // armored SSHSIG of the reviewer that the record names
	Sequence   int64  `json:"sequence"`   // in the service's log
	At         string `json:"at"`         // when it came in there, as the leaf has it
	Proof      string `json:"proof"`      // RFC 6962 audit path of the record in the checkpoint
	Checkpoint string `json:"checkpoint"` // of the service's log, signed by it
}

// ErrServiceRecord says that the kept proofs of a record of the service's log do not hold.
var ErrServiceRecord = errors.New("it is not a record that its reviewer signed and that the service's log has")

// OpenServiceRecord reads the record and checks the signature of the key that it names, the proof,
// and the service's signature of the checkpoint. The service vouched that the key is the reviewer's
// when it took the record in. The error wraps ErrServiceRecord.
func (k Key) OpenServiceRecord(r *packets.Reader, s *ServiceRecord) (records.Enforcement, error) {
	record, err := s.Unproven(r)
	if err != nil {
		return records.Enforcement{}, err
	}
	if !sshSigned(records.SignatureNamespace, s.Record, []byte(s.Signature), record.Members().Reviewer.KeyFingerprint) {
		return records.Enforcement{}, fmt.Errorf("%w: it is not signed by the key that it names", ErrServiceRecord)
	}
	head, err := k.OpenCheckpoint(s.Checkpoint)
	if err != nil {
		return records.Enforcement{}, fmt.Errorf("%w: %w", ErrServiceRecord, err)
	}
	proof, err := ReadProof(s.Proof)
	if err != nil {
		return records.Enforcement{}, fmt.Errorf("%w: %w", ErrServiceRecord, err)
	}
	if !inTree(proof, head.Size, head.Root, s.Sequence, LeafHash(records.RecordEntry, s.At, record.Document())) {
		return records.Enforcement{}, fmt.Errorf("%w: the proof does not lead from it to the checkpoint", ErrServiceRecord)
	}
	return record, nil
}

// Unproven reads the record without checking signature and proof. The error wraps ErrServiceRecord.
func (s *ServiceRecord) Unproven(r *packets.Reader) (record records.Enforcement, err error) {
	for _, area := range terms.Areas.All() {
		if record, err = records.ReadEnforcement(r, area, []byte(s.Record)); err == nil {
			return record, nil
		}
	}
	return records.Enforcement{}, fmt.Errorf("%w: %w", ErrServiceRecord, err)
}

// Document is the record with its proofs as it is kept: an object in canonical form.
func (s *ServiceRecord) Document() []byte { return json.Canonical(s) }

// ReadServiceRecord reads what Document wrote, byte for byte. The error is ErrServiceRecord.
func ReadServiceRecord(document []byte) (ServiceRecord, error) {
	s, ok := json.ReadCanonical[ServiceRecord](document)
	if !ok {
		return ServiceRecord{}, ErrServiceRecord
	}
	return s, nil
}
