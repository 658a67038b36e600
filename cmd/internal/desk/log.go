package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docket/cmd/internal/bundle"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// WeeklyCounts counts the decisions of the area week by week.
func (d *Desk) WeeklyCounts(ctx context.Context, area terms.Area) (queue.WeeklyCounts, error) {
	return d.Store.WeeklyCounts(ctx, area, d.Now())
}

// Verify checks the whole log, as deep as `docket verify` does, and returns what keeps the store from taking records beyond
// what was known before. It keeps nobody from working.
func (d *Desk) Verify(ctx context.Context) ([]verify.Finding, error) {
	known := d.Store.Findings()
	_, err := d.Store.Verify(ctx, verify.Options{})
	return d.Store.Findings()[len(known):], err
}

// Examine looks at the records from one sequence up to, and not with, another: each by itself, its bytes, its signature
// and its packets, and the path from its leaf to the root.
func (d *Desk) Examine(ctx context.Context, from, to int64) ([]records.State, error) {
	log, err := d.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	states, err := verify.Range(ctx, log, from, to)
	if err != nil {
		return nil, err
	}
	for i := range states {
		if err := d.include(ctx, &states[i]); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// include adds the inclusion proof. A leaf that the tree does not hold fails; so does what kept its proof from being made
// because the store is damaged.
func (d *Desk) include(ctx context.Context, state *records.State) error {
	if state.Proof.Verdict != records.Holds {
		return nil
	}
	proof, err := d.Store.Inclusion(ctx, state.RecordID)
	switch {
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound), err == nil && proof.Sequence != state.Sequence:
		state.Proof = records.Check{Verdict: records.Fails, Found: []string{"The tree of the log does not hold the record at its place."}}
		return nil
	case err != nil:
		return err
	}
	state.Path, state.Head = proof.Path, records.LogHead{Size: proof.TreeSize, Root: proof.Root}
	return nil
}

// Export writes the log as a bundle into a folder and reads it back. A folder that begins with "~/" is one of the home.
func (d *Desk) Export(ctx context.Context, folder string, progress func(what string, done, total int64)) (records.LogHead, error) {
	folder, err := atHome(folder)
	if err != nil {
		return records.LogHead{}, err
	}
	if findings := d.Store.Findings(); len(findings) > 0 {
		return records.LogHead{}, fmt.Errorf("nothing was exported: the store is not as it was left: %s", findings[0].Sentence())
	}
	log, err := d.Store.Snapshot(ctx)
	if err != nil {
		return records.LogHead{}, err
	}
	report, err := bundle.Write(ctx, folder, log, bundle.Options{Progress: func(step bundle.Step, done, total int64) {
		progress(step.String(), done, total)
	}})
	if err != nil {
		return records.LogHead{}, err
	}
	return records.LogHead{Size: report.Size, Root: report.Root}, nil
}

// atHome writes out the home folder.
func atHome(folder string) (string, error) {
	rest, home := strings.CutPrefix(folder, "~/")
	if !home {
		return folder, nil
	}
	base, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w; write the folder out", err)
	}
	return filepath.Join(base, rest), nil
}
