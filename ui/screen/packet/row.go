package packet

import (
	"fmt"
	"regexp"
	"strings"

	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// shown lays out a part row by row; a section with parts held back does not count as seen.
func (p *Screen) shown(of page.Part, s *screen.Scene) part {
	v := &p.CaseFile.View
	one := part{foldable: foldable{key: of.Key, shut: of.Folded}, title: of.Title, sections: of.Of, hidden: of.Held,
		wide: of.Name != views.PartSaid && of.Name != 0}
	facts := of.Facts
	if facts == nil {
		for _, row := range of.Rows {
			facts = append(facts, page.Fact{Row: row})
		}
	}
	rows := make([]pages.Row, len(facts))
	for i := range facts {
		rows[i] = facts[i].Row
		if rows[i].Mark == pages.Bad {
			one.bad++
		}
		one.topics = append(one.topics, topic.OfCodes(v.Area(), rows[i].Codes, v)...)
	}
	if one.count = wording.Plural(len(rows), "row", "rows"); of.Facts == nil {
		one.count = of.State
	}
	one.topics = topic.Unique(one.topics)
	one.build = func(width int) []block {
		labels := widget.Labels(rows, width)
		blocks := make([]block, 0, len(facts))
		for i := range facts {
			for _, b := range p.factBlocks(&facts[i], of.Key, s, labels, width) {
				if len(facts[i].Of) == 0 && len(of.Of) > 0 {
					b.section, b.topics = of.Of[0], p.ruleTopics()
				}
				blocks = append(blocks, b)
			}
		}
		if of.Name == views.PartIntegrity {
			blocks = append(blocks, p.hashBlocks(width)...)
		}
		return p.long(of.Key, blocks, width)
	}
	return one
}

func (p *Screen) ruleTopics() []topic.Topic {
	v := &p.CaseFile.View
	if trigger, known := topic.TriggerOf(v); known {
		return []topic.Topic{{Area: terms.Appeals, Trigger: trigger, View: v, Blind: p.Blind}}
	}
	return topic.OfTransition(v)
}

// hash matches a hash, of which the first digits are enough where another part has it whole.
var hash = regexp.MustCompile(`sha256:([0-9a-f]{12})[0-9a-f]{52}`)

func (p *Screen) factBlocks(fact *page.Fact, key string, s *screen.Scene, labels, width int) []block {
	row, one := fact.Row, block{}
	for i, of := range fact.Of {
		one.topics = append(one.topics, rowTopics(&p.CaseFile.View, of.Row)...)
		if i == 0 {
			one.section = of.Section
		} else if of.Section != one.section {
			one.also = append(one.also, of.Section)
		}
	}
	if len(row.List) > page.FirstOfMany {
		toggle := p.toggleBlock(key+" "+row.Label, len(row.List), one.section, width)
		if toggle.rest {
			row.Value = wording.IDs(row.List[:page.FirstOfMany], page.FirstOfMany) + " …"
		}
		row.Value = wording.Thousands(len(row.List)) + ": " + row.Value
		one.lines, one.list = widget.LabelledRow(&row, widget.Value(&row), labels, width), toggle.list
		return []block{one, toggle}
	}
	if len(fact.Of) > 1 {
		row.Value = hash.ReplaceAllString(row.Value, "$1…")
		for i := range row.Remarks {
			row.Remarks[i].Text = hash.ReplaceAllString(row.Remarks[i].Text, "$1…")
		}
	}
	value := widget.Value(&row)
	if len(fact.Of) > 1 && one.section == views.SectionEffects {
		if one.lines = line.Of(theme.Dim, "· "+row.Label+": "+row.Value).Wrap(width, 2); len(one.lines) > 2 {
			one.lines = line.Of(theme.Dim, "· "+wording.RuledOut(len(fact.Of), len(terms.Effects.All()))).Wrap(width, 2)
		}
		return []block{one}
	}
	if fact.Is(views.LabelDeadline) && row.Value != "" {
		row.Remarks = nil
		value = p.deadline(widget.Value(&row), s)
	}
	one.lines = widget.LabelledRow(&row, value, labels, width)
	return []block{one}
}

func (p *Screen) deadline(value line.Line, s *screen.Scene) line.Line {
	if local := wording.Local(p.CaseFile.Row().Deadline, s.Zone); local != "" {
		value = value.And(theme.Dim, " · ").And(theme.Plain, local)
	}
	return value.And(theme.Plain, "  ").Plus(p.due(s))
}

// hashBlocks are the hashes that a part above shortens.
func (p *Screen) hashBlocks(width int) (blocks []block) {
	for _, of := range p.CaseFile.View.Parts() {
		if of.Name != views.PartChange {
			continue
		}
		for _, row := range of.Rows {
			switch row.Label {
			case views.LabelBefore, views.LabelAfter, views.LabelParentAtLock, views.LabelParentObserved:
				blocks = append(blocks, block{topics: rowTopics(&p.CaseFile.View, row.Row),
					lines: widget.LabelledRow(row.Row, widget.Value(row.Row), len(views.LabelParentObserved), width)})
			}
		}
	}
	return blocks
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
