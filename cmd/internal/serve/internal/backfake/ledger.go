package backfake

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/hiddeco/sshsig"
	checkpoint "github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
)

// Append implements serve.Ledger.
func (b *Backing) Append(_ context.Context, handed serve.Handed) (exchange.Enforced, bool, error) {
	unlock, err := b.lock()
	if err != nil {
		return exchange.Enforced{}, false, err
	}
	defer unlock()
	for _, entry := range b.log {
		if entry.record.Members().RecordID != handed.Record.Members().RecordID {
			continue
		}
		if !bytes.Equal(entry.record.Document(), handed.Record.Document()) {
			return exchange.Enforced{}, false, serve.ErrConflict
		}
		return entry.answer, true, nil
	}
	if err := b.mayAppend(handed); err != nil {
		return exchange.Enforced{}, false, err
	}
	answer, err := b.grow(handed.Record)
	if err != nil {
		return exchange.Enforced{}, false, err
	}
	b.log = append(b.log, logged{handed.Record, handed.Signature, answer})
	return answer, false, nil
}

// mayAppend tells what stands in the record's way. A record that follows from its packet shows that whoever made it knew the
// packet.
func (b *Backing) mayAppend(handed serve.Handed) error {
	m := handed.Record.Members()
	packet, held := b.find(domain.RecordTable(m.Area), m.Key)
	if !held {
		return serve.ErrNotHeld
	}
	if err := verify(handed); err != nil {
		return err
	}
	policy, held := b.policyOf(packet)
	if !held && m.Policy.ID.Present() {
		return serve.ErrNotHeld
	}
	known := domain.Known{Revisions: b.numbers(packet)}
	if policy.Table().Present() {
		known.PolicyVersions = b.numbers(policy)
	}
	replayed := handed.Record.Replay(policy, packet, known)
	if err := differs(m, policy, packet, replayed); err != nil {
		if !b.sees(handed.Principal, packet) {
			return serve.ErrNotHeld // who may not see the packet learns nothing of it
		}
		return err
	}
	if len(replayed.Findings) > 0 {
		return &domain.Refusal{Reason: replayed.Findings[0].Detail}
	}
	now, err := b.momentOf(m)
	if err != nil {
		return err
	}
	view := b.look(policy, packet, now)
	return handed.Record.Recheck(&view, b.inForce(m.Area, m.Key))
}

// leeway is how far the clock of a reviewer's machine may be ahead.
const leeway = time.Minute

// momentOf is the moment for which a record is judged again: now, or the one at which it was made if that is a little later.
func (b *Backing) momentOf(m *domain.EnforcementMembers) (time.Time, error) {
	now, made := b.Now(), m.RecordedAt.Time()
	if made.After(now.Add(leeway)) {
		return time.Time{}, serve.ErrUnavailable
	}
	if made.After(now) {
		return made, nil
	}
	return now, nil
}

func verify(handed serve.Handed) error {
	signature, err := sshsig.Unarmor(handed.Signature)
	if err != nil || ssh.FingerprintSHA256(signature.PublicKey) != handed.Record.Members().Reviewer.KeyFingerprint {
		return serve.ErrForged
	}
	document := bytes.NewReader(handed.Record.Document())
	if sshsig.Verify(document, signature, signature.PublicKey, signature.HashAlgorithm, domain.SignatureNamespace) != nil {
		return serve.ErrForged
	}
	return nil
}

// whoFaults are about who judged and what they chose: the record follows from its packets all the same.
var whoFaults = map[domain.ReplayFault]bool{domain.ReplayOwnDecision: true, domain.ReplayRecused: true,
	domain.ReplayNotTheirs: true, domain.ReplayChoice: true, domain.ReplayTime: true}

func differs(m *domain.EnforcementMembers, policy, packet domain.Packet, replayed domain.Replayed) error {
	err := &domain.DiffersError{Stated: m.ComputedBlockers}
	for _, finding := range replayed.Findings {
		if !whoFaults[finding.Fault] {
			err.Faults = append(err.Faults, finding.Detail)
		}
	}
	if len(err.Faults) > 0 {
		view := domain.Look(policy, packet, replayed.Latest, m.EvaluatedAt)
		err.Found = view.Judgment().Blockers()
		return err
	}
	return nil
}

// look judges a packet as it is held.
func (b *Backing) look(policy, packet domain.Packet, at time.Time) domain.View {
	latest := domain.Latest{Revision: b.latestOf(packet).Key().Number}
	if policy.Table().Present() {
		latest.PolicyVersion = b.latestOf(policy).Key().Number
	}
	return domain.Look(policy, packet, latest, domain.InstantOf(at))
}

// inForce is the last record on a revision.
func (b *Backing) inForce(area domain.Area, key domain.Key) (id domain.RecordID) {
	for _, entry := range b.log {
		if m := entry.record.Members(); m.Area == area && m.Key == key {
			id = m.RecordID
		}
	}
	return id
}

// Standing implements serve.Ledger.
func (b *Backing) Standing(_ context.Context, record domain.Enforcement) (serve.Standing, error) {
	unlock, err := b.lock()
	if err != nil {
		return serve.Standing{}, err
	}
	defer unlock()
	m := record.Members()
	packet, held := b.find(domain.RecordTable(m.Area), m.Key)
	if !held {
		return serve.Standing{}, nil
	}
	policy, _ := b.policyOf(packet)
	view := b.look(policy, packet, b.Now())
	return serve.Standing{InForce: b.inForce(m.Area, m.Key), Latest: b.latestOf(packet).Key().Number,
		Blockers: view.Judgment().Blockers()}, nil
}

// Reject implements serve.Ledger.
func (b *Backing) Reject(_ context.Context, rejection domain.Rejection) (string, error) {
	unlock, err := b.lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	rejection.Origin = Origin
	signed, err := note.Sign(&note.Note{Text: rejection.Text()}, b.signer)
	return string(signed), err
}

// grow adds the record to the tree and signs the checkpoint with it.
func (b *Backing) grow(record domain.Enforcement) (exchange.Enforced, error) {
	sequence := int64(len(b.log))
	hashes, err := tlog.StoredHashes(sequence, record.Document(), b)
	if err != nil {
		return exchange.Enforced{}, err
	}
	b.hashes = append(b.hashes, hashes...)
	root, err := tlog.TreeHash(sequence+1, b)
	if err != nil {
		return exchange.Enforced{}, err
	}
	text := checkpoint.Checkpoint{Origin: Origin, Size: uint64(sequence + 1), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, b.signer)
	if err != nil {
		return exchange.Enforced{}, err
	}
	receipt := domain.Receipt{RecordID: record.Members().RecordID, Sequence: sequence,
		LeafHash: hashOf(tlog.RecordHash(record.Document())), TreeSize: sequence + 1, Root: hashOf(root)}
	return exchange.Enforced{Receipt: receipt, Checkpoint: string(signed)}, nil
}

// ReadHashes implements tlog.HashReader.
func (b *Backing) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = b.hashes[position]
	}
	return hashes, nil
}

func hashOf(h tlog.Hash) domain.Hash {
	hash, _ := domain.ParseHash(fmt.Sprintf("sha256:%x", h[:]))
	return hash
}
