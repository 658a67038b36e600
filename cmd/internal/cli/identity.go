package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

func newIdentity(p *program) *cobra.Command {
	var made, next, other keyChoice
	var old string
	from := int64(-1)
	initialize := command("identity init", 0, 0, func(cmd *cobra.Command, _ []string) error {
		held, err := p.identities().Init(cmd.Context(), made.Setup, p.askFor(made))
		if err != nil { // nothing is left behind
			return refusedIdentity(err)
		}
		if p.printIdentity(held, nil); !p.json {
			fmt.Fprintf(p.Out,
				"next             docket import FILE takes packets in; samples of yours: docket demo --print --as %s | docket import -\n",
				made.ID)
		}
		return nil
	})
	rotate := command("identity rotate", 0, 0, func(cmd *cobra.Command, _ []string) error {
		if old != "" {
			return p.thenShow(cmd.Context(), p.endorsePresent(cmd.Context(), old))
		}
		return p.thenShow(cmd.Context(), p.rotateIdentity(cmd.Context(), next))
	})
	replace := command("identity replace", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.thenShow(cmd.Context(), p.replaceKey(cmd.Context(), other))
	})
	revoke := command("identity revoke", 1, 1, func(cmd *cobra.Command, args []string) error {
		return p.thenShow(cmd.Context(), p.revokeKey(cmd.Context(), args[0], from))
	})
	made.flags(initialize)
	next.flags(rotate)
	other.flags(replace)
	idFlag(initialize, &made.ID, "id", "the reviewer's `ID`, as cases name it", ofPerson)
	wordFlag(initialize, &made.Role, "role", "the reviewer's `ROLE`", terms.Roles)
	needed(initialize, "id", "role")
	rotate.Flags().StringVar(&old, "old", "", "endorse the identity's key with the earlier key in this `FILE`")
	for _, other := range []string{"key", "agent", "no-passphrase"} {
		rotate.MarkFlagsMutuallyExclusive("old", other)
	}
	countFlag(revoke, &from, "from", "the `POSITION` of the first entry of the log that does not count (default: the next one)",
		"the position of an entry, from 0", 0, math.MaxInt64)
	show := func(cmd *cobra.Command, _ []string) error { return p.showIdentity(cmd.Context()) }
	return p.jsonFlag(command("identity", 0, 0, show, initialize, rotate, replace, revoke))
}

// A keyChoice holds the flags that name a key or say how to create one.
type keyChoice struct {
	identity.Setup
	noPassphrase bool
}

func (c *keyChoice) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.KeyFile, "key", "",
		"use the OpenSSH private key in this `FILE` instead of creating one: ed25519, ECDSA, or RSA of 3072 bits or more")
	readFlag(cmd, "agent",
		"use the key of ssh-agent with this `FINGERPRINT`, SHA256:..., as ssh-add -l prints it; also one on a security key",
		"a fingerprint that starts with SHA256:, as `ssh-add -l` prints it", func(text string) error {
			c.Agent = text
			return formOf(strings.HasPrefix(text, "SHA256:"))
		})
	cmd.Flags().BoolVar(&c.noPassphrase, "no-passphrase", false, "create the key without a passphrase")
	cmd.MarkFlagsMutuallyExclusive("key", "agent", "no-passphrase")
}

func (c *keyChoice) named() bool { return c.KeyFile != "" || c.Agent != "" }

func (c keyChoice) as(id terms.ID, role terms.Role) identity.Setup {
	c.ID, c.Role = id, role
	return c.Setup
}

func (p *program) askFor(c keyChoice) identity.AskPassphrase {
	if c.noPassphrase {
		return func(context.Context, string) ([]byte, error) { return nil, nil }
	}
	return p.askPassphrase
}

