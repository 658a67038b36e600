package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"docket/cmd/internal/output"
	"docket/cmd/internal/settings"
	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/disk"
)

// newHelp shows the help page of a command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does",
		Long:  "Shows the help page of a command, such as `docket help serve token`.",

		ValidArgsFunction: completeCommands,

		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := commandAt(cmd.Root(), args)
			if err != nil {
				return err
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

// commandAt returns the command that names call, one below the other from root on.
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

// groups are the headings under which `docket help` lists the commands.
var groups = []*cobra.Group{
	{ID: "review", Title: "Review:"},
	{ID: "packets", Title: "Packets:"},
	{ID: "log", Title: "The log:"},
	{ID: "contracts", Title: "Contracts:"},
	{ID: "service", Title: "The service:"},
	{ID: "machine", Title: "This machine:"},
}

// A guide is the part of a command's help page that cobra does not generate.
type guide struct {
	command  string // without docket; "" for docket itself
	group    string // of a command right below docket
	examples []string
}

// guides is the one table of groups and examples. Each command has a row.
var guides = []guide{
	{"", "", []string{"docket", "docket --plain", "docket --docket amendments --sort blockers"}},
	{"demo", "review", []string{"docket demo", "docket demo --plain", "docket demo --print --as rev-7 | docket import -"}},
	{"board", "review", []string{"docket board 'came:<7d'", "docket board --sort weeks --html > board.html"}},
	{"queue", "review", []string{"docket queue gate:blocked", "docket queue 'due:<48h' is:mine", "docket queue --json | jq .id"}},
	{"show", "review", []string{"docket show AC-2041", "docket show AC-2041 --revision 2", "docket show AC-2041 --json"}},
	{"records", "review", []string{"docket records", "docket records --json"}},
	{"statement", "review", []string{"docket statement RECORD", "docket statement RECORD --format html --output statement.html"}},
	{"stats", "review", []string{"docket stats", "docket stats --period 2026-Q4 --csv"}},
	{"erase", "review", []string{"docket erase note RECORD --reason by_mistake", "docket erase texts AC-2041 --revision 2 --reason person_asked"}},
	{"import", "packets", []string{"docket import cases.jsonl", "curl -s https://host.example/packets | docket import -"}},
	{"evaluate", "packets", []string{"docket evaluate cases.jsonl", "docket evaluate < case.json"}},
	{"seal", "packets", []string{"docket seal handwritten.json > case.json"}},
	{"verify", "log", []string{"docket verify", "docket verify BUNDLE", "docket verify --since checkpoint --policy witnesses.txt", "docket verify https://docket.example.org --policy witnesses.txt"}},
	{"export", "log", []string{"docket export bundle", "docket export /media/usb/2026-11", "docket export /media/usb/new --since bundle"}},
	{"collect", "log", []string{"docket collect /media/usb/rev-1 /media/usb/rev-2 --signers allowed_signers", "docket collect bundles/* --signers allowed_signers --csv"}},
	{"backup", "log", []string{"docket backup /media/usb/docket.db", "docket backup --keep 14 /var/backups/docket"}},
	{"restore", "log", []string{"docket restore /media/usb/docket.db --reason store_lost"}},
	{"accept", "log", []string{"docket accept anchor"}},
	{"accept anchor", "", []string{"docket accept anchor"}},
	{"accept clock", "", []string{"docket accept clock"}},
	{"accept service", "", []string{"docket accept service", "docket accept service https://docket.example.org"}},
	{"witness", "log", []string{"docket witness submit"}},
	{"witness submit", "", []string{"docket witness submit --policy witnesses.txt"}},
	{"report", "contracts", []string{"docket report appeals", "docket report amendments --json"}},
	{"contract", "contracts", []string{"docket contract check report.json"}},
	{"contract check", "", []string{"docket report appeals --json | docket contract check -"}},
	{"profile", "contracts", []string{"docket profile check profile.json"}},
	{"profile check", "", []string{"docket profile check profile.json"}},
	{"pull", "service", []string{"docket pull https://docket.example.org", "docket pull"}},
	{"push", "service", []string{"docket push", "docket push https://docket.example.org bundle"}},
	{"serve", "service", []string{"docket serve", "docket serve --listen 0.0.0.0:8417 --tls-cert cert.pem --tls-key key.pem"}},
	{"serve invite", "", []string{"docket serve invite --principal rev-7 --role neutral_reviewer --expires 90d --address https://docket.example.org rev-7.invitation"}},
	{"serve enroll", "", []string{"docket serve enroll < line.txt"}},
	{"serve token", "", []string{"docket serve token add --principal rev-7 --role neutral_reviewer --expires 90d"}},
	{"serve token add", "", []string{"docket serve token add --principal rev-7 --role neutral_reviewer --expires 90d"}},
	{"serve token list", "", []string{"docket serve token list"}},
	{"serve token revoke", "", []string{"docket serve token revoke ID"}},
	{"serve key", "", []string{"docket serve key add --principal rev-7 rev-7.pub"}},
	{"serve key add", "", []string{"docket serve key add --principal rev-7 rev-7.pub"}},
	{"serve key list", "", []string{"docket serve key list"}},
	{"serve key revoke", "", []string{"docket serve key revoke --principal rev-7 FINGERPRINT"}},
	{"serve operator", "", []string{"docket serve operator"}},
	{"serve operator change", "", []string{"docket serve operator change op-2 operator.pub"}},
	{"serve export", "", []string{"docket serve export /media/usb/for-rev-7 --for rev-7"}},
	{"serve db", "", []string{"docket serve db init --db postgres://postgres@db.example.org/docket"}},
	{"serve db init", "", []string{"docket serve db init --db postgres://postgres@db.example.org/docket", "docket serve db init --print | psql --dbname docket"}},
	{"serve db copy", "", []string{"docket serve db copy service.db --db postgres://docket@db.example.org/docket"}},
	{"serve operator replace", "", []string{"docket serve operator replace"}},
	{"identity", "machine", []string{"docket identity", "docket identity | sed -n 's/^allowed_signers *//p' >> allowed_signers"}},
	{"identity init", "", []string{"docket identity init --id rev-7 --role neutral_reviewer",
		"docket identity init --id rev-7 --role neutral_reviewer --key ~/.ssh/id_ed25519"}},
	{"identity rotate", "", []string{"docket identity rotate"}},
	{"identity replace", "", []string{"docket identity replace"}},
	{"identity revoke", "", []string{"docket identity revoke FINGERPRINT"}},
	{"enroll", "machine", []string{"docket enroll rev-7.invitation"}},
	{"doctor", "machine", []string{"docket doctor"}},
	{"config", "machine", []string{"docket config", "docket config example > ~/.config/docket/config.toml"}},
	{"config example", "", []string{"docket config example"}},
	{"completion", "machine", []string{"docket completion bash > ~/.local/share/bash-completion/completions/docket"}},
	{"man", "machine", []string{"docket man | man -l -", "docket man --folder ~/.local/share/man/man1"}},
	{"schema", "contracts", []string{"docket schema trade_appeal_cases", "docket schema config > ~/.config/docket/config.schema.json"}},
	{"version", "machine", []string{"docket version", "docket version --licenses | less"}},
	{"help", "machine", []string{"docket help push"}},
}

// An enumerated flag takes one of a list of words, which its help lists and a shell completes.
type enumerated struct {
	command, flag string
	words         []string
}

// enumeratedFlags lists those that are not settings; settingFlags handles the others.
func enumeratedFlags() []enumerated {
	return []enumerated{
		{"restore", "reason", records.RestoreReasons.Texts()},
		{"erase", "reason", records.ErasureReasons.Texts()},
		{"statement", "format", []string{"text", "markdown", "html"}},
		{"board", "sort", boardOrders()},
		{"stats", "period", []string{"week", "month", "quarter", "all"}},
		{"identity init", "role", terms.Roles.Texts()},
		{"serve invite", "role", terms.Roles.Texts()},
		{"serve token add", "role", store.TokenRoles()},
	}
}

// below finds a command by its path below docket; nil if there is none.
func below(root *cobra.Command, path string) *cobra.Command {
	at := root
	for _, name := range strings.Fields(path) {
		next := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
		if next < 0 {
			return nil
		}
		at = at.Commands()[next]
	}
	return at
}

// guided puts the commands below docket into their groups, and gives all of them their examples.
func guided(root *cobra.Command) {
	root.AddGroup(groups...)
	root.SetHelpCommandGroupID("machine")
	for _, g := range guides {
		at := below(root, g.command)
		at.GroupID = g.group
		if len(g.examples) > 0 {
			at.Example = "  " + strings.Join(g.examples, "\n  ")
		}
	}
	for _, e := range enumeratedFlags() {
		// An error would mean that there is no such flag, which a test checks.
		_ = below(root, e.command).RegisterFlagCompletionFunc(e.flag, cobra.FixedCompletions(e.words, cobra.ShellCompDirectiveNoFileComp))
	}
}

// printHelp prints the help page of a command, as cobra does, wrapped to the width of the terminal. Without a terminal
// the lines stay as they are written.
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
			page = wrapHelp(page, max(width, narrowHelp))
		}
	}
	// cobra's help function returns no error.
	_, _ = io.WriteString(cmd.OutOrStdout(), page)
}

