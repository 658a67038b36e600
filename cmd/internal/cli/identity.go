package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/terms"
)

func newIdentity(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "identity",
		Short: "Set up or show who records on this machine",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.showIdentity(cmd.Context()) },
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Show the identity and its line for allowed_signers",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.showIdentity(cmd.Context()) },
	}
	p.jsonFlag(cmd)
	p.jsonFlag(show)
	cmd.AddCommand(newIdentityInit(p), show)
	return cmd
}

func newIdentityInit(p *program) *cobra.Command {
	var id, role string
	var setup identity.Setup
	var noPassphrase bool
	cmd := &cobra.Command{
		Use:   "init --id ID --role ROLE",
		Short: "Set up who records on this machine",
		Long: "Creates an ed25519 key in OpenSSH format, or uses an existing one, and stores it with the id and role under which\n" +
			"this machine records. Roles: neutral_reviewer, safety_admin.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if setup.ID, setup.Role, err = parseReviewer(id, role); err != nil {
				return err
			}
			if err := checkKeyFlags(setup, noPassphrase); err != nil {
				return err
			}
			ask := p.askPassphrase
			if noPassphrase {
				ask = func(context.Context, string) ([]byte, error) { return nil, nil }
			}
			return p.initIdentity(cmd.Context(), setup, ask)
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "the reviewer's `ID`, as cases name it")
	cmd.Flags().StringVar(&role, "role", "", "the reviewer's `ROLE`: neutral_reviewer or safety_admin")
	cmd.Flags().StringVar(&setup.KeyFile, "key", "", "use the OpenSSH private key in this `FILE` instead of creating one; ed25519 only")
	cmd.Flags().StringVar(&setup.Agent, "agent", "", "use the key of ssh-agent with this `FINGERPRINT`, SHA256:..., as ssh-add -l prints it")
	cmd.Flags().BoolVar(&noPassphrase, "no-passphrase", false, "create the key without a passphrase")
	return cmd
}

func parseReviewer(id, role string) (terms.ID, terms.Role, error) {
	parsed, ok := terms.ParseID(id)
	if !ok {
		return "", 0, wrongUsage("--id takes a letter or digit and up to 127 more letters, digits or . _ : -")
	}
	known, err := terms.Roles.Parse(role)
	if err != nil {
		return "", 0, wrongUsage("--role takes neutral_reviewer or safety_admin")
	}
	return parsed, known, nil
}

// checkKeyFlags refuses flags that contradict each other.
func checkKeyFlags(setup identity.Setup, noPassphrase bool) error {
	switch {
	case setup.KeyFile != "" && setup.Agent != "":
		return wrongUsage("--key and --agent name two keys; give one")
	case setup.Agent != "" && !strings.HasPrefix(setup.Agent, "SHA256:"):
		return wrongUsage("--agent takes a fingerprint that starts with SHA256:, as `ssh-add -l` prints it")
	case noPassphrase && (setup.KeyFile != "" || setup.Agent != ""):
		return wrongUsage("--no-passphrase is for a new key; it cannot be combined with --key or --agent")
	}
	return nil
}

// initIdentity sets the identity up. On an error nothing is left behind.
func (p *program) initIdentity(ctx context.Context, setup identity.Setup, ask identity.AskPassphrase) error {
	made, err := p.identities().Init(ctx, setup, ask)
	switch {
	case errors.Is(err, errNobodyToAsk):
		return err
	case err != nil:
		return refused("%w", err)
	}
	return p.printIdentity(made)
}

func (p *program) showIdentity(ctx context.Context) error {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	return p.printIdentity(held)
}

func (p *program) printIdentity(held identity.Identity) error {
	reviewer := held.Reviewer()
	if p.json {
		return printJSON(p.Out, reviewer)
	}
	_, err := fmt.Fprintf(p.Out, "id               %s\nrole             %s\nkey              %s\nallowed_signers  %s\n",
		reviewer.ID, reviewer.Role, reviewer.KeyFingerprint, held.AllowedSigner())
	return err
}
