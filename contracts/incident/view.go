package incident

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"docket/domain/visible"
)

// A View is a profile laid out for drawing. Every text in it is safe to print: masked where it held private details,
// and with hostile characters as visible escapes.
type View struct {
	Version  string
	Purpose  string
	Sections []Section
}

// A Section is a part of the view: entries one below the other, or a matrix.
type Section struct {
	Title   string
	Entries []Entry
	Matrix  *Matrix // nil but for the section that says which phase serves which severity
}

// An Entry is one item of a section. Name and Key are "" for a plain text.
type Entry struct {
	Name  string // its label
	Key   string
	Text  string // a rule, a summary or the whole entry; "" for none
	Facts []Fact // short, to be drawn beside their names
	Lists []List // to be drawn item by item
}

// A Fact is a short value with its name.
type Fact struct{ Name, Value string }

// A List is several texts under a name.
type List struct {
	Name  string
	Items []string
}

// A Matrix says for each row and column whether they go together.
type Matrix struct {
	Columns []string // keys of the severity levels
	Rows    []MatrixRow
}

// A MatrixRow has one mark a column.
type MatrixRow struct {
	Name  string // label of the phase
	Key   string
	Marks []bool
}

// Lay lays a profile out, in the order of the source's fields, with the matrix of phases and severities after the phases.
func Lay(p *Profile) View {
	v := View{Version: visible.String(p.Version), Purpose: visible.String(p.Purpose)}
	v.Sections = []Section{
		section("Severity levels", p.SeverityLevels, func(s *Severity) Entry {
			return Entry{Name: s.Label, Key: s.Key, Text: s.PublicSummary, Facts: []Fact{
				{"respond within", HoursText(s.ResponseHours)}, {"notify within", HoursText(s.NotificationHours)}}}
		}),
		section("Response phases", p.ResponsePhases, func(p *Phase) Entry { return Entry{Name: p.Label, Key: p.Key, Text: p.Rule} }),
		{Title: "Which phase serves which severity", Matrix: matrix(p)},
		section("Intake channels", p.IntakeChannels, func(c *Channel) Entry {
			return Entry{Name: c.Label, Key: c.Key, Text: c.Rule, Facts: []Fact{{"audience", c.Audience}}}
		}),
		section("Incident categories", p.IncidentCategories, func(c *Category) Entry {
			return Entry{Name: c.Label, Key: c.Key, Facts: []Fact{{"owner", c.Owner}}, Lists: []List{{"examples", c.Examples}}}
		}),
		section("Disclosure rules", p.DisclosureRules, func(d *DisclosureRule) Entry {
			return Entry{Name: d.Label, Key: d.Key, Text: d.Rule}
		}),
		section("Readiness gates", p.ReadinessGates, func(g *Gate) Entry {
			return Entry{Name: g.Label, Key: g.Key, Text: g.Rule, Lists: []List{{"requires", g.Requires}}}
		}),
		section("What is not claimed in public", p.PublicNonClaims, func(s *string) Entry { return Entry{Text: *s} }),
		section("Incident tests", p.IncidentTests, func(s *string) Entry { return Entry{Text: *s} }),
	}
	return v
}

func section[O any](title string, items []O, entry func(*O) Entry) Section {
	s := Section{Title: title}
	for i := range items {
		e := entry(&items[i])
		e.Name, e.Key, e.Text = visible.String(e.Name), visible.String(e.Key), visible.String(e.Text)
		for j := range e.Facts {
			e.Facts[j].Value = visible.String(e.Facts[j].Value)
		}
		for j := range e.Lists {
			e.Lists[j].Items = allVisible(e.Lists[j].Items)
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

func allVisible(texts []string) []string {
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = visible.String(text)
	}
	return shown
}

func matrix(p *Profile) *Matrix {
	m := &Matrix{}
	for i := range p.SeverityLevels {
		m.Columns = append(m.Columns, visible.String(p.SeverityLevels[i].Key))
	}
	for i := range p.ResponsePhases {
		phase := &p.ResponsePhases[i]
		row := MatrixRow{Name: visible.String(phase.Label), Key: visible.String(phase.Key)}
		for j := range p.SeverityLevels {
			row.Marks = append(row.Marks, slices.Contains(phase.RequiredForSeverity, p.SeverityLevels[j].Key))
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// Title is one line that names the profile.
func (v *View) Title() string {
	return strings.TrimSpace(fmt.Sprintf("Incident response profile %s", v.Version))
}

const secondsPerDay = 24 * 60 * 60

// timeUnits are those of less than a day, the largest first.
var timeUnits = [...]struct {
	seconds int
	letter  string
}{{3600, "h"}, {60, "m"}, {1, "s"}}

// HoursText writes a number of hours for reading: 36 is "1d 12h", 0.5 is "30m". A fraction of a second is rounded, and the text
// is marked with "~"; less than half a second is "<1s".
func HoursText(hours float64) string {
	if !(hours > 0) || math.IsInf(hours, 0) {
		return ""
	}
	days := math.Floor(hours / 24)
	exact := (hours - days*24) * 3600
	seconds := int(math.Round(exact))
	if seconds == secondsPerDay {
		days, seconds = days+1, 0
	}
	var parts []string
	if days > 0 {
		parts = append(parts, strconv.FormatFloat(days, 'f', -1, 64)+"d")
	}
	for _, unit := range timeUnits {
		if count := seconds / unit.seconds; count > 0 {
			parts = append(parts, strconv.Itoa(count)+unit.letter)
			seconds %= unit.seconds
		}
	}
	switch {
	case len(parts) == 0:
		return "<1s"
	case math.Abs(exact-math.Round(exact)) > 1e-6:
		return "~" + strings.Join(parts, " ")
	}
	return strings.Join(parts, " ")
}
