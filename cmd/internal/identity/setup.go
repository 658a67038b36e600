package identity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
)

// A Place is the folder of an identity, with identity.toml and, if the key was made here, the key.
type Place struct {
	Folder string
	Touch  func() // is called when a security key waits to be touched; nil: nothing is
}

func (p Place) file() string { return filepath.Join(p.Folder, "identity.toml") }
func (p Place) key() string  { return filepath.Join(p.Folder, "id_ed25519") }

// A Setup says which identity to set up. With neither KeyFile nor Agent a new key is made.
type Setup struct {
	ID      terms.ID
	Role    terms.Role
	KeyFile string
	Agent   string
}

// Init sets an identity up and returns it. An existing identity stays as it is and is an error.
// After any error nothing is left behind.
func (p Place) Init(ctx context.Context, s Setup, ask AskPassphrase) (Identity, error) {
	if err := absent(p.file(), "an identity is set up already in %s, which is left alone; move it away to set up another"); err != nil {
		return Identity{}, err
	}
	if s.KeyFile == "" && s.Agent == "" {
		if err := absent(p.key(), "there is a key at %s already, which is left alone; take it with --key, or move it away"); err != nil {
			return Identity{}, err
		}
	}
	n, err := p.Prepare(ctx, s, ask)
	if err != nil {
		return Identity{}, err
	}
	if err := n.write(p.file()); err != nil {
		return Identity{}, errors.Join(err, n.Discard())
	}
	return n.Identity, nil
}

func absent(path, message string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf(message, path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return fmt.Errorf("look at %s: %w", path, disk.Reason(err))
}

// choosePassphrase asks twice: a typing error that is not shown would lock the key for good.
func choosePassphrase(ctx context.Context, ask AskPassphrase) ([]byte, error) {
	passphrase, err := ask(ctx, "Passphrase for the new key (empty for none): ")
	if err != nil {
		return nil, fmt.Errorf("choose a passphrase: %w; --no-passphrase makes the key without one", err)
	}
	if len(passphrase) == 0 {
		return nil, nil
	}
	again, err := ask(ctx, "The same once more: ")
	if err != nil {
		return nil, fmt.Errorf("choose a passphrase: %w", err)
	}
	if !bytes.Equal(passphrase, again) {
		return nil, errors.New("the two passphrases differ; no key was made, try again")
	}
	return passphrase, nil
}

// A Pending identity has a key and is not kept yet: Keep or Discard has to be called.
type Pending struct {
	Identity
	place Place
	keep  settings
	made  []string // the key file that was made, if there is one, then folders, the deepest first
}

// Prepare makes or takes the key of an identity that is to replace the present one.
func (p Place) Prepare(ctx context.Context, s Setup, ask AskPassphrase) (*Pending, error) {
	n := &Pending{place: p, keep: settings{ID: string(s.ID), Role: s.Role.String(), Key: s.KeyFile, Agent: s.Agent}}
	var err error
	switch {
	case s.KeyFile != "":
		if n.keep.Key, err = filepath.Abs(s.KeyFile); err != nil {
			return nil, fmt.Errorf("find the key: %w", err)
		}
	case s.Agent == "":
		passphrase, err := choosePassphrase(ctx, ask)
		if err != nil {
			return nil, err
		}
		if err := n.makeKey(passphrase); err != nil {
			return nil, errors.Join(err, n.Discard())
		}
		ask = func(context.Context, string) ([]byte, error) { return passphrase, nil }
	}
	if n.Identity, err = p.load(ctx, n.keep, ask); err != nil {
		return nil, errors.Join(err, n.Discard())
	}
	return n, nil
}

// makeKey makes a new key beside those that are there.
func (n *Pending) makeKey(passphrase []byte) (err error) {
	if n.keep.Key, err = n.place.freeKey(); err != nil {
		return err
	}
	if err := n.makeFolder(); err != nil {
		return err
	}
	if err := createKey(n.keep.Key, n.keep.ID, passphrase); err != nil {
		return err
	}
	n.made = append([]string{n.keep.Key}, n.made...)
	return nil
}

// makeFolder makes the folder of the identity, and those above it that are missing.
func (n *Pending) makeFolder() error {
	for folder := n.place.Folder; ; folder = filepath.Dir(folder) {
		if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		n.made = append(n.made, folder)
	}
	if err := os.MkdirAll(n.place.Folder, 0o700); err != nil {
		return fmt.Errorf("make the folder %s for the identity: %w", n.place.Folder, disk.Reason(err))
	}
	return nil
}

// freeKey returns an unused name for a new key file: id_ed25519, or that with a number.
func (p Place) freeKey() (string, error) {
	for n := 1; ; n++ {
		path := p.key()
		if n > 1 {
			path += fmt.Sprintf(".%d", n)
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", fmt.Errorf("look at %s: %w", path, disk.Reason(err))
		}
	}
}

func (n *Pending) write(path string) error {
	text, err := toml.Marshal(n.keep)
	if err != nil {
		return fmt.Errorf("write the identity: %w", err)
	}
	if err := n.makeFolder(); err != nil {
		return err
	}
	return WriteNew(path, text)
}

// Keep replaces the present identity. The key file of that stays.
func (n *Pending) Keep() error {
	next := n.place.file() + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", next, disk.Reason(err))
	}
	if err := n.write(next); err != nil {
		return err
	}
	if err := os.Rename(next, n.place.file()); err != nil {
		return fmt.Errorf("write the identity: %w", disk.Reason(err))
	}
	return nil
}

// Discard removes the key that was made, and folders.
func (n *Pending) Discard() (err error) {
	for _, path := range n.made {
		if failed := os.Remove(path); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// PublicKey returns the key in the form of authorized_keys, without a comment; "" without a key.
func (i Identity) PublicKey() string {
	if i.signer == nil {
		return ""
	}
	return signed.AuthorizedKey(i.signer.PublicKey())
}
