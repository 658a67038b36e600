package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/topic"
	"docket/ui/wording"
)

// Packet writes a case file out: what is asked, the gate, the advice, the blockers and what was
// decided, then what is said, the facts, the rule, and the rest.
func Packet(d *queue.CaseFile, r Reader) []Part {
	v := &d.View
	parts := []Part{Opening(d, r)}
	var last []Part
	for _, of := range v.Parts() {
		if of.Name.Folded() {
			last = append(last, factsPart(d, &of, r))
			continue
		}
		parts = append(parts, factsPart(d, &of, r))
	}
	parts = append(parts, rulePart(v, r.Blind))
	if v.Area() == terms.Appeals {
		parts = append(parts, needsPart(v, r.Blind))
	}
	parts = append(parts, historyPart(d), timelinePart(d, r), relatedPart(d, r))
	return append(append(parts, last...), redactionsPart(v))
}

// PacketPage is the whole packet as one page. reliance, if any, says whether it may be relied on.
func PacketPage(d *queue.CaseFile, r Reader, reliance *records.Reliance) pages.Page {
	v, gate := &d.View, records.GateWith(&d.View, 0)
	p := pages.Page{Title: fmt.Sprintf("%s revision %s", v.Key().ID, wording.Thousands(int(v.Key().Number))), Mark: pages.Bad,
		State: fmt.Sprintf("gate %s at %s", gate, toSecond(v.EvaluatedAt()))}
	if gate == terms.Pass {
		p.Mark = pages.Good
	}
	if reliance != nil {
		p.Parts = append(p.Parts, RelianceOn("", reliance))
	}
	for _, part := range Packet(d, r) {
		p.Parts = append(p.Parts, part.Part)
	}
	return p
}

// RelianceOn says whether a case or amendment may be relied on now, and what holds that.
func RelianceOn(title string, r *records.Reliance) pages.Part {
	part := pages.Part{Title: title, Rows: []pages.Row{row("relianceGate", r.Gate.String())}}
	if len(r.Reasons) > 0 {
		part.Rows = append(part.Rows, row("held by", strings.Join(r.Reasons, ", ")))
	}
	return part
}

// Keys of parts.
const (
	Records  = "records"
	Timeline = "timeline"
	Related  = "related"
	Rule     = "rule"
	Needs    = "needs"
)

// Heads counts the first sentences of every packet: request, gate, advice, deadline.
const Heads = 4

// Opening says these, then each blocker with its cure, and what was decided already.
func Opening(d *queue.CaseFile, r Reader) Part {
	v := &d.View
	carried := wording.Carried(d)
	one := Part{Key: "gate", Of: []views.SectionName{views.SectionGate, views.SectionBlockers},
		Part: pages.Part{Title: views.SectionTitle(views.SectionGate), State: "no blockers"}}
	gate := records.GateWith(v, 0)
	if gate != terms.Pass {
		one.State = wording.Plural(len(v.Evaluation().Blockers())+len(carried), "blocker", "blockers")
	}
	one.State = gate.String() + ", " + one.State
	one.Say("%s", Asks(v))
	one.Say("Gate: %s; evaluated %s", one.State, wording.Moment(v.EvaluatedAt()))
	one.Say("%s", cmp.Or(Advice(v, r.Blind), "No outcome is advised on an amendment."))
	one.Say("%s", cmp.Or(Deadline(d, r), "An amendment has no deadline."))
	for _, code := range v.Evaluation().Blockers() {
		rule := v.Input().Rule(code)
		one.row(pages.Bad, code.String(), fmt.Sprintf("%s Cure: %s", rule.Meaning, rule.Cure))
	}
	for _, text := range carried {
		one.row(pages.Bad, "", text)
	}
	for _, text := range wording.Unanswered(d) {
		one.Say("Not answered: %s", text)
	}
	one.rejection(d)
	if standing, text := wording.InForce(d); standing != "" {
		one.Say("%s: %s", wording.Capital(standing), text)
	}
	if d.Decided() {
		one.Say("Reliance: %s", wording.Reliance(d.Reliance()))
	}
	if d.Skipped != "" {
		one.Say("Skipped: %s", d.Skipped)
	}
	return one
}

func (p *Part) row(mark pages.Mark, label, value string) {
	p.Rows = append(p.Rows, pages.Row{Mark: mark, Label: label, Value: value})
}

