package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/domain/keys"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

// shells are the shells with a completion script, each with the command that installs it.
var shells = []struct {
	name, use string
	write     func(root *cobra.Command, out io.Writer) error
}{
	{"bash", "source <(docket completion bash)", func(root *cobra.Command, out io.Writer) error { return root.GenBashCompletionV2(out, true) }},
	{"zsh", "docket completion zsh > \"${fpath[1]}/_docket\"", (*cobra.Command).GenZshCompletion},
	{"fish", "docket completion fish | source", func(root *cobra.Command, out io.Writer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", "docket completion powershell | Out-String | Invoke-Expression", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

func newCompletion(p *program) *cobra.Command {
	var names, uses []string
	for _, shell := range shells {
		names, uses = append(names, shell.name), append(uses, "  "+shell.use)
	}
	return &cobra.Command{
		Use:   fmt.Sprintf("completion %s", strings.Join(names, "|")),
		Short: "Print a script that completes commands, flags and filters in a shell",
		Long: fmt.Sprintf("Prints a script for the shell. It completes commands, flags, the values of settings and the filters of `docket queue`.\n\n"+
			"%s", strings.Join(uses, "\n")),
		ValidArgs: names,
		Args:      argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, shell := range shells {
				if shell.name == args[0] {
					return shell.write(cmd.Root(), p.Out)
				}
			}
			return wrongUsage("there is no completion for that shell; use one of %s", strings.Join(names, ", "))
		},
	}
}

// completeFilter completes a word of a filter.
func completeFilter(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	options, then := queue.CompleteFilter(word), cobra.ShellCompDirectiveNoFileComp
	for _, option := range options {
		if strings.HasSuffix(option, ":") {
			then |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return options, then
}

// mostCompleted is how many ids completion offers.
const mostCompleted = 500

// completeNames completes one argument or the value of a flag with the names that list adds. list reads the console's store or, if ofService
// is set, the service's. If the store cannot be read, nothing is completed: completion cannot show an error.
func (p *program) completeNames(ofService bool, list func(ctx context.Context, s *store.Store, add func(string)) error) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) (names []string, _ cobra.ShellCompDirective) {
		quiet := *p
		quiet.Err = io.Discard
		work := func(s *store.Store) error {
			return list(cmd.Context(), s, func(name string) {
				if strings.HasPrefix(name, word) && len(names) < mostCompleted && visible.Clean(name) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			})
		}
		if ofService {
			_ = quiet.withServiceReading(cmd.Context(), work)
		} else {
			_ = quiet.withReading(cmd.Context(), work)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// once completes the first argument only.
func once(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, word)
	}
}

// completeIDs completes one argument: the ids of packets, of records, or of both, in the store.
func (p *program) completeIDs(ofPackets, ofRecords bool) cobra.CompletionFunc {
	return once(p.completeNames(false, func(ctx context.Context, s *store.Store, add func(string)) error {
		for _, area := range terms.Areas.All() {
			if !ofPackets {
				break
			}
			docket, _, err := s.Queue(ctx, area, p.instant(), "", nil)
			if err != nil {
				return err
			}
			for i := range docket.Len() {
				add(string(docket.Row(i).ID))
			}
		}
		if !ofRecords {
			return nil
		}
		records, err := s.Records(ctx, 0, mostCompleted)
		for i := range records {
			add(string(records[i].Receipt.RecordID))
		}
		return err
	}))
}

// completeTokens completes the names of the tokens of the service that are not revoked.
func (p *program) completeTokens() cobra.CompletionFunc {
	return once(p.completeNames(true, func(ctx context.Context, s *store.Store, add func(string)) error {
		tokens, err := s.Tokens(ctx)
		for i := range tokens {
			if !tokens[i].Revoked.Present() {
				add(tokens[i].ID)
			}
		}
		return err
	}))
}

// completeKeys completes the fingerprints of the keys of the service that are not revoked, of the principal that --principal names if there is
// one; with ofPrincipals their principals.
func (p *program) completeKeys(ofPrincipals bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		principal, _ := cmd.Flags().GetString("principal")
		complete := p.completeNames(true, func(ctx context.Context, s *store.Store, add func(string)) error {
			keys, err := s.Keys(ctx)
			for i := range keys {
				switch {
				case keys[i].Revoked.Present():
				case ofPrincipals:
					add(string(keys[i].Principal))
				case principal == "" || principal == string(keys[i].Principal):
					add(keys[i].Fingerprint)
				}
			}
			return err
		})
		if !ofPrincipals {
			complete = once(complete)
		}
		return complete(cmd, args, word)
	}
}

// completeOwnKeys completes the fingerprints of the keys of the identity's reviewer that count.
func (p *program) completeOwnKeys(cmd *cobra.Command, args []string, word string) (names []string, _ cobra.ShellCompDirective) {
	quiet := *p
	quiet.Err = io.Discard
	// Completion cannot show an error.
	_ = quiet.withKeys(cmd.Context(), func(_ *store.Store, known []store.ReviewerKey) error {
		for i := range known {
			if len(args) == 0 && known[i].State == keys.Counts && strings.HasPrefix(known[i].Fingerprint, word) {
				names = append(names, known[i].Fingerprint)
			}
		}
		return nil
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeCommands completes the names of commands, for help.
func completeCommands(cmd *cobra.Command, args []string, word string) (names []string, _ cobra.ShellCompDirective) {
	if at := below(cmd.Root(), strings.Join(args, " ")); at != nil {
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), word) {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// files are the names that the help gives to values that are paths, which the shell completes.
var files = []string{"FILE", "FOLDER", "DIR", "CHECKPOINT", "STORE", "RECEIPT"}

// worded are the names of values that are words of a list, which enumeratedFlags and settingFlags complete.
var worded = []string{"WORD", "ROLE", "REASON", "FORMAT", "LEVEL", "MODE", "PERIOD"}

// withoutFiles keeps shells from offering files where a command takes no argument, and a flag no path.
func withoutFiles(cmd *cobra.Command) {
	takesNone := cmd.HasSubCommands() || cmd.Args != nil && cmd.Args(cmd, []string{"x"}) != nil && cmd.Args(cmd, []string{"x", "x"}) != nil
	if takesNone && cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(flag)
		if _, completed := cmd.GetFlagCompletionFunc(flag.Name); !completed && name != "" && !slices.Contains(files, name) && !slices.Contains(worded, name) {
			// An error would mean that there is no such flag.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.NoFileCompletions)
		}
	})
	for _, below := range cmd.Commands() {
		withoutFiles(below)
	}
}
