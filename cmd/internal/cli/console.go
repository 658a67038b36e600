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
	return p.withStore(ctx, func(s *store.Store) error { return p.console(ctx, s, held, "") })
}

// console runs the console until its user leaves it. The console sees to signals itself, because it has a terminal to
// give back.
func (p *program) console(ctx context.Context, s *store.Store, held identity.Identity, notice string) error {
	worked := &desk.Desk{Store: s, Identity: held, Clock: p.Now}
	return ui.Run(context.WithoutCancel(ctx), worked, ui.Options{Input: p.In, Output: p.Out, Notice: notice, Findings: findingsOf(s)})
}

// findingsOf is what the opening of the store found, as the console shows it.
func findingsOf(s *store.Store) []ui.Finding {
	var findings []ui.Finding
	for _, finding := range s.Findings() {
		findings = append(findings, ui.Finding{Found: finding.Found, Advice: finding.Advice})
	}
	return findings
}