func (p *Part) rejection(d *queue.CaseFile) {
	rejected := d.Rejected()
	if rejected == nil {
		return
	}
	text := wording.RejectedBy(d)
	if rejected.Record.Members().Key.Number == d.View.Key().Number {
		text = wording.Rejected + " " + text
	}
	p.Say("%s %s", wording.Capital(text), wording.DecideAgain)
	for _, change := range rejected.HandIn.Changes {
		p.Say("Had changed: %s", change)
	}
}

// FirstOfMany is how many rows of a long list are read before the reader asks for more.
const FirstOfMany = 20

// factsPart has the count and the first rows of a long list, Rest the others.
func factsPart(d *queue.CaseFile, of *views.Part, r Reader) Part {
	one := Part{Key: of.Name.String(), Name: of.Name, Facts: factsOf(d, of, r),
		Part: pages.Part{Title: of.Name.Title(), Folded: of.Name.Folded()}}
	for _, row := range of.Rows {
		if !slices.Contains(one.Of, row.Section) {
			one.Of = append(one.Of, row.Section)
		}
		if row.Advice && r.Blind {
			one.Held = append(one.Held, row.Section)
		}
	}
	good, bad := 0, 0
	for i := range one.Facts {
		row := one.Facts[i].Row
		if len(row.List) > FirstOfMany {
			row.Value = fmt.Sprintf("%s, the first %d: %s", wording.Thousands(len(row.List)), FirstOfMany,
				wording.IDs(row.List[:FirstOfMany], FirstOfMany))
			rest := row.List[FirstOfMany:]
			one.Rest = append(one.Rest, pages.Row{Label: row.Label + ", the rest", Value: wording.IDs(rest, len(rest))})
		}
		switch row.Mark {
		case pages.Bad:
			bad++
		case pages.Good:
			good++
		}
		if i >= FirstOfMany && of.Name == views.PartConfirmations {
			one.Rest = append(one.Rest, row)
			continue
		}
		one.Rows = append(one.Rows, row)
	}
	switch {
	case bad > 0:
		one.State = fmt.Sprintf("%s, %s not meet the rules", terms.Blocked, wording.Plural(bad, "line does", "lines do"))
	case good > 0:
		one.State = terms.Pass.String()
	default:
		one.State = information
	}
	return one
}

const information = "for information"

// fits says whether the requested outcome fits the trigger, which reveals the advice.
func fits(v *views.View, blind bool) []pages.Remark {
	switch fits, known := v.RequestFits(); {
	case !known:
		return nil
	case blind:
		return []pages.Remark{{Text: wording.FitsHeldBack}}
	case fits:
		return []pages.Remark{{Mark: pages.Good, Text: wording.Fits}}
	}
	return []pages.Remark{{Mark: pages.Open, Text: wording.FitsNot}}
}

// redactionsPart lists the kinds of private members that came with the packet; none is kept.
func redactionsPart(v *views.View) Part {
	one := Part{Key: views.SectionRedactions.String(), Of: []views.SectionName{views.SectionRedactions},
		Part: pages.Part{Title: views.SectionTitle(views.SectionRedactions), State: information}}
	for _, r := range v.Redactions() {
		one.Say("Redacted: %s, %s never kept", r.Category.Label(), wording.Plural(int(r.Count), "value", "values"))
	}
	if len(one.Rows) == 0 {
		one.Say("%s", wording.NoPrivateMembers)
	}
	return one
}

// rulePart is the policy's rule with the advice, or the boundary that a transition protects.
func rulePart(v *views.View, blind bool) Part {
	one := Part{Key: Rule, Of: []views.SectionName{views.SectionAdvisory}, Part: pages.Part{Title: v.RuleTitle()}}
	if v.Area() == terms.Amendments {
		one.row(pages.None, "protected", wording.Protected(v))
		one.State = v.Evaluation().Gate().String()
		for _, action := range v.Evaluation().BlockedTransitions() {
			one.row(pages.Bad, "held back", action.Label())
		}
		if len(v.Evaluation().BlockedTransitions()) == 0 {
			one.row(pages.Good, "", "nothing is held back")
		}
		return one
	}
	if blind {
		one.Held, one.State = one.Of, wording.HeldBack
		one.Say("%s", Advice(v, blind))
	} else {
		one.State, one.Rows = fmt.Sprintf("advises %s", records.Advised(v, 0).Label()), Advised(v)
	}
	one.Rows = append(one.Rows, topic.Permitted(v)...)
	return one
}

