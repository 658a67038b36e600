// Package views lays out what people read of a packet: sections of labelled rows, each marked by
// the rules that read it, the differences of two views, the advisory decision written out, and the
// sentences about outcomes, factor codes and the contract.
//
// Only [New] makes a [View], from packets that are redacted. Each text in it is safe to print:
// hostile characters are visible escapes, private details are masked. [View.Document] and
// [View.Evidence] write a view as JSON; the digest of the evidence stands in the record of a
// decision.
package views

import (
	"sync"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A View holds what may be shown of one packet, and the conclusion of the rules. Only New makes
// one. Every text in it is safe to print: hostile characters are visible, private details masked.
type View struct {
	policy, record packets.Packet
	latest         rules.Latest
	input          rules.Input
	evaluation     rules.Evaluation
	carried        terms.BlockerSet
	unanswered     terms.BlockerSet
	laid           *layout // of the evaluation
	redactions     []packets.Redaction
}

// A Section groups the rows of a view under a name that an enforcement record can list as seen.
type Section struct {
	Name SectionName
	Rows []pages.Row
}

// New evaluates a packet for a moment and lays out what may be shown of it. The zero Packet as
// policy means none is held. A record that is no case or amendment gives an empty, blocked view.
func New(policy, record packets.Packet, latest rules.Latest, at terms.Instant) View {
	v := View{policy: policy, record: record, latest: latest, redactions: record.Redactions()}
	v.input = rules.PacketInput(policy, record, latest, at)
	v.evaluation = rules.Evaluate(&v.input)
	v.laid = new(layout)
	return v
}

// A layout is made when it is first asked for: most views are only judged.
type layout struct {
	once     sync.Once
	sections []Section
}

// Sections are the sections of the packet, in order.
func (v *View) Sections() []Section {
	if v.laid == nil {
		return nil
	}
	v.laid.once.Do(func() {
		if c := v.input.AppealCase().Pointer(); c != nil {
			v.laid.sections = appealSections.layOut(v, c, v.input.AppealPolicy().Pointer())
		} else if a := v.input.Amendment().Pointer(); a != nil {
			v.laid.sections = amendmentSections.layOut(v, a, v.input.AmendmentPolicy().Pointer())
		}
	})
	return v.laid.sections
}

// SectionNames are the names of the Sections.
func (v *View) SectionNames() []SectionName {
	switch {
	case v.input.AppealCase().Pointer() != nil:
		return appealSections.names()
	case v.input.Amendment().Pointer() != nil:
		return amendmentSections.names()
	}
	return nil
}

// Table is the table of the record in view; the zero Table for a zero View.
func (v *View) Table() terms.Table { return v.record.Table() }

// Area is that of the record.
func (v *View) Area() terms.Area { return terms.AreaOf(v.record.Table()) }

// Key names the record in view.
func (v *View) Key() packets.Key { return v.record.Key() }

// Latest are the highest numbers that were known when the view was made.
func (v *View) Latest() rules.Latest { return v.latest }

// EvaluatedAt is the moment for which the packet was judged.
func (v *View) EvaluatedAt() terms.Instant { return v.input.At() }

// Input is the input of the evaluation.
func (v *View) Input() *rules.Input { return &v.input }

// Evaluation is the conclusion of the rules.
func (v *View) Evaluation() rules.Evaluation { return v.evaluation }

// Redactions say what was dropped: category and count.
func (v *View) Redactions() []packets.Redaction { return v.redactions }

// Policy is the packet of the policy that was judged by; the zero Packet if none is held.
func (v *View) Policy() packets.Packet { return v.policy }

// Record is the packet in view.
func (v *View) Record() packets.Packet { return v.record }

// Carrying returns the view with the blockers that people added in earlier records on the revision,
// which hold although no rule finds them.
func (v View) Carrying(codes terms.BlockerSet) View {
	v.carried = codes
	return v
}

// Carried are the blockers that people added in earlier records on the revision.
func (v *View) Carried() terms.BlockerSet { return v.carried }

// Leaving returns the view with blockers that people added on earlier revisions, unanswered since.
// They do not block; a reviewer who does not add them again states why.
func (v View) Leaving(codes terms.BlockerSet) View {
	v.unanswered = codes
	return v
}

// Unanswered are those that Leaving names and that do not hold: neither found nor carried.
func (v *View) Unanswered() terms.BlockerSet {
	return v.unanswered.Minus(v.evaluation.BlockerSet().Union(v.carried))
}

// Document writes the view in canonical form, with the labels of the screens.
func (v *View) Document() []byte { return v.append(make([]byte, 0, 6<<10)) }

// A SectionName names a section of a view; enforcement records list those that were on screen.
type SectionName = terms.Term[sectionKind]

type sectionKind struct{}

// SectionNames lists the parts of packet views, for parsing and listing.
var SectionNames terms.Terms[sectionKind]

// Section names. The first three and the last three stand in every view.
const (
	SectionGate SectionName = iota + 1
	SectionBlockers
	SectionAdvisory
	SectionItem
	SectionStanding
	SectionNotice
	SectionEvidence
	SectionRequest
	SectionChange
	SectionTerms
	SectionEffects
	SectionConfirmations
	SectionReview
	SectionPolicy
	SectionIntegrity
	SectionRedactions
)

var sectionWords = terms.NewWordList("packet section",
	"gate", "blockers", "advisory", "item", "standing", "notice", "evidence", "request", "change", "terms", "effects",
	"confirmations", "review", "policy", "integrity", "redactions",
)

func (sectionKind) WordList() *terms.WordList { return sectionWords }

var sectionTitles = map[SectionName]string{
	SectionGate: "Gate", SectionBlockers: "Blockers", SectionAdvisory: "The rule", SectionRedactions: "Redactions",
}

// SectionTitle is the heading of a section that no Part holds; "" for any other. See HeadingFor.
func SectionTitle(name SectionName) string { return sectionTitles[name] }
