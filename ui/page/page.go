// Package page writes a case file out for people, as headed lines in the order in which it is read: for docket show, and for
// the console that works line by line. The full console draws the same texts in its own layout.
package page

import (
	"fmt"
	"strings"

	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// A Part is what stands under one heading.
type Part struct {
	Name  views.PartName      // of a part of the view; 0 for another
	Of    []views.SectionName // the sections of the view that it has rows of
	Held  []views.SectionName // those with parts held back
	Title string
	State string // in a few words: its gate, how many lines do not meet the rules
	Lines []Line
	Rest  []Line // of long lists
}

// A Line is a row of a packet, or a sentence about it.
type Line struct {
	Row   bool
	Mark  views.Mark // whether a row meets the rules
	Label string     // "" for a sentence without one
	Value string
	Codes []terms.Blocker // the blockers that hold because of a row
}

// Spoken is the line in words, with a full stop; what a person wrote keeps its line breaks. Of a row it says only that it does
// not meet the rules: the heading says the rest.
func (l *Line) Spoken() string {
	text := l.Value
	if l.Row && text == "" {
		text = "absent"
	}
	if l.Label != "" {
		text = l.Label + ": " + text
	}
	switch {
	case l.Row && l.Mark == views.MarkBad:
		text = terms.Blocked.String() + ": " + text
	case l.Row:
		text = wording.Capital(text)
	}
	if len(l.Codes) > 0 {
		text += " (" + wording.Listed(l.Codes) + ")"
	}
	return wording.Sentence(text)
}

var signs = map[views.Mark]string{views.MarkGood: "✓", views.MarkBad: "✗", views.MarkNone: "·"}

// Text writes parts out whole, each row in one line with its mark; a part that says nothing is left out.
func Text(parts []Part) string {
	var out strings.Builder
	for i := range parts {
		if len(parts[i].Lines) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n%s\n", strings.ToUpper(parts[i].Title))
		for _, l := range append(parts[i].Lines[:len(parts[i].Lines):len(parts[i].Lines)], parts[i].Rest...) {
			out.WriteString(l.text())
		}
	}
	return out.String()
}

func (l *Line) text() string {
	if !l.Row {
		return "  " + strings.ReplaceAll(l.Spoken(), "\n", "\n    ") + "\n"
	}
	value := l.Value
	if value == "" {
		value = "absent"
	}
	if len(l.Codes) > 0 {
		value += "  ↳ " + wording.Listed(l.Codes)
	}
	return fmt.Sprintf("  %s %-*s %s\n", signs[l.Mark], labels, l.Label, strings.ReplaceAll(value, "\n", "\n"+strings.Repeat(" ", labels+5)))
}

const labels = 28
