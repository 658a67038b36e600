package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/domain/queue"
	"docket/domain/terms"
)

// noArguments refuses arguments; of a command with others below it they are an unknown command.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return noCommand(cmd, args[0])
	}
	return wrongUsage("`%s` takes no arguments", cmd.CommandPath())
}

// noCommand says that there is no such command below another one, and which is called nearly so.
func noCommand(parent *cobra.Command, typed string) error {
	var names []string
	for _, below := range parent.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	help := "docket help"
	if parent.HasParent() {
		help = parent.CommandPath() + " --help"
	}
	return wrongUsage("`%s` has no command %q%s; `%s` lists what it has", parent.CommandPath(), typed, meant(typed, names, "%s"), help)
}

// meant asks whether the nearest of the names was meant, if one is near; form writes it.
func meant(typed string, names []string, form string) string {
	near := terms.Nearest(typed, names, terms.Distance)
	if len(near) == 0 || terms.Distance(typed, near[0]) > max(2, len(near[0])/3) || terms.Distance(typed, near[0]) >= len(near[0]) {
		return ""
	}
	return fmt.Sprintf(" (did you mean "+form+"?)", near[0])
}

// needsCommand is what a command does that has others below it and does nothing by itself.
func needsCommand(cmd *cobra.Command, _ []string) error {
	var calls []string
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			calls = append(calls, "`"+cmd.CommandPath()+strings.TrimPrefix(below.UseLine(), cmd.CommandPath())+"`")
		}
	}
	return wrongUsage("say what to do: %s", strings.ReplaceAll(strings.Join(calls, ", "), " [flags]", ""))
}

// wrongFlag says what is wrong with a flag. What was written for its value is not repeated.
func wrongFlag(cmd *cobra.Command, err error) error {
	help := "`" + cmd.CommandPath() + " --help`"
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return wrongUsage("`%s` has no flag -%s; %s lists its flags", cmd.CommandPath(), unknown.GetSpecifiedName(), help)
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return wrongUsage("`%s` has no flag --%s%s; %s lists its flags", cmd.CommandPath(), unknown.GetSpecifiedName(),
			meant(unknown.GetSpecifiedName(), names, "--%s"), help)
	case errors.As(err, &empty):
		return wrongUsage("--%s takes %s; %s says which", empty.GetFlag().Name, valueOf(empty.GetFlag()), help)
	case errors.As(err, &invalid):
		return wrongUsage("--%s takes %s; %s says more", invalid.GetFlag().Name, valueOf(invalid.GetFlag()), help)
	}
	return wrongUsage("a flag is written --name, --name VALUE or --name=VALUE; %s lists the flags", help)
}

// valueOf says what a flag takes.
func valueOf(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "bool":
		return "no value, or true or false after ="
	case "int", "int64", "uint", "uint64":
		return "a whole number"
	case "duration":
		return "a time such as 90s or 5m"
	}
	return "a value"
}

// argumentCount refuses fewer than least and more than most arguments; a negative most is no limit.
func argumentCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return wrongUsage("it is called as `%s`", cmd.UseLine())
		}
		return nil
	}
}

// withNegations moves negated filter terms such as -is:decided behind "--", where they are not taken for flags.
func withNegations(args []string) []string {
	var flags, negations []string
	for i, arg := range args {
		if arg == "--" {
			return append(append(append(flags, "--"), negations...), args[i+1:]...)
		}
		if isNegation(arg) {
			negations = append(negations, arg)
		} else {
			flags = append(flags, arg)
		}
	}
	if len(negations) == 0 {
		return args
	}
	return append(append(flags, "--"), negations...)
}

func isNegation(arg string) bool {
	for _, key := range queue.FilterKeys() {
		if len(arg) > len(key.Key)+1 && arg[0] == '-' && arg[1:len(key.Key)+2] == key.Key+":" {
			return true
		}
	}
	return false
}