// narrowHelp is the least width in columns to which help pages are wrapped.
const narrowHelp = 40

// inColumns matches a line with a description in a second column, such as that of a flag.
var inColumns = regexp.MustCompile(`^( +\S.*? {2,}| {8,})(\S.*)$`)

// wrapHelp wraps a help page: the paragraphs, and the second column of lists. Other lines with leading spaces, such as
// examples, stay whole.
func wrapHelp(page string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, output.WordWrap(strings.Join(paragraph, " "), width))
			paragraph = nil
		}
	}
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		columns := inColumns.FindStringSubmatch(line)
		switch {
		case line != "" && line[0] != ' ':
			paragraph = append(paragraph, line)
			continue
		case columns != nil && ansi.StringWidth(line) > width && len(columns[1]) < width/2+10:
			flush()
			indent := strings.Repeat(" ", len(columns[1]))
			wrapped := output.WordWrap(columns[2], width-len(indent))
			line = columns[1] + strings.ReplaceAll(wrapped, "\n", "\n"+indent)
		default:
			flush()
		}
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n") + "\n"
}

func newMan(p *program) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print a man page: `docket man | man -l -`",
		Long: "Prints the man page of docket, or of COMMAND, such as `docket man serve token`, in roff.\n" +
			"`docket man | man -l -` shows it.",

		ValidArgsFunction: completeCommands,

		RunE: func(cmd *cobra.Command, args []string) error {
			header := doc.GenManHeader{Section: "1", Source: fmt.Sprintf("docket %s", p.build.version)}
			cmd.Root().DisableAutoGenTag = true
			if folder == "" {
				at, err := commandAt(cmd.Root(), args)
				if err != nil {
					return err
				}
				return doc.GenMan(at, &header, p.Out)
			}
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("%s: no folder can be made of that name: %w; name another one", folder, disk.Reason(err))
			}
			return doc.GenManTree(cmd.Root(), &header, folder)
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "", "write all pages into this `DIR`, each as a file of its own")
	return cmd
}

