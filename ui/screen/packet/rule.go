package packet

import (
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/wording"
	"fmt"
)

func (p *Screen) rulePart() part {
	v := &p.CaseFile.View
	one := part{foldable: foldable{key: "rule"}, title: v.RuleTitle(), sections: []views.SectionName{views.SectionAdvisory}}
	if v.Area() == terms.Amendments {
		held := v.Evaluation().BlockedTransitions()
		one.bad = len(held)
		one.count = wording.Plural(len(held), "action held back", "actions held back")
		one.build = func(width int) []block { return boundaryBlocks(v, width) }
		return one
	}
	trigger, known := topic.TriggerOf(v)
	if p.Blind {
		one.hidden, one.count = one.sections, wording.HeldBack // text that is held back has not been seen
	} else {
		one.count = fmt.Sprintf("advises %s", wording.OrDash(records.Advised(v, 0).Label()))
	}
	one.build = func(width int) []block {
		var topics []topic.Topic
		if known {
			topics = []topic.Topic{{Area: terms.Appeals, Trigger: trigger, View: v, Blind: p.Blind}}
		}
		blocks := []block{{lines: p.adviceLines(width), topics: topics, section: views.SectionAdvisory}}
		for _, lines := range topic.Permitted(v, width) {
			blocks = append(blocks, block{lines: lines, topics: topics, section: views.SectionAdvisory})
		}
		return blocks
	}
	return one
}

func (p *Screen) adviceLines(width int) line.Sheet {
	v := &p.CaseFile.View
	if p.Blind {
		return line.Of(theme.Plain, wording.HeldBackWhy).And(theme.Dim, " "+wording.HeldBackHow).Wrap(width, 0)
	}
	advised := records.Advised(v, 0)
	out := line.Of(theme.Dim, "advised: ").And(theme.Strong, advised.Label()).And(theme.Dim, "  "+views.EffectOf(advised).Meaning+" "+wording.Advises)
	sheet := line.Sheet(out.Wrap(width, 2))
	if rule, held := topic.PolicyRule(v); held && rule.Advisory != advised {
		sheet = append(sheet, line.Of(theme.Dim, wording.PolicyDefault+": ").And(theme.Plain, wording.OrDash(rule.Advisory.Label())).Wrap(width, 2)...)
	}
	return sheet
}

func (p *Screen) needsPart() part {
	v := &p.CaseFile.View
	decision := views.DecisionOf(v.Evaluation())
	count := wording.Plural(len(decision.RequiredArtifacts), "artifact", "artifacts")
	if !p.Blind {
		count += ", " + wording.Plural(len(decision.FactorCodes), "code", "codes")
	}
	return part{foldable: foldable{key: "needs", shut: true}, title: page.NeedsTitle, count: count, build: func(width int) []block {
		blocks := []block{{lines: bullets("artifacts a reviewer needs", decision.RequiredArtifacts, width)},
			{lines: bullets("privacy", decision.PrivacyActions, width)},
			{lines: line.Of(theme.Dim, "scope: ").And(theme.Plain, decision.AppealScopeStatement).Wrap(width, 2)}}
		if p.Blind {
			return blocks // the codes are those of the advised outcome
		}
		factors := listed(line.Of(theme.Dim, "factor codes: "), theme.Plain, decision.FactorCodes, terms.FactorCode.String)
		return append(blocks, block{lines: factors.Wrap(width, 2)})
	}}
}

func listed[W any](out line.Line, role theme.Role, words []W, text func(W) string) line.Line {
	for i, word := range words {
		if i > 0 {
			out = out.And(theme.Dim, ", ")
		}
		out = out.And(role, text(word))
	}
	return out
}

func boundaryBlocks(v *views.View, width int) []block {
	topics := topic.OfTransition(v)
	first := line.Of(theme.Dim, "protected: ").And(theme.Plain, wording.Protected(v)).Wrap(width, 2)
	actions := v.Evaluation().BlockedTransitions()
	held := listed(line.Of(theme.Bad, "✗ held back: "), theme.Plain, actions, terms.GuardedAction.Label)
	if len(actions) == 0 {
		held = line.Of(theme.Pass, "✓ ").And(theme.Plain, "nothing is held back")
	}
	return []block{{lines: first, topics: topics, section: views.SectionAdvisory}, {lines: held.Wrap(width, 2), topics: topics, section: views.SectionAdvisory}}
}

func bullets(label string, sentences []string, width int) line.Sheet {
	sheet := line.Sheet{line.Of(theme.Dim, label+":")}
	for _, sentence := range sentences {
		sheet = append(sheet, line.Of(theme.Dim, "  · ").And(theme.Plain, sentence).Wrap(width, 4)...)
	}
	return sheet
}
