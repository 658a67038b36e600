package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"docket/cmd/internal/contractview"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/intake"
	"docket/cmd/internal/sample"
	"docket/cmd/internal/settings"
	"docket/contracts"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/disk"
	"docket/store/verify"
	"docket/ui"
	lines "docket/ui/plain"
	"docket/ui/tty"
	"docket/ui/workbench"
)

// runConsole opens the console, read-only without an identity or with one whose key cannot be used.
func runConsole(ctx context.Context, p *program) error {
	if !p.InTerminal || !p.OutTerminal {
		if p.plain {
			// Without a terminal nothing can be recorded, so no passphrase is asked for.
			return p.withReading(ctx,
				func(s *store.Store) error { return p.console(ctx, s, identity.Identity{}, surroundings{}) })
		}
		return errors.New("the console needs a terminal; without one use `docket queue`, `docket show`, or `docket --plain` " +
			"to read line by line; `docket --help` lists the rest")
	}
	with := surroundings{submits: true}
	asked := false
	held, err := p.identities().Load(ctx, func(ctx context.Context, prompt string) ([]byte, error) {
		asked = true
		return p.askPassphrase(ctx, prompt)
	})
	if errors.Is(err, identity.ErrPassphrase) { // what is typed up to Enter is the next attempt
		_, endErr := p.askPassphrase(ctx, "The key cannot be used. Enter opens the console for reading: ")
		err = errors.Join(err, endErr)
	}
	if asked {
		tty.DropTyped(p.In)
	}
	switch {
	case ctx.Err() != nil: // stopped at the passphrase
		return context.Cause(ctx)
	case err != nil && !errors.Is(err, identity.ErrNone):
		held, with.keyless = identity.Keyless(p.identities().Reviewer(), err), err.Error()
	}
	return p.withStoreAs(ctx, store.Options{Reviewer: held.Reviewer(), Existing: true}, func(s *store.Store) error {
		return p.console(ctx, s, held, with)
	})
}

type surroundings struct {
	notice   string // shown on every screen
	greeting string // says what this is to those who see it for the first time
	submits  bool   // the log's checkpoints go to the witnesses of the settings
	keyless  string // why the identity's key cannot be used
}

// console runs the console, which handles signals itself because it has a terminal to restore.
func (p *program) console(ctx context.Context, s *store.Store, held identity.Identity,
	with surroundings) (err error) {
	log, end, err := p.openDebug()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end.Close()) }()
	service, err := s.OfService(ctx)
	if err != nil {
		return err
	}
	if service { // a service's store takes no decisions
		held, with.notice, with.keyless = identity.Identity{}, servicesStore, ""
	}
	if !p.speaks() {
		held = held.Silent()
	}
	worked := p.workbench(s, held)
	var notes func(context.Context) (ui.Note, bool)
	if with.submits && !service {
		var end func()
		notes, end = p.submitInBackground(ctx, s, worked)
		defer end()
	}
	accepted, err := s.Accepted(ctx)
	if err != nil {
		return err
	}
	notes = withAccepted(accepted, notes)
	left, err := s.LeftQueue(ctx, held.Reviewer().ID)
	if err != nil {
		return err
	}
	if !left.Present() {
		left = p.instant()
	}
	defer func() { // where the visit cannot be noted, more counts as new the next time
		if !service && unwritable(s) == "" && len(s.Findings()) == 0 {
			_ = s.LeaveQueue(context.WithoutCancel(ctx), held.Reviewer().ID)
		}
	}()
	prepared, err := preparedTexts()
	if err != nil {
		return err
	}
	run := ui.Run // plain if requested, also by ACCESSIBLE, or if the terminal can only print
	if p.speaks() {
		run = lines.Run
	}
	return run(context.WithoutCancel(ctx), worked, ui.Options{
		Input: p.In, Output: p.screen, Notice: with.notice, Greeting: with.greeting,
		Keyless: with.keyless, Touch: held.OnSecurityKey(), ExportFolder: "~/docket-export",
		Findings: shownFindings(s.Findings()), Unwritable: unwritable(s),
		Prove: worked.Verify, Met: func() []ui.Finding { return shownFindings(s.Findings()) },
		Theme: p.chosen.Theme, Area: p.chosen.Docket, Order: p.chosen.Sort, Left: left, Saved: p.chosen.Filters, Debug: log,
		BlindFirst: p.chosen.BlindFirst, Mouse: p.chosen.Mouse, Notes: notes, ASCII: p.asciiOnly(),
		Keys: p.chosen.Keys, Prepared: prepared,
	})
}

