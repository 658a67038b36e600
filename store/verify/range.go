package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"docket/domain/records"
	"docket/domain/signed"
)

// An aspect is what of a record a finding is about: its place in the log, signature or conclusion.
type aspect uint8

const (
	ofProof aspect = iota + 1
	ofSignature
	ofReplay
)

// Range examines the entries from one sequence up to but not including another, each alone, and
// returns the states of the records among them. Faults that only the whole log shows are left to Check. Proof says that the
// record's bytes are those of the leaf that the log keeps; the caller proves the path to the root.
func Range(ctx context.Context, log Source, from, to int64) ([]records.State, error) {
	entries, erased, err := checkRange(ctx, log, from, to, Judged)
	if err != nil {
		return nil, err
	}
	var states []records.State
	for i := range entries {
		if kind := entries[i].entry.Kind; kind == records.PacketEntry || kind == records.StatementEntry {
			continue
		}
		state := entries[i].state()
		if entries[i].readable() {
			state.Erased = erased.of(entries[i].record.Members())
		}
		states = append(states, state)
	}
	return states, nil
}

// Entries checks the entries from one sequence up to but not including another, each alone.
func Entries(ctx context.Context, log Source, from, to int64, depth Depth) (list []Finding, err error) {
	entries, _, err := checkRange(ctx, log, from, to, depth)
	for i := range entries {
		list = append(list, entries[i].findings...)
	}
	return list, err
}

func checkRange(ctx context.Context, log Source, from, to int64, depth Depth) (batch []entryResult, erased Erasures, err error) {
	head, err := log.Head(ctx)
	if err != nil {
		return nil, erased, fmt.Errorf("read the head of the log: %w", err)
	}
	if from, to = max(from, 0), min(to, head.Size); from >= to {
		return nil, erased, nil
	}
	err = log.Entries(ctx, from, func(e Entry) error {
		if e.Sequence >= to {
			return errEnough
		}
		batch = append(batch, entryResult{entry: e})
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, erased, err
	}
	keys := newKeyring(head.Signers)
	_, statements := head.Lineage()
	erased = ReadErasures(statements)
	failed := make([]error, (len(batch)+batchSize-1)/batchSize)
	var running sync.WaitGroup
	for i := range failed {
		some := batch[i*batchSize : min((i+1)*batchSize, len(batch))]
		running.Go(func() {
			failed[i] = guarded(func() error {
				x := entryChecker{log: log, head: &head, depth: depth, keys: keys, erased: erased}
				return x.examine(ctx, some)
			})
		})
	}
	running.Wait()
	return batch, erased, errors.Join(failed...)
}

// state summarizes an entry: unreadable, it is not evaluated again; missing, it has no signature.
func (e *entryResult) state() records.State {
	s := records.State{Sequence: e.entry.Sequence, RecordID: e.entry.RecordID, Leaf: signed.FromTree(e.leaf)}
	checks := [...]*records.Check{ofProof: &s.Proof, ofSignature: &s.Signature, ofReplay: &s.Replay}
	for _, check := range checks[ofProof:] {
		check.Verdict = records.Holds
	}
	if !e.readable() {
		s.Replay.Verdict = records.Unexamined
	}
	if e.entry.Document == nil {
		s.Signature.Verdict = records.Unexamined
	}
	for _, finding := range e.findings {
		of := finding.Code.info().of
		if of == 0 {
			continue
		}
		checks[of].Verdict = records.Fails
		checks[of].Found = append(checks[of].Found, finding.Code.with(finding.Detail))
	}
	return s
}
