package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/output"
	"docket/cmd/internal/settings"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/disk"
	"docket/store/postgres"
	"docket/store/verify"
)

// A System is the commands' environment: streams, clock, variables and terminal.
type System struct {
	In       io.Reader
	Out, Err io.Writer
	Now      func() time.Time
	Getenv   func(string) string

	InTerminal, OutTerminal, ErrTerminal bool
	// TerminalSize returns the terminal's columns and rows, or an error if there is no terminal.
	TerminalSize func() (width, height int, err error)
}

// ThisProcess is the System of the running program.
func ThisProcess() System {
	return System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now, Getenv: os.Getenv,
		InTerminal: term.IsTerminal(os.Stdin.Fd()), OutTerminal: term.IsTerminal(os.Stdout.Fd()),
		ErrTerminal:  term.IsTerminal(os.Stderr.Fd()),
		TerminalSize: func() (width, height int, err error) { return term.GetSize(os.Stdout.Fd()) },
	}
}

// asciiOnly reports whether the terminal, according to its variables, shows only ASCII: the locale
// is not a UTF-8 one, or the terminal is the console of Linux, whose font has no bars.
func (s *System) asciiOnly() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := s.Getenv(name); locale != "" {
			charset := strings.ToLower(strings.ReplaceAll(locale, "-", ""))
			return s.Getenv("TERM") == "linux" || !strings.Contains(charset, "utf8")
		}
	}
	return s.Getenv("TERM") == "linux"
}

// say prints a message; its error is kept for the end, so that nobody has to return it.
func (p *program) say(format string, args ...any) error {
	_, err := fmt.Fprintf(p.Err, format, args...)
	p.unwritten = cmp.Or(p.unwritten, err)
	return err
}

// wrote returns the first error of writing to standard output, or of a message.
func (p *program) wrote() error { return cmp.Or(p.kept.err, p.unwritten) }

func (p *program) write(text string) error {
	_, err := io.WriteString(p.Out, text)
	return err
}

// object prints a value as JSON and keeps its error, too.
func (p *program) object(value any) error {
	err := output.JSON(p.Out, value)
	p.unwritten = cmp.Or(p.unwritten, err)
	return err
}

// print prints a value as JSON with --json, and otherwise a line for people.
func (p *program) print(value any, line string) error {
	if p.json {
		return p.object(value)
	}
	return p.write(line + "\n")
}

func (s *System) instant() terms.Instant { return terms.InstantOf(s.Now()) }

// A program holds what all commands share: the system and the common flags.
type program struct {
	System
	screen    io.Writer  // standard output as it is, for a console
	kept      keptWriter // standard output of all others
	unwritten error      // the first of say and object
	plain     bool
	db        string // --db, or what counts in its place
	named     bool   // db does not come from the command line
	// eitherStore is set for a command on the store of a console or a service.
	eitherStore     bool
	json, csv, html bool               // the form of what is printed; none for people
	debug           string             // where the console's debug log goes
	chosen          settings.Effective // for commands that choose them
	version         string
}

// storePath returns --db, otherwise DOCKET_DB, otherwise a file in the XDG data folder: for a
// command on either store the one that exists, or of both the console's, which it says.
func (p *program) storePath() string {
	if p.db != "" {
		return p.db
	}
	if path, err := disk.AtHome(p.Getenv("DOCKET_DB")); err == nil && path != "" {
		p.named = true
		return path
	}
	own, service := ownStore(), serviceStore()
	if !p.eitherStore || !exists(service) {
		return own
	}
	p.db = service
	if exists(own) {
		p.db = own
		fmt.Fprintf(p.Err,
			"docket: this is about the store %s; the service's is %s: name it with --db or DOCKET_DB\n",
			visible.String(own), visible.String(service))
	}
	return p.db
}

func (p *program) logAgent() string { return p.Getenv("DOCKET_LOG_AGENT") }

func ownStore() string     { return filepath.Join(xdg.DataHome, "docket", "docket.db") }
func serviceStore() string { return filepath.Join(xdg.DataHome, "docket", "service.db") }

// exists reports whether there is something at the path, or whether that is unknown.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// anchorFolder keeps the newest checkpoint of each store on this machine, apart from the stores.
func anchorFolder() string { return filepath.Join(xdg.StateHome, "docket", "anchors") }

func (p *program) identities() identity.Place {
	return identity.Place{Folder: filepath.Join(xdg.ConfigHome, "docket"), Touch: func() {
		fmt.Fprintln(p.Err, "Touch your security key: it signs now.")
	}}
}

// withStore runs work on the store, which it creates if there is none; if opening has findings,
// work does not run, because such a store takes no records or packets.
func (p *program) withStore(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{}, func(s *store.Store) error {
		if p.caution(s) {
			return errReported
		}
		return work(s)
	})
}

// withReading reads a store, also on a read-only medium; findings only set the exit status.
func (p *program) withReading(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		p.caution(s)
		known := len(s.Findings())
		err := work(s)
		for _, finding := range s.Findings()[known:] { // of what work read
			fmt.Fprintf(p.Err, "docket: %s\n", visible.String(finding.String()))
		}
		return cmp.Or(err, reportedUnless(len(s.Findings()) == 0))
	})
}

