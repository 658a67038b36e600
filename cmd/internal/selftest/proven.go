package selftest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/bundle"
	"docket/cmd/internal/storelog"
	"docket/domain"
	"docket/store"
)

// included checks the proof that the record is in the log, with RFC 6962 alone.
func included(ctx context.Context, s *store.Store, logged *domain.LoggedRecord) error {
	proof, err := s.Inclusion(ctx, logged.Receipt.RecordID)
	if err != nil {
		return err
	}
	if len(proof.Path) == 0 || proof.TreeSize != inLog {
		return errors.New("the inclusion proof is not one for the whole log")
	}
	path := make(tlog.RecordProof, len(proof.Path))
	for i, hash := range proof.Path {
		if path[i], err = treeHash(hash); err != nil {
			return err
		}
	}
	root, err := treeHash(proof.Root)
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(path, proof.TreeSize, root, proof.Sequence, tlog.RecordHash(logged.Record.Document())); err != nil {
		return errors.New("the inclusion proof does not hold")
	}
	return nil
}

func treeHash(hash domain.Hash) (sum tlog.Hash, err error) {
	text, err := hex.DecodeString(strings.TrimPrefix(hash.String(), "sha256:"))
	if err != nil || copy(sum[:], text) != len(sum) {
		return tlog.Hash{}, errors.New("a hash of the proof is none")
	}
	return sum, nil
}

// exported exports the log, checks the bundle, and looks for what was private in every file. It returns how many there are.
func (b *bench) exported(ctx context.Context, s *store.Store) (int, error) {
	log, err := storelog.Of(ctx, s)
	if err != nil {
		return 0, err
	}
	dir := filepath.Join(b.folder, "bundle")
	if _, err := bundle.Write(ctx, dir, log, bundle.Options{Workers: 1}); err != nil {
		return 0, err
	}
	found, err := b.checkBundle(ctx, dir, audit.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	if err := verified("the bundle", &found); err != nil {
		return 0, err
	}
	return withoutIn(dir, canary, privateNote)
}

// sound checks the store's log, record by record, and what lies beside the records.
func (b *bench) sound(ctx context.Context, s *store.Store) error {
	log, err := storelog.Of(ctx, s)
	if err != nil {
		return err
	}
	found, err := b.checkLog(ctx, log, audit.Options{Workers: 1})
	if err != nil {
		return err
	}
	besides, err := s.Prove(ctx, nil)
	if err != nil {
		return err
	}
	if len(besides) > 0 {
		return fmt.Errorf("the store has a finding: %s", besides[0].Kind)
	}
	return verified("the log", &found)
}

// verified holds a report to both records and nothing amiss.
func verified(what string, r *audit.Report) error {
	if !r.OK() {
		return fmt.Errorf("%s does not verify: %s", what, r.Findings[0].Kind)
	}
	if r.Size != inLog || r.Appeals != 1 || r.Amendments != 1 || r.VerifierKey == "" {
		return fmt.Errorf("%s does not hold both records", what)
	}
	return nil
}

// replayed judges the logged record's packets again, as they are stored, and compares.
func replayed(ctx context.Context, s *store.Store, view *domain.View, logged *domain.LoggedRecord) (blockers int, err error) {
	salt, err := s.PacketSalt(ctx, logged.Receipt.RecordID)
	if err != nil {
		return 0, err
	}
	packets := map[domain.Table]domain.Packet{}
	for _, p := range []domain.Packet{view.Policy(), view.Record()} {
		document, _, err := s.PacketDocument(ctx, p.Table(), p.Key().ID, p.Key().Number)
		if err != nil {
			return 0, err
		}
		var reader domain.Reader
		if packets[p.Table()], err = reader.ReadStored(document); err != nil {
			return 0, err
		}
	}
	again := logged.Record.Replay(packets[domain.AppealPolicies], packets[domain.AppealCases], salt)
	if len(again.Findings) > 0 {
		return 0, fmt.Errorf("the record judged again: %s", again.Findings[0].Detail)
	}
	return len(logged.Record.Members().ComputedBlockers), nil
}
