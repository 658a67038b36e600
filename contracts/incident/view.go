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

// A Section is a part of the view.
type Section struct {
	Title   string
	Entries []Entry
}

// An Entry is one item of a section.
type Entry struct {
	Name  string   // its label with its key; "" for a plain text
	Text  string   // a rule, a summary or the whole entry; "" for none
	Notes []string // a name and a value each
}

// Lay lays a profile out, in the order of the source's fields, with the severities that each phase serves after the phases.
func Lay(p *Profile) View {
	v := View{Version: visible.String(p.Version), Purpose: visible.String(p.Purpose)}
	v.Sections = []Section{
		section("Severity levels", p.SeverityLevels, func(s *Severity) Entry {
			return Entry{labelled(s.Label, s.Key), s.PublicSummary,
				[]string{"respond within: " + HoursText(s.ResponseHours), "notify within: " + HoursText(s.NotificationHours)}}
		}),
		section("Response phases", p.ResponsePhases, func(p *Phase) Entry { return Entry{labelled(p.Label, p.Key), p.Rule, nil} }),
		section("Which phase serves which severity", p.ResponsePhases, func(phase *Phase) Entry {
			var served []string
			for i := range p.SeverityLevels {
				if key := p.SeverityLevels[i].Key; slices.Contains(phase.RequiredForSeverity, key) {
					served = append(served, key)
				}
			}
			return Entry{phase.Label, strings.Join(served, ", "), nil}
		}),
		section("Intake channels", p.IntakeChannels, func(c *Channel) Entry {
			return Entry{labelled(c.Label, c.Key), c.Rule, []string{"audience: " + c.Audience}}
		}),
		section("Incident categories", p.IncidentCategories, func(c *Category) Entry {
			return Entry{labelled(c.Label, c.Key), "", []string{"owner: " + c.Owner, "examples: " + strings.Join(c.Examples, "; ")}}
		}),
		section("Disclosure rules", p.DisclosureRules, func(d *DisclosureRule) Entry {
			return Entry{labelled(d.Label, d.Key), d.Rule, nil}
		}),
		section("Readiness gates", p.ReadinessGates, func(g *Gate) Entry {
			return Entry{labelled(g.Label, g.Key), g.Rule, []string{"requires: " + strings.Join(g.Requires, "; ")}}
		}),
		section("What is not claimed in public", p.PublicNonClaims, func(s *string) Entry { return Entry{Text: *s} }),
		section("Incident tests", p.IncidentTests, func(s *string) Entry { return Entry{Text: *s} }),
	}
	return v
}

func labelled(label, key string) string { return fmt.Sprintf("%s (%s)", label, key) }

func section[O any](title string, items []O, entry func(*O) Entry) Section {
	s := Section{Title: title}
	for i := range items {
		e := entry(&items[i])
		e.Name, e.Text = visible.String(e.Name), visible.String(e.Text)
		for j := range e.Notes {
			e.Notes[j] = visible.String(e.Notes[j])
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

// Title is one line that names the profile.
func (v *View) Title() string {
	return strings.TrimSpace(fmt.Sprintf("Incident response profile %s", v.Version))
}

const secondsPerDay = 24 * 60 * 60

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
