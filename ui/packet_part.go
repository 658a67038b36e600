package ui

import (
	"errors"
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// gatePart is the banner: the gate, and what stands in the way of deciding or has been decided before.
func (p *packetScreen) gatePart(width int) part {
	one := part{name: domain.SectionGate}
	codes := p.dossier.View.Judgment().Blockers()
	if p.gate() == domain.Pass {
		one.title = line.Of(theme.PassSign, " ✓ PASS ").
			And(theme.Dim, "  every rule was asked and none blocks; a human decides")
	} else {
		one.title = line.Of(theme.BadSign, " ✗ BLOCKED ").And(theme.Dim, "  "+plural(len(codes), "blocker holds", "blockers hold"))
	}
	judged := line.Of(theme.Dim, "judged at "+moment(p.dossier.View.EvaluatedAt())+", from what is held here")
	one.blocks = append(one.blocks, judged.Wrap(width, 0))
	if p.dossier.InForce.Present() {
		text := line.Of(theme.Warn, "■ decided: ").And(theme.Plain, "record "+string(p.dossier.InForce)+
			" is in force; a new decision supersedes it")
		one.blocks = append(one.blocks, text.Wrap(width, 2))
	}
	if p.dossier.Skipped != "" {
		text := line.Of(theme.Warn, "↷ skipped: ").And(theme.Plain, p.dossier.Skipped)
		one.blocks = append(one.blocks, text.Wrap(width, 2))
	}
	if p.refusal != "" {
		text := line.Of(theme.Warn, "! not yours to decide: ").And(theme.Plain, p.refusal)
		one.blocks = append(one.blocks, text.Wrap(width, 2))
	}
	if kept := &p.dossier.Draft; kept.Present() {
		text := "a decision on it was begun and is kept; d goes on with it"
		if kept.Revision != p.key().Number {
			text = "a decision was begun on revision " + thousands(int(kept.Revision)) + " and is kept; d goes on with it here"
		}
		one.blocks = append(one.blocks, line.Of(theme.Accent, draftMark+" draft: ").And(theme.Plain, text).Wrap(width, 2))
	}
	return one
}

// blockersPart lists every blocker with what it means and what cures it.
func (p *packetScreen) blockersPart(width int) part {
	v := &p.dossier.View
	codes := v.Judgment().Blockers()
	one := part{name: domain.SectionBlockers, title: heading(domain.SectionTitle(domain.SectionBlockers), width)}
	for _, code := range codes {
		rule, _ := domain.RuleFor(v.Area(), code)
		block := line.Sheet{line.Of(theme.Bad, "✗ "+code.String())}
		block = append(block, line.Of(theme.Plain, "  "+rule.Meaning).Wrap(width, 2)...)
		block = append(block, line.Of(theme.Pass, "  → ").And(theme.Dim, rule.Cure).Wrap(width, 4)...)
		one.blocks = append(one.blocks, block)
	}
	if len(codes) == 0 {
		one.blocks = append(one.blocks, line.Sheet{line.Of(theme.Pass, "✓ ").And(theme.Plain, "none")})
	}
	return one
}

// advisoryPart is what the rules advise on an appeal, or what an amendment protects and holds back.
func (p *packetScreen) advisoryPart(width int) part {
	v := &p.dossier.View
	one := part{name: domain.SectionAdvisory, title: heading(domain.SectionTitle(domain.SectionAdvisory), width)}
	if v.Area() == domain.Amendments {
		one.blocks = boundaryBlocks(v, width)
		return one
	}
	if p.blind {
		one.name = 0 // what is held back has not been seen
		text := line.Of(theme.Plain, "Held back until you have given an outcome of your own.").
			And(theme.Dim, " Deciding asks for it first.")
		one.blocks = append(one.blocks, text.Wrap(width, 0))
		return one
	}
	decision := v.Judgment().Decision()
	first := line.Of(theme.Strong, decision.Outcome.Label()).
		And(theme.Dim, "  "+domain.EffectOf(decision.Outcome).Meaning+" It advises; a human decides.")
	one.blocks = append(one.blocks, first.Wrap(width, 2))
	if asked := v.Judgment().RequestedOutcome(); asked.Present() {
		one.blocks = append(one.blocks, line.Of(theme.Dim, "asked for: ").And(theme.Plain, asked.Label()).Wrap(width, 2))
	}
	factors := line.Of(theme.Dim, "factor codes: ")
	for i, code := range decision.FactorCodes {
		if i > 0 {
			factors = factors.And(theme.Dim, ", ")
		}
		factors = factors.And(theme.Plain, code.String())
	}
	one.blocks = append(one.blocks, factors.Wrap(width, 2),
		bullets("artifacts a reviewer needs", decision.RequiredArtifacts, width),
		bullets("privacy", decision.PrivacyActions, width),
		line.Of(theme.Dim, "scope: ").And(theme.Plain, decision.AppealScopeStatement).Wrap(width, 2))
	return one
}

func boundaryBlocks(v *domain.View, width int) []line.Sheet {
	boundary := v.Judgment().ProtectedBoundary()
	if boundary == "" {
		boundary = "The transition is not known, so every action that any transition guards is held back."
	}
	blocks := []line.Sheet{line.Of(theme.Dim, "protected: ").And(theme.Plain, boundary).Wrap(width, 2)}
	actions := v.Judgment().BlockedTransitions()
	if len(actions) == 0 {
		return append(blocks, line.Of(theme.Pass, "✓ ").And(theme.Plain, "nothing is held back").Wrap(width, 2))
	}
	held := line.Of(theme.Bad, "✗ held back: ")
	for i, action := range actions {
		if i > 0 {
			held = held.And(theme.Dim, ", ")
		}
		held = held.And(theme.Plain, action.Label())
	}
	return append(blocks, held.Wrap(width, 2))
}

// bullets lists sentences under a label.
func bullets(label string, sentences []string, width int) line.Sheet {
	sheet := line.Sheet{line.Of(theme.Dim, label+":")}
	for _, sentence := range sentences {
		sheet = append(sheet, line.Of(theme.Dim, "  · ").And(theme.Plain, sentence).Wrap(width, 4)...)
	}
	return sheet
}

// rulePart is what the policy says about this case's trigger: what it advises, and what it permits.
func (p *packetScreen) rulePart(width int) part {
	v := &p.dossier.View
	policy, record := v.Policy().AppealPolicy(), v.Record().AppealCase()
	if !policy.Held() || !record.Held() {
		return part{}
	}
	rules, trigger := policy.Record().OutcomeRules, record.Record().Trigger
	rule := rules.For(trigger)
	one := part{title: heading("The rule for "+orDash(trigger.Label()), width)}
	if !p.blind {
		advice := line.Of(theme.Dim, "advises ").And(theme.Strong, orDash(rule.Advisory.Label()))
		one.blocks = append(one.blocks, advice.Wrap(width, 2))
	}
	for _, outcome := range rule.Compatible.Words() {
		text := line.Of(theme.Pass, "  ✓ ").And(theme.Plain, outcome.Label()).
			And(theme.Dim, "  "+domain.EffectOf(outcome).Meaning)
		one.blocks = append(one.blocks, text.Wrap(width, 4))
	}
	return one
}

// A bar stands for each category of private members. Its width is the same whatever it hides.
const redactionBar = "████████"

func (p *packetScreen) redactionsPart(width int) part {
	one := part{name: domain.SectionRedactions, title: heading(domain.SectionTitle(domain.SectionRedactions), width)}
	for _, r := range p.dossier.View.Redactions() {
		text := line.Of(theme.Faint, redactionBar).And(theme.Plain, "  "+r.Category.Label()).
			And(theme.Dim, "  "+plural(int(r.Count), "value", "values")+" never kept")
		one.blocks = append(one.blocks, text.Wrap(width, line.Width(redactionBar)+2))
	}
	if len(one.blocks) == 0 {
		one.blocks = append(one.blocks, line.Of(theme.Dim, "The packet came without private members.").Wrap(width, 0))
	}
	return one
}

// historyPart lists the revisions that are held and the records on this one.
func (p *packetScreen) historyPart(width int) part {
	one := part{title: heading("Revisions and records", width)}
	held := line.Of(theme.Dim, "held: ")
	for _, number := range p.dossier.Revisions {
		if number == p.key().Number {
			held = held.And(theme.Accent, "["+thousands(int(number))+"] ")
		} else {
			held = held.And(theme.Plain, thousands(int(number))+" ")
		}
	}
	one.blocks = append(one.blocks, held.Wrap(width, 6))
	if len(p.dossier.Records) == 0 {
		one.blocks = append(one.blocks, line.Of(theme.Dim, "No record on this revision yet.").Wrap(width, 0))
	}
	for i := range p.dossier.Records {
		one.blocks = append(one.blocks, recordBlock(&p.dossier.Records[i], width))
	}
	return one
}

// recordBlock sums up a record on this revision.
func recordBlock(logged *domain.LoggedRecord, width int) line.Sheet {
	if logged.Unreadable != "" {
		return line.Of(theme.Warn, "? record "+thousands(int(logged.Receipt.Sequence))+" cannot be read: ").
			And(theme.Plain, logged.Unreadable).Wrap(width, 2)
	}
	m := logged.Record.Members()
	out := gateMark(m.Gate).And(theme.Plain, " "+orDash(m.Outcome.Label()))
	if m.Area == domain.Amendments {
		out = gateWord(m.Gate)
	}
	out = out.And(theme.Dim, "  "+moment(m.RecordedAt)+" by "+string(m.Reviewer.ID)+", "+string(m.RecordID))
	if logged.SupersededBy.Present() {
		out = out.And(theme.Warn, "  superseded")
	} else {
		out = out.And(theme.Pass, "  in force")
	}
	return out.Wrap(width, 2)
}

// plain is the reason of a refusal, without the words that say that it is one.
func plain(err error) string {
	var refusal *domain.Refusal
	if errors.As(err, &refusal) {
		return refusal.Reason
	}
	return err.Error()
}
