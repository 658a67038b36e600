package signed

import (
	"encoding/hex"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
)

// An Acceptance is a service's kept and unchecked answer that it took a record in.
type Acceptance struct {
	Receipt    string `json:"receipt"`    // as records.Receipt.Document writes it
	Checkpoint string `json:"checkpoint"` // of exactly the receipt's tree, signed by the service
	Proof      string `json:"proof"`      // as WriteProof: RFC 6962, of the last leaf of that tree
}

// ErrAcceptance says that an acceptance is not one that the service gave for a record.
var ErrAcceptance = errors.New("it is not the service's receipt of this record")

// LeafHash is the RFC 6962 hash of the leaf of an entry.
func LeafHash(kind records.EntryKind, at string, body []byte) tlog.Hash {
	return tlog.RecordHash(records.LeafData(kind, at, body))
}

// OpenAcceptance reads the receipt of a record and checks its id and leaf hash, the signature of
// the checkpoint and the proof of the record in it. The error wraps ErrAcceptance or ErrCheckpoint.
func (k Key) OpenAcceptance(a Acceptance, id records.RecordID, record []byte) (records.Receipt, error) {
	receipt, err := records.ReadReceipt([]byte(a.Receipt))
	if err != nil {
		return records.Receipt{}, errors.Join(ErrAcceptance, err)
	}
	head, err := k.OpenCheckpoint(a.Checkpoint)
	switch {
	case err != nil:
		return records.Receipt{}, err
	case receipt.RecordID != id || ToTree(receipt.LeafHash) != LeafHash(records.RecordEntry, receipt.At, record),
		receipt.TreeSize != head.Size || receipt.Root != head.Root:
		return records.Receipt{}, ErrAcceptance
	}
	if proof, err := ReadProof(a.Proof); err != nil || !IsLast(receipt, proof) {
		return records.Receipt{}, ErrAcceptance
	}
	return receipt, nil
}

// IsLast reports whether an RFC 6962 audit path proves the record of a receipt to be the last.
func IsLast(receipt records.Receipt, proof []terms.Hash) bool {
	return receipt.Sequence == receipt.TreeSize-1 &&
		inTree(proof, receipt.TreeSize, receipt.Root, receipt.Sequence, ToTree(receipt.LeafHash))
}

// inTree reports whether the proof leads from the leaf at a place to the root of a tree.
func inTree(proof []terms.Hash, size int64, root terms.Hash, place int64, leaf tlog.Hash) bool {
	path := make(tlog.RecordProof, len(proof))
	for i, hash := range proof {
		path[i] = ToTree(hash)
	}
	return place >= 0 && place < size && tlog.CheckRecord(path, size, ToTree(root), place, leaf) == nil
}

// Document is the acceptance in canonical form: {"checkpoint", "proof", "receipt"}, all as texts.
func (a *Acceptance) Document() []byte { return json.Canonical(a) }

// ReadAcceptance reads what Document wrote, byte for byte. The error is ErrAcceptance.
func ReadAcceptance(document []byte) (Acceptance, error) {
	a, ok := json.ReadCanonical[Acceptance](document)
	if !ok {
		return Acceptance{}, ErrAcceptance
	}
	return a, nil
}

// FromTree turns a hash of a tree into one of the domain.
func FromTree(h tlog.Hash) terms.Hash {
	hash, _ := terms.ParseHash("sha256:" + hex.EncodeToString(h[:]))
	return hash
}

// ToTree is the reverse of FromTree. An absent hash becomes the zero hash, which no tree has.
func ToTree(h terms.Hash) (hash tlog.Hash) {
	raw, _ := hex.DecodeString(strings.TrimPrefix(h.String(), "sha256:"))
	copy(hash[:], raw)
	return hash
}

// WriteProof writes a proof as it is kept: a hash a line.
func WriteProof(proof []terms.Hash) string {
	var text strings.Builder
	for _, hash := range proof {
		text.WriteString(hash.String() + "\n")
	}
	return text.String()
}

// ReadProof reads what WriteProof wrote, byte for byte.
func ReadProof(text string) ([]terms.Hash, error) {
	var proof []terms.Hash
	for line := range strings.Lines(text) {
		hash, ok := terms.ParseHash(strings.TrimSuffix(line, "\n"))
		if !ok {
			break
		}
		proof = append(proof, hash)
	}
	if WriteProof(proof) != text {
		return nil, errors.New("it is not a proof as it was kept")
	}
	return proof, nil
}
