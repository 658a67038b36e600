package packet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

var saidLabels = map[string]string{views.LabelSummary: "summary", views.LabelStanding: "standing", views.LabelAsked: "asks for",
	views.LabelEffects: "effects"}

func (p *Screen) saidPart(of views.Part, s *screen.Scene) part {
	one := p.rowsPart(of, nil)
	rows := slices.Clone(of.Rows)
	for i := range rows {
		if short, is := saidLabels[rows[i].Label]; is {
			renamed := *rows[i].Row
			renamed.Label = short
			rows[i].Row = &renamed
		}
	}
	v := &p.CaseFile.View
	joined := standingAccepted(of.Rows)
	one.build = func(width int) []block {
		labels := labelWidth(rows, width)
		blocks := make([]block, 0, len(rows))
		for i, row := range rows {
			shown := *row.Row
			b := block{section: row.Section, topics: rowTopics(v, of.Rows[i].Row)}
			switch label := of.Rows[i].Label; {
			case label == views.LabelFits, label == views.LabelAccepted && joined:
				continue // shown with the requested outcome, or with the standing
			case label == views.LabelAsked:
				b.lines = p.askedLines(&shown, labels, width)
			case label == views.LabelDeadline:
				b.lines = deadlineLines(&shown, p, s, labels, width)
			default:
				if label == views.LabelStanding && joined {
					shown.Value += ", accepted"
				}
				b.lines = rowLines(&shown, labels, width)
			}
			blocks = append(blocks, b)
		}
		return blocks
	}
	return one
}

func standingAccepted(rows []views.PartRow) bool {
	good := 0
	for _, row := range rows {
		if (row.Label == views.LabelStanding || row.Label == views.LabelAccepted) && row.Mark == views.MarkGood {
			good++
		}
	}
	return good == 2
}

// askedLines is the requested outcome and whether it fits the trigger. The fit reveals the advice, so it may be held back.
func (p *Screen) askedLines(row *views.Row, labels, width int) line.Sheet {
	value := line.Of(theme.Plain, row.Value)
	if fits, known := p.CaseFile.View.RequestFits(); known {
		switch {
		case p.Blind:
			value = value.And(theme.Dim, "  "+wording.FitsHeldBack)
		case fits:
			value = value.And(theme.Pass, "  ✓ ").And(theme.Dim, wording.Fits)
		default:
			value = value.And(theme.Warn, "  ! ").And(theme.Plain, wording.FitsNot)
		}
	}
	sheet, _ := widget.Pair(line.Of(theme.Dim, "· "), row.Label, value, labels, width)
	return sheet
}

func deadlineLines(row *views.Row, p *Screen, s *screen.Scene, labels, width int) line.Sheet {
	of := p.CaseFile.Row()
	if !of.Deadline.Present() {
		return rowLines(row, labels, width)
	}
	role := theme.Plain
	if row.Mark == views.MarkBad {
		role = theme.Bad
	}
	value := line.Of(role, row.Value)
	if local := wording.Local(of.Deadline, s.Zone); local != "" {
		value = value.And(theme.Dim, " · ").And(theme.Plain, local)
	}
	return coded(row.Mark, row.Label, value.And(theme.Plain, "  ").Plus(p.due(s)), row.Codes, labels, width)
}

const shortHash = 12

func short(h terms.Hash) string {
	text := strings.TrimPrefix(h.String(), "sha256:")
	if text == "" {
		return "absent"
	}
	return text[:min(shortHash, len(text))] + "…"
}

func (p *Screen) changePart(of views.Part) part {
	v := &p.CaseFile.View
	one := p.rowsPart(of, nil)
	one.wide = true
	one.build = func(width int) []block {
		g := glance{v: v, width: width, left: slices.Clone(of.Rows), labels: len("changed terms")}
		g.pair("change", func(rows []views.PartRow) line.Line {
			return line.Of(theme.Strong, rows[0].Value).And(theme.Dim, ": ").And(theme.Plain, rows[1].Value)
		}, true, views.LabelTransition, views.LabelChangedTerms)
		g.pair("terms", func([]views.PartRow) line.Line {
			before, after := v.TermsChange()
			return line.Of(theme.Dim, short(before)).And(theme.Accent, " → ").And(theme.Plain, short(after))
		}, false, views.LabelBefore, views.LabelAfter)
		g.pair("parent record", func(rows []views.PartRow) line.Line {
			return parentLine(v).And(theme.Dim, "  baseline verified: ").And(theme.Plain, rows[2].Value)
		}, true, views.LabelParentAtLock, views.LabelParentObserved, views.LabelBaseline)
		g.pair("parent record", func([]views.PartRow) line.Line { return parentLine(v) }, false, views.LabelParentAtLock, views.LabelParentObserved)
		for _, row := range g.left {
			g.blocks = append(g.blocks, p.rowBlocks(row, of.Name.String(), g.labels, width)...)
		}
		return g.blocks
	}
	return one
}

type glance struct {
	v             *views.View
	width, labels int
	left          []views.PartRow // those that are in no line yet
	blocks        []block
}