// rotateIdentity keeps the statement first: after an interruption both keys count.
func (p *program) rotateIdentity(ctx context.Context, c keyChoice) error {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	next, err := p.identities().Prepare(ctx, c.as(held.Reviewer().ID, held.Reviewer().Role), p.askFor(c))
	if err != nil {
		return refusedIdentity(err)
	}
	err = p.withKeys(ctx, func(s *store.Store, known []store.ReviewerKey) error {
		if len(known) == 0 || stateOf(known, next.Reviewer()) == keys.Counts {
			return nil // the first key that signs counts
		}
		return p.stateKey(ctx, s, held, records.KeyEndorsed, next.PublicKey(), -1, "", "")
	})
	if err != nil {
		return errors.Join(err, next.Discard())
	}
	return next.Keep()
}

func (p *program) endorsePresent(ctx context.Context, file string) error {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	reviewer := held.Reviewer()
	old, err := p.identities().Prepare(ctx, identity.Setup{ID: reviewer.ID, Role: reviewer.Role, KeyFile: file}, p.askPassphrase)
	if err != nil {
		return refusedIdentity(err)
	}
	return p.withKeys(ctx, func(s *store.Store, _ []store.ReviewerKey) error {
		return p.stateKey(ctx, s, old.Identity, records.KeyEndorsed, held.PublicKey(), -1, "", "")
	})
}

func (p *program) replaceKey(ctx context.Context, c keyChoice) error {
	if !p.InTerminal {
		return needsTerminal("replacing a key")
	}
	reviewer := p.identities().Reviewer()
	if !reviewer.Known() {
		return identity.ErrNone
	}
	return p.withKeys(ctx, func(s *store.Store, known []store.ReviewerKey) error {
		var next *identity.Pending
		held, err := p.identities().Load(ctx, p.askPassphrase)
		switch {
		case err == nil && !c.named() && stateOf(known, held.Reviewer()) == keys.Unknown:
		case err == nil && stateOf(known, held.Reviewer()) == keys.Counts:
			return refused("the key of the identity counts in this log; `docket identity rotate` goes on with another one")
		default:
			if next, err = p.identities().Prepare(ctx, c.as(reviewer.ID, reviewer.Role), p.askFor(c)); err != nil {
				return refusedIdentity(err)
			}
			held = next.Identity
		}
		err = p.stateKey(ctx, s, held, records.KeyReplaced, held.PublicKey(), -1, "replace",
			"Only the log's key vouches that this key is yours; every check says so.\nType replace to go on with it: ")
		if next == nil {
			return err
		}
		if err != nil {
			return errors.Join(err, next.Discard())
		}
		return next.Keep()
	})
}

func (p *program) revokeKey(ctx context.Context, fingerprint string, from int64) error {
	if !p.InTerminal {
		return needsTerminal("revoking a key")
	}
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	return p.withKeys(ctx, func(s *store.Store, known []store.ReviewerKey) error {
		for _, k := range known {
			if k.Fingerprint == fingerprint && k.PublicKey != "" {
				return p.stateKey(ctx, s, held, records.KeyRevoked, k.PublicKey, from, "revoke",
					"A revoked key never counts again. Decide the packets of the later records again.\nType revoke to revoke it: ")
			}
		}
		return refused("%s has no key %s in this log; `docket identity` lists the keys", held.Reviewer().ID, visible.String(fingerprint))
	})
}

func stateOf(known []store.ReviewerKey, reviewer records.Reviewer) keys.State {
	for _, k := range known {
		if k.Fingerprint == reviewer.KeyFingerprint {
			return k.State
		}
	}
	return keys.Unknown
}

func (p *program) withKeys(ctx context.Context, work func(*store.Store, []store.ReviewerKey) error) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		known, err := s.KeysOf(ctx, p.identities().Reviewer().ID)
		if err != nil {
			return err
		}
		return work(s, known)
	})
}

