// Package manual writes docket's man pages: one for each command, from the command's help, and docket-filter(7),
// docket-bundle(5) and docket-config(5) from the program's own tables.
//
// Start at Pages.
package manual

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"docket/cmd/internal/settings"
	"docket/domain/queue"
	"docket/store/bundle"
)

// A Page is one man page.
type Page struct {
	Name    string // docket-queue
	Section string // of the manual
	title   string // what it says of itself in the list of pages
	command *cobra.Command
	text    func() string // in Markdown, of a page that is about no command
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
	list := []Page{{Name: strings.ReplaceAll(at.CommandPath(), " ", "-"), Section: "1", title: at.Short, command: at}}
	for _, below := range at.Commands() {
		if below.IsAvailableCommand() {
			list = append(list, commandPages(below)...)
		}
	}
	return list
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
func (p *Page) Roff(from Edition) (string, error) {
	var page string
	if p.command == nil {
		page = rendered("# NAME\n\n" + p.Name + " - " + p.title + "\n\n" + p.text() + "\n# SEE ALSO\n\n**docket(1)**\n")
	} else {
		var err error
		if page, err = commandRoff(p.command); err != nil {
			return "", err
		}
	}
	_, body, found := strings.Cut(page, ".SH NAME")
	if !found {
		return "", fmt.Errorf("the page %s has no name", p.Name)
	}
	// cobra's title has the present month, which differs from build to build.
	return fmt.Sprintf(".nh\n.ad l\n.TH %q %q %q %q %q\n.SH NAME", strings.ToUpper(p.Name), p.Section, from.Date, "docket "+from.Version, "docket") + body, nil
}

// commandRoff returns cobra's page of a command, and for docket itself adds the parts about all commands.
func commandRoff(command *cobra.Command) (string, error) {
	own := *command
	own.DisableAutoGenTag = true
	own.Long = listsKept(own.Long)
	own.InitDefaultHelpFlag()
	var page bytes.Buffer
	if err := doc.GenMan(&own, &doc.GenManHeader{Section: "1"}, &page); err != nil {
		return "", err
	}
	text := page.String()
	if command.HasParent() {
		return text, nil
	}
	before, after, found := strings.Cut(text, ".SH SEE ALSO\n")
	if !found {
		return "", fmt.Errorf("the page of docket names no other")
	}
	also := ""
	for _, topic := range topics {
		also += fmt.Sprintf("\\fB%s(%s)\\fP, ", topic.Name, topic.Section)
	}
	_, general, _ := strings.Cut(rendered(generalText()), ".SH EXIT STATUS")
	return before + ".SH EXIT STATUS" + general + "\n.SH SEE ALSO\n" + also + after, nil
}

// listsKept keeps lines that begin with spaces unchanged.
func listsKept(text string) string {
	var kept strings.Builder
	list := false
	for line := range strings.Lines(text) {
		indented := strings.HasPrefix(line, "  ")
		if indented != list {
			kept.WriteString("\n")
		}
		if list = indented; indented {
			line = "    " + strings.TrimPrefix(line, "  ")
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// rendered makes a page of Markdown. The first heading is the title, which Roff writes.
func rendered(text string) string { return string(md2man.Render([]byte("# docket\n\n" + text))) }

// An entry is a term with its meaning.
func entry(term, meaning string) string { return "**" + literal(term) + "**\n: " + meaning + "\n\n" }

// literal escapes a text for Markdown.
func literal(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "`", "\\`").Replace(text)
}

// generalText is the part about all commands.
func generalText() string {
	text := "# EXIT STATUS\n\n" + entry("0", "success") + entry("1", "something was refused or did not verify; the rest was done") +
		entry("2", "wrong usage, or a setting that cannot be read") + entry("3", "the environment failed: no store, no terminal, a full disk") +
		"# ENVIRONMENT\n\n" + entry("DOCKET_DB", "the store's file") +
		entry("DOCKET_LOG_AGENT", "the fingerprint of the Ed25519 key of ssh-agent that signs for the log of a store that is made or restored; without it the key is in a file beside the store") +
		entry("DOCKET_DEBUG", "a new file for the output of --debug") + entry("NO_COLOR", "no colours") +
		entry("COLORFGBG", "whether the terminal is dark") + entry("DOCKET_TOKEN", "your token for a service")
	for _, s := range settings.Table() {
		if s.Variable != "" {
			text += entry(s.Variable, s.Meaning)
		}
	}
	return text + "# FILES\n\n" + entry("docket/config.toml", "in the XDG config folder: the settings, docket-config(5)") +
		entry("docket/token", "in the XDG config folder: your token for a service, readable by you only") +
		entry("docket/docket.db", "in the XDG data folder: the store") +
		entry("docket/anchors", "in the XDG state folder: the newest checkpoint of each store")
}

func filterText() string {
	text := "# DESCRIPTION\n\nThe console and `docket queue` take the same filters. Words match ids and codes. All terms of a filter have to match; " +
		"a term with - before it must not. A word with spaces stands in double quotes.\n\n# KEYS\n\n"
	for _, key := range queue.FilterKeys() {
		meaning := key.Meaning
		if len(key.Values) > 0 {
			meaning += ": " + literal(strings.Join(key.Values, ", "))
		}
		text += entry(key.Key+":", meaning)
	}
	return text + "# EXAMPLES\n\n    docket queue gate:blocked -is:decided\n    docket queue 'due:<48h' is:mine\n    docket queue trigger:duplicate_proof text:\"two words\"\n"
}

func bundleText() string {
	text := "# DESCRIPTION\n\n`docket export` writes a folder that anybody can check, with docket (`docket verify`) or without it: SUMMARY.md in it holds the commands. " +
		"A bundle has those of these files for which its log holds something.\n\n# FILES\n\n"
	for _, p := range bundle.Parts() {
		text += entry(p.Path(), p.Content()+". "+strings.ToUpper(p.Origin()[:1])+p.Origin()[1:]+". Checked: "+p.Checked()+".")
	}
	return text
}

func configText() string {
	text := "# DESCRIPTION\n\nThe settings are a file in TOML. `docket config --path` prints where it belongs, `docket config` what counts, `docket config example` " +
		"a file with every setting, and `docket schema config` its JSON Schema for editors. A flag takes precedence over the environment, and the environment over the file.\n\n# SETTINGS\n\n"
	for _, s := range settings.Table() {
		meaning := s.Meaning + "."
		if len(s.Words) > 0 {
			meaning += " One of: " + literal(strings.Join(s.Words, ", ")) + "."
		}
		if s.Default != "" {
			meaning += " Default: " + literal(s.Default) + "."
		}
		if s.Flag() != "" {
			meaning += " Flag: --" + s.Flag() + "."
		}
		if s.Variable != "" {
			meaning += " Environment: " + literal(s.Variable) + "."
		}
		text += entry(s.Name, meaning)
	}
	return text
}
