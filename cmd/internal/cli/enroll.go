package cli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/output"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
)

func (p *program) newServeInvite() *cobra.Command {
	var flags tokenFlags
	address := ""
	cmd := command("serve invite", 1, 1, func(cmd *cobra.Command, args []string) error {
		if err := client.CheckAddress(address); err != nil {
			return wrongUsage("--address: %w", err)
		}
		token := flags.from(p.Now())
		if token.Metrics {
			return wrongUsage("an invitation is for a reviewer; `docket serve token add` makes a token for the metrics")
		}
		if args[0] == standardInput {
			return wrongUsage("an invitation holds a token: name a file for it")
		}
		return p.invite(cmd.Context(), token, address, args[0])
	})
	flags.add(cmd)
	cmd.Flags().StringVar(&address, "address", "", "the `URL` at which consoles reach the service, such as https://docket.example.org")
	return cmd
}

// invite writes the file first, so that no interrupted invitation stays open without one.
func (p *program) invite(ctx context.Context, token store.Token, address, file string) error {
	secret, random := api.TokenPrefix+rand.Text(), strings.ToLower(rand.Text()[:8])
	token.ID = store.TokenName(random, true)
	token.Digest = [32]byte(signed.InvitationKey(secret).Public().(ed25519.PublicKey))
	return p.withServiceAs(ctx, store.Options{Existing: true}, func(s *store.Store) error {
		invitation := client.Invitation{Name: token.ID, Address: address, Principal: token.Principal, Role: token.Role, Owners: token.Owners,
			Token: secret, OpenUntil: token.OpenUntil(), Expires: token.Expires}
		var err error
		if invitation.Operator, err = s.Operator(ctx); err != nil {
			return err
		}
		if invitation.Operator == "" {
			return refused("this service names no operator, whom an invitation names; `docket serve operator` names you")
		}
		if invitation.Key, err = s.Verifier(ctx); err != nil {
			return err
		}
		if invitation.Statements, err = ledStatements(ctx, s); err != nil {
			return err
		}
		if err := identity.WriteNew(file, invitation.Document()); err != nil {
			return refused("%w", err)
		}
		if err := s.AddToken(ctx, token); err != nil {
			return errors.Join(err, os.Remove(file))
		}
		return p.say("%s invites %s as %s; it can be answered until %s, and holds the token: hand it over by a way that only\n"+
			"they can read, then delete it. Their `docket enroll` prints one line; `docket serve enroll LINE` takes it in\n",
			visible.String(file), token.Principal, token.Role, output.ToSecond(token.OpenUntil()))
	})
}

// ledStatements returns a service's statements about its operators and its restores.
func ledStatements(ctx context.Context, s *store.Store) ([]api.LogStatement, error) {
	all, err := s.LogStatements(ctx)
	var led []signed.Statement
	for _, kept := range all {
		if read, err := records.ReadLogStatement(kept.Text); err == nil && (read.AboutOperator() || read.Kind == records.LogRestored) {
			led = append(led, kept)
		}
	}
	return api.Statements(led), err
}

func (p *program) newServeEnroll() *cobra.Command {
	return command("serve enroll", 0, 1, func(cmd *cobra.Command, args []string) error {
		line := strings.Join(args, "")
		if len(args) == 0 {
			text, err := p.readInput(standardInput, longestLine+1)
			if err != nil {
				return err
			}
			line = string(text)
		}
		return p.takeEnrolment(cmd.Context(), line)
	})
}

func (p *program) takeEnrolment(ctx context.Context, line string) error {
	if len(line) > longestLine {
		return refused("%w", signed.ErrEnrolment)
	}
	enrolment, err := signed.ReadEnrolment(line)
	if err != nil {
		return refused("%w", err)
	}
	return p.withServiceAs(ctx, store.Options{Existing: true}, func(s *store.Store) error {
		token, fingerprint, err := s.Enroll(ctx, &enrolment)
		switch {
		case errors.Is(err, store.ErrInvitation), errors.Is(err, store.ErrTaken):
			return refused("nothing was taken in: %w", err)
		case err != nil:
			return err
		}
		fmt.Fprintln(p.Out, fingerprint)
		p.say("%s is enrolled: the key %s signs their records, and %s authenticates them as %s until %s\n", token.Principal,
			fingerprint, token.ID, token.Role, output.ToSecond(token.Expires))
		return p.sayOlder(ctx, s, &token)
	})
}

func (p *program) sayOlder(ctx context.Context, s *store.Store, token *store.Token) error {
	list, err := s.Tokens(ctx)
	for i := range list {
		if other := &list[i]; other.Principal == token.Principal && other.ID != token.ID && p.tokenRow(other, list).State == tokenValid {
			p.say("%s authenticates them, too; `docket serve token revoke %s` ends that\n", other.ID, other.ID)
		}
	}
	return err
}

