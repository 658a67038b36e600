package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
	"strings"
)

// gap stands between what is said beside one another.
const gap = " · "

// joined puts parts beside one another; those that are empty are left out.
func joined(parts []line.Line) (out line.Line) {
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if len(out) > 0 {
			out = out.And(theme.Dim, gap)
		}
		out = out.Plus(part)
	}
	return out
}

// cursorLine sets off the line under the cursor by a glyph as well as by its background.
func cursorLine(l line.Line, here bool, width int) line.Line {
	if here {
		return line.Of(theme.Accent, "❯ ").Plus(l).Selected(width)
	}
	return line.Of(theme.Plain, "  ").Plus(l)
}

// pair lays out a label and its value beside one another, or below one another where one of them is too long for that.
// labels is the width that labels of the kind take.
func pair(mark line.Line, label string, value line.Line, labels, width int) (sheet line.Sheet, indent int) {
	named := mark.And(theme.Dim, label)
	indent = mark.Width() + labels + 2
	if named.Width() > indent-2 || value.LongestWord() > width-indent {
		indent = mark.Width() + 2
		return append(named.Wrap(width, 2), line.Of(theme.Plain, spaces(indent)).Plus(value).Wrap(width, indent)...), indent
	}
	return named.Pad(indent).Plus(value).Wrap(width, indent), indent
}

// heading is the title of a group with a rule to the end of the line.
func heading(title string, width int) line.Line { return ruled(line.Of(theme.Accent, title), width) }

func ruled(title line.Line, width int) line.Line {
	out := title.And(theme.Plain, " ")
	return out.Plus(line.Rule(width - out.Width())).Fit(width)
}

// spaces is so many blanks.
func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// orAbsent says that there is nothing where there is nothing.
func orAbsent(text string) string {
	if text == "" {
		return "absent"
	}
	return text
}

// cursorWidth is how many columns cursorLine puts before a line.
const cursorWidth = 2

// detailFrom is from how many lines on a list has a detail of the line under the cursor below it.
const detailFrom = 13
