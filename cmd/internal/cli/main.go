// Package cli is docket's command line: a file for each command, or for those that go together, and
// the wiring between the store, the contracts, the identity and the console.
//
// Data goes to standard output, messages to standard error. With --json nothing but JSON goes to
// standard output. The exit status is one of Status: done, refused, wrong usage, or an environment
// that failed.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"docket/cmd/internal/contractview"
	"docket/cmd/internal/licenses"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/disk"
	"docket/ui"
	"docket/ui/wording"
)

// Main runs the program with its arguments and returns the exit status.
func Main(args []string, system System) Status {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	p := &program{System: system, screen: system.Out, version: versionOf(debug.ReadBuildInfo())}
	p.kept.Writer, p.Out = system.Out, &p.kept
	root := newRoot(p)
	err := p.execute(ctx, root, args)
	if err == nil || errors.Is(err, errReported) {
		err = cmp.Or(p.wrote(), err)
	}
	var stopped *signalError
	if errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &stopped) {
		return Signalled + Status(stopped.signal) // the sender knows why
	}
	said := system.Err
	if stopped := (*ui.StoppedError)(nil); errors.As(err, &stopped) {
		ended, end := context.WithCancel(ctx)
		end()
		said = ui.UntilStopped(ended, said) // the terminal may be the one that is not read
	}
	for _, one := range unjoined(err) {
		if !errors.Is(one, errReported) {
			fmt.Fprintf(said, "docket: %s\n", visible.String(withCommand(one)))
		}
	}
	return statusOf(err)
}

func (p *program) execute(ctx context.Context, root *cobra.Command, args []string) error {
	args, err := atHome(args)
	if err != nil {
		return err
	}
	if db := p.Getenv("DOCKET_DB"); db != "" {
		if _, err := disk.AtHome(db); err != nil {
			return wrongUsage("DOCKET_DB: %w", err)
		}
	}
	root.SetArgs(withNegations(args))
	if at, _, err := root.Find(args); err == nil {
		if err := findHome(at); err != nil && !slices.Contains(args, "--help") {
			return err
		}
	}
	return root.ExecuteContext(ctx)
}

// unjoined returns the joined errors within err, each with the text in front of the join, to be
// printed on lines of their own; an error that wraps several in a sentence stays one.
func unjoined(err error) (all []error) {
	if err == nil {
		return nil
	}
	var inner []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		inner = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	}
	if len(inner) == 0 || inner[len(inner)-1] == nil {
		return []error{err}
	}
	if err.Error() == errors.Join(inner...).Error() {
		for _, one := range inner {
			all = append(all, unjoined(one)...)
		}
		return all
	}
	last := inner[len(inner)-1]
	parts := unjoined(last)
	before, is := strings.CutSuffix(err.Error(), last.Error())
	if !is || len(parts) < 2 {
		return []error{err}
	}
	for _, one := range parts {
		all = append(all, fmt.Errorf("%s%w", before, one))
	}
	return all
}

var commandsFor = []struct {
	is  error
	say string
}{
	{store.ErrNoService, "`docket serve`"},
	{store.ErrNoStore, "`docket import FILE`, or `docket demo` to try it"},
	{store.ErrNotAStore, "--db FILE"},
	{store.ErrKind, "--db FILE"},
	{store.ErrNotBound, "`docket pull` or `docket push`"},
	{store.ErrTampered, "`docket verify`"},
}

func withCommand(err error) string {
	for _, c := range commandsFor {
		if errors.Is(err, c.is) {
			return err.Error() + " (" + c.say + ")"
		}
	}
	return err.Error()
}

// ofArgument returns the error of a store that an argument names: nothing is imported into it.
func ofArgument(err error) error {
	var problem *store.Problem
	if !errors.As(err, &problem) || !errors.Is(err, store.ErrNoStore) && !errors.Is(err, store.ErrNotAStore) {
		return err
	}
	advice := problem.Advice
	if errors.Is(err, store.ErrNoStore) {
		advice = "name the file of a backup, or of another store"
	}
	return &failure{Environment, fmt.Errorf("%s: %v; %s", problem.Path, problem.Kind, advice)}
}

