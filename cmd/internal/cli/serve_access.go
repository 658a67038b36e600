package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/api"
	"docket/cmd/internal/output"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
)

func (p *program) newServeToken() *cobra.Command {
	list := command("serve token list", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.withServiceAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
			tokens, err := s.Tokens(cmd.Context())
			if err != nil {
				return err
			}
			var rows []tokenRow
			for i := range tokens {
				rows = append(rows, p.tokenRow(&tokens[i], tokens))
			}
			heads := []string{"TOKEN", "PRINCIPAL", "ROLE", "OWNERS", "GIVEN", "EXPIRES", "REVOKED", "STATE"}
			return printRows(p, heads, rows, "no tokens yet; `docket serve token add` adds one", func(row *tokenRow) []string {
				return []string{row.ID, string(row.Principal), row.Role, strings.Trim(fmt.Sprint(row.Owners), "[]"),
					output.ToSecond(row.Created), output.ToSecond(row.Expires), output.ToSecond(row.Revoked), row.State}
			})
		})
	})
	revoke := command("serve token revoke", 1, 1, func(cmd *cobra.Command, args []string) error {
		return p.withServiceAs(cmd.Context(), store.Options{}, func(s *store.Store) error {
			return unknownName(s.RevokeToken(cmd.Context(), args[0]), "docket serve token list")
		})
	})
	var token tokenFlags
	add := command("serve token add", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.addToken(cmd.Context(), token.from(p.Now()))
	})
	token.add(add)
	return command("serve token", 0, 0, nil, p.jsonFlag(add), p.jsonFlag(list), revoke)
}

// tokenFlags are the flags of a token, whose digest is set later.
type tokenFlags struct {
	store.Token
	role string
	life time.Duration
}

func (f *tokenFlags) add(cmd *cobra.Command) {
	idFlag(cmd, &f.Principal, "principal", "the `ID` of the token's principal, as records name their reviewer", ofPerson)
	wordFlag(cmd, &f.role, "role", "the principal's `ROLE`", words(store.TokenRoles()))
	readFlag(cmd, "owner", "an owner's `ID` whose amendments the principal may see; may be repeated",
		"the id of an owner", func(text string) error {
			id, ok := terms.ParseID(text)
			f.Owners = append(f.Owners, id)
			return formOf(ok)
		})
	ageFlag(cmd, &f.life, "expires", "the token's lifetime, an `AGE` in days or hours, such as 90d or 12h")
	needed(cmd, "principal", "role", "expires")
}

func (f *tokenFlags) from(now time.Time) store.Token {
	now = now.Truncate(time.Second)
	_ = f.SetRole(f.role) // it is one of them
	f.Created, f.Expires = terms.InstantOf(now), terms.InstantOf(now.Add(f.life))
	return f.Token
}

type addedToken struct {
	Token string `json:"token"`
	tokenRow
}

func (p *program) addToken(ctx context.Context, token store.Token) error {
	secret := api.TokenPrefix + rand.Text()
	token.ID, token.Digest = store.TokenName(strings.ToLower(rand.Text()[:8]), false), serve.TokenDigest(secret)
	return p.withServiceAs(ctx, store.Options{}, func(s *store.Store) error {
		if err := s.AddToken(ctx, token); err != nil {
			return err
		}
		if p.json {
			return p.object(addedToken{secret, p.tokenRow(&token, nil)})
		}
		fmt.Fprintln(p.Out, secret)
		return p.say("%s authenticates %s as %s until %s; the token is not shown again\n", token.ID, token.Principal, token.RoleText(),
			token.Expires)
	})
}

type tokenRow struct {
	ID        string        `json:"id"`
	Principal terms.ID      `json:"principal"`
	Role      string        `json:"role"` // one of store.TokenRoles
	Owners    []terms.ID    `json:"owners"`
	Created   terms.Instant `json:"created"`
	Expires   terms.Instant `json:"expires"`
	Revoked   terms.Instant `json:"revoked"` // null if it is not revoked
	State     string        `json:"state"`
}

const tokenValid = "valid"

// tokenRow returns a row; an invitation authenticates no one, and expires before its token.
func (p *program) tokenRow(t *store.Token, list []store.Token) tokenRow {
	state := tokenValid
	switch {
	case t.Answered(list):
		state = "invitation answered"
	case t.Invites() && t.Revoked.Present():
		state = "invitation withdrawn"
	case t.Invites() && !p.instant().Before(t.OpenUntil()):
		state = "invitation expired"
	case t.Invites():
		state = "invitation"
	case t.Revoked.Present():
		state = "revoked"
	case !p.instant().Before(t.Expires):
		state = "expired"
	}
	return tokenRow{t.ID, t.Principal, t.RoleText(), append([]terms.ID{}, t.Owners...), t.Created, t.Expires, t.Revoked, state}
}

