package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/contracts/incident"
	"docket/domain/visible"
	"docket/store/disk"
)

// newProfile checks and shows incident response profiles. It opens no store.
func newProfile(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Check or show an incident response profile",
		Args:  noArguments,
		RunE:  needsCommand,
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "List every problem of an incident response profile, each with its place",
		Long: "Checks the profile in FILE (-: standard input) against the published JSON Schema, and that phases name severity\n" +
			"levels that exist. Exit status 1 if there is any problem. A duplicate key, a severity level without a phase, and an\n" +
			"address in an intake channel are warnings.",
		Args: argumentCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return p.withInput(args, p.checkProfile) },
	}
	show := &cobra.Command{
		Use:   "show FILE",
		Short: "Show an incident response profile",
		Args:  argumentCount(1, 1),
		RunE:  func(_ *cobra.Command, args []string) error { return p.withInput(args, p.showProfile) },
	}
	p.jsonFlag(check)
	cmd.AddCommand(check, show)
	return cmd
}

// readProfile reads at most one byte more than the largest profile.
func readProfile(name string, in io.Reader) (incident.Profile, incident.Problems, error) {
	text, err := io.ReadAll(io.LimitReader(in, incident.MaxSize+1))
	if err != nil {
		return incident.Profile{}, incident.Problems{}, fmt.Errorf("%s: it cannot be read: %w", name, disk.Reason(err))
	}
	profile, problems := incident.Read(text)
	return profile, problems, nil
}

// A profileCheck is the result of a check, as --json prints it.
type profileCheck struct {
	File     string             `json:"file"`
	OK       bool               `json:"ok"`
	Total    int                `json:"total"`
	Problems []incident.Problem `json:"problems"`
	Warned   int                `json:"warned"`
	Warnings []incident.Problem `json:"warnings"`
}

func (p *program) checkProfile(name string, in io.Reader) error {
	_, problems, err := readProfile(name, in)
	if err != nil {
		return err
	}
	if p.json {
		err = output.JSON(p.Out, profileCheck{name, problems.OK(), problems.Total, append([]incident.Problem{}, problems.List...),
			problems.Warned, append([]incident.Problem{}, problems.Warnings...)})
	} else {
		err = printProblems(p.Out, name, &problems)
	}
	if err == nil && !problems.OK() {
		err = errReported
	}
	return err
}

// printProblems lists the problems and warnings, or says that there is no problem.
func printProblems(out io.Writer, name string, problems *incident.Problems) error {
	var page output.Page
	listProblems(&page, "✗ ", problems.List, problems.Total)
	listProblems(&page, "! warning: ", problems.Warnings, problems.Warned)
	if problems.OK() {
		page.Text("✓ ", fmt.Sprintf("%s matches the contract", name))
	}
	_, err := io.WriteString(out, page.String())
	return err
}

func listProblems(page *output.Page, mark string, list []incident.Problem, total int) {
	for _, problem := range list {
		page.Text(mark, strings.TrimPrefix(problem.Pointer+": "+problem.Rule.String(), ": "))
		page.Text("    ", fmt.Sprintf("it %s", problem.Reason))
	}
	if more := total - len(list); more > 0 {
		page.Text(mark, fmt.Sprintf("and %d more", more))
	}
}

// showProfile shows the readable parts of a profile and its problems.
func (p *program) showProfile(name string, in io.Reader) error {
	profile, problems, err := readProfile(name, in)
	if err != nil {
		return err
	}
	if problems.Shown {
		if _, err := io.WriteString(p.Out, profilePage(&profile)); err != nil {
			return err
		}
	}
	if problems.OK() && problems.Warned == 0 {
		return nil
	}
	if err := printProblems(p.Err, name, &problems); err != nil || problems.OK() {
		return err
	}
	return errReported
}

// profilePage draws the profile's view.
func profilePage(profile *incident.Profile) string {
	view := incident.Lay(profile)
	var page output.Page
	page.Text("", view.Title())
	page.Text("", view.Purpose)
	for i := range view.Sections {
		section := &view.Sections[i]
		page.Heading(section.Title)
		if section.Matrix != nil {
			drawMatrix(&page, section.Matrix)
		}
		for _, entry := range section.Entries {
			drawEntry(&page, &entry)
		}
	}
	return page.String()
}

func drawEntry(page *output.Page, entry *incident.Entry) {
	if entry.Name == "" {
		page.Text("  · ", entry.Text)
		return
	}
	page.Text("  ", fmt.Sprintf("%s (%s)", entry.Name, entry.Key))
	if entry.Text != "" {
		page.Text("      ", entry.Text)
	}
	for _, fact := range entry.Facts {
		page.Text("      "+fact.Name+": ", fact.Value)
	}
	for _, list := range entry.Lists {
		page.Text("      ", list.Name+":")
		for _, item := range list.Items {
			page.Text("      · ", item)
		}
	}
}

// The widths of the matrix: a phase's name, and the least that a severity's key takes.
const (
	matrixName = 24
	matrixCell = 6
)

// drawMatrix draws as many columns as fit side by side, and the others below.
func drawMatrix(page *output.Page, m *incident.Matrix) {
	for from := 0; from < len(m.Columns); {
		if from > 0 {
			page.WriteString("\n")
		}
		widths := matrixColumns(m.Columns[from:])
		page.WriteString(matrixLine("", widths, func(i int) string { return m.Columns[from+i] }))
		for _, row := range m.Rows {
			page.WriteString(matrixLine(row.Name, widths, func(i int) string {
				if row.Marks[from+i] {
					return "✓"
				}
				return "·"
			}))
		}
		from += len(widths)
	}
}

// matrixColumns returns the widths of the first columns that fit.
func matrixColumns(keys []string) (widths []int) {
	left := output.PageWidth - 2 - matrixName
	for _, key := range keys {
		width := min(max(ansi.StringWidth(visible.String(key)), matrixCell), output.PageWidth/4)
		if left -= 2 + width; left < 0 {
			return widths
		}
		widths = append(widths, width)
	}
	return widths
}

func matrixLine(name string, widths []int, cell func(i int) string) string {
	line := "  " + fitted(name, matrixName)
	for i, width := range widths {
		line += "  " + fitted(cell(i), width)
	}
	return strings.TrimRight(line, " ") + "\n"
}

// fitted truncates or pads the text to width columns.
func fitted(text string, width int) string {
	text = ansi.Truncate(visible.String(text), width, "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}
