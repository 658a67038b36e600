package packet

import (
	"slices"
	"strings"

	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// parts are the sections of the packet, in order. Where the text that applies has no column of its own, it stands among
// them. Hashes and the policy's own data are folded while nothing in them blocks.
func (p *Screen) parts(s *screen.Scene, beside bool, refusal string) []part {
	parts := append([]part{p.gatePart(refusal)}, p.judgmentParts()...)
	if !beside {
		parts = append(parts, p.ruleParts()...)
	}
	var last []part
	for _, section := range p.CaseFile.View.Sections() {
		one := sectionPart(&p.CaseFile.View, section, p.Blind)
		if section.Name == views.SectionPolicy || section.Name == views.SectionIntegrity {
			one.shut = true
			last = append(last, one)
			continue
		}
		parts = append(parts, one)
	}
	parts = append(parts, p.recordsPart(), p.timelinePart(s.Now), p.relatedPart(s))
	return append(append(parts, last...), p.redactionsPart())
}

// judgmentParts are what the rules conclude.
func (p *Screen) judgmentParts() []part { return []part{p.blockersPart(), p.advisoryPart()} }

// gatePart is the banner: the gate, and what stands in the way of deciding or has been decided before.
func (p *Screen) gatePart(refusal string) part {
	one := part{name: views.SectionGate}
	carried := wording.Carried(p.CaseFile)
	count := len(p.CaseFile.View.Evaluation().Blockers()) + len(carried)
	if p.gate() == terms.Pass {
		ready := wording.NoBlockers
		if refusal == "" {
			ready = wording.Ready
		}
		one.sign = line.Of(theme.PassSign, " ✓ PASS ").And(theme.Dim, "  "+ready)
	} else {
		one.sign = line.Of(theme.BadSign, " ✗ BLOCKED ").And(theme.Dim, "  "+wording.Plural(count, "blocker", "blockers"))
	}
	one.build = func(width int) []block {
		text := line.Of(theme.Dim, wording.Evaluated(&p.CaseFile.View))
		blocks := []block{{lines: text.Wrap(width, 0)}}
		add := func(mark line.Line, text string) {
			if text != "" {
				blocks = append(blocks, block{lines: mark.And(theme.Plain, text).Wrap(width, 2)})
			}
		}
		for _, text := range carried {
			add(line.Of(theme.Bad, "✗ "), text)
		}
		if turned := p.CaseFile.Rejected(); turned != nil {
			blocks = append(blocks, block{lines: rejectionSheet(p.CaseFile, width), open: screen.ShowRecord{Logged: turned}})
		}
		standing, inForce := wording.InForce(p.CaseFile)
		add(line.Of(theme.Warn, "■ "+standing+": "), inForce)
		add(line.Of(theme.Warn, "↷ skipped: "), p.CaseFile.Skipped)
		if refusal == wording.Locked {
			add(line.Of(theme.Warn, "! "), wording.Capital(refusal))
		} else {
			add(line.Of(theme.Warn, "! not yours to decide: "), refusal)
		}
		add(line.Of(theme.Accent, widget.DraftMark+" draft: "), p.draftText())
		return blocks
	}
	return one
}

// draftText says that a decision on the case was begun; "" if none was.
func (p *Screen) draftText() string {
	switch kept := &p.CaseFile.Draft; {
	case !kept.Present():
		return ""
	case kept.Revision != p.Key().Number:
		return "a decision was begun on revision " + wording.Thousands(int(kept.Revision)) + " and is kept; d goes on with it here"
	}
	return "a decision on it was begun and is kept; d goes on with it"
}

// heldBack stands where the advice would.
const heldBack = wording.HeldBack

// blockersPart lists every blocker with what it means and what cures it.
func (p *Screen) blockersPart() part {
	v := &p.CaseFile.View
	codes := v.Evaluation().Blockers()
	one := namedPart(views.SectionBlockers, wording.Plural(len(codes), "blocker", "blockers"), len(codes))
	one.build = func(width int) []block {
		var blocks []block
		for _, code := range codes {
			rule, _ := rules.RuleFor(v.Area(), code)
			lines := line.Sheet{line.Of(theme.Bad, "✗ "+code.String())}
			lines = append(lines, line.Of(theme.Plain, "  "+rule.Meaning).Wrap(width, 2)...)
			lines = append(lines, line.Of(theme.Pass, "  → ").And(theme.Dim, rule.Cure).Wrap(width, 4)...)
			blocks = append(blocks, block{lines: lines, topics: []topic.Topic{{Area: v.Area(), Code: code, View: v}}})
		}
		if len(codes) == 0 {
			blocks = append(blocks, block{lines: line.Sheet{line.Of(theme.Pass, "✓ ").And(theme.Plain, "none")}})
		}
		return blocks
	}
	return one
}

// namedPart is the part of a section of the view.
func namedPart(name views.SectionName, count string, bad int) part {
	return part{foldable: foldable{key: name.String(), bad: bad}, name: name, title: views.SectionTitle(name), count: count}
}

// advisoryPart is what the rules advise on an appeal, or what an amendment protects and holds back.
func (p *Screen) advisoryPart() part {
	v := &p.CaseFile.View
	if v.Area() == terms.Amendments {
		held := v.Evaluation().BlockedTransitions()
		one := namedPart(views.SectionAdvisory, wording.Plural(len(held), "action held back", "actions held back"), len(held))
		one.build = func(width int) []block { return boundaryBlocks(v, width) }
		return one
	}
	if p.Blind {
		one := namedPart(views.SectionAdvisory, heldBack, 0)
		one.name = 0 // what is held back has not been seen
		one.build = func(width int) []block {
			text := line.Of(theme.Plain, wording.HeldBackWhy).
				And(theme.Dim, " "+wording.HeldBackHow)
			return []block{{lines: text.Wrap(width, 0)}}
		}
		return one
	}
	decision := views.DecisionOf(v.Evaluation())
	one := namedPart(views.SectionAdvisory, decision.Outcome.Label(), 0)
	one.build = func(width int) []block { return adviceBlocks(v, &decision, width) }
	return one
}

func adviceBlocks(v *views.View, decision *views.Decision, width int) []block {
	var blocks []block
	add := func(lines line.Sheet) { blocks = append(blocks, block{lines: lines}) }
	add(line.Of(theme.Strong, decision.Outcome.Label()).
		And(theme.Dim, "  "+views.EffectOf(decision.Outcome).Meaning+" "+wording.Advises).Wrap(width, 2))
	if asked := v.Evaluation().RequestedOutcome(); asked.Present() {
		add(line.Of(theme.Dim, "asked for: ").And(theme.Plain, asked.Label()).Wrap(width, 2))
	}
	factors := line.Of(theme.Dim, "factor codes: ")
	for i, code := range decision.FactorCodes {
		if i > 0 {
			factors = factors.And(theme.Dim, ", ")
		}
		factors = factors.And(theme.Plain, code.String())
	}
	add(factors.Wrap(width, 2))
	add(bullets("artifacts a reviewer needs", decision.RequiredArtifacts, width))
	add(bullets("privacy", decision.PrivacyActions, width))
	add(line.Of(theme.Dim, "scope: ").And(theme.Plain, decision.AppealScopeStatement).Wrap(width, 2))
	return blocks
}

// boundaryBlocks are what the transition protects and what is held back for it.
func boundaryBlocks(v *views.View, width int) []block {
	topics := topic.OfTransition(v)
	first := line.Of(theme.Dim, "protected: ").And(theme.Plain, wording.Protected(v)).Wrap(width, 2)
	actions := v.Evaluation().BlockedTransitions()
	held := line.Of(theme.Bad, "✗ held back: ")
	for i, action := range actions {
		if i > 0 {
			held = held.And(theme.Dim, ", ")
		}
		held = held.And(theme.Plain, action.Label())
	}
	if len(actions) == 0 {
		held = line.Of(theme.Pass, "✓ ").And(theme.Plain, "nothing is held back")
	}
	return []block{{lines: first, topics: topics}, {lines: held.Wrap(width, 2), topics: topics}}
}

// bullets lists sentences under a label.
func bullets(label string, sentences []string, width int) line.Sheet {
	sheet := line.Sheet{line.Of(theme.Dim, label+":")}
	for _, sentence := range sentences {
		sheet = append(sheet, line.Of(theme.Dim, "  · ").And(theme.Plain, sentence).Wrap(width, 4)...)
	}
	return sheet
}

// ruleParts is what the policy says about this case's trigger, for a window without a column for it.
func (p *Screen) ruleParts() []part {
	v := &p.CaseFile.View
	trigger, known := topic.TriggerOf(v)
	if !known {
		return nil
	}
	rule, _ := topic.PolicyRule(v)
	one := part{foldable: foldable{key: "rule"}, title: "The rule for " + wording.OrDash(trigger.Label())}
	if !p.Blind {
		one.count = "advises " + wording.OrDash(rule.Advisory.Label())
	}
	one.build = func(width int) []block {
		about := topic.Topic{Area: terms.Appeals, Trigger: trigger, View: v, Blind: p.Blind}
		return []block{{lines: topic.RuleLines(v, width, p.Blind), topics: []topic.Topic{about}}}
	}
	return []part{one}
}

// A bar stands for each category of private members. Its width says nothing of what it hides.
const redactionBar = "████████"

func (p *Screen) redactionsPart() part {
	list := p.CaseFile.View.Redactions()
	one := namedPart(views.SectionRedactions, wording.Plural(len(list), "category", "categories"), 0)
	one.build = func(width int) []block {
		var blocks []block
		labels := 0
		for _, r := range list {
			labels = max(labels, line.Width(r.Category.Label()))
		}
		for _, r := range list {
			text := line.Of(theme.Faint, redactionBar).And(theme.Plain, "  ").Plus(line.Of(theme.Plain, r.Category.Label()).Pad(labels)).
				And(theme.Dim, "  "+wording.Plural(int(r.Count), "value", "values")+" never kept")
			blocks = append(blocks, block{lines: text.Wrap(width, line.Width(redactionBar)+2)})
		}
		if len(blocks) == 0 {
			text := line.Of(theme.Dim, wording.NoPrivateMembers)
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		return blocks
	}
	return one
}

// rejectionSheet says what the service said to a record that it rejected and that a new decision is needed: the banner of
// a packet. It tells of so many changes only.
func rejectionSheet(d *queue.CaseFile, width int) line.Sheet {
	turned := d.Rejected()
	h := &turned.HandIn
	text := line.Of(theme.BadSign, " "+widget.RejectedMark+" "+strings.ToUpper(wording.Rejected)+" ").
		And(theme.Plain, "  "+wording.RejectedBy(d)).
		And(theme.Strong, " "+wording.DecideAgain)
	sheet := line.Sheet(text.Wrap(width, 2))
	for i, change := range h.Changes {
		if i == mostChanges {
			sheet = append(sheet, line.Of(theme.Dim, "  and "+wording.Thousands(len(h.Changes)-i)+" more; the record has them all").
				Fit(width))
			break
		}
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, strings.TrimSpace(change)).Wrap(width, 4)...)
	}
	return sheet
}

