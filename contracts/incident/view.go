package incident

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"docket/domain/pages"
	"docket/domain/visible"
)

// Page lays a profile out in the order of the source's fields, with the severities that each phase
// serves after the phases. Every text in it is safe to print: private details are masked, and
// hostile characters are visible escapes.
func (p *Profile) Page() pages.Page {
	version, purpose := visible.String(p.Version), visible.String(p.Purpose)
	return pages.Page{Name: "incident profile", Title: strings.TrimSpace("Incident response profile " + version), Parts: []pages.Part{
		{Title: "Profile", Rows: []pages.Row{{Label: "version", Value: version}, {Label: "purpose", Value: purpose}}},
		section("Severity levels", p.SeverityLevels, func(s *Severity) pages.Row {
			return pages.Row{Label: labelled(s.Label, s.Key), Value: s.PublicSummary, Notes: []string{
				"respond within: " + HoursText(s.ResponseHours), "notify within: " + HoursText(s.NotificationHours)}}
		}),
		section("Response phases", p.ResponsePhases, func(p *Phase) pages.Row {
			return pages.Row{Label: labelled(p.Label, p.Key), Value: p.Rule}
		}),
		section("Which phase serves which severity", p.ResponsePhases, func(phase *Phase) pages.Row {
			var served []string
			for i := range p.SeverityLevels {
				if key := p.SeverityLevels[i].Key; slices.Contains(phase.RequiredForSeverity, key) {
					served = append(served, key)
				}
			}
			return pages.Row{Label: phase.Label, Value: strings.Join(served, ", ")}
		}),
		section("Intake channels", p.IntakeChannels, func(c *Channel) pages.Row {
			return pages.Row{Label: labelled(c.Label, c.Key), Value: c.Rule, Notes: []string{"audience: " + c.Audience}}
		}),
		section("Incident categories", p.IncidentCategories, func(c *Category) pages.Row {
			return pages.Row{Label: labelled(c.Label, c.Key), Value: "owner: " + c.Owner, Notes: []string{
				"examples: " + strings.Join(c.Examples, "; ")}}
		}),
		section("Disclosure rules", p.DisclosureRules, func(d *DisclosureRule) pages.Row {
			return pages.Row{Label: labelled(d.Label, d.Key), Value: d.Rule}
		}),
		section("Readiness gates", p.ReadinessGates, func(g *Gate) pages.Row {
			return pages.Row{Label: labelled(g.Label, g.Key), Value: g.Rule, Notes: []string{"requires: " + strings.Join(g.Requires, "; ")}}
		}),
		section("What is not claimed in public", p.PublicNonClaims, func(s *string) pages.Row { return pages.Row{Value: *s} }),
		section("Incident tests", p.IncidentTests, func(s *string) pages.Row { return pages.Row{Value: *s} }),
	}}
}

func labelled(label, key string) string { return fmt.Sprintf("%s (%s)", label, key) }

func section[O any](title string, items []O, row func(*O) pages.Row) pages.Part {
	part := pages.Part{Title: title}
	for i := range items {
		r := row(&items[i])
		r.Label, r.Value = visible.String(r.Label), visible.String(r.Value)
		for j := range r.Notes {
			r.Notes[j] = visible.String(r.Notes[j])
		}
		part.Rows = append(part.Rows, r)
	}
	return part
}

const secondsPerDay = 24 * 60 * 60

var timeUnits = [...]struct {
	seconds int
	letter  string
}{{3600, "h"}, {60, "m"}, {1, "s"}}

// HoursText writes hours for reading: 36 is "1d 12h", 0.5 is "30m". A fraction of a second is
// rounded and marked with "~"; less than half a second is "<1s".
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
