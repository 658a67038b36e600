package packet

import (
	"slices"
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// sectionPart lays out a section of the view: labels, values and how each stands with the rules. One of which something
// is held back does not count as seen.
func sectionPart(v *domain.View, section domain.Section, blind bool) part {
	bad := 0
	for i := range section.Rows {
		if section.Rows[i].Mark == domain.MarkBad {
			bad++
		}
	}
	one := namedPart(section.Name, wording.Plural(len(section.Rows), "row", "rows"), bad)
	section.Rows = slices.Clone(section.Rows) // the view keeps its own
	for i := range section.Rows {
		if section.Rows[i].Advice && blind {
			section.Rows[i].Value, one.name = heldBack, 0
		}
		one.topics = append(one.topics, topic.OfCodes(v.Area(), section.Rows[i].Codes, v)...)
	}
	one.topics = topic.Once(one.topics)
	one.build = func(width int) []block {
		labels := 0
		for i := range section.Rows {
			if size := line.Width(section.Rows[i].Label); size <= min(width/2-4, 26) {
				labels = max(labels, size)
			}
		}
		blocks := make([]block, len(section.Rows))
		for i := range section.Rows {
			row := &section.Rows[i]
			blocks[i] = block{lines: rowLines(row, labels, width), topics: rowTopics(v, row)}
		}
		return blocks
	}
	return one
}

// rowTopics are the blockers that hold because of a row, and the trigger or transition that it names.
func rowTopics(v *domain.View, row *domain.Row) []topic.Topic {
	topics := topic.OfCodes(v.Area(), row.Codes, v)
	if trigger, known := topic.TriggerOf(v); known && row.Label == "trigger" {
		topics = append(topics, topic.Topic{Area: domain.Appeals, Trigger: trigger, View: v})
	}
	if row.Label == "transition" {
		topics = append(topics, topic.OfTransition(v)...)
	}
	if name, is := strings.CutPrefix(row.Label, "rule: "); is {
		for _, trigger := range domain.Triggers.All() {
			if trigger.Label() == name {
				topics = append(topics, topic.Topic{Area: domain.Appeals, Trigger: trigger, View: v})
			}
		}
	}
	return topics
}

// rowLines lays out one row: mark, label, value, and the codes that hold because of it.
func rowLines(row *domain.Row, labels, width int) line.Sheet {
	mark, role := line.Of(theme.Dim, "· "), theme.Plain
	switch row.Mark {
	case domain.MarkGood:
		mark = line.Of(theme.Pass, "✓ ")
	case domain.MarkBad:
		mark, role = line.Of(theme.Bad, "✗ "), theme.Bad
	}
	value := line.Of(role, row.Value)
	if slices.Contains(row.Codes, domain.PrivateDetailsUnredacted) && strings.HasPrefix(row.Value, "[masked: ") {
		value = line.Of(theme.Faint, redactionBar).And(theme.Plain, " ").Plus(value)
	}
	if row.Value == "" {
		value = line.Of(theme.Dim, "absent")
		if row.Mark == domain.MarkBad {
			value = line.Of(theme.Bad, "absent")
		}
	}
	sheet, indent := widget.Pair(mark, row.Label, value, labels, width)
	if len(row.Codes) > 0 {
		codes := line.Of(theme.Plain, widget.Spaces(indent)).And(theme.Bad, "↳ ")
		for i, code := range row.Codes {
			if i > 0 {
				codes = codes.And(theme.Dim, ", ")
			}
			codes = codes.And(theme.Dim, code.String())
		}
		sheet = append(sheet, codes.Wrap(width, indent+2)...)
	}
	return sheet
}
