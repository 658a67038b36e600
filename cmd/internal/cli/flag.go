package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/cmd/internal/settings"
	"docket/domain/records"
	"docket/domain/terms"
)

const (
	takes     = "docket_takes"                        // says what it takes
	exclusive = "cobra_annotation_mutually_exclusive" // the flags that it cannot be combined with
)

// readFlag adds a flag whose value is read with the command line; taken is said where it is missing
// or wrong, unless read returns an error with a status of its own.
func readFlag(cmd *cobra.Command, name, usage, taken string, read func(text string) error) {
	cmd.Flags().Func(name, usage, func(text string) error {
		err := read(text)
		var said *failure
		if err != nil && !errors.As(err, &said) {
			return wrongUsage("--%s takes %s", name, taken)
		}
		return err
	})
	// An error would mean that there is no such flag.
	_ = cmd.Flags().SetAnnotation(name, takes, []string{taken})
}

// needed has calls without the flags refused.
func needed(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		_ = cmd.MarkFlagRequired(name) // likewise
	}
}

// A vocabulary is a list of words, each of a value.
type vocabulary[T any] interface {
	Texts() []string
	Parse(text string) (T, error)
}

// wordFlag adds a flag that takes a word of a vocabulary, which help lists and a shell completes.
func wordFlag[T any](cmd *cobra.Command, into *T, name, usage string, of vocabulary[T]) {
	list := strings.Join(of.Texts(), ", ")
	readFlag(cmd, name, usage+": "+list, "one of "+list, func(text string) (err error) {
		*into, err = of.Parse(text)
		return err
	})
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of.Texts(), cobra.ShellCompDirectiveNoFileComp))
}

// words is a vocabulary of words for themselves.
type words []string

func (w words) Texts() []string { return w }

func (w words) Parse(text string) (string, error) {
	if !slices.Contains(w, text) {
		return "", errors.New("there is no such word")
	}
	return text, nil
}

const (
	ofPerson = "the id of a person, as cases name it, such as rev-7: " + idForm
	idForm   = "a letter or digit and up to 127 more letters, digits or . _ : -"
)

func idFlag(cmd *cobra.Command, into *terms.ID, name, usage, taken string) {
	readFlag(cmd, name, usage, taken, func(text string) error {
		id, ok := terms.ParseID(text)
		*into = id
		return formOf(ok)
	})
}

// parseID reads the id of a person in an argument.
func parseID(name, text string) (terms.ID, error) {
	id, ok := terms.ParseID(text)
	if !ok {
		return "", wrongUsage("%s takes %s", name, idForm)
	}
	return id, nil
}

func recordsFlag(cmd *cobra.Command, into *[]records.RecordID, name, usage string) {
	readFlag(cmd, name, usage, "the id of a record; `docket records` lists them", func(text string) error {
		id := records.RecordID(text)
		*into = append(*into, id)
		return formOf(id.Valid())
	})
}

func ageFlag(cmd *cobra.Command, into *time.Duration, name, usage string) {
	readFlag(cmd, name, usage, settings.AgeForm, func(text string) error {
		age, ok := settings.ParseAge(text)
		*into = age
		return formOf(ok)
	})
}

const aNumber = "a number of 1 or more"

func countFlag(cmd *cobra.Command, into *int64, name, usage, taken string, least, most int64) {
	readFlag(cmd, name, usage, taken, func(text string) error {
		number, err := strconv.ParseInt(text, 10, 64)
		*into = number
		return cmp.Or(err, formOf(number >= least && number <= most))
	})
}

// formOf returns an error unless a value has the form that its flag takes.
func formOf(ok bool) error {
	if !ok {
		return errors.New("it has another form")
	}
	return nil
}

// forms adds the flags of the forms for programs, of which one can be given; "" leaves one out.
func (p *program) forms(cmd *cobra.Command, csv, html string) *cobra.Command {
	p.jsonFlag(cmd)
	names := []string{"json"}
	for _, form := range []struct {
		name, usage string
		chosen      *bool
	}{{"csv", csv, &p.csv}, {"html", html, &p.html}} {
		if form.usage != "" {
			cmd.Flags().BoolVar(form.chosen, form.name, false, form.usage)
			names = append(names, form.name)
		}
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	return cmd
}

// form returns the form that is chosen; "" for people.
func (p *program) form() string {
	switch {
	case p.json:
		return "json"
	case p.csv:
		return "csv"
	case p.html:
		return "html"
	}
	return ""
}

func (p *program) jsonFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON or JSON Lines and nothing else")
	return cmd
}

// checkFlags refuses a call without a flag that is needed, or with two that cannot be combined.
func checkFlags(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			missing = append(missing, fmt.Sprintf("--%s: %s", f.Name, valueOf(f)))
		}
	})
	if len(missing) > 0 {
		return wrongUsage("give %s", strings.Join(missing, "; "))
	}
	if cmd.ValidateFlagGroups() == nil {
		return nil
	}
	var given []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Annotations[exclusive] != nil {
			given = append(given, "--"+f.Name)
		}
	})
	return wrongUsage("%s cannot be combined; give one of them", strings.Join(given, " and "))
}

func wrongFlag(cmd *cobra.Command, err error) error {
	help := fmt.Sprintf("`%s --help`", cmd.CommandPath())
	var said *failure
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &said):
		return said
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

func valueOf(flag *pflag.Flag) string {
	if flag.Value.Type() == "bool" {
		return "no value, or true or false after ="
	}
	return cmp.Or(strings.Join(flag.Annotations[takes], ""), "a value")
}
