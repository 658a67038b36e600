package views

import (
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A Difference is one between two views of a packet, whose texts are as safe to show as theirs.
type Difference struct {
	Section SectionName
	Label   string
	Before  string // "" where it was absent or there was no such row
	After   string
	Kind    DifferenceKind
}

// A DifferenceKind says how the views differ.
type DifferenceKind uint8

const (
	Altered DifferenceKind = iota // the row is in both
	Added                         // only the later view has it
	Removed                       // only the earlier one
)

// Differences compares two views, the earlier one first: the gate, the blockers, the advice, every
// row of every section, and the redactions. It reads only what the views may show.
func Differences(before, after *View) []Difference {
	var found []Difference
	if from, to := before.evaluation.Gate(), after.evaluation.Gate(); from != to {
		found = append(found, Difference{SectionGate, "gate", from.String(), to.String(), Altered})
	}
	for _, code := range rules.InOrder(before.Area(), before.Evaluation().BlockerSet().Minus(after.Evaluation().BlockerSet())) {
		found = append(found, Difference{SectionBlockers, code.String(), "holds", "", Removed})
	}
	for _, code := range rules.InOrder(after.Area(), after.Evaluation().BlockerSet().Minus(before.Evaluation().BlockerSet())) {
		found = append(found, Difference{SectionBlockers, code.String(), "", "holds", Added})
	}
	if from, to := before.evaluation.AdvisoryOutcome(), after.evaluation.AdvisoryOutcome(); from != to {
		found = append(found, Difference{SectionAdvisory, "advised", from.Label(), to.Label(), Altered})
	}
	for _, name := range sectionsOf(before, after) {
		found = append(found, rowDifferences(name, before.rowsOf(name), after.rowsOf(name))...)
	}
	return append(found, redactionDifferences(before.redactions, after.redactions)...)
}

func sectionsOf(before, after *View) []SectionName {
	var names []SectionName
	for _, v := range [...]*View{after, before} {
		for _, name := range v.SectionNames() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (v *View) rowsOf(name SectionName) []pages.Row {
	for _, section := range v.Sections() {
		if section.Name == name {
			return section.Rows
		}
	}
	return nil
}

// rowDifferences matches rows by label and place, but numbered rows, such as confirmations, by
// value, so that a new first one does not make all of them look altered.
func rowDifferences(name SectionName, before, after []pages.Row) []Difference {
	var found []Difference
	earlier, from := placed(before)
	keys, to := placed(after)
	for _, key := range earlier {
		if _, there := to[key]; !there {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		x, was := from[key]
		y, is := to[key]
		switch {
		case !was:
			found = append(found, Difference{name, key.label, "", y, Added})
		case !is:
			found = append(found, Difference{name, key.label, x, "", Removed})
		case x != y && !again(found, key.label, x, y):
			found = append(found, Difference{name, key.label, x, y, Altered})
		}
	}
	return found
}

// again reports whether a recomputed hash only repeats the difference of the stated one before it.
func again(found []Difference, label, before, after string) bool {
	last := len(found) - 1
	return label == recomputedLabel && last >= 0 && found[last].Before == before && found[last].After == after
}

type rowPlace struct {
	label   string
	counted string // what a counted row says
	nth     int    // of those that are alike, from 0
}

func placed(rows []pages.Row) (places []rowPlace, values map[rowPlace]string) {
	seen := map[rowPlace]int{}
	values = make(map[rowPlace]string, len(rows))
	for i := range rows {
		place := rowPlace{label: rows[i].Label}
		if label, counted := countedLabel(rows[i].Label); counted {
			place = rowPlace{label: label, counted: rows[i].Value}
		}
		nth := seen[place]
		seen[place]++
		place.nth = nth
		places, values[place] = append(places, place), rows[i].Value
	}
	return places, values
}

// countedLabel removes the number from a label that ends in one: "confirmation 3".
func countedLabel(label string) (string, bool) {
	word, number, found := strings.Cut(label, " ")
	if !found || strings.Trim(number, "0123456789") != "" {
		return label, false
	}
	return word, true
}

func redactionDifferences(before, after []packets.Redaction) []Difference {
	var found []Difference
	count := func(list []packets.Redaction, category terms.PrivateCategory) int64 {
		for _, r := range list {
			if r.Category == category {
				return r.Count
			}
		}
		return 0
	}
	for _, category := range terms.PrivateCategories.All() {
		if from, to := count(before, category), count(after, category); from != to {
			one := Difference{SectionRedactions, category.Label(), number(from), number(to), Altered}
			switch {
			case from == 0:
				one.Kind = Added
			case to == 0:
				one.Kind = Removed
			}
			found = append(found, one)
		}
	}
	return found
}
