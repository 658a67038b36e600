package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/workbench"
	"docket/contracts/incident"
	"docket/store/disk"
)

// newProfile checks incident response profiles. It opens no store.
func newProfile(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Check an incident response profile",
		Args:  noArguments,
		RunE:  needsCommand,
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "List every problem of an incident response profile, each with its place, or lay it out",
		Long: "Checks the profile in FILE (-: standard input) against the published JSON Schema, and that phases name severity\n" +
			"levels that exist. Exit status 1 if there is any problem. A duplicate key, a severity level without a phase, and an\n" +
			"address in an intake channel are warnings. A profile without a problem is laid out.",
		Args: argumentCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return p.withInput(args, p.checkProfile) },
	}
	p.jsonFlag(check)
	cmd.AddCommand(check)
	return cmd
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
	text, err := io.ReadAll(io.LimitReader(in, incident.MaxSize+1))
	if err != nil {
		return fmt.Errorf("%s: it cannot be read: %w", name, disk.Reason(err))
	}
	profile, problems := incident.Read(text)
	if p.json {
		err = output.JSON(p.Out, profileCheck{name, problems.OK(), problems.Total, append([]incident.Problem{}, problems.List...),
			problems.Warned, append([]incident.Problem{}, problems.Warnings...)})
	} else {
		err = output.Contract(p.Out, workbench.ProfilePage(name, &profile, &problems))
	}
	if err == nil && !problems.OK() {
		err = errReported
	}
	return err
}
