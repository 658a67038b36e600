package packet

import (
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
	"slices"
)

// A Preview is a packet beside its list: the gate, the blockers with their cures, what is said and
// the times, laid out as on the packet's own screen. No part of it counts as seen.
type Preview struct{ packet Screen }

// NewPreview makes the preview of a case file, the advice held back as on its own screen.
func NewPreview(file *queue.CaseFile, s *screen.Scene) *Preview {
	return &Preview{Screen{CaseFile: file, Blind: s.BlindFirst && decision.HoldsBackAdvice(file), preview: true}}
}

// View draws as much of the preview as fits.
func (v *Preview) View(s *screen.Scene) line.Sheet { return cutOff(v.packet.laid(s).sheet, s) }

// Said is what the case says, or the amendment changes, without the deadline and absent members.
func (v *Preview) Said(s *screen.Scene) (sheet line.Sheet) {
	for _, of := range page.Packet(v.packet.CaseFile, page.Reader{Now: s.Now, Zone: s.Zone, Blind: v.packet.Blind}) {
		if of.Name == 0 || of.Name > views.PartChange {
			continue
		}
		of.Facts = slices.DeleteFunc(of.Facts, func(one page.Fact) bool {
			return one.Is(views.LabelDeadline) || one.Value == "" && len(one.Codes) == 0
		})
		for _, block := range v.packet.shown(of, s).build(min(s.Width, packetWidth)) {
			sheet = append(sheet, block.lines...)
		}
	}
	return sheet
}

// Rule is the rule of a blocker with the cure that this packet has.
func (v *Preview) Rule(code terms.Blocker) rules.Rule {
	return v.packet.CaseFile.View.Input().Rule(code)
}

// Topics are the trigger or the transition, then the blockers.
func (v *Preview) Topics() []topic.Topic {
	return topic.Held(topic.RuleFirst(topic.OfView(&v.packet.CaseFile.View)), v.packet.Blind)
}

func cutOff(sheet line.Sheet, s *screen.Scene) line.Sheet {
	return topic.Shortened(sheet, s.Height, s.Key(action.Accept, action.InQueue)+" opens")
}

// Awaited is the preview of a packet that is not read: the data of its row, laid out alike.
func Awaited(row *queue.Row, s *screen.Scene) line.Sheet {
	codes := row.Blockers.List()
	sheet := line.Sheet{gateSign(row.Gate, len(codes), wording.RowPassed(row, s.Reviewer.ID)).Fit(s.Width)}
	switch {
	case row.Unreadable != "":
		sheet = append(sheet, line.Of(theme.Bad, "✗ "+wording.Capital(wording.RowUnreadable)+": ").And(
			theme.Plain, row.Unreadable).Wrap(s.Width, 2)...)
	case row.Skipped != "":
		sheet = append(sheet, line.Of(theme.Warn, "↷ skipped: ").And(theme.Plain, row.Skipped).Wrap(s.Width, 2)...)
	}
	if earlier := wording.EarlierCodes(row); earlier != "" {
		sheet = append(sheet, line.Of(theme.Warn, "! "+earlier).Wrap(s.Width, 2)...)
	}
	if len(codes) > 0 {
		if s.Height >= looseFrom {
			sheet = append(sheet, nil)
		}
		sheet = append(sheet, widget.Heading(views.SectionTitle(views.SectionBlockers), s.Width))
	}
	for _, code := range codes {
		rule, _ := rules.RuleFor(row.Blockers.Area, code)
		sheet = append(sheet, blockerLines(code, rule, min(s.Width, packetWidth))...)
	}
	return cutOff(sheet, s)
}
