package widget

import (
	"cmp"
	"strings"

	"docket/ui/line"
	"docket/ui/theme"
)

const Gap = " · "

// Joined joins parts to a line, with gaps between them; empty ones are left out.
func Joined(parts []line.Line) (out line.Line) {
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if len(out) > 0 {
			out = out.And(theme.Dim, Gap)
		}
		out = out.Plus(part)
	}
	return out
}

// JoinedIn joins as many parts as fit into a width, the first one in any case.
func JoinedIn(width int, parts []line.Line) line.Line {
	for len(parts) > 1 && Joined(parts).Width() > width {
		parts = parts[:len(parts)-1]
	}
	return Joined(parts)
}

// CursorLine sets off the line under the cursor by a glyph as well as by its background.
func CursorLine(l line.Line, here bool, width int) line.Line {
	if here {
		return line.Of(theme.Accent, "❯ ").Plus(l).Row().Selected(width)
	}
	return line.Of(theme.Plain, "  ").Plus(l).Row()
}

// Pair lays out a label and its value side by side, or one below the other where one of them is too
// long for that. labels is the width of labels of the kind.
func Pair(mark line.Line, label string, value line.Line, labels, width int) (sheet line.Sheet, indent int) {
	named := mark.And(theme.Dim, label)
	indent = mark.Width() + labels + 2
	if named.Width() > indent-2 || value.LongestWord() > width-indent {
		indent = mark.Width() + 2
		return append(named.Wrap(width, 2), line.Of(theme.Plain, Spaces(indent)).Plus(value).Wrap(width, indent)...), indent
	}
	return named.Pad(indent).Plus(value).Wrap(width, indent), indent
}

// ShortKey is the beginning of a key's fingerprint, by which a reviewer knows their own.
func ShortKey(fingerprint string) line.Line { return line.Of(theme.Dim, fingerprint).Fit(20) }

func Heading(title string, width int) line.Line { return Ruled(line.Of(theme.Accent, title), width) }

func Ruled(title line.Line, width int) line.Line {
	out := title.And(theme.Plain, " ")
	return out.Plus(line.Rule(width - out.Width())).Fit(width)
}

func Spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

func OrAbsent(text string) string { return cmp.Or(text, "absent") }

func Widest(texts []string) (width int) {
	for _, text := range texts {
		width = max(width, line.Width(text))
	}
	return width
}

// BesideFrom is the width for two columns side by side, contractFrom that for the contract's text,
// too.
const (
	BesideFrom    = 110
	contractFrom  = 180
	narrowShare   = 0.46
	contractShare = 0.24
)

// ProseWidth is the largest width of prose: longer lines are hard to read.
const ProseWidth = 90

// Shares splits a window of at least BesideFrom columns: narrow is for a list or for a step of a
// decision, wide for a packet, and contract, which is 0 below contractFrom, for the contract's
// text. The gaps are left out.
func Shares(width int) (narrow, wide, contract int) {
	if width >= contractFrom {
		contract = min(int(float64(width)*contractShare), ProseWidth)
		width -= contract + line.BesideGap
	}
	narrow = int(float64(width) * narrowShare)
	return narrow, width - narrow - line.BesideGap, contract
}

const CursorWidth = 2

// DetailFrom is from how many lines on a list has a detail of the line under the cursor below it.
const DetailFrom = 13
