// Package contractview makes pages of the published contracts, for the console and for the command line.
package contractview

import (
	"fmt"
	"strings"

	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/ui/contractpage"
)

// Pages returns the pages of the published contracts: the three reports with the results of their checks now, the incident profile
// in a file, of which "" is the sample, and the state of the private-overlap pilot.
func Pages(now terms.Instant, profile string) ([]contractpage.Page, error) {
	var pages []contractpage.Page
	for _, kind := range report.Kinds() {
		one, err := report.Of(kind, now)
		if err != nil {
			return nil, fmt.Errorf("the report on %s: %w", kind, err)
		}
		pages = append(pages, ReportPage(&one))
	}
	return append(pages, profilePage(profile), pilotPage()), nil
}

// ReportPage returns the page of a report: its checks, then the contract member by member.
func ReportPage(r *report.Report) contractpage.Page {
	contract := r.Kind.Contract()
	passed := 0
	checks := contractpage.Part{Heading: "Checks"}
	for _, check := range r.Checks {
		entry := contractpage.Entry{Mark: contractpage.Bad, Name: check.ID, Text: check.Label, Notes: []string{check.Evidence}}
		if check.Status == terms.Pass {
			entry.Mark = contractpage.Good
			passed++
		}
		checks.Entries = append(checks.Entries, entry)
	}
	p := contractpage.Page{Name: r.Kind.String(), Title: r.Kind.Title(), Mark: contractpage.Good,
		State: fmt.Sprintf("%d of %d checks pass", passed, len(r.Checks))}
	if !r.Passes() {
		p.Mark = contractpage.Bad
	}
	about := contractpage.Part{Heading: "Contract", Entries: []contractpage.Entry{
		{Name: "version", Text: contract.Version},
		{Name: "validator", Text: contract.ValidatorName + ", " + contract.ValidatorVersion},
		{Name: "checked", Text: r.CheckedAt.String()},
		{Name: "purpose", Text: r.Kind.Purpose()},
	}}
	if claim := r.Kind.PublicNonClaim(); claim != "" {
		about.Entries = append(about.Entries, contractpage.Entry{Name: "not claimed", Text: claim})
	}
	p.Parts = append(p.Parts, about, checks)
	for _, section := range r.Sections() {
		p.Parts = append(p.Parts, sectionOf(section))
	}
	return p
}

// ExaminationPage returns the page of the checks on the report in a file.
func ExaminationPage(file string, e *report.Examination) contractpage.Page {
	page := contractpage.Page{Title: e.Kind.Title(), Mark: contractpage.Good,
		State: fmt.Sprintf("no check fails: %d pass; texts whose wording is not checked: %d", len(e.Pass), len(e.NotChecked))}
	if !e.OK() {
		page.Mark, page.State = contractpage.Bad, fmt.Sprintf("failed checks: %d", len(e.Fail))
	}
	checks := contractpage.Part{Heading: "Checks", Entries: []contractpage.Entry{{Name: "file", Text: file}}}
	for _, id := range e.Pass {
		checks.Entries = append(checks.Entries, contractpage.Entry{Mark: contractpage.Good, Text: "pass " + id})
	}
	for _, check := range e.Fail {
		entry := contractpage.Entry{Mark: contractpage.Bad, Text: "fail " + check.ID}
		for _, problem := range check.Problems {
			entry.Notes = append(entry.Notes, strings.TrimPrefix(problem.Pointer+": ", ": ")+problem.Reason)
		}
		checks.Entries = append(checks.Entries, entry)
	}
	words := contractpage.Part{Heading: "Wording not checked", Entries: []contractpage.Entry{
		{Text: "The contract leaves these sentences to the publisher. Read them: nothing here says whether they are right."}}}
	for _, wording := range e.NotChecked {
		words.Entries = append(words.Entries, contractpage.Entry{Name: wording.Pointer, Notes: []string{wording.Text}})
	}
	page.Parts = []contractpage.Part{checks, words}
	return page
}

func sectionOf(section report.Section) contractpage.Part {
	part := contractpage.Part{Heading: section.Title}
	if section.About != "" {
		part.Entries = append(part.Entries, contractpage.Entry{Notes: []string{section.About}})
	}
	if section.Codes {
		return contractpage.Part{Heading: part.Heading, Entries: append(part.Entries, contractpage.Entry{Text: strings.Join(section.Lines, ", ")})}
	}
	for _, text := range section.Lines {
		part.Entries = append(part.Entries, contractpage.Entry{Text: text})
	}
	return part
}

// pilotPage shows why the pilot is not live and what happens in its place.
func pilotPage() contractpage.Page {
	reviews := contractpage.Part{Heading: "Reviews that production use waits for"}
	for _, review := range overlap.RequiredReviews() {
		reviews.Entries = append(reviews.Entries, contractpage.Entry{Mark: contractpage.Bad, Name: "open", Text: review})
	}
	routes := contractpage.Part{Heading: "Routes, which a service answers with 403 to anybody"}
	for _, route := range overlap.PlannedEndpoints() {
		routes.Entries = append(routes.Entries, contractpage.Entry{Mark: contractpage.Open,
			Name: route.Method + " " + route.Path, Notes: []string{string(route.Status)}})
	}
	rules := contractpage.Part{Heading: "Rules in this state"}
	for _, rule := range overlap.Rules() {
		rules.Entries = append(rules.Entries, contractpage.Entry{Text: rule})
	}
	blockers := contractpage.Part{Heading: "Why a request is blocked"}
	for _, rule := range overlap.BlockerRules() {
		blockers.Entries = append(blockers.Entries, contractpage.Entry{Mark: contractpage.Bad, Name: string(rule.Code),
			Text: rule.Meaning, Notes: []string{rule.Cure}})
	}
	return contractpage.Page{
		Name: "overlap pilot", Title: "Private-overlap pilot", Mark: contractpage.Open,
		State: fmt.Sprintf("not live: %d reviews are open", len(reviews.Entries)),
		Parts: []contractpage.Part{
			{Heading: "State", Entries: []contractpage.Entry{
				{Name: "release state", Text: overlap.ReleaseState},
				{Name: "storage", Text: overlap.StorageState},
				{Name: "live endpoint", Text: "disabled"},
				{Name: "ready to go live", Text: "no"},
				{Name: "meanwhile", Text: overlap.FallbackBehavior},
			}},
			reviews, routes, rules, blockers,
		},
	}
}
