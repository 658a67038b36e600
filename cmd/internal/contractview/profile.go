package contractview

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"docket/contracts/incident"
	"docket/domain/statement"
	"docket/store/disk"
	"docket/ui/contractpage"
	"docket/ui/wording"
)

// CheckProfile returns why the incident profile in a file is refused; nil if it can be shown.
func CheckProfile(path string) error {
	_, problems, err := readProfile(path)
	if err == nil && !problems.OK() {
		err = fmt.Errorf("%s: %w", path, problems.List[0])
	}
	return err
}

// readProfile reads a profile, at most one byte more than the largest one. A path that begins with "~/" is relative to
// the home folder. The error says that the file cannot be read.
func readProfile(path string) (profile incident.Profile, problems incident.Problems, err error) {
	place, err := disk.AtHome(path)
	if err != nil {
		return profile, problems, err
	}
	// Opening a pipe would wait.
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() {
		return profile, problems, fmt.Errorf("%s is not a file", path)
	}
	file, err := os.Open(place)
	if err != nil {
		return profile, problems, fmt.Errorf("%s cannot be read: %w", path, disk.Reason(err))
	}
	text, err := io.ReadAll(io.LimitReader(file, incident.MaxSize+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return profile, problems, fmt.Errorf("%s cannot be read: %w", path, disk.Reason(err))
	}
	profile, problems = incident.Read(text)
	return profile, problems, nil
}

const profileName = "incident profile"

// profilePage shows the operator's own profile or, without a path, the sample.
func profilePage(path string) contractpage.Page {
	if path == "" {
		sample := incident.Sample()
		p := laidProfile(&sample)
		p.State = "the sample; the setting incident_profile names your own"
		return p
	}
	profile, problems, err := readProfile(path)
	if err != nil {
		return contractpage.Page{Name: profileName, Title: "Incident response profile", Mark: contractpage.Bad, State: "refused: it cannot be read",
			Parts: []contractpage.Part{{Heading: "Refused", Entries: []contractpage.Entry{{Mark: contractpage.Bad, Text: err.Error()}}}}}
	}
	return ProfilePage(path, &profile, &problems)
}

// ProfilePage returns the page of the profile in a file. For a profile that violates the contract it shows the problems in its place.
func ProfilePage(path string, profile *incident.Profile, problems *incident.Problems) contractpage.Page {
	file := contractpage.Entry{Name: "file", Text: path}
	if !problems.OK() {
		entries := append([]contractpage.Entry{file}, problemEntries(problems.List, problems.Total, contractpage.Bad)...)
		return contractpage.Page{Name: profileName, Title: "Incident response profile", Mark: contractpage.Bad,
			State: fmt.Sprintf("refused: %s", wording.Plural(problems.Total, "problem", "problems")),
			Parts: []contractpage.Part{{Heading: "Refused", Entries: entries}}}
	}
	p := laidProfile(profile)
	p.Mark, p.State = contractpage.Good, "it keeps to the contract"
	p.Parts[0].Entries = append(p.Parts[0].Entries, file)
	if problems.Warned > 0 {
		p.State += "; " + wording.Plural(problems.Warned, "warning", "warnings")
		p.Parts = slices.Insert(p.Parts, 1, contractpage.Part{Heading: "Warnings", Entries: problemEntries(problems.Warnings, problems.Warned, contractpage.None)})
	}
	return p
}

// problemEntries lists problems with their places.
func problemEntries(list []incident.Problem, total int, mark contractpage.Mark) []contractpage.Entry {
	var entries []contractpage.Entry
	for _, problem := range list {
		entries = append(entries, contractpage.Entry{Mark: mark, Name: problem.Pointer, Text: problem.Rule.String(), Notes: []string{fmt.Sprintf("it %s", problem.Reason)}})
	}
	if more := total - len(list); more > 0 {
		entries = append(entries, contractpage.Entry{Mark: mark, Text: fmt.Sprintf("and %d more", more)})
	}
	return entries
}

// laidProfile returns the page of a profile.
func laidProfile(profile *incident.Profile) contractpage.Page {
	view := incident.Lay(profile)
	p := contractpage.Page{Name: profileName, Title: view.Title(),
		Parts: []contractpage.Part{{Heading: "Profile", Entries: []contractpage.Entry{{Name: "version", Text: view.Version}, {Name: "purpose", Text: view.Purpose}}}}}
	for _, section := range view.Sections {
		part := contractpage.Part{Heading: section.Title}
		for _, e := range section.Entries {
			part.Entries = append(part.Entries, contractpage.Entry{Name: e.Name, Text: e.Text, Notes: e.Notes})
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

// ErrProfile says that the operator's incident profile cannot be used.
var ErrProfile = errors.New("the incident profile cannot be used")

// Channels returns the channels of the incident profile at the path; none without a path, because the sample's channels
// are not real.
func Channels(path string) (statement.Profile, error) {
	if path == "" {
		return statement.Profile{}, nil
	}
	profile, problems, err := readProfile(path)
	if err == nil && !problems.OK() {
		err = fmt.Errorf("%s: %w", path, problems.List[0])
	}
	if err != nil {
		return statement.Profile{}, fmt.Errorf("%w: %w; correct it, or take the setting incident_profile out", ErrProfile, err)
	}
	channels := statement.Profile{Version: profile.Version}
	for _, c := range profile.IntakeChannels {
		channels.Channels = append(channels.Channels, statement.Channel{Label: c.Label, Audience: c.Audience, Rule: c.Rule})
	}
	return channels, nil
}
