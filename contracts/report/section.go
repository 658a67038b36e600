package report

import (
	"strings"
	"unicode"

	"docket/domain/json"
)

// A Section is one member of a contract body for reading.
type Section struct {
	Name  string   // the member's name, such as appealCaseStatuses
	Title string   // the same in words, such as "Appeal case statuses"
	About string   // what it is, in one sentence
	Codes bool     // the lines are codes, which may be shown side by side
	Lines []string // one for each entry or nested member, as "name: text"; those of one entry after its first are indented
}

// Sections are the body for reading: one section a member, in the order of the source.
func (r Report) Sections() []Section {
	v := r.Kind.builtin().root.Member(bodyMember)
	about, _ := parsed(Schema(r.Kind))
	about = about.Member("properties").Member(bodyMember).Member("properties")
	var list []Section
	for _, member := range entries(v) {
		lines := sectionLines(member, "")
		codes := member.Kind() == json.KindArray
		for _, line := range lines {
			codes = codes && !strings.Contains(line, " ")
		}
		list = append(list, Section{Name: member.Name(), Title: inWords(member.Name()),
			About: about.Member(member.Name()).Member("description").Text(), Codes: codes, Lines: lines})
	}
	return list
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
