package packet

import (
	"fmt"
	"strings"

	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"
)

// factsPart lays out a part of the view fact by fact, those of several rows and those with a remark in their own way.
func (p *Screen) factsPart(of views.Part, s *screen.Scene) part {
	one := p.rowsPart(of, nil)
	one.wide = of.Name != views.PartSaid
	one.build = func(width int) (blocks []block) {
		facts := page.Facts(p.CaseFile, &of, page.Reader{Now: s.Now, Zone: s.Zone, Blind: p.Blind})
		labels := factLabels(facts, width)
		for i := range facts {
			blocks = append(blocks, p.factBlocks(&facts[i], of.Name, s, labels, width)...)
		}
		return blocks
	}
	return one
}

func factLabels(facts []page.Fact, width int) (labels int) {
	for i := range facts {
		if size := line.Width(facts[i].Label); size <= min(width/2-4, 28) {
			labels = max(labels, size)
		}
	}
	return labels
}

func (p *Screen) factBlocks(fact *page.Fact, of views.PartName, s *screen.Scene, labels, width int) []block {
	v, value := &p.CaseFile.View, line.Line(nil)
	switch {
	case fact.Is(views.LabelAsked):
		value = p.asked(fact)
	case fact.Is(views.LabelDeadline) && fact.Value != "":
		value = p.deadline(fact, s)
	case fact.Joins(views.LabelTransition):
		value = line.Of(theme.Strong, fact.Of[0].Value).And(theme.Dim, ": ").And(theme.Plain, fact.Of[1].Value)
	case fact.Joins(views.LabelBefore):
		before, after := v.TermsChange()
		value = line.Of(theme.Dim, short(before)).And(theme.Accent, " → ").And(theme.Plain, short(after))
	case fact.Joins(views.LabelParentAtLock):
		value = parent(fact, v)
	case fact.Consent != nil:
		value = consented(fact)
	case fact.Of[0].Section == views.SectionEffects:
		return []block{withoutEffect(fact, width)}
	case len(fact.Of) == 1 && of != views.PartSaid:
		return p.rowBlocks(fact.Of[0], of.String(), labels, width)
	}
	one := block{section: fact.Of[0].Section}
	if one.lines = rowLines(fact.Row, labels, width); value != nil {
		one.lines = coded(fact.Mark, fact.Label, value, fact.Codes, labels, width)
	}
	for _, row := range fact.Of {
		one.topics = append(one.topics, rowTopics(v, row.Row)...)
		if row.Section != one.section {
			one.also = append(one.also, row.Section)
		}
	}
	return []block{one}
}

// asked is the requested outcome and whether it fits the trigger. The fit reveals the advice, so it may be held back.
func (p *Screen) asked(fact *page.Fact) line.Line {
	value := line.Of(theme.Plain, fact.Value)
	switch fits, known := p.CaseFile.View.RequestFits(); {
	case !known:
		return value
	case p.Blind:
		return value.And(theme.Dim, "  "+fact.Remark)
	case fits:
		return value.And(theme.Pass, "  ✓ ").And(theme.Dim, fact.Remark)
	}
	return value.And(theme.Warn, "  ! ").And(theme.Plain, fact.Remark)
}

func (p *Screen) deadline(fact *page.Fact, s *screen.Scene) line.Line {
	role := theme.Plain
	if fact.Mark == pages.Bad {
		role = theme.Bad
	}
	value := line.Of(role, fact.Value)
	if local := wording.Local(p.CaseFile.Row().Deadline, s.Zone); local != "" {
		value = value.And(theme.Dim, " · ").And(theme.Plain, local)
	}
	return value.And(theme.Plain, "  ").Plus(p.due(s))
}

const shortHash = 12

func short(h terms.Hash) string {
	text := strings.TrimPrefix(h.String(), "sha256:")
	if text == "" {
		return "absent"
	}
	return text[:min(shortHash, len(text))] + "…"
}

func parent(fact *page.Fact, v *views.View) line.Line {
	state, atLock, observed := v.Parent()
	var value line.Line
	switch state {
	case views.ParentSame:
		value = line.Of(theme.Plain, wording.ParentSame).And(theme.Pass, " ✓ ").And(theme.Dim, short(atLock))
	case views.ParentDiffers:
		value = line.Of(theme.Bad, wording.ParentDiffers+" ✗ ").And(theme.Dim, short(atLock)+" at lock, ").
			And(theme.Plain, short(observed)+" now")
	default:
		value = line.Of(theme.Warn, wording.ParentUnknown+" ").And(theme.Dim, short(atLock)+" at lock, "+short(observed)+" now")
	}
	if len(fact.Of) > 2 {
		value = value.And(theme.Dim, "  "+views.LabelBaseline+": ").And(theme.Plain, fact.Of[2].Value)
	}
	return value
}

func (p *Screen) hashBlocks(width int) []block {
	var blocks []block
	for _, of := range p.CaseFile.View.Parts() {
		if of.Name != views.PartChange {
			continue
		}
		labels := labelWidth(of.Rows, width)
		for _, row := range of.Rows {
			switch row.Label {
			case views.LabelBefore, views.LabelAfter, views.LabelParentAtLock, views.LabelParentObserved:
				blocks = append(blocks, block{lines: rowLines(row.Row, labels, width), topics: rowTopics(&p.CaseFile.View, row.Row)})
			}
		}
	}
	return blocks
}

// consented is what is said of an effect and who has confirmed it.
func consented(fact *page.Fact) line.Line {
	effect := fact.Consent
	value := line.Of(theme.Plain, fact.Value).Pad(max(line.Width(fact.Value), 3)).And(theme.Dim, "  ")
	if len(effect.Confirmed) > 0 {
		value = value.And(theme.Pass, "✓ ").And(theme.Plain, wording.IDs(effect.Confirmed, page.Few)).And(theme.Dim, "  ")
	}
	if len(effect.Lacking) > 0 {
		value = value.And(theme.Bad, "✗ ").And(theme.Dim, fmt.Sprintf("not %s", wording.IDs(effect.Lacking, page.Few)))
	}
	if len(effect.Confirmed)+len(effect.Lacking) == 0 {
		value = value.And(theme.Dim, fact.Remark)
	}
	return value
}

func withoutEffect(fact *page.Fact, width int) block {
	lines := line.Of(theme.Dim, "· "+fact.Label+": "+fact.Value).Wrap(width, 2)
	if len(lines) > 2 {
		lines = line.Of(theme.Dim, "· "+wording.RuledOut(len(fact.Of), len(terms.Effects.All()))).Wrap(width, 2)
	}
	return block{lines: lines, section: views.SectionEffects}
}
