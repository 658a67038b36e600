package cli

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/settings"
	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store/disk"
)

func newHelp() *cobra.Command {
	cmd := command("help", 0, -1, func(cmd *cobra.Command, args []string) error {
		at, err := commandAt(cmd.Root(), args)
		if err != nil {
			return err
		}
		at.InitDefaultHelpFlag()
		return at.Help()
	})
	cmd.ValidArgsFunction = completeCommands
	return cmd
}

func commandAt(root *cobra.Command, names []string) (*cobra.Command, error) {
	at := root
	for _, name := range names {
		below, rest, err := at.Find([]string{name})
		if err != nil || below == at || len(rest) > 0 {
			return nil, noCommand(at, name)
		}
		at = below
	}
	return at, nil
}

//go:embed pages.txt
var pagesText string

// pages are the help pages by the path of their commands, and groups the headings of `docket help`.
var helpPages, groups = parsePages(pagesText)

// A helpPage is what the help page of a command says beside its flags.
type helpPage struct{ use, group, short, long, example string }

// commandName matches the words that name a command, in front of its arguments.
var commandName = regexp.MustCompile(`^[a-z]+( [a-z]+)*( |$)`)

// parsePages reads pages.txt: a line "== TITLE" begins a group, and "= " with a call of the command
// a page, of which a summary, the text and examples follow.
func parsePages(text string) (all map[string]helpPage, groups []*cobra.Group) {
	all = map[string]helpPage{}
	for i, section := range strings.Split(text, "\n== ") {
		list := strings.Split(section, "\n= ")
		group := strings.TrimSpace(list[0])
		if i == 0 {
			group = "" // the page of docket itself, behind what the file is
		} else {
			groups = append(groups, &cobra.Group{ID: group, Title: group})
		}
		for _, one := range list[1:] {
			call, said, _ := strings.Cut(strings.TrimSpace(one), "\n")
			said, examples, _ := strings.Cut(said, "\n\n$ ")
			path := strings.TrimSpace(commandName.FindString(call))
			page := helpPage{use: call, group: group}
			page.example = "  " + strings.ReplaceAll(examples, "\n$ ", "\n  ")
			page.short, page.long, _ = strings.Cut(said, "\n\n")
			if parent := strings.LastIndex(path, " "); parent >= 0 {
				page.use, page.group = call[parent+1:], ""
			}
			all[path] = page
		}
	}
	return all, groups
}

func (h helpPage) head(cmd *cobra.Command) *cobra.Command {
	cmd.Short, cmd.GroupID, cmd.Example = h.short, h.group, h.example
	return cmd
}

type action = func(*cobra.Command, []string) error

// command makes the command with the page of that path; a negative most means no limit of
// arguments, and without an action it only has commands below it.
func command(path string, least, most int, run action, below ...*cobra.Command) *cobra.Command {
	page := helpPages[path]
	cmd := page.head(&cobra.Command{Use: page.use, Long: page.long, RunE: run})
	count := argumentCount(least, most)
	if most == 0 {
		count = noArguments
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error { return cmp.Or(count(cmd, args), checkFlags(cmd)) }
	if run == nil {
		cmd.RunE = needsCommand
	}
	cmd.AddCommand(below...)
	return cmd
}

// printHelp prints the help page as cobra does, wrapped to the terminal if there is one.
func (p *program) printHelp(cmd *cobra.Command, _ []string) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	page := strings.TrimRight(text, "\n ") + "\n\n"
	if cmd.Runnable() || cmd.HasSubCommands() {
		page += cmd.UsageString()
	}
	if p.OutTerminal {
		if width, _, err := p.TerminalSize(); err == nil {
			page = output.WrapHelp(page, max(width, narrowHelp))
		}
	}
	// cobra's help function returns no error.
	_, _ = io.WriteString(cmd.OutOrStdout(), page)
}

const narrowHelp = 40

func newMan(p *program) *cobra.Command {
	var folder string
	cmd := command("man", 0, -1, func(cmd *cobra.Command, args []string) error {
		if folder == "" {
			at, err := commandAt(cmd.Root(), args)
			if err != nil {
				return err
			}
			return p.write(p.manPage(at))
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("%s: no folder can be made of that name: %w; name another one", folder, disk.Reason(err))
		}
		return p.manPages(cmd.Root(), folder)
	})
	cmd.ValidArgsFunction = completeCommands
	cmd.Flags().StringVar(&folder, "folder", "", "write all pages into this `DIR`, each as a file of its own")
	return cmd
}

