package client

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/merkle"
)

// ErrForged says that a response is not signed with the service's key, or is about something else.
var ErrForged = errors.New("the response is not signed with the key of the service: it was not kept, and nothing more was handed in; " +
	"ask the operator of the service")

// checkAccepted returns the checkpoint of an acceptance, or ErrForged unless the acceptance is about the record, signed
// and proven. The receipt of a record that was in the log before a restore is of the earlier log.
func checkAccepted(keys []signed.Key, id records.RecordID, document []byte, answer *api.Enforced) (head store.KnownCheckpoint, err error) {
	given := signed.Acceptance{Receipt: string(answer.Receipt.Document()), Checkpoint: answer.Checkpoint, Proof: signed.WriteProof(answer.Proof)}
	for _, key := range keys {
		if receipt, err := key.OpenAcceptance(given, id, merkle.FromTree(tlog.RecordHash(document))); err == nil {
			return store.KnownCheckpoint{Note: answer.Checkpoint, Key: key.String(),
				LogHead: records.LogHead{Origin: key.Origin(), Size: receipt.TreeSize, Root: receipt.Root}}, nil
		}
	}
	return store.KnownCheckpoint{}, ErrForged
}

// checkRejection reads the signed statement of a rejection. It returns ErrForged unless the statement is about the record and
// gives the reason of the problem.
func checkRejection(key signed.Key, id records.RecordID, document []byte, problem *api.Problem) (records.Rejection, error) {
	r, err := key.OpenRejection(problem.Rejection)
	if err != nil || r.RecordID != id || !r.LeafHash.Matches(merkle.FromTree(tlog.RecordHash(document))) ||
		r.Reason != problem.Kind().Rejects() || r.InForce == id {
		return records.Rejection{}, ErrForged
	}
	return r, nil
}

// changesOf returns the differences that a problem states: a limited number, in visible characters.
func changesOf(p *api.Problem) []string {
	said := p.Changes
	if len(said) == 0 {
		stated, found := terms.SetOf(p.Stated...), terms.SetOf(p.Found...)
		for _, code := range found.Minus(stated).Terms() {
			said = append(said, fmt.Sprintf("the service found %s, which the record does not state", code.String()))
		}
		for _, code := range stated.Minus(found).Terms() {
			said = append(said, fmt.Sprintf("the record states %s, which the service did not find", code.String()))
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

// shortened returns a text of the service as one line of visible characters of limited length.
func shortened(text string) string {
	text = visible.String(text)
	if utf8.RuneCountInString(text) <= store.MostChangeText {
		return text
	}
	return string([]rune(text)[:store.MostChangeText-1]) + "…"
}
