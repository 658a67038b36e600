// Package storelog shows a store's log to whoever checks or exports it.
package storelog

import (
	"context"
	"fmt"

	"golang.org/x/crypto/ssh"

	"docket/store"
	"docket/store/verify"
)

// A Log is a store at one moment, as an verify.Log.
type Log struct {
	store    *store.Store
	snapshot *store.Snapshot
}

// Of takes a snapshot of the store. Records that are appended afterwards are not in it.
func Of(ctx context.Context, s *store.Store) (*Log, error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return &Log{s, snapshot}, nil
}

// Head implements verify.Log. A signer whose key cannot be read is left out, so that what it signed is found.
func (l *Log) Head(ctx context.Context) (verify.Head, error) {
	meta, err := l.store.Meta(ctx)
	if err != nil {
		return verify.Head{}, err
	}
	head := verify.Head{Origin: meta.Origin, Size: l.snapshot.Size(), Checkpoint: l.snapshot.Checkpoint(),
		StoredRoot: l.snapshot.Root(), ServiceKey: l.snapshot.Service()}
	if key, err := l.store.Verifier(ctx); err == nil {
		head.VerifierKeys = []string{key}
	}
	for _, signer := range l.snapshot.Signers() {
		if key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(signer.PublicKey)); err == nil {
			head.Signers = append(head.Signers, verify.Signer{ID: signer.Reviewer, Key: key})
		}
	}
	head.Statements, err = l.store.LogStatements(ctx)
	return head, err
}

// Entries implements verify.Log.
func (l *Log) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	return l.snapshot.Entries(ctx, from, func(e store.Entry) error {
		return yield(verify.Entry{Sequence: e.Sequence, Table: e.Table, RecordID: e.RecordID, Document: e.Document,
			Signature: e.Signature, LeafHash: e.LeafHash, PacketSalt: e.PacketSalt, Statement: e.Statement})
	})
}

// Packets implements verify.Log.
func (l *Log) Packets(ctx context.Context, refs []verify.Ref) ([][]byte, error) {
	names := make([]store.PacketName, len(refs))
	for i, ref := range refs {
		names[i] = store.PacketName{Table: ref.Table, Key: ref.Key}
	}
	documents, err := l.snapshot.Packets(ctx, names)
	if err != nil {
		return nil, fmt.Errorf("read packets that were judged: %w", err)
	}
	return documents, nil
}

// Rejections implements verify.Log.
func (l *Log) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	return l.snapshot.Rejections(ctx, func(r store.StoredRejection) error {
		return yield(verify.Rejection{RecordID: r.RecordID, Signed: r.Signed})
	})
}