// manPages writes the pages of a command and of those below it.
func (p *program) manPages(cmd *cobra.Command, folder string) error {
	err := os.WriteFile(filepath.Join(folder, manName(cmd)+".1"), []byte(p.manPage(cmd)), 0o644)
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			err = cmp.Or(err, p.manPages(below, folder))
		}
	}
	return err
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is written with the macros of man(7).
func (p *program) manPage(cmd *cobra.Command) string {
	var page strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&page, ".SH %s\n.nf\n%s\n.fi\n", title, roff(strings.Trim(text, "\n")))
		}
	}
	fmt.Fprintf(&page, ".TH %q \"1\" \"\" \"docket %s\"\n", strings.ToUpper(manName(cmd)), p.version)
	fmt.Fprintf(&page, ".SH NAME\n%s \\- %s\n", manName(cmd), roff(cmd.Short))
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmp.Or(cmd.Long, cmd.Short))
	section("OPTIONS", cmd.NonInheritedFlags().FlagUsagesWrapped(manWidth))
	section("OPTIONS OF ALL COMMANDS", cmd.InheritedFlags().FlagUsagesWrapped(manWidth))
	section("EXAMPLES", cmd.Example)
	others := ""
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			others += manName(below) + "(1)\n"
		}
	}
	if cmd.HasParent() {
		others = manName(cmd.Parent()) + "(1)\n" + others
	}
	fmt.Fprintf(&page, ".SH SEE ALSO\n.nf\n%s.fi\n", others)
	return page.String()
}

const manWidth = 72 // of a page of 80 columns with its margins

// roff has a text stand in a man page as it is.
func roff(text string) string {
	plain := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")
	return plain.Replace("\n" + text)[1:]
}

// schemas returns the names of the published schemas, in order, and the text of each.
func schemas() (names []string, texts map[string]func() []byte) {
	texts = map[string]func() []byte{}
	add := func(name string, text func() []byte) { names, texts[name] = append(names, name), text }
	add("config", settings.Schema)
	for _, table := range terms.PacketTables.Terms() {
		add(table.String(), func() []byte { return contracts.Schema(table) })
	}
	for _, area := range terms.Areas.All() {
		table := terms.EnforcementTable(area)
		add(table.String(), func() []byte { return contracts.Schema(table) })
	}
	for _, kind := range report.Kinds() {
		add("report_"+kind.String(), func() []byte { return report.Schema(kind) })
	}
	add("incident_response_profile", incident.Schema)
	return names, texts
}

func newSchema(p *program) *cobra.Command {
	names, texts := schemas()
	cmd := command("schema", 1, 1, func(_ *cobra.Command, args []string) error {
		if text := texts[args[0]]; text != nil {
			return p.write(strings.TrimRight(string(text()), "\n") + "\n")
		}
		return wrongUsage("there is no schema %q%s; the names are %s", args[0], meant(args[0], names, "%s"), strings.Join(names, ", "))
	})
	cmd.ValidArgs, cmd.Long = names, fmt.Sprintf(cmd.Long, strings.Join(names, "\n  "))
	return cmd
}

// completion is cobra's command with the scripts for shells, with docket's usage errors.
func completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	at, _, _ := root.Find([]string{"completion"}) // it was just made
	helpPages["completion"].head(at)
	at.Args, at.RunE = noArguments, needsCommand
	for _, shell := range at.Commands() {
		shell.Args, shell.Example = noArguments, "  docket completion "+shell.Name()
	}
}

func completeFilter(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	options, then := queue.CompleteFilter(word), cobra.ShellCompDirectiveNoFileComp
	for _, option := range options {
		if strings.HasSuffix(option, ":") {
			then |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return options, then
}

func once(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, word)
	}
}

func completeCommands(cmd *cobra.Command, args []string, word string) (names []string, _ cobra.ShellCompDirective) {
	if at, err := commandAt(cmd.Root(), args); err == nil {
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), word) {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
