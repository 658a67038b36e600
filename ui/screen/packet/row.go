package packet

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// rowsPart lays out a part of the view row by row: labels, values and whether each meets the rules. A section with parts held back does not count as seen.
func (p *Screen) rowsPart(of views.Part, more func(width int) []block) part {
	v := &p.CaseFile.View
	one := part{foldable: foldable{key: of.Name.String(), bad: of.Bad(), shut: of.Name.Folded()}, title: of.Name.Title(),
		count: wording.Plural(len(of.Rows), "row", "rows")}
	for _, row := range of.Rows {
		if row.Advice && p.Blind {
			one.hidden = append(one.hidden, row.Section)
		}
		one.sections = append(one.sections, row.Section)
		one.topics = append(one.topics, topic.OfCodes(v.Area(), row.Codes, v)...)
	}
	one.topics = topic.Unique(one.topics)
	one.build = func(width int) []block {
		labels := labelWidth(of.Rows, width)
		blocks := make([]block, 0, len(of.Rows))
		for _, row := range of.Rows {
			blocks = append(blocks, p.rowBlocks(row, of.Name.String(), labels, width)...)
		}
		if more != nil {
			blocks = append(blocks, more(width)...)
		}
		return p.long(of.Name.String(), blocks, width)
	}
	return one
}

func labelWidth(rows []views.PartRow, width int) (labels int) {
	for _, row := range rows {
		if size := line.Width(row.Label); size <= min(width/2-4, 28) {
			labels = max(labels, size)
		}
	}
	return labels
}

func (p *Screen) rowBlocks(row views.PartRow, key string, labels, width int) []block {
	v := &p.CaseFile.View
	shown := *row.Row
	if shown.Advice && p.Blind {
		shown.Value = wording.HeldBack
	}
	one := block{topics: rowTopics(v, row.Row), section: row.Section}
	if len(row.List) <= page.FirstOfMany {
		one.lines = rowLines(&shown, labels, width)
		return []block{one}
	}
	toggle := p.toggleBlock(key+" "+row.Label, len(row.List), row.Section, width)
	if toggle.rest {
		shown.Value = wording.IDs(row.List[:page.FirstOfMany], page.FirstOfMany) + " …"
	}
	shown.Value = wording.Thousands(len(row.List)) + ": " + shown.Value
	one.lines, one.list = rowLines(&shown, labels, width), toggle.list
	return []block{one, toggle}
}

func (p *Screen) toggleBlock(list string, count int, section views.SectionName, width int) block {
	text := line.Of(theme.Accent, "▸ ").And(theme.Plain, fmt.Sprintf("%s more",
		wording.Thousands(count-page.FirstOfMany))).And(theme.Dim, fmt.Sprintf(" · %s shows all %s", p.keys.open, wording.Thousands(count)))
	one := block{list: list, section: section, rest: true}
	if p.unfolded[list] || p.entire {
		text = line.Of(theme.Accent, "▾ ").And(theme.Dim, fmt.Sprintf("all %s show · %s shows the first %s only",
			wording.Thousands(count), p.keys.open, wording.Thousands(page.FirstOfMany)))
		one.rest = false
	}
	one.lines = text.Wrap(width, 2)
	return one
}

func (p *Screen) long(key string, blocks []block, width int) []block {
	if len(blocks) <= page.FirstOfMany {
		return blocks
	}
	toggle := p.toggleBlock(key, len(blocks), blocks[0].section, width)
	if toggle.rest {
		blocks = blocks[:page.FirstOfMany:page.FirstOfMany]
	}
	for i := page.FirstOfMany; i < len(blocks); i++ {
		if blocks[i].list == "" {
			blocks[i].list = toggle.list
		}
	}
	return append(blocks, toggle)
}

func rowTopics(v *views.View, row *pages.Row) []topic.Topic {
	topics := topic.OfCodes(v.Area(), row.Codes, v)
	if trigger, known := topic.TriggerOf(v); known && row.Label == views.LabelTrigger {
		topics = append(topics, topic.Topic{Area: terms.Appeals, Trigger: trigger, View: v})
	}
	if row.Label == views.LabelTransition {
		topics = append(topics, topic.OfTransition(v)...)
	}
	if name, is := strings.CutPrefix(row.Label, "rule: "); is {
		for _, trigger := range terms.Triggers.All() {
			if trigger.Label() == name {
				topics = append(topics, topic.Topic{Area: terms.Appeals, Trigger: trigger, View: v})
			}
		}
	}
	return topics
}

func rowLines(row *pages.Row, labels, width int) line.Sheet {
	role := theme.Plain
	if row.Mark == pages.Bad {
		role = theme.Bad
	}
	value := line.Written(role, row.Value)
	if slices.Contains(row.Codes, terms.PrivateDetailsUnredacted) && strings.HasPrefix(row.Value, "[masked: ") {
		value = line.Of(theme.Faint, redactionBar).And(theme.Plain, " ").Plus(value)
	}
	if row.Value == "" {
		if role == theme.Plain {
			role = theme.Dim
		}
		value = line.Of(role, "absent")
	}
	return coded(row.Mark, row.Label, value, row.Codes, labels, width)
}

func markOf(mark pages.Mark) line.Line {
	switch mark {
	case pages.Good:
		return line.Of(theme.Pass, "✓ ")
	case pages.Bad:
		return line.Of(theme.Bad, "✗ ")
	}
	return line.Of(theme.Dim, "· ")
}

// coded lays out a row with the blockers that hold because of it: in its last line where they fit, else below.
func coded(mark pages.Mark, label string, value line.Line, codes []terms.Blocker, labels, width int) line.Sheet {
	sheet, indent := widget.Pair(markOf(mark), label, value, labels, width)
	if len(codes) == 0 {
		return sheet
	}
	out := listed(line.Of(theme.Bad, "↳ "), theme.Dim, codes, terms.Blocker.String)
	if last := len(sheet) - 1; sheet[last].Width()+2+out.Width() <= width {
		sheet[last] = sheet[last].And(theme.Plain, "  ").Plus(out)
		return sheet
	}
	return append(sheet, line.Of(theme.Plain, widget.Spaces(indent)).Plus(out).Wrap(width, indent+2)...)
}
