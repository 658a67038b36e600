package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"docket/cmd/internal/licenses"
	"docket/cmd/internal/settings"
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
		Use:   "completion " + strings.Join(names, "|"),
		Short: "Print a script that completes commands, flags and filters in a shell",
		Long: "Prints a script for the shell. It completes commands, flags, the values of settings and the filters of `docket queue`.\n\n" +
			strings.Join(uses, "\n"),
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

func newMan(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the man page",
		Long:  "Prints the man page. `docket man | man -l -` shows it.",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := p.manPage(cmd.Root())
			if err != nil {
				return fmt.Errorf("make the man page: %w", err)
			}
			_, err = fmt.Fprint(p.Out, page)
			return err
		},
	}
}

func newLicenses(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the notices of everything that is linked into docket",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(p.Out, "The owner of docket has chosen no licence for docket itself yet. What is linked into it stands under these notices.\n\n", licenses.Notices)
			return err
		},
	}
}

// manPage builds the man page from the command tree and the table of settings.
func (p *program) manPage(root *cobra.Command) (string, error) {
	page, err := mango.NewManPage(1, root)
	if err != nil {
		return "", err
	}
	page.WithLongDescription(paragraphs(root.Long))
	for _, section := range [][2]string{
		{"Exit status", "0: success. 1: something was refused or did not verify; the rest was done. 2: wrong usage, or a setting " +
			"that cannot be read. 3: the environment failed: no store, no terminal, a full disk."},
		{"Environment", "DOCKET_DB: the store's file. DOCKET_LOG_AGENT: the fingerprint of the Ed25519 key of ssh-agent that signs for the log of a store that is made or restored; without it the key is in a file beside the store. DOCKET_DEBUG: a new file for the output of `--debug`. NO_COLOR: no colours. " +
			"COLORFGBG: whether the terminal is dark. DOCKET_TOKEN: your token for a service." +
			settingVariables()},
		{"Files", "docket/config.toml in the XDG config folder: the settings. docket/token there: your token for a " +
			"service, readable by you only. docket/docket.db in the XDG data folder: the store. " +
			"docket/anchors in the XDG state folder: the newest checkpoint of each store."},
	} {
		page.WithSection(section[0], section[1])
	}
	text := page.Build(roff.NewDocument())
	_, rest, _ := strings.Cut(text, "\n")
	// The library's title has the current day, which would differ from build to build.
	return fmt.Sprintf(".TH DOCKET 1 %q %q %q\n", p.manDate(), "docket "+p.build.version, "docket") + rest + "\n", nil
}

// paragraphs joins the lines of each paragraph, because the library takes a line for a paragraph.
func paragraphs(text string) string {
	parts := strings.Split(text, "\n\n")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\n", " ")
	}
	return strings.Join(parts, "\n")
}

func settingVariables() string {
	text := ""
	for _, s := range settings.Table() {
		if s.Variable != "" {
			text += " " + s.Variable + ": " + s.Meaning + "."
		}
	}
	return text
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