// stateKey has a person type the word after the warning, unless it is "", and keeps the statement.
func (p *program) stateKey(ctx context.Context, s *store.Store, held identity.Identity,
	kind records.LogStatementKind, publicKey string, from int64, word, warning string) error {
	due, err := s.KeyStatementDue(ctx, kind, held.Reviewer(), publicKey, from)
	if err == nil && word != "" {
		p.say("%s\n\n%s", due.Sentence(), warning)
		if typed, err := p.typed(word); err != nil || !typed {
			return errors.Join(err, refused("nothing was stated"))
		}
		due, err = s.KeyStatementDue(ctx, kind, held.Reviewer(), publicKey, from) // of the log as it is now
	}
	if err != nil {
		return err
	}
	kept, err := held.State(ctx, due)
	if err == nil {
		err = s.KeepKeyStatement(ctx, kept)
	}
	if err != nil {
		return err
	}
	return p.say("stated: %s; the statement is in the store and in every export\n", due.Sentence())
}

func refusedIdentity(err error) error {
	if errors.Is(err, identity.ErrNobodyToAsk) {
		return err
	}
	return refused("%w", err)
}

func (p *program) thenShow(ctx context.Context, changed error) error {
	if changed != nil {
		return changed
	}
	return p.showIdentity(ctx)
}

func (p *program) showIdentity(ctx context.Context) error {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	var known []store.ReviewerKey
	if _, missing := os.Stat(p.storePath()); missing == nil {
		err = p.withKeys(ctx, func(_ *store.Store, list []store.ReviewerKey) error { known = list; return nil })
	}
	p.printIdentity(held, known)
	return err
}

type identityKey struct {
	Fingerprint string `json:"keyFingerprint"`
	State       string `json:"state"` // counts, revoked or does not count
	By          string `json:"by"`    // first, or the kind of the statement
	Since       int64  `json:"since"` // how many entries the log had when it began to count
	From        *int64 `json:"revokedFrom,omitempty"`
	ByService   bool   `json:"revokedByService,omitempty"`
}

var keyStates = [...]string{keys.Unknown: "does not count", keys.Counts: "counts", keys.Revoked: "revoked"}

func identityKeys(known []store.ReviewerKey) (list []identityKey) {
	for _, k := range known {
		row := identityKey{Fingerprint: k.Fingerprint, State: keyStates[k.State], By: "first", Since: k.Since}
		switch {
		case k.By.Present():
			row.By = k.By.String()
		case k.State == keys.Unknown:
			row.By = ""
		}
		if k.State == keys.Revoked {
			row.From, row.ByService = &k.From, k.ByService
		}
		list = append(list, row)
	}
	return list
}

func (p *program) printIdentity(held identity.Identity, known []store.ReviewerKey) {
	reviewer := held.Reviewer()
	list := identityKeys(known)
	if p.json {
		p.object(struct {
			records.Reviewer
			Keys []identityKey `json:"keys,omitempty"`
		}{reviewer, list})
		return
	}
	fmt.Fprintf(p.Out, "id               %s\nrole             %s\nkey              %s\nallowed_signers  %s\n",
		reviewer.ID, reviewer.Role, reviewer.KeyFingerprint, held.AllowedSigner())
	for _, k := range list {
		line := k.State
		switch {
		case k.ByService:
			line = "revoked by the service: only what it received before counts"
		case k.From != nil:
			line = fmt.Sprintf("revoked from entry %d on", *k.From)
		case k.By == "first":
			line += ", the first key of this log"
		case k.By != "":
			line += fmt.Sprintf(", %s at %s", strings.TrimPrefix(k.By, "key_"), records.Count(k.Since))
		}
		fmt.Fprintf(p.Out, "in this log      %s %s\n", k.Fingerprint, line)
	}
	if advice := keyAdvice(stateOf(known, reviewer), len(known)); advice != "" {
		fmt.Fprintln(p.Out, advice)
	}
}

// keyAdvice returns what to do if the identity's key does not count in the log; "" if it does.
func keyAdvice(state keys.State, known int) string {
	switch {
	case state == keys.Revoked:
		return "The identity's key was revoked: `docket identity rotate --key FILE` goes on with a key that counts, `docket identity replace` with a new one."
	case state == keys.Unknown && known > 0:
		return "The identity's key does not count in this log: `docket identity rotate --old FILE` endorses it with the earlier key, `docket identity replace`\n" +
			"replaces a lost one, and `docket pull` brings what the service registered."
	}
	return ""
}
