package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/workbench"
	"docket/contracts/incident"
)

// newProfile checks incident response profiles. It opens no store.
func newProfile(p *program) *cobra.Command {
	cmd := command("profile", 0, 0, nil)
	check := command("profile check", 1, 1, func(_ *cobra.Command, args []string) error { return p.checkProfile(args[0]) })
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

func (p *program) checkProfile(name string) error {
	text, err := p.readInput(name, incident.MaxSize+1)
	if err != nil {
		return err
	}
	profile, problems := incident.Read(text)
	if p.json {
		err = output.JSON(p.Out, profileCheck{name, problems.OK(), problems.Total, append([]incident.Problem{}, problems.List...),
			problems.Warned, append([]incident.Problem{}, problems.Warnings...)})
	} else {
		err = output.Contract(p.Out, workbench.ProfilePage(name, &profile, &problems))
	}
	return cmp.Or(err, reportedUnless(problems.OK()))
}