// caution prints the findings of opening: content of a store with findings may be forged.
func (p *program) caution(s *store.Store) (found bool) {
	findings := s.Findings()
	for _, finding := range findings {
		fmt.Fprintf(p.Err, "docket: %s\n", visible.String(finding.String()))
	}
	if len(findings) > 0 {
		if slices.ContainsFunc(findings, func(f verify.Finding) bool { return f.Code != verify.AnchorMissing }) {
			fmt.Fprintln(p.Err,
				"docket: this store was changed or damaged outside of docket; it is opened read-only. Run `docket verify` for the complete list")
		} else {
			fmt.Fprintln(p.Err, "docket: it is opened read-only; `docket accept anchor` takes the log as it is, once you have compared it")
		}
	}
	return len(findings) > 0
}

// patience is the longest wait for a lock, so that a command answers within two seconds.
const patience = 1500 * time.Millisecond

// completed adds the place of the store, unless there is one, and the program's clock and folders.
func (p *program) completed(o store.Options) (store.Options, error) {
	if o.Path == "" {
		if o.Service {
			p.db = p.servicePath()
		}
		o.Path, o.AnchorFolder = p.storePath(), anchorFolder()
	}
	o.Now, o.LogAgent = p.Now, p.logAgent()
	o.Waiting = func(why *store.Problem) { fmt.Fprintf(p.Err, "docket: waiting: %s\n", visible.String(why.Error())) }
	if o.BusyTimeout == 0 {
		o.BusyTimeout = patience
	}
	if !postgres.IsAddress(o.Path) {
		return o, nil
	}
	if err := p.checkShown(o.Path); err != nil {
		return o, err
	}
	db, err := postgres.New(postgres.Options{DSN: o.Path, ReadOnly: o.ReadOnly, Busy: o.BusyTimeout})
	if err != nil {
		return o, wrongUsage("%w", err)
	}
	o.Path, o.Database, o.KeyFolder = db.Name(), db, filepath.Dir(serviceStore())
	return o, nil
}

// checkShown refuses the address of a database that came from the command line with a password.
func (p *program) checkShown(address string) error {
	if p.named && address == p.storePath() || !postgres.HasPassword(address) {
		return nil
	}
	return wrongUsage(
		"an argument shows the password to everybody on this machine; put the address into DOCKET_DB or the config file, or the password into the file of PGPASSFILE")
}

// withStoreAs opens the store with the options and runs work, which handles findings itself.
func (p *program) withStoreAs(ctx context.Context, o store.Options, work func(*store.Store) error) (err error) {
	s, err := p.openStore(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return work(s)
}

// openStore opens the store with the options and says what a person has to know of that.
func (p *program) openStore(ctx context.Context, o store.Options) (*store.Store, error) {
	o, err := p.completed(o)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if s.AnchorLocked() {
		fmt.Fprintf(p.Err, "docket: %s\n", verify.AnchorLocked)
	}
	if s.Made() {
		fmt.Fprintf(p.Err, "created the store %s\n", visible.String(s.Path()))
	}
	return s, nil
}

func (p *program) askPassphrase(ctx context.Context, prompt string) ([]byte, error) {
	file, is := p.In.(term.File)
	if !is || !p.InTerminal {
		return nil, identity.ErrNobodyToAsk
	}
	return identity.AskAt(ctx, file, p.Err, prompt)
}

// newBar returns a bar on standard error, silent unless that can move its cursor.
func (p *program) newBar() *output.Bar {
	if p.ErrTerminal && p.Getenv("TERM") != onlyPrints {
		return output.NewBar(p.Err, p.Now)
	}
	return output.NewBar(nil, p.Now)
}

// withoutHome are the commands that keep nothing on this machine.
var withoutHome = []string{"help", "version", "licenses", "man", "schema", "completion", "evaluate",
	"seal", "contract", "profile", "report"}

// findHome takes the home folder of the account where the environment names none, and fails without
// one: what docket keeps would go into the root of the file system.
func findHome(command *cobra.Command) error {
	keeps := !slices.ContainsFunc(withoutHome, func(name string) bool {
		return strings.HasPrefix(command.CommandPath()+" ", "docket "+name+" ")
	})
	if home, err := os.UserHomeDir(); err == nil && home != "/" || !keeps {
		return nil
	}
	if account, err := user.Current(); err == nil && account.HomeDir != "" && account.HomeDir != "/" {
		err := os.Setenv("HOME", account.HomeDir)
		xdg.Reload()
		return err
	}
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		if os.Getenv(name) == "" {
			return errors.New(
				"there is no home folder: HOME is not set, and this account has none; set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME")
		}
	}
	return nil
}

// atHome expands paths that begin with "~/", which a shell leaves in quotes and after "=".
func atHome(args []string) ([]string, error) {
	expanded := slices.Clone(args)
	for i, arg := range args {
		name, value, is := strings.Cut(arg, "=")
		if is = is && strings.HasPrefix(name, "--"); !is {
			value = arg
		}
		path, err := disk.AtHome(value)
		if err != nil {
			return nil, wrongUsage("%w", err)
		}
		expanded[i] = strings.TrimSuffix(arg, value) + path
	}
	return expanded, nil
}

// A keptWriter keeps its first error, with which the program ends: no command has to return it.
type keptWriter struct {
	io.Writer
	err error
}

func (w *keptWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("the output could not be written: %w", disk.Reason(err))
	}
	return n, cmp.Or(w.err, err)
}
