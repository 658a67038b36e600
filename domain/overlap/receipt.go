package overlap

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/terms"
)

// A Receipt says that a request to a planned route was answered. It holds nothing of the request, only the route, the time, a
// random number and, if the caller names it, the receipt before it. The caller alone keeps it; the signature in its id proves it.
type Receipt struct {
	Action   Action
	At       terms.Instant // in whole seconds
	Nonce    Nonce
	Previous Link // to the receipt before it; absent in the first one of a chain
}

// A Link is the SHA-256 of a receipt's id. The zero Link leads nowhere.
type Link [sha256.Size]byte

// A Nonce is the random part of a receipt: no two receipts are alike.
type Nonce [16]byte

// A ReceiptID is a whole receipt with its signature: the unpadded URL-safe base64 of
//
//	version 1 (1 byte) | action (1) | Unix time in seconds (8, big-endian) | nonce (16) | SHA-256 of the id before it (32 or 0) | Ed25519 signature (64)
//
// The signature is one by the key of a log, over receiptPurpose, the log's origin, a line feed and all that stands before
// the signature. The first line keeps it apart from the checkpoints that the same key signs, which begin with the origin.
type ReceiptID string

const (
	receiptVersion = 1
	receiptPurpose = "docket overlap receipt v1\n"
	nonceAt        = 10
	previousAt     = nonceAt + len(Nonce{})
	withPrevious   = previousAt + len(Link{})
)

var receiptText = base64.RawURLEncoding.Strict()

// ReceiptIDSize is the length of the id of a receipt that begins a chain.
const ReceiptIDSize = (previousAt + ed25519.SignatureSize) * 4 / 3

// Sign writes the receipt as its id, with a signature by the key, which is to be that of a log. It is an error if the receipt
// has no action, no time or no nonce.
func (r *Receipt) Sign(key note.Signer) (ReceiptID, error) {
	if !r.Action.Present() || !r.At.Present() || r.At.Time().Unix() < 0 || r.Nonce == (Nonce{}) {
		return "", errors.New("a receipt needs an action, a time and a random number")
	}
	body := r.body()
	signature, err := key.Sign(signedText(key.Name(), body))
	if err != nil {
		return "", fmt.Errorf("sign the receipt: %w", err)
	}
	return ReceiptID(receiptText.EncodeToString(append(body, signature...))), nil
}

func (r *Receipt) body() []byte {
	body := binary.BigEndian.AppendUint64([]byte{receiptVersion, byte(r.Action)}, uint64(r.At.Time().Unix()))
	body = append(body, r.Nonce[:]...)
	if r.Previous != (Link{}) {
		body = append(body, r.Previous[:]...)
	}
	return body
}

func signedText(origin string, body []byte) []byte {
	return append([]byte(receiptPurpose+origin+"\n"), body...)
}

// ErrNoReceipt says that a text is not a receipt that the holder of the key gave.
var ErrNoReceipt = errors.New("not a receipt that the key signed")

// Open reads the receipt if the key signed it, and only in the one form that Sign writes; otherwise ErrNoReceipt.
func (id ReceiptID) Open(key note.Verifier) (Receipt, error) {
	if len(id) > 4*withPrevious {
		return Receipt{}, ErrNoReceipt
	}
	raw, err := receiptText.DecodeString(string(id))
	size := len(raw) - ed25519.SignatureSize
	if err != nil || size != previousAt && size != withPrevious || receiptText.EncodeToString(raw) != string(id) {
		return Receipt{}, ErrNoReceipt
	}
	body := raw[:size]
	r := Receipt{Action: Action(body[1]), At: terms.InstantOf(time.Unix(int64(binary.BigEndian.Uint64(body[2:nonceAt])), 0)),
		Nonce: Nonce(body[nonceAt:previousAt])}
	if size == withPrevious {
		r.Previous = Link(body[previousAt:])
	}
	_, known := EndpointOf(r.Action)
	if !known || !bytes.Equal(r.body(), body) || !key.Verify(signedText(key.Name(), body), raw[size:]) {
		return Receipt{}, ErrNoReceipt
	}
	return r, nil
}

// Link is what the next receipt of a chain holds as Previous.
func (id ReceiptID) Link() Link { return sha256.Sum256([]byte(id)) }

// A ChainError says which receipt of a chain is not what it has to be.
type ChainError struct {
	At    int // from 0
	Cause error
}

// Error names the receipt by its place, counted from 1.
func (e *ChainError) Error() string { return fmt.Sprintf("receipt %d: %v", e.At+1, e.Cause) }

// Unwrap returns the cause.
func (e *ChainError) Unwrap() error { return e.Cause }

// The causes of a ChainError beside ErrNoReceipt.
var (
	ErrUnlinked = errors.New("it does not follow the receipt before it")
	ErrBackward = errors.New("it is older than the receipt before it")
)

// OpenChain reads receipts that each hold the hash of the one before; a *ChainError names the first one that is not signed by the
// key or does not follow. The first receipt may follow one that is not given. A chain alone does not show that receipts are
// missing at one of its ends.
func OpenChain(key note.Verifier, ids []ReceiptID) ([]Receipt, error) {
	var chain []Receipt
	for i, id := range ids {
		r, err := id.Open(key)
		switch {
		case err != nil:
			return nil, &ChainError{i, err}
		case i > 0 && r.Previous != ids[i-1].Link():
			return nil, &ChainError{i, ErrUnlinked}
		case i > 0 && r.At.Before(chain[i-1].At):
			return nil, &ChainError{i, ErrBackward}
		}
		chain = append(chain, r)
	}
	return chain, nil
}
