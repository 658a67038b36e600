package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain"
)

func newIdentity(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "identity",
		Short: "Set up or show who records on this machine",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.showIdentity() },
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Show the identity and its line for allowed_signers",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.showIdentity() },
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
		Long: "Makes an ed25519 key in OpenSSH format, or takes a key that exists, and keeps it with the id and role under\n" +
			"which this machine records. Roles: neutral_reviewer, safety_admin.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			parsed, ok := domain.ParseID(id)
			if !ok {
				return wrongUsage("--id takes a letter or digit and up to 127 more letters, digits or . _ : -")
			}
			known, err := domain.Roles.Parse(role)
			if err != nil {
				return wrongUsage("--role takes neutral_reviewer or safety_admin")
			}
			if setup.KeyFile != "" && setup.Agent != "" {
				return wrongUsage("--key and --agent name two keys; give one")
			}
			setup.ID, setup.Role = parsed, known
			ask := p.askPassphrase
			if noPassphrase {
				ask = func(string) ([]byte, error) { return nil, nil }
			}
			made, err := p.identities().Init(setup, ask)
			if err != nil {
				return err
			}
			return p.printIdentity(made)
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "the reviewer's id, as cases name it")
	cmd.Flags().StringVar(&role, "role", "", "neutral_reviewer or safety_admin")
	cmd.Flags().StringVar(&setup.KeyFile, "key", "", "take this OpenSSH private key file instead of making one")
	cmd.Flags().StringVar(&setup.Agent, "agent", "", "take the ssh-agent key with this SHA256:... fingerprint")
	cmd.Flags().BoolVar(&noPassphrase, "no-passphrase", false, "make the key without asking for a passphrase")
	return cmd
}

func (p *program) showIdentity() error {
	held, err := p.identities().Load(p.askPassphrase)
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