// printRows prints rows of JSON if --json is set, otherwise a table, or the text for none.
func printRows[R any](p *program, heads []string, rows []R, none string, cells func(*R) []string) error {
	table := &output.Table{Heads: heads}
	for i := range rows {
		if p.json {
			p.object(&rows[i])
		} else {
			table.Add(cells(&rows[i])...)
		}
	}
	switch {
	case p.json:
	case table.Empty():
		return p.say("%s\n", none)
	default:
		table.Print(p.Out)
	}
	return nil
}

func unknownName(err error, list string) error {
	if errors.Is(err, store.ErrNotFound) {
		return refused("%w; `%s` lists the names", err, list)
	}
	return err
}

func (p *program) newServeKey() *cobra.Command {
	var adding, revoking terms.ID
	add := command("serve key add", 0, 1, func(cmd *cobra.Command, args []string) error {
		return p.addKey(cmd.Context(), adding, inputOf(args))
	})
	list := command("serve key list", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.withServiceAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
			keys, err := s.Keys(cmd.Context())
			if err != nil {
				return err
			}
			heads := []string{"PRINCIPAL", "KEY", "ADDED", "REVOKED"}
			return printRows(p, heads, keys, "no keys yet; `docket serve key add` adds one", func(row *store.PrincipalKey) []string {
				return []string{string(row.Principal), row.Fingerprint, row.Added.String(), row.Revoked.String()}
			})
		})
	})
	revoke := command("serve key revoke", 1, 1, func(cmd *cobra.Command, args []string) error {
		return p.withServiceAs(cmd.Context(), store.Options{}, func(s *store.Store) error {
			return unknownName(p.revokeOfPrincipal(cmd.Context(), s, revoking, args[0]), "docket serve key list")
		})
	})
	idFlag(add, &adding, "principal", ofKey, ofPerson)
	idFlag(revoke, &revoking, "principal", ofKey, ofPerson)
	needed(add, "principal")
	needed(revoke, "principal")
	return command("serve key", 0, 0, nil, add, p.jsonFlag(list), revoke)
}

const ofKey = "the `ID` of the principal whose key it is"

// mostOvertaken is how many times a statement is signed again because entries came in meanwhile.
const mostOvertaken = 20

// revokeOfPrincipal revokes a key at a service, with the operator's signature if it names one.
func (p *program) revokeOfPrincipal(ctx context.Context, s *store.Store, principal terms.ID, fingerprint string) error {
	due, err := s.RevocationDue(ctx, principal, fingerprint)
	if err != nil || !due.Kind.Present() {
		return err
	}
	if !due.PersonSigns() {
		return s.RevokeKey(ctx, principal, fingerprint)
	}
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	if own := held.Reviewer().KeyFingerprint; own != due.KeyFingerprint {
		return refused(
			"the operator of this service signs the revocation with the key %s; this machine's identity has the key %s",
			due.KeyFingerprint, own)
	}
	for range mostOvertaken {
		signature, err := held.SignAs(ctx, records.LogStatementNamespace, []byte(due.Text()))
		if err != nil {
			return err
		}
		err = s.RevokeKeyAs(ctx, signed.Statement{Text: due.Text(), Signature: signature})
		if !errors.Is(err, store.ErrOvertaken) {
			return asRefused(err)
		}
		if due, err = s.RevocationDue(ctx, principal, fingerprint); err != nil || !due.Kind.Present() {
			return err
		}
	}
	return refused("entries came in while the revocation was signed, %d times; run the command again", mostOvertaken)
}

func (p *program) addKey(ctx context.Context, principal terms.ID, name string) error {
	line, err := p.readKey(principal, name)
	if err != nil {
		return err
	}
	return p.withServiceAs(ctx, store.Options{}, func(s *store.Store) error {
		fingerprint, err := s.AddKey(ctx, principal, line)
		var problem *store.Problem
		switch {
		case errors.As(err, &problem):
			return err
		case err != nil:
			return refused("%s: %w", name, err)
		}
		return p.write(fingerprint + "\n")
	})
}

func (p *program) readKey(of terms.ID, name string) (line string, err error) {
	text, err := p.readInput(name, maxKeyFile)
	if err != nil {
		return "", err
	}
	if line, err = publicKeyLine(of, string(text)); err != nil {
		return "", refused("%s: %w", name, err)
	}
	return line, nil
}

// publicKeyLine reads a line of authorized_keys, or of allowed_signers that names the principal.
func publicKeyLine(principal terms.ID, text string) (string, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "PRIVATE KEY") {
		return "", errors.New("it is a private key, which must stay private; use its .pub file")
	}
	named, rest, found := strings.Cut(text, " namespaces=")
	if !found {
		return text, nil
	}
	if named != string(principal) {
		return "", fmt.Errorf("the line of allowed_signers names a principal other than %s", principal)
	}
	_, key, _ := strings.Cut(rest, " ")
	return key, nil
}
