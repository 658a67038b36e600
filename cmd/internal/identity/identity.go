// Package identity is who records on this machine: an id, a role and an SSH key.
//
// What is kept is a small TOML file with the id, the role and where the key is; the key itself is
// an OpenSSH private key file or one that ssh-agent holds. A record is signed with it as OpenSSH
// signs files (SSHSIG), so that `ssh-keygen -Y verify` can check it.
package identity

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/hiddeco/sshsig"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// An Identity can sign records for a reviewer. The zero Identity cannot.
type Identity struct {
	reviewer records.Reviewer
	signer   ssh.Signer
	keyless  error  // why there is no signer, where one is set up
	touch    func() // as in Place
}

// ErrNone says that no identity has been set up.
var ErrNone = errors.New("no identity is set up; run `docket identity init --id ID --role ROLE`")

// New makes an identity of a key that can sign. It refuses only the zero id and role.
func New(id terms.ID, role terms.Role, signer ssh.Signer) (Identity, error) {
	if !id.Present() || !role.Present() || signer == nil {
		return Identity{}, errors.New("an identity needs an id, a role and a key")
	}
	return Identity{
		reviewer: records.Reviewer{ID: id, Role: role, KeyFingerprint: ssh.FingerprintSHA256(signer.PublicKey())},
		signer:   signer,
	}, nil
}

// Ephemeral makes an identity with a fresh ed25519 key that is written nowhere.
func Ephemeral(id terms.ID, role terms.Role) (Identity, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Identity{}, fmt.Errorf("make a key: %w", err)
	}
	signer, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		return Identity{}, fmt.Errorf("make a key: %w", err)
	}
	return New(id, role, signer)
}

// Keyless returns an identity without a usable key; why says so, and the reviewer may be zero.
func Keyless(reviewer records.Reviewer, why error) Identity {
	return Identity{reviewer: records.Reviewer{ID: reviewer.ID, Role: reviewer.Role}, keyless: why}
}

// Reviewer returns the identity as records name it; the zero Reviewer for the zero Identity.
func (i Identity) Reviewer() records.Reviewer { return i.reviewer }

// Sign returns the armored SSHSIG signature of a record's canonical bytes. An agent, or a person,
// may take long; when ctx ends Sign returns at once, and the error wraps the cause of ctx.
func (i Identity) Sign(ctx context.Context, document []byte) ([]byte, error) {
	return i.SignAs(ctx, records.SignatureNamespace, document)
}

// State completes a statement about a log with the person and the key, and signs it.
func (i Identity) State(ctx context.Context, statement records.LogStatement) (signed.Statement, error) {
	statement.By, statement.KeyFingerprint = i.reviewer.ID, i.reviewer.KeyFingerprint
	signature, err := i.SignAs(ctx, records.LogStatementNamespace, []byte(statement.Text()))
	return signed.Statement{Text: statement.Text(), Signature: signature}, err
}

// SignAs returns the armored SSHSIG signature of a text in a namespace, as Sign does of a record.
func (i Identity) SignAs(ctx context.Context, namespace string, document []byte) ([]byte, error) {
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("not signed: %w", context.Cause(ctx))
	case i.signer == nil && i.keyless != nil:
		return nil, i.keyless
	case i.signer == nil:
		return nil, ErrNone
	}
	signer := i.signer
	if held, is := signer.(agentSigner); is {
		held.ctx = ctx
		signer = held
	}
	if i.touch != nil && i.OnSecurityKey() {
		i.touch()
	}
	signature, err := sshsig.Sign(bytes.NewReader(document), signer, sshsig.HashSHA512, namespace)
	if err != nil {
		return nil, fmt.Errorf("key %s cannot sign: %w", i.reviewer.KeyFingerprint, err)
	}
	return sshsig.Armor(signature), nil
}

// OnSecurityKey reports whether a person has to touch a security key for each signature.
func (i Identity) OnSecurityKey() bool {
	return i.signer != nil && signed.OnSecurityKey(i.signer.PublicKey())
}

// Silent returns the identity without Place.Touch, for a program that asks for the touch itself.
func (i Identity) Silent() Identity {
	i.touch = nil
	return i
}

// Try makes a trial signature, which is not kept, to find out whether the key can be used now,
// within seconds. Of a key on a security key it only asks whether ssh-agent has it.
func (i Identity) Try(ctx context.Context) error {
	if i.OnSecurityKey() {
		_, err := agentKey(ctx, i.reviewer.KeyFingerprint, agentPatience)
		return err
	}
	if held, ok := i.signer.(agentSigner); ok {
		held.patience = agentPatience
		i.signer = held
	}
	_, err := i.Sign(ctx, []byte("a trial, never kept"))
	return err
}

// AllowedSigner returns the identity's line for an OpenSSH allowed_signers file.
func (i Identity) AllowedSigner() string {
	if i.signer == nil {
		return ""
	}
	key := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(i.signer.PublicKey())))
	return fmt.Sprintf("%s namespaces=%q %s", i.reviewer.ID, records.SignatureNamespace, key)
}

// settings holds the contents of identity.toml; exactly one of Key and Agent is set.
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
	return p.load(ctx, keep, ask)
}

// Reviewer returns the id and role set up here without touching the key; zero if there are none.
func (p Place) Reviewer() records.Reviewer {
	keep, err := p.read()
	id, role, odd := keep.parse()
	if err != nil || odd != nil {
		return records.Reviewer{}
	}
	return records.Reviewer{ID: id, Role: role}
}

// maxSettings is the largest size of identity.toml, in bytes; a real one is far smaller.
const maxSettings = 64 << 10

func (p Place) read() (settings, error) {
	text, _, err := readFile(p.file(), maxSettings)
	keep, ok := parseSettings(text)
	switch {
	case errors.Is(err, ErrNoFile):
		return settings{}, ErrNone
	case errors.Is(err, errFolder), errors.Is(err, errOddFile), err == nil && !ok:
		return settings{}, notOurs(p.file())
	case err != nil:
		return settings{}, fmt.Errorf("read the identity %s: %w", p.file(), err)
	}
	return keep, nil
}

func notOurs(path string) error {
	return fmt.Errorf("%s is not an identity as docket writes it; move it away and run `docket identity init`", path)
}

// parseSettings reads identity.toml, which no error quotes because it may be any file.
func parseSettings(text []byte) (settings, bool) {
	var keep settings
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&keep); err != nil {
		return settings{}, false
	}
	_, _, err := keep.parse()
	return keep, err == nil && (keep.Key == "") != (keep.Agent == "")
}

func (s settings) parse() (terms.ID, terms.Role, error) {
	id, ok := terms.ParseID(s.ID)
	if !ok {
		return "", 0, errors.New("the identity's id is not an id")
	}
	role, err := terms.Roles.Parse(s.Role)
	return id, role, err
}

func (p Place) load(ctx context.Context, s settings, ask AskPassphrase) (Identity, error) {
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
	if err := signed.KeyFault(signer.PublicKey()); err != nil {
		return Identity{}, fmt.Errorf("the key %s cannot sign records: %w", name, err)
	}
	held, err := New(id, role, signer)
	held.touch = p.Touch
	return held, err
}
