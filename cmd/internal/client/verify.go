package client

import (
	"encoding/hex"
	"errors"
	"unicode/utf8"

	cosigning "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
)

// ErrForged says that an answer is not vouched for by the service's key, or vouches for something else.
var ErrForged = errors.New("the answer is not vouched for by the key of the service: nothing of it was kept, and nothing more was " +
	"handed in; ask whoever runs the service")

// domainHash takes a hash of a tree over into the domain.
func domainHash(h tlog.Hash) domain.Hash {
	hash, _ := domain.ParseHash("sha256:" + hex.EncodeToString(h[:]))
	return hash
}

// checkAccepted holds an acceptance to be of the record, and signed.
func checkAccepted(key signed.Key, id domain.RecordID, document []byte, answer *api.Enforced) error {
	r := &answer.Receipt
	head, err := key.OpenCheckpoint(answer.Checkpoint)
	if err != nil || head.Size != r.TreeSize || !head.Root.Matches(r.Root) || r.Sequence != r.TreeSize-1 || r.Sequence < 0 ||
		r.RecordID != id || !r.LeafHash.Matches(domainHash(tlog.RecordHash(document))) {
		return ErrForged
	}
	return nil
}

// checkRejection reads the signed statement by which a record is turned away, and holds it to be about the record and for the
// reason that the problem gives.
func checkRejection(key signed.Key, id domain.RecordID, document []byte, problem *api.Problem) (domain.Rejection, error) {
	r, err := key.OpenRejection(problem.Rejection)
	if err != nil || r.RecordID != id || !r.LeafHash.Matches(domainHash(tlog.RecordHash(document))) ||
		r.Reason != problem.Kind().Rejects() || r.InForce == id {
		return domain.Rejection{}, ErrForged
	}
	return r, nil
}

// checkCosigned holds a cosignature to be one of the checkpoint.
func checkCosigned(checkpoint []byte, answer *api.Cosigned) error {
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

// changesOf is what a problem says had changed, as it can be kept and shown: bounded, and of visible characters.
func changesOf(p *api.Problem) []string {
	said := p.Changes
	if len(said) == 0 {
		stated, found := domain.SetOf(p.Stated...), domain.SetOf(p.Found...)
		for _, code := range found.Minus(stated).Words() {
			said = append(said, "the service found "+code.String()+", which the record does not state")
		}
		for _, code := range stated.Minus(found).Words() {
			said = append(said, "the record states "+code.String()+", which the service did not find")
		}
	}
	if len(said) == 0 && p.Detail != "" {
		said = []string{p.Detail}
	}
	kept := make([]string, 0, min(len(said), store.MostChanges))
	for _, change := range said[:min(len(said), store.MostChanges)] {
		if change != "" {
			kept = append(kept, shortened(change))
		}
	}
	return kept
}

// shortened is a text of the service as one line of visible characters that is not too long.
func shortened(text string) string {
	text = visible.String(text)
	if utf8.RuneCountInString(text) <= store.MostChangeText {
		return text
	}
	return string([]rune(text)[:store.MostChangeText-1]) + "…"
}
