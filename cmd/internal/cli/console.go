package cli

import (
	"context"
	"errors"
	"fmt"

	"docket/cmd/internal/desk"
	"docket/cmd/internal/identity"
	"docket/store"
	"docket/ui"
)

// runConsole opens the console on the store. Without an identity it is read-only.
func runConsole(ctx context.Context, p *program) error {
	if !p.InTerminal || !p.OutTerminal {
		return fmt.Errorf("the console needs a terminal; without one use `docket queue`, `docket show` or `docket --help`")
	}
	held, err := p.identities().Load(p.askPassphrase)
	if err != nil && !errors.Is(err, identity.ErrNone) {
		return err
	}
	return p.withStoreAs(ctx, store.Options{}, func(s *store.Store) error { return p.console(ctx, s, held, "") })
}

// console runs the console until its user leaves it. The console sees to signals itself, because it has a terminal to
// give back.
func (p *program) console(ctx context.Context, s *store.Store, held identity.Identity, notice string) error {
	worked := &desk.Desk{Store: s, Identity: held, Clock: p.Now}
	return ui.Run(context.WithoutCancel(ctx), worked, ui.Options{
		Input: p.In, Output: p.Out, Notice: notice, ExportFolder: "~/docket-export",
		Findings: shownFindings(s.Findings()),
		Prove: func(ctx context.Context) ([]ui.Finding, error) {
			found, err := s.Prove(ctx, nil)
			return shownFindings(found), err
		},
	})
}

// shownFindings is what was found of a store as the console shows it.
func shownFindings(found []store.Finding) []ui.Finding {
	var findings []ui.Finding
	for _, finding := range found {
		findings = append(findings, ui.Finding{Found: finding.String(), Advice: finding.Advice})
	}
	return findings
}
