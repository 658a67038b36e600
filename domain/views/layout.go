package views

import (
	"fmt"
	"slices"

	"docket/domain/pages"
	"docket/domain/terms"
)

// A Part is a group of rows that consoles show under one heading. Parts order the rows for reading:
// the texts first, rarely needed data last. Records and Document name sections, not parts.
type Part struct {
	Name PartName
	Rows []PartRow
}

// A PartRow is a row of a part with the section that it is of.
type PartRow struct {
	Section SectionName
	*pages.Row
}

// A PartName names a part.
type PartName uint8

// The parts, in order. An appeal has no PartChange, PartEffects and PartConfirmations, an amendment
// no PartStanding and PartEvidence.
const (
	PartSaid PartName = iota + 1
	PartChange
	PartEffects
	PartItem
	PartStanding
	PartEvidence
	PartConfirmations
	PartNotice
	PartReview
	PartPolicy
	PartIntegrity
	partNames
)

var partWords = [partNames]struct{ key, title string }{
	PartSaid:          {"said", "What is said"},
	PartChange:        {"change", "What changes"},
	PartEffects:       {"effects", "Effects and who confirmed them"},
	PartItem:          {"item", "Reviewed item"},
	PartStanding:      {"standing", "Standing and notice"},
	PartEvidence:      {"evidence", "Evidence"},
	PartConfirmations: {"confirmations", "Confirmations"},
	PartNotice:        {"notice", "Notice"},
	PartReview:        {"review", "Neutral review"},
	PartPolicy:        {"policy", "Policy"},
	PartIntegrity:     {"integrity", "Integrity"},
}

// String returns a key of one word.
func (n PartName) String() string { return partWords[n].key }

// Title is the heading of the part.
func (n PartName) Title() string { return partWords[n].title }

// Folded reports whether a console first shows the heading alone, if nothing in the part blocks.
func (n PartName) Folded() bool { return n == PartPolicy || n == PartIntegrity }

// Previewed reports whether a list shows the part, too: what is said, or changes, and for whom.
func (n PartName) Previewed() bool { return n <= PartEffects }

// A partRule selects rows: those named, in that order, then what no part names of some sections.
type partRule struct {
	name  PartName
	named []rowName
	rest  []SectionName
}

type rowName struct {
	section SectionName
	label   string
}

// The labels by which parts and consoles name rows.
const (
	LabelStatement      = "statement"
	LabelRemedyGap      = "remedy gap"
	LabelSummary        = "privacy-safe summary"
	LabelStanding       = "category"
	LabelAsked          = "outcome asked for"
	LabelFits           = "fits the trigger"
	LabelDeadline       = "deadline"
	LabelItems          = "items"
	LabelTransition     = "transition"
	LabelChangedTerms   = "changed terms"
	LabelBaseline       = "baseline verified"
	LabelBefore         = "terms before"
	LabelAfter          = "terms after"
	LabelParentAtLock   = "parent at lock"
	LabelParentObserved = "parent observed"
	LabelTrigger        = "trigger"
	LabelEffects        = "effects asked for"
	LabelAccepted       = "accepted"
	LabelConfirmation   = "confirmation state"
	LabelRequired       = "required parties"
)

var appealParts = []partRule{
	{PartSaid, []rowName{
		{SectionEvidence, LabelStatement}, {SectionEvidence, LabelRemedyGap}, {SectionStanding,
			LabelSummary}, {SectionStanding, LabelStanding},
		{SectionStanding, LabelAccepted}, {SectionRequest, LabelAsked}, {SectionRequest, LabelFits}, {SectionRequest, LabelEffects},
		{SectionNotice, LabelDeadline}}, nil},
	{PartItem, nil, []SectionName{SectionItem}},
	{PartStanding, nil, []SectionName{SectionStanding, SectionNotice}},
	{PartEvidence, nil, []SectionName{SectionEvidence, SectionRequest}},
	{PartReview, nil, []SectionName{SectionReview}},
	{PartPolicy, nil, []SectionName{SectionPolicy}},
	{PartIntegrity, nil, []SectionName{SectionIntegrity}},
}

var amendmentParts = []partRule{
	{PartChange, []rowName{{SectionChange, LabelTransition}}, []SectionName{SectionTerms}},
	{PartEffects, []rowName{{SectionConfirmations, LabelConfirmation}, {SectionConfirmations,
		LabelRequired}}, []SectionName{SectionEffects}},
	{PartItem, nil, []SectionName{SectionChange}},
	{PartConfirmations, nil, []SectionName{SectionConfirmations}},
	{PartNotice, nil, []SectionName{SectionNotice}},
	{PartReview, nil, []SectionName{SectionReview}},
	{PartPolicy, nil, []SectionName{SectionPolicy}},
	{PartIntegrity, nil, []SectionName{SectionIntegrity}},
}

func partsOf(area terms.Area) []partRule {
	if area == terms.Amendments {
		return amendmentParts
	}
	return appealParts
}

