package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/settings"
	"docket/domain"
	"docket/domain/visible"
	"docket/store"
)

// A System is what the commands need of the world around them.
type System struct {
	In       io.Reader
	Out, Err io.Writer
	Now      func() time.Time
	Getenv   func(string) string

	InTerminal, OutTerminal, ErrTerminal bool
	// TerminalSize is how many columns and rows the terminal has; an error if there is none.
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

// instant is the current time as the rules take it.
func (s *System) instant() domain.Instant { return domain.InstantOf(s.Now()) }

// program is what all commands share: the system and the flags that every command takes.
type program struct {
	System
	plain  bool
	db     string
	json   bool
	debug  string             // where the console's debug log goes
	chosen settings.Effective // for commands that choose them
	build  build
}

// storePath is where the store lies: --db, else DOCKET_DB, else the XDG data folder.
func (p *program) storePath() string {
	if p.db != "" {
		return p.db
	}
	if path := p.Getenv("DOCKET_DB"); path != "" {
		return path
	}
	return filepath.Join(xdg.DataHome, "docket", "docket.db")
}

// anchorFolder is where the newest checkpoint of each store on this machine is kept, away from the stores.
func anchorFolder() string { return filepath.Join(xdg.StateHome, "docket", "anchors") }

// identities is where the identity of this machine is kept.
func (p *program) identities() identity.Place {
	return identity.Place{Folder: filepath.Join(xdg.ConfigHome, "docket")}
}

// withStore opens the store for work, makes it if there is none, and closes it again. Into a store with findings nothing is
// taken: then the work is not begun.
func (p *program) withStore(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{}, func(s *store.Store) error {
		if p.caution(s) {
			return errReported
		}
		return work(s)
	})
}

// withReading opens the store for reading only, so that a store on a read-only medium can be looked at. What is in a store with
// findings is shown, and the exit status says that it did not hold.
func (p *program) withReading(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		p.caution(s)
		err := work(s)
		if err == nil && len(s.Findings()) > 0 { // also what the work came upon
			return errReported
		}
		return err
	})
}

// caution says what the opening found, if it found anything: what is printed of such a store may be forged.
func (p *program) caution(s *store.Store) (found bool) {
	findings := s.Findings()
	for _, finding := range findings {
		fmt.Fprintf(p.Err, "docket: %s: %s\n", finding.Kind, visible.String(finding.String()))
	}
	if len(findings) > 0 {
		fmt.Fprintln(p.Err, "docket: this store is not as it was left; it is only read, and `docket verify` lists all that is wrong")
	}
	return len(findings) > 0
}

// patience is how long a lock is waited for: it is told within two seconds.
const patience = 1500 * time.Millisecond

// withStoreAs opens the store for work that deals with what the opening found itself.
func (p *program) withStoreAs(ctx context.Context, o store.Options, work func(*store.Store) error) (err error) {
	if o.Path == "" {
		o.Path, o.AnchorFolder = p.storePath(), anchorFolder()
	}
	o.Now = p.Now
	if o.BusyTimeout == 0 {
		o.BusyTimeout = patience
	}
	s, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Made() {
		fmt.Fprintf(p.Err, "made the store %s\n", visible.String(s.Path()))
	}
	return work(s)
}

// errNobodyToAsk says that a passphrase is needed where nobody can type one.
var errNobodyToAsk = errors.New("a passphrase can only be typed at a terminal")

// askPassphrase asks at the terminal, without showing what is typed. When ctx ends it returns at once, with the terminal as
// it was; only the read that waits there goes on until the program ends.
func (p *program) askPassphrase(ctx context.Context, prompt string) ([]byte, error) {
	file, is := p.In.(term.File)
	if !is || !p.InTerminal {
		return nil, errNobodyToAsk
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	descriptor := file.Fd() // taken once: the read may still wait when the file is closed
	before, err := term.GetState(descriptor)
	if err != nil {
		return nil, errNobodyToAsk
	}
	if _, err := io.WriteString(p.Err, prompt); err != nil {
		return nil, err
	}
	type answer struct {
		typed []byte
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		typed, err := term.ReadPassword(descriptor)
		answered <- answer{typed, err}
	}()
	var got answer
	select {
	case got = <-answered:
	case <-ctx.Done():
		got.err = errors.Join(context.Cause(ctx), term.Restore(descriptor, before))
	}
	_, err = io.WriteString(p.Err, "\n")
	return got.typed, errors.Join(got.err, err)
}