type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string {
	return fmt.Sprintf("stopped by a signal: %s", e.signal.String())
}
func (e *signalError) Is(target error) bool { return target == context.Canceled }

func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case got := <-signals:
			if number, is := got.(syscall.Signal); is {
				cancel(&signalError{number})
			}
			cancel(context.Canceled)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

func newRoot(p *program) *cobra.Command {
	root := command("docket", 0, 0, func(cmd *cobra.Command, _ []string) error { return runConsole(cmd.Context(), p) })
	root.SilenceUsage, root.SilenceErrors = true, true
	root.AddGroup(groups...)
	p.plainFlag(root)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.Version = p.version
	p.consoleFlags(root)
	root.PersistentFlags().StringVar(&p.db, "db", "",
		"the `STORE`: a file, or a service's database: postgres://user@host/name (default: DOCKET_DB, else docket/docket.db in the XDG data folder, of a service docket/service.db)")
	root.SetFlagErrorFunc(wrongFlag)
	root.SetHelpFunc(p.printHelp)
	help := newHelp()
	root.SetHelpCommand(help)
	root.SetHelpCommandGroupID(help.GroupID)
	demo := newDemo(p)
	p.consoleFlags(demo)
	either := []*cobra.Command{newImport(p), newQueue(p), newBoard(p), newShow(p), newRecords(p), newStats(p),
		newVerify(p), newExport(p), newCollect(p), newStatement(p),
		newBackup(p), newErase(p), newAccept(p), newDoctor(p), newWitness(p)}
	for _, cmd := range either {
		cmd.PersistentPreRun = func(*cobra.Command, []string) { p.eitherStore = true }
	}
	root.AddCommand(either...)
	root.AddCommand(demo, p.newReader("evaluate", p.evaluate), p.newReader("seal", p.seal), newIdentity(p),
		newRestore(p), newEnroll(p), newPull(p), newPush(p), newServe(p),
		newReport(p), newContract(p), newProfile(p),
		newConfig(p), newMan(p), newSchema(p), newVersion(p), help)
	completion(root)
	return root
}

// A Status is the exit status of the program.
type Status int

// The statuses with which the program ends.
const (
	Done        Status = 0 // all was done
	Refused     Status = 1 // something was refused or did not verify; the rest was done
	Usage       Status = 2 // the command was called wrongly
	Environment Status = 3 // no store, no terminal, disk full: nothing to do with what was asked

	// Signalled plus the number of a signal is the status of a program that it ended, as in shells.
	Signalled Status = 128
)

type failure struct {
	status Status
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func wrongUsage(format string, args ...any) error {
	return &failure{Usage, fmt.Errorf(format, args...)}
}

func refused(format string, args ...any) error {
	return &failure{Refused, fmt.Errorf(format, args...)}
}

// errReported ends the program with Refused after the reasons have been printed.
var errReported = errors.New("reported")

func reportedUnless(well bool) error {
	if well {
		return nil
	}
	return errReported
}

// statusOf returns the exit status for an error, Environment for one without a status of its own.
func statusOf(err error) Status {
	var f *failure
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, contractview.ErrProfile):
		return Usage
	case errors.Is(err, errReported), errors.Is(err, records.ErrRefused), errors.Is(err, store.ErrNotFound),
		errors.Is(err, store.ErrTampered), errors.Is(err, packets.ErrStoredPacket):
		return Refused
	case errors.Is(err, store.ErrDamaged): // content was changed; an unreadable file is a Problem
		var problem *store.Problem
		if !errors.As(err, &problem) {
			return Refused
		}
	}
	return Environment
}

const unreleased = "unreleased"

// versionOf returns version, revision and compiler; between releases the version is Go's.
func versionOf(info *debug.BuildInfo, known bool) string {
	if !known {
		return unreleased
	}
	more := []string{info.GoVersion}
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			more = append(more, "revision "+setting.Value[:min(len(setting.Value), 12)])
		case setting.Key == "vcs.modified" && setting.Value == "true":
			more = append(more, "with changes")
		}
	}
	version := strings.TrimPrefix(info.Main.Version, "(devel)")
	return fmt.Sprintf("%s (%s)", cmp.Or(version, unreleased), strings.Join(more, ", "))
}

