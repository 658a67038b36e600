package contractview

import (
	"errors"
	"fmt"
	"slices"

	"docket/contracts/incident"
	"docket/domain/pages"
	"docket/domain/statement"
	"docket/store/disk"
	"docket/ui/wording"
)

// CheckProfile returns why the incident profile in a file is refused; nil if it can be shown.
func CheckProfile(path string) error {
	_, err := usableProfile(path)
	return err
}

func usableProfile(path string) (incident.Profile, error) {
	profile, problems, err := readProfile(path)
	if err == nil && !problems.OK() {
		err = fmt.Errorf("%s: %w", path, problems.List[0])
	}
	return profile, err
}

// readProfile reads a file, whose path may begin with "~/".
func readProfile(path string) (profile incident.Profile, problems incident.Problems, err error) {
	place, err := disk.AtHome(path)
	if err != nil {
		return profile, problems, err
	}
	text, err := disk.ReadRegular(place, incident.MaxSize)
	if err != nil {
		return profile, problems, fmt.Errorf("%s cannot be read: %w", path, disk.Reason(err))
	}
	profile, problems = incident.Read(text)
	return profile, problems, nil
}

const profileName = "incident profile"

// profilePage shows the operator's own profile or, without a path, the sample.
func profilePage(path string) pages.Page {
	if path == "" {
		sample := incident.Sample()
		p := sample.Page()
		p.State = "the sample; the setting incident_profile names your own"
		return p
	}
	profile, problems, err := readProfile(path)
	if err != nil {
		return pages.Page{Name: profileName, Title: "Incident response profile", Mark: pages.Bad, State: "refused: it cannot be read",
			Parts: []pages.Part{{Title: "Refused", Rows: []pages.Row{{Mark: pages.Bad, Value: err.Error()}}}}}
	}
	return ProfilePage(path, &profile, &problems)
}

// ProfilePage returns the page of a profile, or of the problems by which it violates the contract.
func ProfilePage(path string, profile *incident.Profile, problems *incident.Problems) pages.Page {
	file := pages.Row{Label: "file", Value: path}
	if !problems.OK() {
		entries := append([]pages.Row{file}, problemEntries(problems.List, problems.Total, pages.Bad)...)
		return pages.Page{Name: profileName, Title: "Incident response profile", Mark: pages.Bad,
			State: fmt.Sprintf("refused: %s", wording.Plural(problems.Total, "problem", "problems")),
			Parts: []pages.Part{{Title: "Refused", Rows: entries}}}
	}
	p := profile.Page()
	p.Mark, p.State = pages.Good, "it keeps to the contract"
	p.Parts[0].Rows = append(p.Parts[0].Rows, file)
	if problems.Warned > 0 {
		p.State += "; " + wording.Plural(problems.Warned, "warning", "warnings")
		p.Parts = slices.Insert(p.Parts, 1, pages.Part{Title: "Warnings", Rows: problemEntries(
			problems.Warnings, problems.Warned, pages.None)})
	}
	return p
}

func problemEntries(list []incident.Problem, total int, mark pages.Mark) []pages.Row {
	var entries []pages.Row
	for _, problem := range list {
		entries = append(entries, pages.Row{Mark: mark, Label: problem.Pointer,
			Value: problem.Rule.String(), Notes: []string{fmt.Sprintf("it %s", problem.Reason)}})
	}
	if more := total - len(list); more > 0 {
		entries = append(entries, pages.Row{Mark: mark, Value: fmt.Sprintf("and %d more", more)})
	}
	return entries
}

// ErrProfile says that the operator's incident profile cannot be used.
var ErrProfile = errors.New("the incident profile cannot be used")

// Channels returns the channels of the profile; none without a path: the sample's are not real.
func Channels(path string) (statement.Profile, error) {
	if path == "" {
		return statement.Profile{}, nil
	}
	profile, err := usableProfile(path)
	if err != nil {
		return statement.Profile{}, fmt.Errorf("%w: %w; correct it, or take the setting incident_profile out", ErrProfile, err)
	}
	channels := statement.Profile{Version: profile.Version}
	for _, c := range profile.IntakeChannels {
		channels.Channels = append(channels.Channels, statement.Channel{Label: c.Label, Audience: c.Audience, Rule: c.Rule})
	}
	return channels, nil
}