// mostChanges is how many changes the banner of a packet tells of.
const mostChanges = 6

// sectionPart lays out a section of the view: labels, values and how each stands with the rules. A row about which something
// is held back does not count as seen.
func sectionPart(v *views.View, section views.Section, blind bool) part {
	bad := 0
	for i := range section.Rows {
		if section.Rows[i].Mark == views.MarkBad {
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
	one.topics = topic.Unique(one.topics)
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
func rowTopics(v *views.View, row *views.Row) []topic.Topic {
	topics := topic.OfCodes(v.Area(), row.Codes, v)
	if trigger, known := topic.TriggerOf(v); known && row.Label == "trigger" {
		topics = append(topics, topic.Topic{Area: terms.Appeals, Trigger: trigger, View: v})
	}
	if row.Label == "transition" {
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

// rowLines lays out one row: mark, label, value, and the codes that hold because of it.
func rowLines(row *views.Row, labels, width int) line.Sheet {
	mark, role := line.Of(theme.Dim, "· "), theme.Plain
	switch row.Mark {
	case views.MarkGood:
		mark = line.Of(theme.Pass, "✓ ")
	case views.MarkBad:
		mark, role = line.Of(theme.Bad, "✗ "), theme.Bad
	}
	value := line.Of(role, row.Value)
	if slices.Contains(row.Codes, terms.PrivateDetailsUnredacted) && strings.HasPrefix(row.Value, "[masked: ") {
		value = line.Of(theme.Faint, redactionBar).And(theme.Plain, " ").Plus(value)
	}
	if row.Value == "" {
		value = line.Of(theme.Dim, "absent")
		if row.Mark == views.MarkBad {
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
