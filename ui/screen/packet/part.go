package packet

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// parts gives those that lead elsewhere, or that time moves, a layout of their own.
func (p *Screen) parts(s *screen.Scene, refusal string, width int) []part {
	v := &p.CaseFile.View
	parts := []part{p.gatePart(refusal, p.onlyBlocks(s), width)}
	if len(v.Evaluation().Blockers()) > 0 {
		parts = append(parts, p.blockersPart())
	}
	parts = append(parts, p.standingPart())
	for _, of := range page.Packet(p.CaseFile, page.Reader{Now: s.Now, Zone: s.Zone, Blind: p.Blind})[1:] {
		switch {
		case of.Key == page.Timeline:
			parts = append(parts, p.timelinePart(s.Now))
		case p.preview && (of.Name == 0 || !of.Name.Previewed()):
		case of.Key == page.Related:
			parts = append(parts, p.relatedPart(of, s))
		case of.Key == page.Records:
			parts = append(parts, p.recordsPart())
		case of.Key == views.SectionRedactions.String():
			parts = append(parts, p.redactionsPart())
		default:
			parts = append(parts, p.shown(of, s))
		}
	}
	for i := range parts {
		if p.preview && !parts[i].shut { // one that is folded because it is long stays so
			parts[i].key = ""
		}
	}
	return parts
}

func (p *Screen) gatePart(refusal, only string, width int) part {
	one, v := part{headed: []views.SectionName{views.SectionGate}}, &p.CaseFile.View
	carried := wording.Carried(p.CaseFile)
	sign := gateSign(records.GateWith(v, 0), len(v.Evaluation().Blockers())+len(carried),
		wording.Passed(p.CaseFile, refusal == "" && only == ""))
	if len(v.Evaluation().Blockers()) == 0 {
		one.headed = append(one.headed, views.SectionBlockers)
	}
	evaluated := line.Of(theme.Dim, " · "+wording.Evaluated(v))
	if sign.Width()+evaluated.Width() > width {
		evaluated = line.Of(theme.Dim, " · "+wording.EvaluatedAt(v))
	}
	said := sign.Width()+evaluated.Width() <= width
	if said {
		sign = sign.Plus(evaluated)
	}
	if !p.preview {
		one.sign = line.Of(theme.Strong, page.Asks(v)).Wrap(min(width, widget.ProseWidth), 0)
	}
	one.sign = append(one.sign, sign.Fit(width))
	one.build = func(width int) []block {
		var blocks []block
		if !said {
			blocks = append(blocks, block{lines: line.Of(theme.Dim, wording.Evaluated(v)).Wrap(width, 0), section: views.SectionGate})
		}
		for _, text := range carried {
			blocks = add(blocks, line.Of(theme.Bad, "✗ "), text, width)
		}
		for _, text := range wording.Unanswered(p.CaseFile) {
			blocks = add(blocks, line.Of(theme.Warn, "! "), text, width)
		}
		switch {
		case refusal == wording.Locked, refusal == wording.Unaccepted:
			blocks = add(blocks, line.Of(theme.Warn, "! "), wording.Capital(refusal), width)
		case p.CaseFile.Reassigned > 0:
			blocks = add(blocks, line.Of(theme.Warn, widget.GivenMark+" "+queue.GivenAway+": "), refusal, width)
		default:
			blocks = add(blocks, line.Of(theme.Warn, "! not yours to decide: "), refusal, width)
		}
		if refusal == "" {
			blocks = add(blocks, line.Of(theme.Warn, "! "), only, width)
		}
		return add(blocks, line.Of(theme.Accent, fmt.Sprintf("%s draft: ", widget.DraftMark)), p.draftText(), width)
	}
	return one
}

// add adds a line with its mark, unless it says nothing.
func add(blocks []block, mark line.Line, text string, width int) []block {
	if text == "" {
		return blocks
	}
	return append(blocks, block{lines: mark.And(theme.Plain, text).Wrap(width, 2)})
}

func (p *Screen) standingPart() part {
	return part{bare: true, build: func(width int) (blocks []block) {
		if !p.preview {
			blocks = add(blocks, line.Of(theme.Dim, "· "), page.Advice(&p.CaseFile.View, p.Blind), width)
		}
		if turned := p.CaseFile.Rejected(); turned != nil {
			blocks = append(blocks, block{lines: rejectionSheet(p.CaseFile, width), open: showRecord(turned)})
		}
		standing, inForce := wording.InForce(p.CaseFile)
		blocks = add(blocks, line.Of(theme.Warn, "■ "+standing+": "), inForce, width)
		if p.CaseFile.Decided() {
			blocks = add(blocks, line.Of(theme.Dim, "· reliance: "), wording.Reliance(p.CaseFile.Reliance()), width)
		}
		return add(blocks, line.Of(theme.Warn, "↷ skipped: "), p.CaseFile.Skipped, width)
	}}
}

// onlyBlocks says why the reviewer may only block the packet; "" also if they may not decide.
func (p *Screen) onlyBlocks(s *screen.Scene) string {
	return decision.OnlyBlocks(&p.CaseFile.View, s.Reviewer, 0)
}

