// Package contractview makes pages of the published contracts, for the console and for the command
// line.
package contractview

import (
	"fmt"

	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/pages"
	"docket/domain/terms"
)

// Pages returns the pages of the published contracts: the three reports with the results of their
// checks now, the incident profile in a file, of which "" is the sample, and the state of the
// private-overlap pilot.
func Pages(now terms.Instant, profile string) ([]pages.Page, error) {
	var list []pages.Page
	for _, kind := range report.Kinds() {
		one, err := report.Of(kind, now)
		if err != nil {
			return nil, fmt.Errorf("the report on %s: %w", kind, err)
		}
		list = append(list, one.Page())
	}
	return append(list, profilePage(profile), pilotPage()), nil
}

// pilotPage shows why the pilot is not live and what happens in its place.
func pilotPage() pages.Page {
	reviews := pages.Part{Title: "Reviews that production use waits for"}
	for _, review := range overlap.RequiredReviews() {
		reviews.Rows = append(reviews.Rows, pages.Row{Mark: pages.Bad, Label: "open", Value: review})
	}
	routes := pages.Part{Title: "Routes, which a service answers with 403 to anybody"}
	for _, route := range overlap.PlannedEndpoints() {
		routes.Rows = append(routes.Rows, pages.Row{Mark: pages.Open,
			Label: route.Method + " " + route.Path, Value: string(route.Status)})
	}
	rules := pages.Part{Title: "Rules in this state"}
	for _, rule := range overlap.Rules() {
		rules.Rows = append(rules.Rows, pages.Row{Value: rule})
	}
	blockers := pages.Part{Title: "Why a request is blocked"}
	for _, rule := range overlap.BlockerRules() {
		blockers.Rows = append(blockers.Rows, pages.Row{Mark: pages.Bad, Label: string(rule.Code),
			Value: rule.Meaning, Notes: []string{rule.Cure}})
	}
	return pages.Page{
		Name: "overlap pilot", Title: "Private-overlap pilot", Mark: pages.Open,
		State: fmt.Sprintf("not live: %d reviews are open", len(reviews.Rows)),
		Parts: []pages.Part{
			{Title: "State", Rows: []pages.Row{
				{Label: "release state", Value: overlap.ReleaseState},
				{Label: "storage", Value: overlap.StorageState},
				{Label: "live endpoint", Value: "disabled"},
				{Label: "ready to go live", Value: "no"},
				{Label: "meanwhile", Value: overlap.FallbackBehavior},
			}},
			reviews, routes, rules, blockers,
		},
	}
}
