package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"docket/domain/queue"
)

// completion makes cobra's command with the scripts for shells, and has its usage errors be docket's.
func completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	at := below(root, "completion")
	at.Args, at.Short, at.RunE = noArguments, "Print a script that completes commands, flags and filters in a shell", needsCommand
	for _, shell := range at.Commands() {
		shell.Args, shell.Example = noArguments, "  docket completion "+shell.Name()
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
