package handin

import (
	"encoding/hex"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/transparency-dev/formats/log"
	cosigning "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/exchange"
	"docket/domain"
	"docket/domain/visible"
)

// ErrForged says that an answer is not vouched for by the service's key, or vouches for something else.
var ErrForged = errors.New("the answer is not vouched for by the key of the service; nothing of it was kept, and nothing more is handed in: " +
	"ask whoever runs the service")

// leafHash is the RFC 6962 hash of a record.
func leafHash(document []byte) domain.Hash { return domainHash(tlog.RecordHash(document)) }

// domainHash takes a hash of a tree over into the domain.
func domainHash(h tlog.Hash) domain.Hash {
	hash, _ := domain.ParseHash("sha256:" + hex.EncodeToString(h[:]))
	return hash
}

// checkAccepted holds an acceptance to be of the record, and signed.
func (k Key) checkAccepted(id domain.RecordID, document []byte, answer *exchange.Enforced) error {
	r := &answer.Receipt
	size, root, err := k.openCheckpoint([]byte(answer.Checkpoint))
	if err != nil || size != r.TreeSize || !root.Matches(r.Root) {
		return ErrForged
	}
	if r.RecordID != id || !r.LeafHash.Matches(leafHash(document)) || r.Sequence < 0 || r.Sequence >= r.TreeSize {
		return ErrForged
	}
	return nil
}

// openCheckpoint reads a checkpoint of the service's log, of which every byte counts.
func (k Key) openCheckpoint(signed []byte) (size int64, root domain.Hash, err error) {
	opened, err := note.Open(signed, note.VerifierList(k.verifier))
	if err != nil {
		return 0, domain.Hash{}, ErrForged
	}
	var c log.Checkpoint
	_, err = c.Unmarshal([]byte(opened.Text))
	if err != nil || c.Origin != k.Origin() || c.Size > math.MaxInt64 || len(c.Hash) != tlog.HashSize || string(c.Marshal()) != opened.Text {
		return 0, domain.Hash{}, ErrForged
	}
	return int64(c.Size), domainHash(tlog.Hash(c.Hash)), nil
}

// openRejection reads the signed statement by which a record is turned away, and holds it to be about the record and for
// the reason that the problem gives.
func (k Key) openRejection(id domain.RecordID, document []byte, problem *exchange.Problem) (domain.Rejection, error) {
	opened, err := note.Open([]byte(problem.Rejection), note.VerifierList(k.verifier))
	if err != nil {
		return domain.Rejection{}, ErrForged
	}
	r, err := domain.ReadRejection(opened.Text)
	if err != nil || r.Origin != k.Origin() || r.RecordID != id || !r.LeafHash.Matches(leafHash(document)) ||
		r.Reason != problem.Kind().Rejects() {
		return domain.Rejection{}, ErrForged
	}
	return r, nil
}

// checkCosigned holds a cosignature to be one of the checkpoint.
func checkCosigned(checkpoint []byte, answer *exchange.Cosigned) error {
	verifier, err := cosigning.NewVerifierForCosignatureV1(answer.Key)
	if err != nil {
		return ErrForged
	}
	opened, err := note.Open(append(append([]byte(nil), checkpoint...), answer.Cosignature...), note.VerifierList(verifier))
	if err != nil || len(opened.Sigs) != 1 {
		return ErrForged
	}
	return nil
}

// How much of what had changed is kept.
const (
	mostChanges   = 64
	longestChange = 300 // characters
)

// changesOf is what a problem says had changed, as it can be kept and shown: bounded, and of visible characters.
func changesOf(p *exchange.Problem) []string {
	said := p.Changes
	if len(said) == 0 {
		for _, code := range domain.SetOf(p.Found...).Minus(domain.SetOf(p.Stated...)).Words() {
			said = append(said, "the service found "+code.String()+", which the record does not state")
		}
		for _, code := range domain.SetOf(p.Stated...).Minus(domain.SetOf(p.Found...)).Words() {
			said = append(said, "the record states "+code.String()+", which the service did not find")
		}
	}
	if len(said) == 0 && p.Detail != "" {
		said = []string{p.Detail}
	}
	kept := make([]string, 0, min(len(said), mostChanges))
	for _, change := range said[:min(len(said), mostChanges)] {
		if change != "" {
			kept = append(kept, shortened(visible.String(change)))
		}
	}
	return kept
}

// shortened is a text of at most longestChange characters.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= longestChange {
		return text
	}
	return string([]rune(text)[:longestChange-1]) + "…"
}