// A published is a JSON Schema with its name for `docket schema`.
type published struct {
	name string
	text func() []byte
}

// schemas lists the schemas that `docket schema` prints.
func schemas() []published {
	list := []published{{"config", settings.Schema}}
	for _, table := range terms.PacketTables.Terms() {
		list = append(list, published{table.String(), func() []byte { return contracts.Schema(table) }})
	}
	for _, area := range terms.Areas.All() {
		list = append(list, published{terms.EnforcementTable(area).String(), func() []byte { return contracts.Schema(terms.EnforcementTable(area)) }})
	}
	for _, kind := range report.Kinds() {
		list = append(list, published{"report_" + kind.String(), func() []byte { return report.Schema(kind) }})
	}
	return append(list, published{"incident_response_profile", incident.Schema})
}

func newSchema(p *program) *cobra.Command {
	all := schemas()
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print a JSON Schema: of the config file, of packets, records, reports or the incident profile",
		Long: fmt.Sprintf("Prints a JSON Schema. Editors complete and check a file that is held to one. NAME is one of\n  %s"+
			"\n\nAn editor finds the schema of the config file by a first line `#:schema ./config.schema.json` in it.", strings.Join(names, "\n  ")),
		Args:      argumentCount(1, 1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			for i := range all {
				if all[i].name == args[0] {
					_, err := p.Out.Write(append(bytes.TrimRight(all[i].text(), "\n"), '\n'))
					return err
				}
			}
			return wrongUsage("there is no schema %q%s; the names are %s", args[0], meant(args[0], names, "%s"), strings.Join(names, ", "))
		},
	}
}

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