// Parts orders the rows for reading: each is in one part, and a part without rows is left out.
func (v *View) Parts() []Part {
	rules := partsOf(v.Area())
	var named []rowName
	for i := range rules {
		named = append(named, rules[i].named...)
	}
	var parts []Part
	for i := range rules {
		one := Part{Name: rules[i].name}
		for _, name := range rules[i].named {
			one.take(v, name.section, func(label string) bool { return label == name.label })
		}
		for _, section := range rules[i].rest {
			one.take(v, section, func(label string) bool { return !slices.Contains(named, rowName{section, label}) })
		}
		if len(one.Rows) > 0 {
			parts = append(parts, one)
		}
	}
	return parts
}

// Heading is the heading under which consoles show a section: that of the last part with rows of
// it, because earlier parts pick single rows.
func (v *View) Heading(section SectionName) string {
	for _, part := range slices.Backward(v.Parts()) {
		if slices.ContainsFunc(part.Rows, func(row PartRow) bool { return row.Section == section }) {
			return part.Name.Title()
		}
	}
	if section == SectionAdvisory {
		return v.RuleTitle()
	}
	return HeadingFor(v.Area(), section)
}

// HeadingFor is the heading of a section in the packets of an area, for a record without its view.
func HeadingFor(area terms.Area, section SectionName) string {
	for _, rule := range slices.Backward(partsOf(area)) {
		if slices.Contains(rule.rest, section) {
			return rule.name.Title()
		}
	}
	return SectionTitle(section)
}

// RuleTitle is the heading of the rule for the trigger of a case or the transition of an amendment,
// and of its advice or protection.
func (v *View) RuleTitle() string {
	about := v.Record().AppealCase().Record().Trigger.Label()
	if v.Area() == terms.Amendments {
		about = v.Record().Amendment().Record().Transition.Label()
	}
	if about == "" {
		return "The rule"
	}
	return fmt.Sprintf("The rule for %s", about)
}

func (p *Part) take(v *View, section SectionName, wanted func(label string) bool) {
	list := v.rowsOf(section)
	for i := range list {
		if wanted(list[i].Label) {
			p.Rows = append(p.Rows, PartRow{section, &list[i]})
		}
	}
}

// Bad counts the rows marked Bad.
func (p *Part) Bad() (bad int) {
	for _, row := range p.Rows {
		if row.Mark == pages.Bad {
			bad++
		}
	}
	return bad
}

// RequestFits reports whether the outcome that the case asks for fits its trigger (source 2.3.4);
// known is false where none is asked for, or no rule can be used.
func (v *View) RequestFits() (fits, known bool) {
	c, policy := v.input.AppealCase().Pointer(), v.input.AppealPolicy().Pointer()
	if c == nil || policy == nil || !c.RequestedOutcome.Present() || !policy.OutcomeRules.For(c.Trigger).Usable() {
		return false, false
	}
	return !requestMisfits(c, policy), true
}

// A ParentState says how the parent record of an amendment stands.
type ParentState uint8

const (
	ParentUnknown ParentState = iota // one of its hashes is absent
	ParentSame
	ParentDiffers
)

// Parent says how the amendment's parent record stands, with its hashes at lock and now.
func (v *View) Parent() (state ParentState, atLock, observed terms.Hash) {
	a := v.input.Amendment().Pointer()
	if a == nil {
		return ParentUnknown, terms.Hash{}, terms.Hash{}
	}
	atLock, observed = a.ParentRecord.HashAtLock, a.ParentRecord.HashObserved
	switch {
	case !atLock.Present() || !observed.Present():
		return ParentUnknown, atLock, observed
	case atLock.Matches(observed):
		return ParentSame, atLock, observed
	}
	return ParentDiffers, atLock, observed
}

// An EffectConsent is an effect with its confirmations for these terms that are in force now.
type EffectConsent struct {
	*pages.Row
	Has       bool // the amendment has the effect, or does not rule it out
	Confirmed []terms.ID
	Lacking   []terms.ID // required parties that have not
}

// EffectConsents lists the effects in their order; none for an appeal.
func (v *View) EffectConsents() []EffectConsent {
	a := v.input.Amendment().Pointer()
	if a == nil {
		return nil
	}
	part := Part{}
	part.take(v, SectionEffects, func(string) bool { return true })
	parties := a.PartyConsents(v.EvaluatedAt())
	consents := make([]EffectConsent, 0, len(part.Rows))
	for i, effect := range terms.Effects.All() {
		one := EffectConsent{Row: part.Rows[i].Row, Has: !a.RulesOut(effect)}
		for at, party := range parties {
			switch {
			case party.Covers.Has(effect):
				one.Confirmed = append(one.Confirmed, party.Party)
			case at < len(a.RequiredParties):
				one.Lacking = append(one.Lacking, party.Party)
			}
		}
		consents = append(consents, one)
	}
	return consents
}
