package cli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"docket/cmd/internal/storelog"
	"docket/domain"
	"docket/store"
	"docket/store/verify"
)

// verifyStore checks the whole log and what lies beside the records in the store; what the opening found
// counts.
func (p *program) verifyStore(ctx context.Context, s *store.Store, options verify.Options) error {
	log, err := storelog.Of(ctx, s)
	if err != nil {
		return err
	}
	v := &storeCheck{p: p, store: s, notes: log.Notes()}
	var notes []string
	if !s.KeepsAnchor() {
		notes = append(notes, unanchored(options)...)
	}
	return p.verify(func(o verify.Options) (verify.Report, []store.Finding, error) {
		report, err := v.run(ctx, log, o)
		return report, v.found, err
	}, options, notes...)
}

// A storeCheck is one check of a store. It keeps and prints what it finds besides an audit.
type storeCheck struct {
	p     *program
	store *store.Store
	notes *storelog.Notes
	found []store.Finding
	err   error // why a finding could not be printed
}

func (v *storeCheck) run(ctx context.Context, log *storelog.Log, o verify.Options) (verify.Report, error) {
	v.add(v.store.Findings()...)
	o.Each = func(c verify.Checked) error {
		fits, err := v.notes.Fit(ctx, &c)
		if err == nil && !fits {
			v.add(store.NoteFinding(c.Entry.Sequence, c.Record.Members().RecordID))
		}
		return err
	}
	report, err := verify.Check(ctx, log, o)
	if err != nil {
		return verify.Report{}, err
	}
	besides, err := v.store.ProveBesides(ctx, o.Progress)
	if err != nil {
		return verify.Report{}, err
	}
	v.add(besides...)
	return report, v.err
}

// add prints what was not found before.
func (v *storeCheck) add(found ...store.Finding) {
	for _, finding := range found {
		if slices.Contains(v.found, finding) {
			continue
		}
		v.found = append(v.found, finding)
		v.err = errors.Join(v.err, v.p.printFinding(besidesFinding{finding}))
	}
}

// besidesFinding is a finding of the store, printed as those of an audit are.
type besidesFinding struct{ store.Finding }

// String writes the finding on one line.
func (f besidesFinding) String() string { return f.Kind.String() + ": " + f.Finding.String() }

// MarshalJSON writes the members of an verify.Finding.
func (f besidesFinding) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Sequence int64           `json:"sequence"`
		RecordID domain.RecordID `json:"recordId,omitempty"`
		Kind     string          `json:"kind"`
		Detail   string          `json:"detail"`
	}{f.Sequence, f.RecordID, f.Kind.String(), f.Found})
}
