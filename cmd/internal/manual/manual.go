// Package manual writes docket's man pages: one for each command, from the command's help, and docket-filter(7),
// docket-bundle(5) and docket-config(5) from the program's own tables.
//
// Start at Pages; roff.go has the markup.
package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/cmd/internal/settings"
	"docket/domain/queue"
	"docket/store/bundle"
)

// A Page is one man page.
type Page struct {
	Name    string // docket-queue
	Section string // of the manual
	title   string // the clause after its name in NAME
	command *cobra.Command
	text    func(r *roff) // of a page that is about no command
}

// An Edition holds the version and the date of the program of a page.
type Edition struct {
	Version string
	Date    string // of the sources, 2026-11-22; "" where it is not known
}

// topics lists the pages that are not about a command.
var topics = []Page{
	{Name: "docket-config", Section: "5", title: "the config file of docket", text: configText},
	{Name: "docket-bundle", Section: "5", title: "the files of an export", text: bundleText},
	{Name: "docket-filter", Section: "7", title: "the filter language of the queue", text: filterText},
}

// Pages lists the pages: that of docket, those of the commands below it, and those of topics.
func Pages(root *cobra.Command) []Page {
	return append(commandPages(root), topics...)
}

func commandPages(at *cobra.Command) []Page {
	list := []Page{{Name: pageName(at), Section: "1", title: at.Short, command: at}}
	for _, below := range at.Commands() {
		if below.IsAvailableCommand() {
			list = append(list, commandPages(below)...)
		}
	}
	return list
}

func pageName(command *cobra.Command) string {
	return strings.ReplaceAll(command.CommandPath(), " ", "-")
}

// File returns the name of the page's file.
func (p *Page) File() string { return p.Name + "." + p.Section }

// Called reports whether text names the page: its name or that of its file, with or without docket-.
func (p *Page) Called(text string) bool {
	text = strings.TrimPrefix(text, "docket-")
	return "docket-"+text == p.Name || "docket-"+text == p.File() || text == p.Name
}

// Short returns the shortest text that names only this page.
func (p *Page) Short() string {
	if p.command == nil {
		return strings.TrimPrefix(p.File(), "docket-")
	}
	return strings.TrimPrefix(p.Name, "docket-")
}

// Roff writes the page. The same sources make the same page.
func (p *Page) Roff(from Edition) string {
	r := &roff{}
	// groff's .TH turns hyphenation on again.
	fmt.Fprintf(r, ".TH %q %q %q %q %q\n.nh\n.ad l\n", strings.ToUpper(p.Name), p.Section, from.Date, fmt.Sprintf("docket %s", from.Version), "docket")
	r.part("NAME")
	r.WriteString(escaped(p.Name) + ` \- ` + escaped(p.title) + "\n")
	see := []string{reference("docket", "1")}
	if p.command == nil {
		p.text(r)
	} else {
		see = commandText(r, p.command)
	}
	r.part("SEE ALSO")
	r.WriteString(strings.Join(see, ",\n") + "\n")
	return r.String()
}

func reference(name, section string) string { return bold(name) + "(" + section + ")" }

// commandText writes the page of a command, and for docket itself the parts about all commands. It returns the pages to see.
func commandText(r *roff, command *cobra.Command) (see []string) {
	// cobra adds these flags at the first use of a command, and they change its usage line.
	command.InitDefaultHelpFlag()
	command.InitDefaultVersionFlag()
	r.part("SYNOPSIS")
	if command.Runnable() {
		r.WriteString(bold(command.UseLine()) + "\n")
	}
	if command.HasAvailableSubCommands() {
		r.WriteString(".PP\n" + bold(command.CommandPath()) + ` \fICOMMAND\fP` + "\n")
	}
	r.part("DESCRIPTION")
	if command.Long != "" {
		r.text(command.Long)
	} else {
		r.text(command.Short + ".")
	}
	if command.HasAvailableSubCommands() {
		r.part("COMMANDS")
		for _, below := range command.Commands() {
			if below.IsAvailableCommand() {
				r.entry(reference(pageName(below), "1"), below.Short+".")
				see = append(see, reference(pageName(below), "1"))
			}
		}
	}
	flags(r, "OPTIONS", command.NonInheritedFlags())
	flags(r, "OPTIONS OF EVERY COMMAND", command.InheritedFlags())
	if command.Example != "" {
		r.part("EXAMPLES")
		r.examples(strings.Split(command.Example, "\n"))
	}
	if command.HasParent() {
		return append([]string{reference(pageName(command.Parent()), "1")}, see...)
	}
	generalText(r)
	see = see[:0]
	for _, topic := range topics {
		see = append(see, reference(topic.Name, topic.Section))
	}
	return see
}

