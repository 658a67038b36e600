package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"docket/cmd/internal/desk"
	"docket/cmd/internal/identity"
	"docket/store"
	"docket/ui"
	lines "docket/ui/plain"
)

// runConsole opens the console on the store. Without an identity, or with one whose key cannot be used, it is read-only.
func runConsole(ctx context.Context, p *program) error {
	if !p.InTerminal || !p.OutTerminal {
		if p.plain {
			// Nobody can record here, so nobody is asked for a passphrase.
			return p.withReading(ctx, func(s *store.Store) error { return p.console(ctx, s, identity.Identity{}, besides{}) })
		}
		return fmt.Errorf("the console needs a terminal; without one use `docket queue`, `docket show`, or `docket --plain` " +
			"to read line by line; `docket --help` lists the rest")
	}
	with := besides{filters: filterFile()}
	held, err := p.identities().Load(ctx, p.askPassphrase)
	switch {
	case ctx.Err() != nil: // told to stop while the passphrase was asked for
		return context.Cause(ctx)
	case err != nil && !errors.Is(err, identity.ErrNone):
		held, with.keyless = identity.Keyless(p.identities().Reviewer(), err), err.Error()
	}
	return p.withStoreAs(ctx, store.Options{Reviewer: held.Reviewer(), Existing: true}, func(s *store.Store) error { return p.console(ctx, s, held, with) })
}

// besides are what the console says and keeps besides what is in the store.
type besides struct {
	notice  string          // on every screen
	filters ui.FilterKeeper // of what is saved; nil: nothing outlives the console
	keyless string          // why the identity's key cannot be used
}

// console runs the console until its user leaves it. The console sees to signals itself, because it has a terminal to
// give back.
func (p *program) console(ctx context.Context, s *store.Store, held identity.Identity, with besides) (err error) {
	p.letPileUp(consoleGarbage)
	log, end, err := p.openDebug()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end.Close()) }()
	service, err := s.OfService(ctx)
	if err != nil {
		return err
	}
	if service { // nobody records there, so nobody begins to
		held, with.notice, with.keyless = identity.Identity{}, servicesStore, ""
	}
	worked := &desk.Desk{Store: s, Identity: held, Clock: p.Now, Profile: p.chosen.Profile}
	return p.runner()(context.WithoutCancel(ctx), worked, ui.Options{
		Input: p.In, Output: p.Out, Notice: with.notice, Keyless: with.keyless, ExportFolder: "~/docket-export",
		Findings: shownFindings(s.Findings()), Unwritable: unwritable(s),
		Prove: func(ctx context.Context) ([]ui.Finding, error) {
			found, err := s.Prove(ctx, nil)
			return shownFindings(found), err
		},
		Theme: p.chosen.Theme, Area: p.chosen.Docket, Order: p.chosen.Sort, Saved: p.chosen.Filters, Debug: log,
		BlindFirst: p.chosen.BlindFirst, Filters: with.filters, Mouse: p.chosen.Mouse,
	})
}

// unwritable is why the store can only be read, apart from what was found of it; "" if it can be written.
func unwritable(s *store.Store) string {
	var problem *store.Problem
	err := s.Obstacle()
	if errors.As(err, &problem) {
		return problem.Kind.Error() + ": " + problem.Advice
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// servicesStore is the notice on a service's store.
const servicesStore = "This is a service's store: it can be looked at; records come into it with docket push."

// onlyPrints is what TERM says of a terminal that cannot move its cursor.
const onlyPrints = "dumb"

// runner is the console that fits: the plain one where it is asked for, or where the terminal can only print.
func (p *program) runner() func(context.Context, ui.Desk, ui.Options) error {
	if p.plain || p.Getenv("TERM") == onlyPrints {
		return lines.Run
	}
	return ui.Run
}

// plainFlag adds --plain to a command that opens the console.
func (p *program) plainFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.plain, "plain", false, "work line by line, in words only: for screen readers and terminals that can only print")
}

// shownFindings is what was found of a store as the console shows it.
func shownFindings(found []store.Finding) []ui.Finding {
	var findings []ui.Finding
	for _, finding := range found {
		findings = append(findings, ui.Finding{Found: finding.String(), Advice: finding.Advice})
	}
	return findings
}

// How much garbage piles up before it is collected, in percent of what is in use.
const (
	// consoleGarbage is little: with a million cases in the queue what is in use is large, and there is time to collect
	// while a reviewer reads.
	consoleGarbage = 15
	// checkingGarbage is much: checking a log keeps next to nothing and throws away all that it reads.
	checkingGarbage = 400
)

// letPileUp sets that, unless whoever started the program has with GOGC.
func (p *program) letPileUp(percent int) {
	if p.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// consoleFlags adds what a command that opens the console takes, and chooses the settings before it runs.
func (p *program) consoleFlags(cmd *cobra.Command) {
	settingFlags(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return p.choose(cmd) }
	cmd.Flags().StringVar(&p.debug, "debug", "",
		"write what the console does and how long it takes to a new file (default: DOCKET_DEBUG, else nothing is written)")
}

// openDebug makes the debug log if one is asked for: --debug, else DOCKET_DEBUG. It is always a new file that only its
// owner can read: what is there already is never written to, links included. Without one the logger is nil.
func (p *program) openDebug() (*slog.Logger, io.Closer, error) {
	path := p.debug
	if path == "" {
		path = p.Getenv("DOCKET_DEBUG")
	}
	if path == "" {
		return nil, io.NopCloser(nil), nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the debug log must be a file that is not there yet, in a folder that is: %w", err)
	}
	log := slog.New(slog.NewTextHandler(file, nil))
	log.Info("start", "version", p.build.String(), "system", runtime.GOOS+"/"+runtime.GOARCH, "cores", runtime.NumCPU())
	return log, file, nil
}