func (p *program) workbench(s *store.Store, held identity.Identity) *workbench.Workbench {
	profile := p.chosen.Profile
	return &workbench.Workbench{
		Store: s, Who: held.Reviewer(), Sign: held.Sign, State: held.State, Clock: p.Now,
		Pages:    func(now terms.Instant) ([]pages.Page, error) { return contractview.Pages(now, profile) },
		Channels: func() (statement.Profile, error) { return contractview.Channels(profile) },
	}
}

// withAccepted names first who accepted the log as it is, which no check of the log can decide.
func withAccepted(accepted []records.LogStatement,
	then func(context.Context) (ui.Note, bool)) func(context.Context) (ui.Note, bool) {
	accepted = slices.DeleteFunc(accepted,
		func(one records.LogStatement) bool { return one.Kind != records.AnchorAccepted })
	if len(accepted) == 0 {
		return then
	}
	told := 0
	return func(ctx context.Context) (note ui.Note, more bool) {
		switch {
		case told < len(accepted):
			one := &accepted[told]
			told++
			return ui.Note{Text: visible.String(fmt.Sprintf("the log was accepted as it is by %s at %s", one.By, one.At))}, true
		case then == nil:
			return note, false
		}
		return then(ctx)
	}
}

// unwritable returns why the store cannot be written, apart from findings; "" if it can be.
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

const servicesStore = "This is a service's store. It is read-only here; docket push adds records to it."

const onlyPrints = "dumb"

func (p *program) speaks() bool {
	accessible, _ := strconv.ParseBool(p.Getenv("ACCESSIBLE"))
	return p.plain || accessible || p.Getenv("TERM") == onlyPrints
}

func (p *program) plainFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.plain, "plain", false,
		"work line by line, in words only: for screen readers and terminals that can only print")
}

func shownFindings(found []verify.Finding) []ui.Finding {
	var findings []ui.Finding
	for _, finding := range found {
		findings = append(findings, ui.Finding{Found: finding.Sentence(), Advice: finding.Code.Cure(),
			Anchor: finding.Code == verify.AnchorMissing})
	}
	return findings
}

// consoleFlags adds the flags of a command that opens the console, and loads the settings first.
func (p *program) consoleFlags(cmd *cobra.Command) {
	settingFlags(cmd, settings.Console)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return p.choose(cmd) }
	cmd.Flags().StringVar(&p.debug, "debug", "",
		"write the console's steps and their times to a new `FILE` (default: DOCKET_DEBUG, else none)")
}

// openDebug creates the debug log that --debug or else DOCKET_DEBUG names, readable by its owner
// only and never an existing file or link; without a name the logger is nil.
func (p *program) openDebug() (*slog.Logger, io.Closer, error) {
	path := p.debug
	if path == "" {
		path = p.Getenv("DOCKET_DEBUG")
	}
	path, err := disk.AtHome(path)
	if path == "" {
		return nil, io.NopCloser(nil), err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the debug log must be a new file in an existing folder: %w", err)
	}
	log := slog.New(slog.NewTextHandler(file, nil))
	log.Info("start", "version", p.version, "system", runtime.GOOS+"/"+runtime.GOARCH, "cores",
		runtime.NumCPU())
	return log, file, nil
}

