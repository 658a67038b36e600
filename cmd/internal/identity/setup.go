package identity

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/crypto/ssh"

	"docket/domain"
)

// A Place is where an identity is kept: a folder with identity.toml and, if the key was made here, the key.
type Place struct{ Folder string }

func (p Place) file() string { return filepath.Join(p.Folder, "identity.toml") }
func (p Place) key() string  { return filepath.Join(p.Folder, "id_ed25519") }

// settings is what identity.toml holds. Exactly one of Key and Agent is set.
type settings struct {
	ID    string `toml:"id"`
	Role  string `toml:"role"`
	Key   string `toml:"key,omitempty"`   // path of an OpenSSH private key
	Agent string `toml:"agent,omitempty"` // fingerprint of a key that ssh-agent holds
}

// A Setup says which identity to set up. With neither KeyFile nor Agent a new key is made.
type Setup struct {
	ID      domain.ID
	Role    domain.Role
	KeyFile string
	Agent   string
}

// Init sets an identity up and returns it. An identity that is there already is left alone and is an error.
func (p Place) Init(s Setup, ask AskPassphrase) (Identity, error) {
	if _, err := os.Lstat(p.file()); !errors.Is(err, fs.ErrNotExist) {
		return Identity{}, fmt.Errorf("an identity is set up already in %s; move it away to set up another", p.file())
	}
	if err := os.MkdirAll(p.Folder, 0o700); err != nil {
		return Identity{}, fmt.Errorf("make the folder for the identity: %w", err)
	}
	keep := settings{ID: string(s.ID), Role: s.Role.String(), Key: s.KeyFile, Agent: s.Agent}
	switch {
	case keep.Key != "":
		absolute, err := filepath.Abs(keep.Key)
		if err != nil {
			return Identity{}, fmt.Errorf("find the key: %w", err)
		}
		keep.Key = absolute
	case keep.Agent == "":
		passphrase, err := ask("Passphrase for the new key (empty for none): ")
		if err != nil {
			return Identity{}, fmt.Errorf("choose a passphrase: %w", err)
		}
		if err := createKey(p.key(), string(s.ID), passphrase); err != nil {
			return Identity{}, err
		}
		keep.Key = p.key()
		ask = func(string) ([]byte, error) { return passphrase, nil }
	}
	loaded, err := keep.load(ask)
	if err != nil {
		return Identity{}, err
	}
	return loaded, p.write(keep)
}

func (p Place) write(keep settings) (err error) {
	text, err := toml.Marshal(keep)
	if err != nil {
		return fmt.Errorf("write the identity: %w", err)
	}
	file, err := os.OpenFile(p.file(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the identity: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(text); err != nil {
		return fmt.Errorf("write the identity: %w", err)
	}
	return file.Sync()
}

// Load returns the identity that is set up here, or ErrNone.
func (p Place) Load(ask AskPassphrase) (Identity, error) {
	keep, err := p.read()
	if err != nil {
		return Identity{}, err
	}
	return keep.load(ask)
}

// Reviewer returns the id and role that are set up here without touching the key; the zero Reviewer if there are none.
func (p Place) Reviewer() domain.Reviewer {
	keep, err := p.read()
	if err != nil {
		return domain.Reviewer{}
	}
	id, role, err := keep.parse()
	if err != nil {
		return domain.Reviewer{}
	}
	return domain.Reviewer{ID: id, Role: role}
}

func (p Place) read() (settings, error) {
	text, err := os.ReadFile(p.file())
	if errors.Is(err, fs.ErrNotExist) {
		return settings{}, ErrNone
	}
	if err != nil {
		return settings{}, fmt.Errorf("read the identity: %w", err)
	}
	var keep settings
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&keep); err != nil {
		return settings{}, fmt.Errorf("%s is not an identity as docket writes it; move it away and run `docket identity init`", p.file())
	}
	return keep, nil
}

func (s settings) parse() (domain.ID, domain.Role, error) {
	id, ok := domain.ParseID(s.ID)
	if !ok {
		return "", 0, errors.New("the identity's id is not an id")
	}
	role, err := domain.Roles.Parse(s.Role)
	return id, role, err
}

func (s settings) load(ask AskPassphrase) (Identity, error) {
	id, role, err := s.parse()
	if err != nil {
		return Identity{}, err
	}
	var signer ssh.Signer
	if s.Agent != "" {
		signer, err = agentKey(s.Agent, agentPatience)
	} else {
		signer, err = loadKey(s.Key, ask)
	}
	if err != nil {
		return Identity{}, err
	}
	return New(id, role, signer)
}
