package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain"
)

// shells are those for which a completion script can be printed, each with how it is put to use.
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
		Use:   "completion " + strings.Join(names, "|"),
		Short: "Print a script that completes commands, flags and filters in a shell",
		Long: "Prints a script for the shell. It completes commands, flags, the words of settings and the filters of `docket queue`.\n\n" +
			strings.Join(uses, "\n"),
		ValidArgs: names,
		Args:      argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, shell := range shells {
				if shell.name == args[0] {
					return shell.write(cmd.Root(), p.Out)
				}
			}
			return wrongUsage("there is no completion for that shell; there is for %s", strings.Join(names, ", "))
		},
	}
}

// completeFilter completes a word of a filter.
func completeFilter(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	options, then := domain.CompleteFilter(word), cobra.ShellCompDirectiveNoFileComp
	for _, option := range options {
		if strings.HasSuffix(option, ":") {
			then |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return options, then
}
