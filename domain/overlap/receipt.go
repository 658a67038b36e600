package overlap

import (
	"bytes"
	"errors"

	"docket/domain"
	"docket/domain/canonical"
)

// An Entry is what a request leaves, before it has a place in the chain. The zero Entry leaves nothing.
type Entry struct {
	read   bool
	call   Call
	action Action
	reason AuditReason
}

// A Receipt is one link of the chain. Of the fields that the contract will one day let be stored of a token it holds
// the audit reason only: while the cryptographic design is not reviewed, not even the blinded tag is kept, since
// nobody has shown that it cannot be turned back. The rest is the chain's own.
type Receipt struct {
	Sequence   int64           // from 0
	ID         domain.RecordID // as in the answer
	Previous   domain.Hash     // of the receipt before it; of the first one the chain's beginning
	RecordedAt domain.Instant
	Action     Action
	Reason     AuditReason
}

// A Head is the end of a chain: how many receipts there are and the hash of the last one.
type Head struct {
	Size int64
	Hash domain.Hash
}

// beginning is hashed together with a store's origin into the hash before the first receipt.
const beginning = "docket overlap receipts v1\n"

// Beginning is the head of the chain without receipts of the store with this origin: no two stores share one, so that
// no chain can be put in the place of another.
func Beginning(origin string) Head { return Head{Hash: domain.HashOf([]byte(beginning + origin))} }

// ChainOrigin is the first line of the signed heads of the chain of the store with this origin. It keeps them apart from
// the checkpoints of the store's log, which the same key signs.
func ChainOrigin(origin string) string { return origin + "/overlap-receipts" }

// After makes the receipt that follows the head. It is an error if the entry is not one of a request that was read, with
// a valid id and a time.
func (e Entry) After(head Head) (Receipt, error) {
	switch {
	case !e.read || !e.action.Present() || !e.reason.Present():
		return Receipt{}, errors.New("there is no request to write a receipt for")
	case !e.call.ReceiptID.Valid() || !e.call.At.Present():
		return Receipt{}, errors.New("a receipt needs a UUIDv7 and a time")
	case head.Size < 0 || !head.Hash.Present():
		return Receipt{}, errors.New("there is no chain to append the receipt to")
	}
	return Receipt{Sequence: head.Size, ID: e.call.ReceiptID, Previous: head.Hash, RecordedAt: e.call.At, Action: e.action,
		Reason: e.reason}, nil
}

// The members of a receipt's document, in their canonical order.
const (
	MemberAction     = "action"
	MemberReason     = "audit_reason"
	MemberPrevious   = "previous_hash"
	MemberID         = "receipt_id"
	MemberRecordedAt = "recorded_at"
	MemberSequence   = "sequence"
)

// ReceiptMembers lists the members of a receipt's document, in their canonical order.
func ReceiptMembers() []string {
	return []string{MemberAction, MemberReason, MemberPrevious, MemberID, MemberRecordedAt, MemberSequence}
}

// Document is the receipt in canonical JSON: what is stored and hashed.
func (r *Receipt) Document() []byte {
	text := func(dst []byte, name, value string) []byte {
		return append(canonical.AppendString(append(canonical.AppendString(dst, name), ':'), value), ',')
	}
	dst := text([]byte("{"), MemberAction, r.Action.String())
	dst = text(dst, MemberReason, r.Reason.String())
	dst = text(dst, MemberPrevious, r.Previous.String())
	dst = text(dst, MemberID, string(r.ID))
	dst = text(dst, MemberRecordedAt, r.RecordedAt.String())
	dst = append(canonical.AppendString(dst, MemberSequence), ':')
	return append(canonical.AppendInt(dst, r.Sequence), '}')
}

// ErrNoReceipt says that a document is not a receipt as Document writes it.
var ErrNoReceipt = errors.New("not a receipt of the private-overlap pilot")

// ReadReceipt reads what Document writes, byte for byte, and nothing else: ErrNoReceipt.
func ReadReceipt(document []byte) (Receipt, error) {
	var parsed canonical.Document
	if fault := parsed.Parse(document, canonical.Limits{Bytes: 1 << 12}); fault != nil {
		return Receipt{}, ErrNoReceipt
	}
	text := func(name string) string { return parsed.Root().Member(name).Text() }
	action, err1 := Actions.Parse(text(MemberAction))
	reason, err2 := AuditReasons.Parse(text(MemberReason))
	previous, ok1 := domain.ParseHash(text(MemberPrevious))
	at, ok2 := domain.ParseInstant(text(MemberRecordedAt))
	sequence, ok3 := parsed.Root().Member(MemberSequence).Integer()
	r := Receipt{Sequence: sequence, ID: domain.RecordID(text(MemberID)), Previous: previous, RecordedAt: at, Action: action,
		Reason: reason}
	endpoint, _ := EndpointOf(action)
	if err1 != nil || err2 != nil || !ok1 || !ok2 || !ok3 || !r.ID.Valid() || sequence < 0 || endpoint.Reason != reason ||
		!bytes.Equal(r.Document(), document) {
		return Receipt{}, ErrNoReceipt
	}
	return r, nil
}

// Follows tells whether the receipt is the next link after the head.
func (r *Receipt) Follows(head Head) bool {
	return r.Sequence == head.Size && r.Previous.Matches(head.Hash)
}

// Head is the end of a chain of which the receipt is the last link.
func (r *Receipt) Head() Head { return Head{Size: r.Sequence + 1, Hash: domain.HashOf(r.Document())} }