// gateSign: blockers is 0 if it is not known which hold; passed is said of a gate that passes.
func gateSign(gate terms.Gate, blockers int, passed string) line.Line {
	switch {
	case gate != terms.Pass && blockers == 0:
		return line.Of(theme.BadSign, " ✗ BLOCKED ")
	case gate != terms.Pass:
		return line.Of(theme.BadSign, " ✗ BLOCKED ").And(theme.Dim, "  "+wording.Plural(blockers, "blocker", "blockers"))
	}
	return line.Of(theme.PassSign, " ✓ PASS ").And(theme.Dim, "  "+passed)
}

func (p *Screen) draftText() string {
	switch kept := &p.CaseFile.Draft; {
	case !kept.Present():
		return ""
	case p.preview: // its key is one of the packet's own screen
		return "begun and saved"
	case p.CaseFile.Reassigned > 0:
		return strings.Join(decision.HeldDraft(p.CaseFile), "; ")
	case kept.Revision != p.Key().Number:
		return fmt.Sprintf("begun on revision %s and saved; %s continues it here", wording.Thousands(int(kept.Revision)), p.keys.decide)
	}
	return fmt.Sprintf("begun and saved; %s continues it", p.keys.decide)
}

func (p *Screen) blockersPart() part {
	v := &p.CaseFile.View
	codes := v.Evaluation().Blockers()
	return part{foldable: foldable{key: views.SectionBlockers.String(), bad: len(codes)}, title: views.SectionTitle(views.SectionBlockers),
		count: wording.Plural(len(codes), "blocker", "blockers"), sections: []views.SectionName{views.SectionBlockers}, wide: true,
		build: func(width int) (blocks []block) {
			for _, code := range codes {
				lines := blockerLines(code, v.Input().Rule(code), width)
				blocks = append(blocks, block{lines: lines, section: views.SectionBlockers,
					topics: topic.OfCodes(v.Area(), []terms.Blocker{code}, v)})
			}
			return blocks
		}}
}

func blockerLines(code terms.Blocker, rule rules.Rule, width int) line.Sheet {
	named := line.Of(theme.Bad, "✗ "+code.String()).And(theme.Plain, "  "+rule.Meaning)
	cure := line.Of(theme.Pass, "→ ").And(theme.Dim, rule.Cure)
	if width < cureBeside {
		return named.And(theme.Plain, " ").Plus(cure).Wrap(width, 2)
	}
	half := (width - cureGap) / 2
	left, right := line.Sheet(named.Wrap(half, 2)), line.Sheet(cure.Wrap(width-half-cureGap, 2))
	sheet := make(line.Sheet, max(len(left), len(right)))
	left, right = left.To(len(sheet)), right.To(len(sheet))
	for i := range sheet {
		sheet[i] = left[i].Pad(half + cureGap).Plus(right[i])
	}
	return sheet
}

const (
	cureBeside = 100
	cureGap    = 3
)

func (p *Screen) redactionsPart() part {
	list := p.CaseFile.View.Redactions()
	return part{foldable: foldable{key: views.SectionRedactions.String()}, title: views.SectionTitle(views.SectionRedactions),
		count: wording.Plural(len(list), "category", "categories"), sections: []views.SectionName{
			views.SectionRedactions}, build: func(width int) []block {
			var blocks []block
			labels := 0
			for _, r := range list {
				labels = max(labels, line.Width(r.Category.Label()))
			}
			for _, r := range list {
				text := line.Of(theme.Faint, widget.RedactionBar).And(theme.Plain, "  ").Plus(line.Of(theme.Plain, r.Category.Label()).Pad(labels)).
					And(theme.Dim, fmt.Sprintf("  %s never kept", wording.Plural(int(r.Count), "value", "values")))
				blocks = append(blocks, block{section: views.SectionRedactions, lines: text.Wrap(width, line.Width(widget.RedactionBar)+2)})
			}
			if len(blocks) == 0 {
				text := line.Of(theme.Dim, wording.NoPrivateMembers)
				blocks = append(blocks, block{section: views.SectionRedactions, lines: text.Wrap(width, 0)})
			}
			return blocks
		}}
}

func rejectionSheet(d *queue.CaseFile, width int) line.Sheet {
	turned := d.Rejected()
	h := &turned.HandIn
	text := line.Of(theme.BadSign, " "+widget.RejectedMark+" "+strings.ToUpper(wording.Rejected)+" ").
		And(theme.Plain, "  "+wording.RejectedBy(d)).
		And(theme.Strong, " "+wording.DecideAgain)
	sheet := line.Sheet(text.Wrap(width, 2))
	for i, change := range h.Changes {
		if i == mostChanges {
			sheet = append(sheet, line.Of(theme.Dim, fmt.Sprintf("  and %s more; the record has them all", wording.Thousands(len(h.Changes)-i))).
				Fit(width))
			break
		}
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, strings.TrimSpace(change)).Wrap(width, 4)...)
	}
	return sheet
}

const mostChanges = 6