// flags writes a part about flags, if there are any.
func flags(r *roff, title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	r.part(title)
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		term := bold("--" + flag.Name)
		if flag.Shorthand != "" {
			term = bold("-"+flag.Shorthand) + ", " + term
		}
		value, meaning := pflag.UnquoteUsage(flag)
		if value != "" {
			term += ` \fI` + escaped(value) + `\fP`
		}
		r.entry(term, meaning)
	})
}

// generalText writes the parts about all commands.
func generalText(r *roff) {
	r.part("EXIT STATUS")
	r.entry(bold("0"), "success")
	r.entry(bold("1"), "something was refused or did not verify; the rest was done")
	r.entry(bold("2"), "wrong usage, or a setting that cannot be read")
	r.entry(bold("3"), "the environment failed: no store, no terminal, a full disk")
	r.part("ENVIRONMENT")
	r.entry(bold("DOCKET_DB"), "the store: a file, or the address of a service's database")
	r.entry(bold("DOCKET_LOG_AGENT"), "the fingerprint of the Ed25519 key of ssh-agent that signs for the log of a store that is made or restored; without it the key is in a file beside the store")
	r.entry(bold("DOCKET_DEBUG"), "a new file for the output of --debug")
	r.entry(bold("NO_COLOR"), "no colours")
	r.entry(bold("COLORFGBG"), "whether the terminal is dark")
	r.entry(bold("DOCKET_TOKEN"), "your token for a service")
	for _, s := range settings.Table() {
		if s.Variable != "" {
			r.entry(bold(s.Variable), s.Meaning)
		}
	}
	r.part("FILES")
	r.entry(bold("docket/config.toml"), "in the XDG config folder: the settings, docket-config(5)")
	r.entry(bold("docket/token"), "in the XDG config folder: your token for a service, readable by you only")
	r.entry(bold("docket/docket.db"), "in the XDG data folder: the store")
	r.entry(bold("docket/service.db"), "in the XDG data folder: the store of a service")
	r.entry(bold("docket/anchors"), "in the XDG state folder: the newest checkpoint of each store")
}

func filterText(r *roff) {
	r.part("DESCRIPTION")
	r.text("The console and `docket queue` take the same filters. Words match ids and codes. All terms of a filter have to match; " +
		"a term with - before it must not. A word with spaces stands in double quotes.")
	r.part("KEYS")
	for _, key := range queue.FilterKeys() {
		meaning := key.Meaning
		var values []string // each once: appeals and amendments share some
		for _, value := range key.Values {
			if !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if len(values) > 0 && meaning != strings.Join(values, " or ") {
			meaning += ": " + strings.Join(values, ", ")
		}
		r.entry(bold(key.Key+":"), meaning)
	}
	r.part("EXAMPLES")
	r.examples([]string{"docket queue gate:blocked -is:decided", "docket queue 'due:<48h' is:mine", `docket queue trigger:duplicate_proof text:"two words"`})
}

func bundleText(r *roff) {
	r.part("DESCRIPTION")
	r.text("`docket export` writes a folder that anybody can check, with docket (`docket verify`) or without it: SUMMARY.md in it holds the commands. " +
		"A bundle has those of these files for which its log holds something.")
	r.part("FILES")
	for _, p := range bundle.Parts() {
		r.entry(bold(p.Path()), fmt.Sprintf("%s. %s%s. Checked: %s.", p.Content(), strings.ToUpper(p.Origin()[:1]), p.Origin()[1:], p.Checked()))
	}
}

func configText(r *roff) {
	r.part("DESCRIPTION")
	r.text("The settings are a file in TOML. `docket config --path` prints where it belongs, `docket config` what counts, `docket config example` " +
		"a file with every setting, and `docket schema config` its JSON Schema for editors. A flag takes precedence over the environment, and the environment over the file.")
	r.part("SETTINGS")
	for _, s := range settings.Table() {
		meaning := s.Meaning + "."
		if len(s.Words) > 0 {
			meaning += fmt.Sprintf(" One of: %s.", strings.Join(s.Words, ", "))
		}
		if s.Default != "" {
			meaning += fmt.Sprintf(" Default: %s.", s.Default)
		}
		if s.Flag() != "" {
			meaning += fmt.Sprintf(" Flag: `--%s`.", s.Flag())
		}
		if s.Variable != "" {
			meaning += fmt.Sprintf(" Environment: `%s`.", s.Variable)
		}
		r.entry(bold(s.Name), meaning)
	}
}
