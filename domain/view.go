package domain

import (
	"strconv"

	"docket/domain/visible"
)

// A View is what a screen or a command may show of one packet, with what the rules conclude about it. Only Look makes
// one. Every text in it is safe to print: hostile characters are visible escapes, private details are masked.
type View struct {
	policy, record Packet
	latest         Latest
	question       Question
	judgment       Judgment
	carried        BlockerSet
	sections       []Section
	redactions     []Redaction
}

// A Section groups the rows of a view under a name that an enforcement record can list as seen.
type Section struct {
	Name SectionName `json:"name"`
	Rows []Row       `json:"rows"`
}

// A Row is one labelled value. Where rules read it, Mark says whether they are satisfied.
type Row struct {
	Label string `json:"label"`
	Value string `json:"value"` // "" where absent
	Mark  Mark   `json:"mark"`
	// Codes are the blockers that hold because of this row, among others; empty unless Mark is MarkBad.
	Codes []Blocker `json:"codes,omitempty"`
	// Advice says that the value tells what the rules advise: a screen may hold it back for a while.
	Advice bool `json:"-"`
}

// A Mark says how a row stands with the rules that read it.
type Mark uint8

const (
	MarkNone Mark = iota // no rule reads the row
	MarkGood             // the rules that read it are satisfied
	MarkBad              // a blocker holds that the row has part in
)

var markWords = [...]string{MarkNone: "none", MarkGood: "good", MarkBad: "bad"}

// String returns "none", "good" or "bad".
func (m Mark) String() string { return markWords[m] }

// MarshalJSON writes the mark's word.
func (m Mark) MarshalJSON() ([]byte, error) { return []byte(`"` + m.String() + `"`), nil }

// Look judges a packet for a moment and lays out what may be shown of it. policy may be the zero Packet: none is held.
// record must be a case or an amendment; for anything else the view is empty and blocked.
func Look(policy, record Packet, latest Latest, at Instant) View {
	v := View{policy: policy, record: record, latest: latest, redactions: record.Redactions()}
	v.question = PacketQuestion(policy, record, latest, at)
	v.judgment = Judge(&v.question)
	switch record.Table() {
	case AppealCases:
		v.sections = appealSections(&v)
	case AmendmentRecords:
		v.sections = amendmentSections(&v)
	}
	return v
}

// Table is the table of the record in view; the zero Table for a zero View.
func (v *View) Table() Table { return v.record.Table() }

// Area is the docket to which the record belongs.
func (v *View) Area() Area { return AreaOf(v.record.Table()) }

// Key names the record in view.
func (v *View) Key() Key { return v.record.Key() }

// Latest are the highest numbers that were known when the view was made.
func (v *View) Latest() Latest { return v.latest }

// EvaluatedAt is the moment for which the packet was judged.
func (v *View) EvaluatedAt() Instant { return v.question.At() }

// Question is what was put to the rules.
func (v *View) Question() *Question { return &v.question }

// Judgment is what the rules conclude.
func (v *View) Judgment() Judgment { return v.judgment }

// Sections are what the packet shows, in order.
func (v *View) Sections() []Section { return v.sections }

// Redactions say what was dropped: category and count.
func (v *View) Redactions() []Redaction { return v.redactions }

// Policy is the packet of the policy that was judged by; the zero Packet if none is held.
func (v *View) Policy() Packet { return v.policy }

// Record is the packet in view.
func (v *View) Record() Packet { return v.record }

// Carrying returns the view with the blockers that people added in earlier records on the revision: they stand whatever the
// rules conclude.
func (v View) Carrying(codes BlockerSet) View {
	v.carried = codes
	return v
}

// Carried are the blockers that people added in earlier records on the revision.
func (v *View) Carried() BlockerSet { return v.carried }

// Document writes the view in canonical form, with the labels of the screens: what `docket show --json` prints.
func (v *View) Document() []byte { return v.append(make([]byte, 0, 6<<10)) }

// A sectionFill lays out the rows of a section.
type sectionFill struct {
	name SectionName
	fill func(*rows)
}

// layOut lays out sections one after the other. They share one piece of memory: a view has some fifty rows.
func layOut(held BlockerSet, fills ...sectionFill) []Section {
	r := rows{held: held, list: make([]Row, 0, 64)}
	sections := make([]Section, len(fills))
	for i, one := range fills {
		from := len(r.list)
		one.fill(&r)
		sections[i] = Section{one.name, r.list[from:len(r.list):len(r.list)]}
	}
	return sections
}

// rows collects the rows of sections.
type rows struct {
	held BlockerSet
	list []Row
}

// add appends a row that no rule reads. An empty value is shown as absent.
func (r *rows) add(label, value string) {
	r.list = append(r.list, Row{Label: label, Value: visible.String(value)})
}

// read appends a row that the rules with these codes read. Several rows may feed one rule: amiss says whether it is
// this one that is not as the rule wants it. A row is bad only if it is amiss and a blocker holds.
func (r *rows) read(amiss bool, label, value string, codes ...Blocker) {
	row := Row{Label: label, Value: visible.String(value), Mark: MarkGood}
	for _, code := range codes {
		if amiss && r.held.Has(code) {
			row.Mark = MarkBad
			row.Codes = append(row.Codes, code)
		}
	}
	r.list = append(r.list, row)
}

// number writes a version or revision; "" for an absent one.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// yesNo writes a control; "" for an absent one.
func yesNo(f Flag) string {
	switch f {
	case FlagYes:
		return "yes"
	case FlagNo:
		return "no"
	}
	return ""
}