func newEnroll(p *program) *cobra.Command {
	var c keyChoice
	cmd := command("enroll", 1, 1, func(cmd *cobra.Command, args []string) error {
		return p.enroll(cmd.Context(), args[0], c)
	})
	c.flags(cmd)
	return cmd
}

// enroll writes the token last, and nothing where another person or service is set up.
func (p *program) enroll(ctx context.Context, file string, c keyChoice) error {
	invitation, err := p.readInvitation(file)
	if err != nil {
		return err
	}
	chosen, err := p.settings()
	if err != nil {
		return err
	}
	if held := chosen.Service; held != "" && held != invitation.Address {
		return refused("this machine is set up for the service %s, and the invitation is of %s: change or remove service in %s first",
			visible.String(held), visible.String(invitation.Address), configPath())
	}
	if err := p.mayAnswer(&invitation, c.named()); err != nil {
		return err
	}
	err = p.withStore(ctx, func(s *store.Store) error {
		if err := ofConsole(ctx, s); err != nil {
			return err
		}
		_, err := s.ServiceToName(ctx, invitation.Key)
		return err
	})
	if err != nil {
		return serviceFailure("the invitation was not taken", err)
	}
	answering, err := p.answering(ctx, &invitation, c)
	if err != nil {
		return err
	}
	err = p.withStore(ctx, func(s *store.Store) error {
		named := client.Console{Store: s, State: func(ctx context.Context, due records.LogStatement) (signed.Statement, error) {
			due.At = p.instant()
			return answering.State(ctx, due)
		}}
		_, err := invitation.Pin(ctx, &named, p.namedOperator)
		return err
	})
	if err != nil {
		return serviceFailure("the invitation was not taken", err)
	}
	enrolment := signed.Answer(invitation.Name, invitation.Principal, answering.PublicKey(),
		invitation.Token)
	enrolment.Signature, err = answering.SignAs(ctx, signed.EnrolmentNamespace,
		[]byte(enrolment.Text()))
	if err != nil {
		return err
	}
	if chosen.Service == "" {
		if err := chosen.KeepService(invitation.Address); err != nil {
			return err
		}
	}
	pending, err := client.KeepToken(tokenPath(), invitation.Token)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.Out, enrolment.Line())
	p.say("you are set up as %s, %s, for %s. Its key is\n%s\nand its operator's key is %s\n"+
		"Send the line to the operator; it holds no secret. `docket pull` works once they have taken it in. Delete %s, which holds the token\n",
		invitation.Principal, invitation.Role, visible.String(invitation.Address), visible.String(
			invitation.Key), invitation.Operator, visible.String(file))
	if pending {
		p.say("until then your earlier token stays in use; the new one replaces it when the service first accepts it\n")
	}
	if p.Getenv(tokenVariable) != "" {
		p.say("%s is set and overrides the token that was written; unset it\n", tokenVariable)
	}
	return nil
}

func (p *program) readInvitation(file string) (client.Invitation, error) {
	var text []byte
	var err error
	if file == standardInput {
		text, err = io.ReadAll(io.LimitReader(p.In, client.MaxInvitation))
	} else {
		text, err = identity.ReadPrivate(file, client.MaxInvitation)
	}
	if errors.Is(err, identity.ErrNoFile) {
		return client.Invitation{}, fmt.Errorf("the invitation %w", err)
	}
	if err != nil {
		return client.Invitation{}, refused("the invitation %w", err)
	}
	invitation, err := client.ReadInvitation(text)
	if err != nil {
		return client.Invitation{}, refused("%s: %w", file, err)
	}
	if !p.instant().Before(invitation.OpenUntil) {
		return client.Invitation{},
			refused("the invitation expired at %s; ask the operator of %s for a new one",
				output.ToSecond(invitation.OpenUntil),
				visible.String(invitation.Address))
	}
	return invitation, nil
}

// mayAnswer refuses an invitation of a person, and a key, other than this machine's identity.
func (p *program) mayAnswer(invitation *client.Invitation, named bool) error {
	reviewer := p.identities().Reviewer()
	switch {
	case !reviewer.ID.Present():
		return nil
	case reviewer.ID != invitation.Principal || reviewer.Role != invitation.Role:
		return refused("%s is invited as %s, and this machine's identity is %s, %s; nothing was changed. Use another account or folder of "+
			"settings (XDG_CONFIG_HOME)", invitation.Principal, invitation.Role, reviewer.ID, reviewer.Role)
	case named:
		return refused("an identity is set up already, and its key answers; `docket identity rotate` takes another key")
	}
	return nil
}

func (p *program) answering(ctx context.Context, invitation *client.Invitation, c keyChoice) (identity.Identity, error) {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if !errors.Is(err, identity.ErrNone) {
		return held, err
	}
	made, err := p.identities().Init(ctx, c.as(invitation.Principal, invitation.Role), p.askFor(c))
	if err != nil {
		return identity.Identity{}, refusedIdentity(err)
	}
	return made, nil
}
