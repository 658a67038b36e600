package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"docket/domain/json"
	"docket/domain/pages"
	"docket/domain/terms"
)

// Page is the report for reading: the contract, its checks, then a part for each member in order.
func (r Report) Page() pages.Page {
	contract, passed := r.Kind.Contract(), 0
	checks := pages.Part{Title: "Checks"}
	for _, check := range r.Checks {
		row := pages.Row{Mark: pages.Bad, Label: check.ID, Value: check.Label, Notes: []string{check.Evidence}}
		if check.Status == terms.Pass {
			row.Mark = pages.Good
			passed++
		}
		checks.Rows = append(checks.Rows, row)
	}
	p := pages.Page{Name: r.Kind.String(), Title: r.Kind.Title(), Mark: pages.Good,
		State: fmt.Sprintf("%d of %d checks pass", passed, len(r.Checks))}
	if !r.Passes() {
		p.Mark = pages.Bad
	}
	about := pages.Part{Title: "Contract", Rows: []pages.Row{
		{Label: "version", Value: contract.Version},
		{Label: "validator", Value: contract.ValidatorName + ", " + contract.ValidatorVersion},
		{Label: "checked", Value: r.CheckedAt.String()},
		{Label: "purpose", Value: r.Kind.Purpose()},
	}}
	if claim := r.Kind.PublicNonClaim(); claim != "" {
		about.Rows = append(about.Rows, pages.Row{Label: "not claimed", Value: claim})
	}
	p.Parts = append(p.Parts, about, checks)
	schema, _ := parsed(Schema(r.Kind))
	members := schema.Member("properties").Member(bodyMember).Member("properties")
	for _, member := range entries(r.Kind.builtin().root.Member(bodyMember)) {
		p.Parts = append(p.Parts, memberPart(member, members.Member(member.Name()).Member("description").Text()))
	}
	return p
}

func memberPart(member json.Value, about string) pages.Part {
	part := pages.Part{Title: inWords(member.Name())}
	if about != "" {
		part.Rows = append(part.Rows, pages.Row{Value: about})
	}
	lines := sectionLines(member, "")
	if member.Kind() == json.KindArray && !slices.ContainsFunc(lines, func(text string) bool { return strings.Contains(text, " ") }) {
		lines = []string{strings.Join(lines, ", ")}
	}
	for _, text := range lines {
		part.Rows = append(part.Rows, pages.Row{Value: text})
	}
	return part
}

// Page is the checks on the report in a file, and what was not checked.
func (e *Examination) Page(file string) pages.Page {
	page := pages.Page{Title: e.Kind.Title(), Mark: pages.Good,
		State: fmt.Sprintf("no check fails: %d pass; texts whose wording is not checked: %d", len(e.Pass), len(e.NotChecked))}
	if !e.OK() {
		page.Mark, page.State = pages.Bad, fmt.Sprintf("failed checks: %d", len(e.Fail))
	}
	checks := pages.Part{Title: "Checks", Rows: []pages.Row{{Label: "file", Value: file}}}
	for _, id := range e.Pass {
		checks.Rows = append(checks.Rows, pages.Row{Mark: pages.Good, Value: "pass " + id})
	}
	for _, check := range e.Fail {
		row := pages.Row{Mark: pages.Bad, Value: "fail " + check.ID}
		for _, problem := range check.Problems {
			row.Notes = append(row.Notes, strings.TrimPrefix(problem.Pointer+": ", ": ")+problem.Reason)
		}
		checks.Rows = append(checks.Rows, row)
	}
	words := pages.Part{Title: "Wording not checked", Rows: []pages.Row{
		{Value: "The contract leaves these sentences to the publisher. Read them: nothing here says whether they are right."}}}
	for _, wording := range e.NotChecked {
		words.Rows = append(words.Rows, pages.Row{Label: wording.Pointer, Value: wording.Text})
	}
	page.Parts = []pages.Part{checks, words}
	return page
}

func sectionLines(v json.Value, label string) []string {
	switch v.Kind() {
	case json.KindString:
		return []string{label + v.Text()}
	case json.KindTrue, json.KindFalse:
		return []string{label + string(v.AppendCanonical(nil, ""))}
	case json.KindObject:
		var lines []string
		for _, member := range entries(v) {
			lines = append(lines, nested(member)...)
		}
		return lines
	}
	var lines []string
	for _, entry := range entries(v) {
		inside := sectionLines(entry, label)
		for i := range inside {
			if i > 0 && entry.Kind() == json.KindObject {
				inside[i] = "  " + inside[i]
			}
		}
		lines = append(lines, inside...)
	}
	return lines
}

// nested is a member within a section: a list of codes stands on one line, sentences on one each.
func nested(member json.Value) []string {
	label := member.Name() + ": "
	if member.Kind() != json.KindArray {
		return sectionLines(member, label)
	}
	lines := sectionLines(member, "")
	if len(lines) == 0 {
		return []string{label + "none"}
	}
	for _, line := range lines {
		if strings.Contains(line, " ") {
			return sectionLines(member, label)
		}
	}
	return []string{label + strings.Join(lines, ", ")}
}

// inWords turns a member's name into words: appealCaseStatuses into "Appeal case statuses".
func inWords(name string) string {
	var out strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			out.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			out.WriteRune(' ')
			out.WriteRune(unicode.ToLower(r))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
