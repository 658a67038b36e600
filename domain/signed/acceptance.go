package signed

import (
	"errors"

	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// An Acceptance is what is kept of a service's answer that it took a record in. Nothing in it has been checked.
type Acceptance struct {
	Receipt    string // as records.Receipt.Document writes it
	Checkpoint string // of exactly the receipt's tree, signed by the service
}

// ErrAcceptance says that an acceptance is not one that the service gave for a record.
var ErrAcceptance = errors.New("it is not the service's receipt of this record")

// OpenAcceptance reads the receipt, and holds it to the record, by its id and leaf hash, and to the checkpoint, which the service
// has to have signed. The error wraps ErrAcceptance or ErrCheckpoint.
func (k Key) OpenAcceptance(a Acceptance, id records.RecordID, leaf terms.Hash) (records.Receipt, error) {
	receipt, err := records.ReadReceipt([]byte(a.Receipt))
	if err != nil {
		return records.Receipt{}, errors.Join(ErrAcceptance, err)
	}
	head, err := k.OpenCheckpoint(a.Checkpoint)
	switch {
	case err != nil:
		return records.Receipt{}, err
	case receipt.RecordID != id || !receipt.LeafHash.Matches(leaf), receipt.TreeSize != head.Size || receipt.Root != head.Root,
		receipt.Sequence != receipt.TreeSize-1 || receipt.Sequence < 0, receipt.TreeSize == 1 && receipt.Root != receipt.LeafHash:
		return records.Receipt{}, ErrAcceptance
	}
	return receipt, nil
}

// Document is the acceptance in canonical form: {"checkpoint", "receipt"}, both as texts.
func (a *Acceptance) Document() []byte {
	w := ordered.Writer{}
	return w.Open().Name("checkpoint").String(a.Checkpoint).Name("receipt").String(a.Receipt).Close().Text()
}

var acceptanceShape = shape.New(
	shape.Required(shape.StringMember[packets.Reading]("checkpoint", func(a *Acceptance) *string { return &a.Checkpoint })),
	shape.Required(shape.StringMember[packets.Reading]("receipt", func(a *Acceptance) *string { return &a.Receipt })),
)

// ReadAcceptance reads what Document wrote, byte for byte. The error wraps ErrAcceptance.
func ReadAcceptance(r *packets.Reader, document []byte) (a Acceptance, err error) {
	root, fault := r.Parse(document)
	if fault != nil || acceptanceShape.Read(&a, root, &packets.Reading{}) != nil || string(a.Document()) != string(document) {
		return Acceptance{}, ErrAcceptance
	}
	return a, nil
}
