package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// A Reader is for whom a packet is written out.
type Reader struct {
	Now   terms.Instant
	Zone  *time.Location // their own; nil: not known
	Blind bool           // the advice is held back
}

// A Fact is what every console says in one row: one row of a view, or several.
type Fact struct {
	pages.Row
	Of []views.PartRow // the rows of the view; none for a sentence about the packet
}

// Is reports whether the fact is of the row with that label in the view, or begins with it.
func (f *Fact) Is(label string) bool { return len(f.Of) > 0 && f.Of[0].Label == label }

// shortLabels are the labels of facts that are said otherwise than in the view.
var shortLabels = map[string]string{views.LabelSummary: "summary", views.LabelStanding: "standing", views.LabelAsked: "asks for",
	views.LabelEffects: "effects"}

// factsOf joins rows that a reader takes in together, unless one of them does not meet the rules.
func factsOf(d *queue.CaseFile, of *views.Part, r Reader) []Fact {
	v := &d.View
	facts := make(facts, len(of.Rows))
	for i, row := range of.Rows {
		facts[i] = Fact{Row: *row.Row, Of: of.Rows[i : i+1 : i+1]}
	}
	switch of.Name {
	case views.PartSaid:
		facts.said(d, r)
	case views.PartChange:
		facts.change(v)
	case views.PartEffects:
		facts.effects(v)
	}
	for i := range facts {
		if facts[i].Advice && r.Blind {
			facts[i].Value = wording.HeldBack
		}
	}
	return facts
}

type facts []Fact

func (f *facts) said(d *queue.CaseFile, r Reader) {
	first := func(rows []views.PartRow) string { return rows[0].Value }
	accepted := func(rows []views.PartRow) string { return first(rows) + ", accepted" }
	f.join("standing", true, accepted, views.LabelStanding, views.LabelAccepted)
	f.join("asks for", false, first, views.LabelAsked, views.LabelFits)
	for i := range *f {
		one := &(*f)[i]
		one.Label = cmp.Or(shortLabels[one.Label], one.Label)
		switch {
		case one.Is(views.LabelAsked):
			one.Remarks = fits(&d.View, r.Blind)
		case one.Is(views.LabelDeadline) && one.Value != "":
			row := d.Row()
			due := wording.RowDue(&row, r.Now, wording.TimeLeftInWords)
			one.Remarks = []pages.Remark{{Text: joined("; ", wording.Local(row.Deadline, r.Zone), due)}}
		}
	}
}

func (f *facts) change(v *views.View) {
	f.join("change", true, func(rows []views.PartRow) string { return rows[0].Value + ": " + rows[1].Value },
		views.LabelTransition, views.LabelChangedTerms)
	f.join("terms", false, func(rows []views.PartRow) string {
		return fmt.Sprintf("from %s to %s", cmp.Or(rows[0].Value, absent), cmp.Or(rows[1].Value, absent))
	}, views.LabelBefore, views.LabelAfter)
	state, atLock, now := v.Parent()
	said := map[views.ParentState]string{views.ParentSame: wording.ParentSame, views.ParentDiffers: wording.ParentDiffers,
		views.ParentUnknown: wording.ParentUnknown}[state]
	f.join(parentRecord, true, func(rows []views.PartRow) string { return said + ", baseline verified: " + rows[2].Value },
		views.LabelParentAtLock, views.LabelParentObserved, views.LabelBaseline)
	f.join(parentRecord, false, func([]views.PartRow) string { return said }, views.LabelParentAtLock, views.LabelParentObserved)
	for i := range *f {
		if one := &(*f)[i]; len(one.Of) > 1 && one.Is(views.LabelParentAtLock) {
			one.Remarks = []pages.Remark{{Mark: pages.Good, Text: atLock.String()}}
			if state != views.ParentSame {
				one.Remarks = []pages.Remark{{Mark: one.Mark,
					Text: fmt.Sprintf("at lock %s, now %s", cmp.Or(atLock.String(), absent), cmp.Or(now.String(), absent))}}
			}
		}
	}
}

const (
	parentRecord = "parent record"
	absent       = "absent"
)

func (f *facts) effects(v *views.View) {
	consents, at := v.EffectConsents(), 0
	var without []views.PartRow
	list := (*f)[:0:0]
	for _, one := range *f {
		if one.Of[0].Section != views.SectionEffects {
			list = append(list, one)
			continue
		}
		effect := &consents[at]
		if at++; !effect.Has && effect.Mark != pages.Bad {
			without = append(without, one.Of...)
			continue
		}
		one.Value, one.Remarks = cmp.Or(one.Value, "not said"), consent(effect)
		list = append(list, one)
	}
	if len(without) > 0 {
		labels := make([]string, len(without))
		for i := range without {
			labels[i] = without[i].Label
		}
		list = append(list, Fact{Row: pages.Row{Mark: pages.Unread, Label: "no effect on", Value: strings.Join(labels, ", ")}, Of: without})
	}
	*f = list
	if !slices.ContainsFunc(list, func(one Fact) bool { return len(one.List) > Few }) {
		f.join("confirmations", false, func(rows []views.PartRow) string {
			if rows[0].Value == terms.ConfirmationNotRequired.Label() && rows[1].Value == "" {
				return "none needed at this stage"
			}
			return fmt.Sprintf("%s, required from %s", cmp.Or(rows[0].Value, absent), wording.OrNone(rows[1].Value))
		}, views.LabelConfirmation, views.LabelRequired)
	}
}

func consent(effect *views.EffectConsent) (remarks []pages.Remark) {
	if len(effect.Confirmed) > 0 {
		remarks = append(remarks, pages.Remark{Mark: pages.Good, Text: "confirmed by " + wording.IDs(effect.Confirmed, FirstOfMany)})
	}
	if len(effect.Lacking) > 0 {
		remarks = append(remarks, pages.Remark{Mark: pages.Bad, Text: "not confirmed by " + wording.IDs(effect.Lacking, FirstOfMany)})
	}
	if remarks == nil {
		return []pages.Remark{{Text: "no party is named to confirm it"}}
	}
	return remarks
}

// join makes those rows one fact, if all are there and, where good is set, none fails the rules.
func (f *facts) join(label string, good bool, value func([]views.PartRow) string, labels ...string) {
	one, first := Fact{Row: pages.Row{Label: label}}, -1
	for _, wanted := range labels {
		at := slices.IndexFunc(*f, func(fact Fact) bool { return len(fact.Of) == 1 && fact.Is(wanted) })
		if at < 0 || good && (*f)[at].Mark == pages.Bad {
			return
		}
		if first < 0 {
			first = at
		}
		row := (*f)[at].Of[0]
		one.Of, one.Mark = append(one.Of, row), max(one.Mark, row.Mark)
		for _, code := range row.Codes {
			if !slices.Contains(one.Codes, code) {
				one.Codes = append(one.Codes, code)
			}
		}
	}
	one.Value = value(one.Of)
	(*f)[first] = one
	*f = slices.DeleteFunc(*f, func(fact Fact) bool { return len(fact.Of) == 1 && slices.Contains(labels, fact.Of[0].Label) })
}

func joined(sep string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), sep)
}
