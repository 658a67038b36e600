package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain"
	"docket/store"
)

func (p *program) newServeKey() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Add, list or revoke the keys by which a service verifies whose record it is",
		Args:  cobra.ArbitraryArgs,
		RunE: func(*cobra.Command, []string) error {
			return wrongUsage("there is no such command; it is called as `docket serve key add --principal ID FILE`, `list` or " +
				"`revoke --principal ID FINGERPRINT`")
		},
	}
	var adding, revoking string
	add := &cobra.Command{
		Use:   "add --principal ID [FILE]",
		Short: "Take records of a principal that are signed with this key",
		Long: "Reads one OpenSSH public key, or one line of allowed_signers as `docket identity show` prints it, from FILE or\n" +
			"standard input. A key is one principal's, for good.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withInput(args, func(name string, in io.Reader) error { return p.addKey(cmd.Context(), adding, name, in) })
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "List all keys, those that were revoked included", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.listKeys(cmd.Context()) },
	}
	revoke := &cobra.Command{
		Use:   "revoke --principal ID FINGERPRINT",
		Short: "Take no more records that are signed with this key, for good",
		Args:  argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			principal, err := parsePrincipal(revoking)
			if err != nil {
				return err
			}
			return p.withService(cmd.Context(), func(s *store.Store) error {
				return unknownName(s.RevokeKey(cmd.Context(), principal, args[0]), "docket serve key list")
			})
		},
	}
	add.Flags().StringVar(&adding, "principal", "", "the `ID` of whose key it is")
	revoke.Flags().StringVar(&revoking, "principal", "", "the `ID` of whose key it is")
	p.jsonFlag(add)
	p.jsonFlag(list)
	cmd.AddCommand(add, list, revoke)
	return cmd
}

func parsePrincipal(text string) (domain.ID, error) {
	id, ok := domain.ParseID(text)
	if !ok {
		return "", wrongUsage("--principal takes a letter or digit and up to 127 more letters, digits or . _ : -")
	}
	return id, nil
}

// largestKeyFile is in bytes; a public key of the largest kind has a tenth of it.
const largestKeyFile = 64 << 10

// An addedKey is a key that was added, with --json.
type addedKey struct {
	Principal   domain.ID `json:"principal"`
	Fingerprint string    `json:"fingerprint"`
}

func (p *program) addKey(ctx context.Context, owner, name string, in io.Reader) error {
	principal, err := parsePrincipal(owner)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(in, largestKeyFile))
	if err != nil {
		return fmt.Errorf("%s: it cannot be read: %w", name, reasonOf(err))
	}
	line, err := publicKeyLine(principal, string(text))
	if err != nil {
		return refused("%s: %w", name, err)
	}
	return p.withService(ctx, func(s *store.Store) error {
		fingerprint, err := s.AddKey(ctx, principal, line)
		var problem *store.Problem
		switch {
		case errors.As(err, &problem):
			return err
		case err != nil:
			return refused("%s: %w", name, err)
		case p.json:
			return printJSON(p.Out, addedKey{principal, fingerprint})
		}
		_, err = fmt.Fprintln(p.Out, fingerprint)
		return err
	})
}

// publicKeyLine is the public key in a line of authorized_keys or of allowed_signers, which has to name the principal.
func publicKeyLine(principal domain.ID, text string) (string, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "PRIVATE KEY") {
		return "", errors.New("it is a private key, which stays where it is; give the .pub file beside it")
	}
	named, rest, found := strings.Cut(text, " namespaces=")
	if !found {
		return text, nil
	}
	if named != string(principal) {
		return "", errors.New("the line of allowed_signers names somebody else than --principal")
	}
	_, key, _ := strings.Cut(rest, " ")
	return key, nil
}

// A keyRow is a key in a list.
type keyRow struct {
	Principal   domain.ID      `json:"principal"`
	Fingerprint string         `json:"fingerprint"`
	Added       domain.Instant `json:"added"`
	Revoked     domain.Instant `json:"revoked"` // null unless it was
}

func (p *program) listKeys(ctx context.Context) error {
	return p.withServiceReading(ctx, func(s *store.Store) error {
		keys, err := s.Keys(ctx)
		if err != nil {
			return err
		}
		table := &columns{heads: []string{"PRINCIPAL", "KEY", "ADDED", "REVOKED"}}
		for _, key := range keys {
			row := keyRow{key.Principal, key.Fingerprint, key.Added, key.Revoked}
			if p.json {
				if err := printJSON(p.Out, row); err != nil {
					return err
				}
				continue
			}
			table.add(string(row.Principal), row.Fingerprint, row.Added.String(), row.Revoked.String())
		}
		return p.printOr(table, "no keys yet; `docket serve key add` takes one")
	})
}
