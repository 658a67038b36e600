package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/settings"
	"docket/domain"
	"docket/store"
)

// A System is what the commands need of the world around them.
type System struct {
	In       io.Reader
	Out, Err io.Writer
	Now      func() time.Time
	Getenv   func(string) string

	InTerminal, OutTerminal, ErrTerminal bool
}

// ThisProcess is the System of the running program.
func ThisProcess() System {
	return System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now, Getenv: os.Getenv,
		InTerminal: term.IsTerminal(os.Stdin.Fd()), OutTerminal: term.IsTerminal(os.Stdout.Fd()),
		ErrTerminal: term.IsTerminal(os.Stderr.Fd()),
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

// withStore opens the store for work, makes it if there is none, and closes it again.
func (p *program) withStore(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{}, work)
}

// withReading opens the store for reading only, so that a store on a read-only medium can be looked at.
func (p *program) withReading(ctx context.Context, work func(*store.Store) error) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, work)
}

func (p *program) withStoreAs(ctx context.Context, o store.Options, work func(*store.Store) error) (err error) {
	o.Path, o.Now, o.AnchorFolder = p.storePath(), p.Now, anchorFolder()
	s, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return work(s)
}

// askPassphrase asks at the terminal, without showing what is typed.
func (p *program) askPassphrase(prompt string) ([]byte, error) {
	if !p.InTerminal {
		return nil, errors.New("a passphrase can only be typed at a terminal")
	}
	if _, err := io.WriteString(p.Err, prompt); err != nil {
		return nil, err
	}
	typed, err := term.ReadPassword(os.Stdin.Fd())
	_, newlineErr := io.WriteString(p.Err, "\n")
	return typed, errors.Join(err, newlineErr)
}