func newDemo(p *program) *cobra.Command {
	var size demoSize
	var printed bool
	cmd := command("demo", 0, 0, func(cmd *cobra.Command, _ []string) error {
		if size.reviewer.Present() && !printed {
			return wrongUsage("--as goes with --print")
		}
		if printed {
			return p.printSample(size)
		}
		return p.demo(cmd.Context(), size)
	})
	countFlag(cmd, &size.cases, "cases", "generate this `NUMBER` of cases and amendments in place of the sample",
		fmt.Sprintf("a number up to %d", mostCases), 0, mostCases)
	cmd.Flags().Uint64Var(&size.seed, "seed", 1, "seed for --cases")
	cmd.Flags().BoolVar(&printed, "print", false, "print the packets and do nothing else")
	idFlag(cmd, &size.reviewer, "as", "the `ID` of the reviewer to whom the printed packets are assigned", ofPerson)
	cmd.MarkFlagsMutuallyExclusive("as", "cases")
	p.plainFlag(cmd)
	return cmd
}

// A demoSize describes a sample docket; with no cases it is the handwritten one.
type demoSize struct {
	cases    int64
	seed     uint64
	reviewer terms.ID // of the handwritten one
}

// mostCases prevents a typing error from filling the disk.
const mostCases = 10_000_000

func (d demoSize) packets(p *program) (iter.Seq[[]byte], error) {
	if d.cases > 0 {
		return sample.Generate(int(d.cases), d.seed, p.Now()), nil
	}
	packets, err := sample.PacketsFor(cmp.Or(d.reviewer, sample.Reviewer), p.Now())
	if err != nil {
		return nil, fmt.Errorf("make the sample packets: %w", err)
	}
	return slices.Values(packets), nil
}

func (p *program) printSample(size demoSize) error {
	packets, err := size.packets(p)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(p.Out, 1<<16)
	for packet := range packets {
		if _, err := out.Write(append(packet, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// demo runs the sample docket and never touches the user's own store or identity.
func (p *program) demo(ctx context.Context, size demoSize) (err error) {
	folder, err := os.MkdirTemp("", "docket-demo-")
	if err != nil {
		return fmt.Errorf("make a temporary folder for the sample docket: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(folder, "demo.db"), Now: p.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := p.fillDemo(ctx, s, size); err != nil {
		return err
	}
	if !p.plain && (!p.InTerminal || !p.OutTerminal) {
		fmt.Fprintf(p.Err, demoQueue, sample.Reviewer)
		if err := p.listQueue(ctx, s, queue.Filter{}, sample.Reviewer); err != nil {
			return err
		}
		return p.say(afterDemo)
	}
	held, err := identity.Ephemeral(sample.Reviewer, terms.NeutralReviewer)
	if err != nil {
		return err
	}
	if err = p.console(ctx, s, held, surroundings{notice: "sample docket", greeting: demoGreeting}); err == nil {
		p.say(afterDemo)
	}
	return err
}

const (
	demoGreeting = "Here a neutral reviewer decides appeals."
	demoQueue    = demoGreeting + " This is the sample queue of reviewer %s.\n" +
		"At a terminal the console opens on it: Enter opens a case, d decides it, ? helps.\n\n"
	afterDemo = `
The sample docket is removed. Where to go next:
  docket identity init --id ID --role neutral_reviewer
                         who decides on this machine, with a key of their own
  docket demo --print --as ID | docket import -
                         the sample packets, assigned to you
  docket                 the console
  docket help            every command
`
)

func (p *program) fillDemo(ctx context.Context, s *store.Store, size demoSize) error {
	packets, err := size.packets(p)
	if err != nil {
		return err
	}
	bar := p.newBar()
	defer bar.Clear()
	var refused []error
	in := intake.New(ctx, s, func(r contracts.Refusal) error {
		refused = append(refused, fmt.Errorf("the sample docket is broken: %w", r))
		return nil
	})
	progress, taken := bar.Toward("making the docket", size.cases), int64(0)
	for packet := range packets {
		err = contracts.ReadPackets(ctx, "sample", bytes.NewReader(packet),
			contracts.Handler{Packet: in.Packet, Refused: in.Refuse})
		if err != nil {
			break
		}
		if taken++; size.cases > 0 {
			progress(taken)
		}
	}
	return errors.Join(append(refused, in.Close(err))...)
}
