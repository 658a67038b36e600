package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docket/cmd/internal/health"
	"docket/contracts/report"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/wording"
)

// amendmentHealth checks the health of a sound store, of a damaged one, and of a missing one.
func amendmentHealth(ctx context.Context, b *bench) (string, error) {
	s, o, sub, err := b.withRecord(ctx, terms.Amendments)
	if err != nil {
		return "", err
	}
	meta, err := s.Meta(ctx)
	if err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	identifying := []string{b.folder, meta.Origin, string(sub.Record.Members().RecordID), string(sub.Record.Members().Key.ID),
		string(sub.Record.Members().OwnerID), string(b.identity.Reviewer().ID), b.identity.Reviewer().KeyFingerprint}
	sound, err := b.healthOf(ctx, o, identifying)
	if err != nil {
		return "", err
	}
	whole := health.Store{Exists: true, Readable: true, Proved: true, Records: 1}
	if !sound.OK || sound.ContractStatus != terms.Pass || sound.Store != whole {
		return "", errors.New("a sound store with 1 record is not well")
	}
	if err := damage(ctx, o.Path); err != nil {
		return "", err
	}
	damaged, err := b.healthOf(ctx, o, identifying)
	if err != nil {
		return "", err
	}
	absent, err := b.healthOf(ctx, b.options(), identifying)
	if err != nil {
		return "", err
	}
	if damaged.OK || damaged.Store.Findings == 0 || absent.OK || absent.Store.Exists {
		return "", errors.New("a damaged or missing store is well")
	}
	return fmt.Sprintf("%s: 1 record, 0 findings; damaged: %s, not well; missing: not well; none of %s in the answers",
		sound.ContractVersion, wording.Plural(damaged.Store.Findings, "finding", "findings"), wording.Plural(len(identifying), "identifying text", "identifying texts")), nil
}

// healthOf returns the health, after checking its members and that it identifies no one.
func (b *bench) healthOf(ctx context.Context, o store.Options, identifying []string) (health.Health, error) {
	h, err := b.health(ctx, health.Options{Kind: report.Amendments, At: b.instant(), Store: o, Prove: true})
	if err != nil {
		return health.Health{}, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return health.Health{}, err
	}
	printed, err := decoded(text)
	if err != nil {
		return health.Health{}, err
	}
	if err := withMembers("the health", printed, "ok", "contractVersion", "contractStatus", "store"); err != nil {
		return health.Health{}, err
	}
	for _, identifies := range identifying {
		if strings.Contains(string(text), identifies) {
			return health.Health{}, errors.New("the health identifies a person or a thing")
		}
	}
	if h.ContractVersion != report.Amendments.Contract().Version {
		return health.Health{}, errors.New("the health is of another contract")
	}
	return h, nil
}

// damage edits the one record of a store's file, past the triggers, as an attacker with the file can.
func damage(ctx context.Context, path string) (err error) {
	file, err := openFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	table := terms.AmendmentEnforcements.String()
	triggers, err := file.texts(ctx, "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", table)
	if err != nil {
		return err
	}
	statements, err := file.texts(ctx, "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", table)
	if err != nil {
		return err
	}
	for i := range triggers {
		triggers[i] = "DROP TRIGGER main." + triggers[i]
	}
	edit := "UPDATE main." + table + " SET document = replace(document, '\"gate\":\"pass\"', '\"gate\":\"blocked\"')"
	for _, statement := range append(append(triggers, edit), statements...) {
		if _, err := file.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("damage a store: %w", err)
		}
	}
	return nil
}