// pair puts rows into one line, if all are still left and, where good is set, meet the rules.
func (g *glance) pair(label string, value func([]views.PartRow) line.Line, good bool, labels ...string) {
	var rows []views.PartRow
	var codes []terms.Blocker
	worst := views.MarkNone
	for _, wanted := range labels {
		at := slices.IndexFunc(g.left, func(row views.PartRow) bool { return row.Label == wanted })
		if at < 0 || good && g.left[at].Mark == views.MarkBad {
			return
		}
		rows, worst = append(rows, g.left[at]), max(worst, g.left[at].Mark)
		for _, code := range g.left[at].Codes {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	g.left = slices.DeleteFunc(g.left, func(row views.PartRow) bool { return slices.Contains(labels, row.Label) })
	b := block{lines: coded(worst, label, value(rows), codes, g.labels, g.width), section: rows[0].Section}
	for _, row := range rows {
		b.topics = append(b.topics, rowTopics(g.v, row.Row)...)
		if row.Section != b.section {
			b.also = append(b.also, row.Section)
		}
	}
	g.blocks = append(g.blocks, b)
}

func parentLine(v *views.View) line.Line {
	state, atLock, observed := v.Parent()
	switch state {
	case views.ParentSame:
		return line.Of(theme.Plain, wording.ParentSame).And(theme.Pass, " ✓ ").And(theme.Dim, short(atLock))
	case views.ParentDiffers:
		return line.Of(theme.Bad, wording.ParentDiffers+" ✗ ").And(theme.Dim, fmt.Sprintf("%s at lock, ", short(atLock))).And(theme.Plain, fmt.Sprintf("%s now",
			short(observed)))
	}
	return line.Of(theme.Warn, wording.ParentUnknown+" ").And(theme.Dim, fmt.Sprintf("%s at lock, %s now", short(atLock), short(observed)))
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

func (p *Screen) effectsPart(of views.Part) part {
	v := &p.CaseFile.View
	one := p.rowsPart(of, nil)
	one.wide = true
	one.build = func(width int) []block {
		consents := v.EffectConsents()
		labels := len("confirmations")
		for _, effect := range consents {
			if effect.Has || effect.Mark == views.MarkBad {
				labels = max(labels, line.Width(effect.Label))
			}
		}
		g := glance{v: v, width: width, labels: min(labels, width/2-4)}
		for _, row := range of.Rows {
			if row.Section != views.SectionEffects {
				g.left = append(g.left, row)
			}
		}
		if !slices.ContainsFunc(g.left, func(row views.PartRow) bool { return len(row.List) > page.Few }) {
			g.pair("confirmations", func(rows []views.PartRow) line.Line {
				if rows[0].Value == terms.ConfirmationNotRequired.Label() && rows[1].Value == "" {
					return line.Of(theme.Plain, "none needed at this stage")
				}
				return line.Of(theme.Plain, widget.OrAbsent(rows[0].Value)).And(theme.Dim, " · required from ").And(theme.Plain, wording.OrNone(rows[1].Value))
			}, false, views.LabelConfirmation, views.LabelRequired)
		}
		for _, row := range g.left {
			g.blocks = append(g.blocks, p.rowBlocks(row, of.Name.String(), g.labels, width)...)
		}
		blocks := g.blocks
		without, count := "", 0
		for _, effect := range consents {
			if !effect.Has && effect.Mark != views.MarkBad {
				without, count = without+", "+effect.Label, count+1
				continue
			}
			blocks = append(blocks, effectBlock(v, &effect, g.labels, width))
		}
		if without != "" {
			lines := line.Of(theme.Dim, fmt.Sprintf("· no effect on: %s", without[2:])).Wrap(width, 2)
			if len(lines) > 2 {
				lines = line.Of(theme.Dim, "· "+wording.RuledOut(count, len(consents))).Wrap(width, 2)
			}
			blocks = append(blocks, block{lines: lines, section: views.SectionEffects})
		}
		return blocks
	}
	return one
}

func effectBlock(v *views.View, effect *views.EffectConsent, labels, width int) block {
	said := cmp.Or(effect.Value, "not said")
	value := line.Of(theme.Plain, said).Pad(max(line.Width(said), 3)).And(theme.Dim, "  ")
	if len(effect.Confirmed) > 0 {
		value = value.And(theme.Pass, "✓ ").And(theme.Plain, wording.IDs(effect.Confirmed, page.Few)).And(theme.Dim, "  ")
	}
	if len(effect.Lacking) > 0 {
		value = value.And(theme.Bad, "✗ ").And(theme.Dim, fmt.Sprintf("not %s", wording.IDs(effect.Lacking, page.Few)))
	}
	if len(effect.Confirmed)+len(effect.Lacking) == 0 {
		value = value.And(theme.Dim, "no party is named to confirm it")
	}
	return block{lines: coded(effect.Mark, effect.Label, value, effect.Codes, labels, width), section: views.SectionEffects,
		topics: rowTopics(v, effect.Row)}
}
