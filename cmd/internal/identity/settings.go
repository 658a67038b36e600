package identity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/crypto/ssh"

	"docket/domain"
)

// settings is what identity.toml holds. Exactly one of Key and Agent is set.
type settings struct {
	ID    string `toml:"id"`
	Role  string `toml:"role"`
	Key   string `toml:"key,omitempty"`   // path of an OpenSSH private key
	Agent string `toml:"agent,omitempty"` // fingerprint of a key that ssh-agent holds
}

// Load returns the identity that is set up here, or ErrNone.
func (p Place) Load(ctx context.Context, ask AskPassphrase) (Identity, error) {
	keep, err := p.read()
	if err != nil {
		return Identity{}, err
	}
	return keep.load(ctx, ask)
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

// maxSettings is in bytes: far more than identity.toml has.
const maxSettings = 64 << 10

func (p Place) read() (settings, error) {
	info, err := os.Stat(p.file())
	if errors.Is(err, fs.ErrNotExist) {
		return settings{}, ErrNone
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSettings) {
		return settings{}, notOurs(p.file())
	}
	text, err := os.ReadFile(p.file())
	if err != nil {
		return settings{}, fmt.Errorf("read the identity %s: %w", p.file(), reasonOf(err))
	}
	keep, ok := parseSettings(text)
	if !ok {
		return settings{}, notOurs(p.file())
	}
	return keep, nil
}

func notOurs(path string) error {
	return fmt.Errorf("%s is not an identity as docket writes it; move it away and run `docket identity init`", path)
}

// parseSettings reads identity.toml; false if it is not one. Nothing of it is in an error: it may be anything.
func parseSettings(text []byte) (settings, bool) {
	var keep settings
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&keep); err != nil {
		return settings{}, false
	}
	_, _, err := keep.parse()
	return keep, err == nil && (keep.Key == "") != (keep.Agent == "")
}

func (s settings) parse() (domain.ID, domain.Role, error) {
	id, ok := domain.ParseID(s.ID)
	if !ok {
		return "", 0, errors.New("the identity's id is not an id")
	}
	role, err := domain.Roles.Parse(s.Role)
	return id, role, err
}

func (s settings) load(ctx context.Context, ask AskPassphrase) (Identity, error) {
	id, role, err := s.parse()
	if err != nil {
		return Identity{}, err
	}
	var signer ssh.Signer
	name := s.Key
	if s.Agent != "" {
		name = s.Agent
		signer, err = agentKey(ctx, s.Agent, agentPatience)
	} else {
		signer, err = loadKey(ctx, s.Key, ask)
	}
	if err != nil {
		return Identity{}, err
	}
	if kind := signer.PublicKey().Type(); kind != ssh.KeyAlgoED25519 {
		return Identity{}, fmt.Errorf("the key %s is of the kind %s; docket signs with ssh-ed25519 only: make one with `ssh-keygen -t ed25519`", name, kind)
	}
	return New(id, role, signer)
}
