package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/licenses"
	"docket/cmd/internal/manual"
	"docket/cmd/internal/settings"
	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/terms"
	"docket/store/disk"
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

func newMan(p *program) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "man [PAGE]",
		Short: "Print a man page",
		Long: "Prints a man page: that of docket, or the PAGE that is named, of a command such as queue, or filter.7, bundle.5 or config.5.\n" +
			"`docket man | man -l -` shows it.",
		Args: argumentCount(0, 1),
		ValidArgsFunction: once(func(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			for _, page := range manual.Pages(cmd.Root()) {
				names = append(names, page.Short())
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			pages, from := manual.Pages(cmd.Root()), manual.Edition{Version: p.build.version, Date: p.manDate()}
			if folder != "" {
				return writePages(pages, from, folder)
			}
			var names []string
			for i := range pages {
				page := &pages[i]
				if len(args) > 0 && !page.Called(args[0]) {
					names = append(names, page.Short())
					continue
				}
				_, err := io.WriteString(p.Out, page.Roff(from))
				return err
			}
			return wrongUsage("there is no page %q%s; each command has one, and there are filter.7, bundle.5 and config.5", args[0], meant(args[0], names, "%s"))
		},
	}
	cmd.Flags().StringVar(&folder, "folder", "", "write all pages into this `DIR`, each as a file of its own")
	return cmd
}

// writePages writes each page into a file of a folder.
func writePages(pages []manual.Page, from manual.Edition, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("%s: it is no folder, and none can be made of that name: %w; name another one", folder, disk.Reason(err))
	}
	for i := range pages {
		if err := os.WriteFile(filepath.Join(folder, pages[i].File()), []byte(pages[i].Roff(from)), 0o644); err != nil {
			return err
		}
	}
	return nil
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
		list = append(list, published{table.String(), func() []byte { return contracts.GenerateSchema(table) }})
	}
	for _, area := range terms.Areas.All() {
		list = append(list, published{terms.EnforcementTable(area).String(), func() []byte { return contracts.GenerateEnforcementSchema(area) }})
	}
	for _, kind := range report.Kinds() {
		list = append(list, published{"report_" + kind.String(), func() []byte { return report.GenerateSchema(kind) }})
	}
	return append(list, published{"incident_response_profile", incident.GenerateSchema})
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

func newLicenses(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the notices of everything that is linked into docket",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			notices, err := licenses.Notices()
			if err == nil {
				_, err = fmt.Fprint(p.Out, "The owner of docket has chosen no licence for docket itself yet. What is linked into it stands under these notices.\n\n", notices)
			}
			return err
		},
	}
}

// manDate returns the date of the sources, so that the same sources make the same page; "" if it is unknown.
func (p *program) manDate() string {
	date := p.build.date
	if seconds, err := strconv.ParseInt(p.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		date = time.Unix(seconds, 0)
	}
	if date.IsZero() {
		return ""
	}
	return date.UTC().Format(time.DateOnly)
}
