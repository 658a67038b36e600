package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain/queue"
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

// once completes the first argument only.
func once(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, word)
	}
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
