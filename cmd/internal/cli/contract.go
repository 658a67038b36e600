package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/contractview"
	"docket/cmd/internal/output"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/json"
	"docket/domain/terms"
	"docket/store/disk"
)

func newReport(p *program) *cobra.Command {
	var names []string
	for _, kind := range report.Kinds() {
		names = append(names, kind.String())
	}
	var at terms.Instant
	cmd := command("report", 1, 1,
		func(_ *cobra.Command, args []string) error { return p.report(args[0], at) })
	cmd.ValidArgs = names
	const usage, form = "the `TIME` to state as checkedAt, such as 2026-01-31T09:00:00Z (default: now)",
		"a time in UTC such as 2026-01-31T09:00:00Z"
	readFlag(cmd, "at", usage, form, func(text string) error {
		given, ok := terms.ParseInstant(text)
		if ok && p.instant().Before(given) {
			return wrongUsage("--at takes no time in the future: a report states when it was checked")
		}
		at = given
		return formOf(ok)
	})
	return p.jsonFlag(cmd)
}

func (p *program) report(name string, at terms.Instant) error {
	kind, err := report.ParseKind(name)
	if err != nil {
		return wrongUsage("%w", err)
	}
	if !at.Present() {
		at = terms.InstantOf(p.Now().Truncate(time.Second))
	}
	r, err := report.Of(kind, at)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(string(r.JSON()))
	}
	output.Page(p.Out, r.Page(), output.PageWidth)
	return nil
}

func newContract(p *program) *cobra.Command {
	check := command("contract check", 1, 1,
		func(_ *cobra.Command, args []string) error { return p.checkContract(args[0]) })
	check.Long = fmt.Sprintf(check.Long, strings.Join(report.Versions(), "\n  "))
	return command("contract", 0, 0, nil, p.jsonFlag(check))
}

func (p *program) checkContract(name string) (err error) {
	in, _, err := p.openInput(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	text, err := report.Read(in)
	if errors.Is(err, report.ErrTooLarge) {
		return p.refuseReport(name, err)
	}
	if err != nil {
		return refused("%s: it cannot be read: %w", name, disk.Reason(err))
	}
	found, err := report.Examine(text, p.instant())
	var fault *json.Fault
	switch {
	case errors.As(err, &fault), errors.Is(err, report.ErrNotAReport), errors.Is(err, report.ErrUnknownContract):
		return p.refuseReport(name, err)
	case err != nil:
		return err
	}
	if p.json {
		p.object(examination{found.Kind.String(), found.Kind.Contract().Version, found.Pass, found.Fail, found.NotChecked})
	} else {
		output.Page(p.Out, found.Page(name), output.PageWidth)
	}
	return reportedUnless(found.OK())
}

func (p *program) refuseReport(name string, reason error) error {
	if !p.json {
		return refused("%s: %w", name, reason)
	}
	pointer, why := "", reason.Error()
	if fault := (*json.Fault)(nil); errors.As(reason, &fault) {
		pointer, why = fault.Pointer, fault.Reason
	}
	said := json.Of("ok", false, "error", json.Of("pointer", pointer, "reason", why))
	p.object(said)
	return errReported
}

type examination struct {
	Contract   string           `json:"contract"`
	Version    string           `json:"contractVersion"`
	Pass       []string         `json:"pass"`
	Fail       []report.Failure `json:"fail"`
	NotChecked []report.Wording `json:"not_checked"`
}

func newProfile(p *program) *cobra.Command {
	check := command("profile check", 1, 1,
		func(_ *cobra.Command, args []string) error { return p.checkProfile(args[0]) })
	return command("profile", 0, 0, nil, p.jsonFlag(check))
}

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
		p.object(profileCheck{name, problems.OK(), problems.Total, append([]incident.Problem{}, problems.List...),
			problems.Warned, append([]incident.Problem{}, problems.Warnings...)})
	} else {
		output.Page(p.Out, contractview.ProfilePage(name, &profile, &problems), output.PageWidth)
	}
	return reportedUnless(problems.OK())
}