// Advised says the advice on an appeal, and the policy's default for the trigger if it differs.
func Advised(v *views.View) []pages.Row {
	var one Part
	advised := records.Advised(v, 0)
	one.row(pages.None, "advised", fmt.Sprintf("%s: %s %s", advised.Label(), views.EffectOf(advised).Meaning, wording.Advises))
	if rule, held := topic.PolicyRule(v); held && rule.Advisory != advised {
		one.row(pages.None, wording.PolicyDefault, wording.OrNone(rule.Advisory.Label()))
	}
	return one.Rows
}

func needsPart(v *views.View, blind bool) Part {
	decision := views.DecisionOf(v.Evaluation())
	one := Part{Key: Needs, Part: pages.Part{Title: NeedsTitle, Folded: true,
		State: wording.Plural(len(decision.RequiredArtifacts), "artifact", "artifacts")}}
	for _, artifact := range decision.RequiredArtifacts {
		one.row(pages.None, "a reviewer needs", artifact)
	}
	for _, action := range decision.PrivacyActions {
		one.row(pages.None, "privacy", action)
	}
	one.row(pages.None, "scope", decision.AppealScopeStatement)
	if !blind { // the codes are those of the advised outcome
		one.row(pages.None, "factor codes", wording.Listed(decision.FactorCodes))
		one.State += ", " + wording.Plural(len(decision.FactorCodes), "code", "codes")
	}
	return one
}

// NeedsTitle heads the artifacts needed, the privacy actions, the scope and the codes of an appeal.
const NeedsTitle = "Artifacts, privacy, scope and codes"

func historyPart(d *queue.CaseFile) Part {
	one := Part{Key: Records, Part: pages.Part{Title: wording.RevisionsTitle, State: wording.Plural(
		len(d.Revisions), "revision", "revisions") + ", " +
		wording.Plural(len(d.Records), "record on this one", "records on this one")}}
	for _, number := range d.Revisions {
		text := fmt.Sprintf("Held: revision %s", wording.Thousands(int(number)))
		if number == d.View.Key().Number {
			text += ", this one"
		}
		one.Say("%s", text)
	}
	for i := range d.Records {
		one.Say("%s", Record(&d.Records[i]))
	}
	for i := range d.AtService {
		m := d.AtService[i].Members()
		one.Say("At the service: record %s %s", m.RecordID, wording.ServiceRecordInShort(m))
	}
	return one
}

func timelinePart(d *queue.CaseFile, r Reader) Part {
	events, ahead := d.Timeline(), 0
	one := Part{Key: Timeline, Part: pages.Part{Title: wording.TimelineTitle}}
	for i := range events {
		e, when := &events[i], wording.SpanInWords(r.Now.Sub(events[i].At))+" ago"
		if r.Now.Before(e.At) {
			when = "in " + wording.SpanInWords(e.At.Sub(r.Now))
			ahead++
		}
		one.Say("%s, %s: %s", wording.Moment(e.At), when, e.What)
	}
	one.State = wording.Events(len(events), ahead)
	if len(events) == 0 {
		one.Say("%s", wording.NoEvents)
	}
	if len(one.Rows) > FirstOfMany {
		one.Rows, one.Rest = one.Rows[:FirstOfMany:FirstOfMany], one.Rows[FirstOfMany:]
	}
	return one
}

// relatedPart has the other packets on the same subject or agreement, or why there are none.
func relatedPart(d *queue.CaseFile, r Reader) Part {
	title, one, about := "Related cases", "case", "subject"
	if d.View.Area() == terms.Amendments {
		title, one, about = "Related amendments", "amendment", "agreement"
	}
	part := Part{Key: Related, Part: pages.Part{Title: title, State: wording.Plural(len(d.Related), "other "+one, "other "+one+"s")}}
	by := queue.RelatedBy(d.View.Record())
	switch {
	case len(d.Related) > 0:
	case by.Present():
		part.Say("No other %s on the %s %s is held here.", one, about, by)
	default:
		part.Say("The packet names no %s, so nothing can be related to it.", about)
	}
	for i := range d.Related {
		part.Say("%s", Row(&d.Related[i], records.Reviewer{}, r.Now))
	}
	if d.Unlisted {
		part.State = "more than " + part.State
		part.Say("There are more that are not listed here.")
	}
	return part
}