const noLicence = `The owner of docket has chosen no licence for docket itself yet.
What is linked into it stands under these notices.

%s`

func newVersion(p *program) *cobra.Command {
	var notices bool
	cmd := command("version", 0, 0, func(*cobra.Command, []string) error {
		if notices {
			return p.write(fmt.Sprintf(noLicence, licenses.Notices))
		}
		return p.write(fmt.Sprintf("docket %s\n%s\n", p.version, store.Engine()))
	})
	cmd.Flags().BoolVar(&notices, "licenses", false, "print the notices of Go and of every module that is linked in")
	return cmd
}

// noArguments refuses arguments; for a command with subcommands they are an unknown command.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return noCommand(cmd, args[0])
	}
	return wrongUsage("`%s` takes no arguments", cmd.CommandPath())
}

func noCommand(parent *cobra.Command, typed string) error {
	var names []string
	for _, below := range parent.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	help := "docket help"
	if parent.HasParent() {
		help = fmt.Sprintf("%s --help", parent.CommandPath())
	}
	return wrongUsage("`%s` has no command %q%s; `%s` lists what it has", parent.CommandPath(), typed, meant(typed, names, "%s"), help)
}

// meant suggests the nearest of the names, if one is near; form formats it.
func meant(typed string, names []string, form string) string {
	near := terms.Nearest(typed, names, terms.Distance)
	if len(near) == 0 || terms.Distance(typed, near[0]) > max(2, len(near[0])/3) || terms.Distance(typed, near[0]) >= len(near[0]) {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", fmt.Sprintf(form, near[0]))
}

func needsCommand(cmd *cobra.Command, _ []string) error {
	var calls []string
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			calls = append(calls, "`"+cmd.CommandPath()+strings.TrimPrefix(below.UseLine(), cmd.CommandPath())+"`")
		}
	}
	return wrongUsage("say what to do: %s", strings.ReplaceAll(strings.Join(calls, ", "), " [flags]", ""))
}

// argumentCount refuses fewer than least and more than most arguments; most < 0 means no limit.
func argumentCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		call := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		switch {
		case len(args) < least:
			if strings.Contains(cmd.Use, " | ") {
				return wrongUsage("say what to take: `%s`", strings.ReplaceAll(call, " | ", "` or `docket "))
			}
			example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
			return wrongUsage("name %s: `%s`", missing(cmd.Use, len(args)), cmp.Or(example, call))
		case most >= 0 && len(args) > most:
			return wrongUsage("%s are too many arguments: `%s`", wording.Thousands(len(args)), call)
		}
		return nil
	}
}

// arguments are what arguments name, by the word for them in the use of a command.
var arguments = map[string]string{"FILE": "a file", "FILE...": "a file", "DIR": "a folder",
	"ID": "an id", "RECORD": "a record", "NAME": "a schema",
	"FINGERPRINT": "a key by its fingerprint"}

// missing says what the next argument names, after those that were given.
func missing(use string, given int) string {
	words := strings.Fields(use)[1:]
	for i, word := range words {
		if strings.HasPrefix(word, "-") || i > 0 && strings.HasPrefix(words[i-1], "--") {
			continue
		}
		if given--; given < 0 {
			return cmp.Or(arguments[word], "one of "+strings.ReplaceAll(word, "|", ", "))
		}
	}
	return "what is missing"
}

// withNegations moves terms such as -is:decided behind "--", where they are not parsed as flags.
func withNegations(args []string) []string {
	before, after := args, []string(nil)
	if end := slices.Index(args, "--"); end >= 0 {
		before, after = args[:end], args[end+1:]
	}
	flags := slices.DeleteFunc(slices.Clone(before), isNegation)
	if len(flags) == len(args) {
		return args
	}
	negations := slices.DeleteFunc(slices.Clone(before), func(arg string) bool { return !isNegation(arg) })
	return slices.Concat(flags, []string{"--"}, negations, after)
}

func isNegation(arg string) bool {
	term, negated := strings.CutPrefix(arg, "-")
	key, _, is := strings.Cut(term, ":")
	named := func(k queue.FilterKey) bool { return k.Key == key }
	return negated && is && slices.ContainsFunc(queue.FilterKeys(), named)
}
