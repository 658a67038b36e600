package verify

import (
	"context"
	"errors"
	"fmt"

	"docket/domain"
)

// aspects say to which side of a record a finding belongs: its place in the log, its signature, or what it says.
// Indexed by Kind; findings about the log as a whole, about chains and about bundles belong to none.
var aspects = [...]aspect{
	RecordMissing: ofProof, RecordUnreadable: ofProof, LeafDiffers: ofProof, RecordMisplaced: ofProof,
	SignatureMissing: ofSignature, SignatureUnreadable: ofSignature, SignatureNamespace: ofSignature,
	SignatureInvalid: ofSignature, SignerUnknown: ofSignature, SignerOther: ofSignature, KeyDiffers: ofSignature,
	PacketMissing: ofReplay, PacketAltered: ofReplay, PacketDiffers: ofReplay, PrivatePresent: ofReplay,
	BlockersDiffer: ofReplay, ConclusionDiffers: ofReplay, ViewDiffers: ofReplay, OwnDecision: ofReplay,
	Recused: ofReplay, OwnCause: ofReplay, NotTheirs: ofReplay, ChoiceNotPermitted: ofReplay, ReasonsMissing: ofReplay, TimeBackwards: ofReplay,
	RulesUnknown: ofReplay, StatementMissing: ofReplay, StatementDiffers: ofReplay, StatementRefused: ofReplay, SaltMissing: ofReplay,
}

type aspect uint8

const (
	ofProof aspect = iota + 1
	ofSignature
	ofReplay
)

// Stretch looks at the entries from one sequence up to, and not with, another, each by itself, and says how each stands.
// What only the whole log can show is not looked at: that is for Check. Proof says that the record's bytes are those of
// the leaf that the log keeps; the path from there to the root is for the caller.
func Stretch(ctx context.Context, log Log, from, to int64) ([]domain.RecordState, error) {
	head, err := log.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the head of the log: %w", err)
	}
	if from, to = max(from, 0), min(to, head.Size); from >= to {
		return nil, nil
	}
	var batch []examined
	err = log.Entries(ctx, from, func(e Entry) error {
		if e.Sequence >= to {
			return errEnough
		}
		batch = append(batch, examined{entry: e})
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if err := newExaminer(log, newKeyring(head.Signers)).examine(ctx, batch); err != nil {
		return nil, err
	}
	states := make([]domain.RecordState, len(batch))
	for i := range batch {
		states[i] = batch[i].state()
	}
	return states, nil
}

// state sums an entry up. Of one that cannot be read nothing can be judged again; of one that is gone nothing is signed.
func (e *examined) state() domain.RecordState {
	s := domain.RecordState{Sequence: e.entry.Sequence, RecordID: e.entry.RecordID, Leaf: domainHash(e.leaf)}
	checks := [...]*domain.Check{ofProof: &s.Proof, ofSignature: &s.Signature, ofReplay: &s.Replay}
	for _, check := range checks[ofProof:] {
		check.Verdict = domain.Holds
	}
	if !e.readable() {
		s.Replay.Verdict = domain.Unexamined
	}
	if e.entry.Document == nil {
		s.Signature.Verdict = domain.Unexamined
	}
	for _, finding := range e.findings {
		if int(finding.Kind) >= len(aspects) || aspects[finding.Kind] == 0 {
			continue
		}
		check := checks[aspects[finding.Kind]]
		check.Verdict = domain.Fails
		text := finding.Kind.Meaning()
		if finding.Detail != "" {
			text += " (" + finding.Detail + ")"
		}
		check.Found = append(check.Found, text)
	}
	return s
}
