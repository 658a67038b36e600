package widget

import (
	"slices"
	"strings"

	"docket/domain/pages"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/theme"
)

// Mark is a mark with a blank after it; nothing for None.
func Mark(m pages.Mark) line.Line {
	role, sign := theme.Dim, m.Sign()
	switch m {
	case pages.None:
		return nil
	case pages.Good:
		role = theme.Pass
	case pages.Bad:
		role = theme.Bad
	case pages.Open:
		role = theme.Warn
	}
	return line.Of(role, sign+" ")
}

// Labels is the width of the column for the labels of rows; longer ones stand above their values.
func Labels(rows []pages.Row, width int) (labels int) {
	for i := range rows {
		if size := line.Width(rows[i].Label); size <= min(width/2-4, 28) {
			labels = max(labels, size)
		}
	}
	return labels
}

// RowLines lays rows out below one another, in a column of their own where any has a mark, and
// counts with bars.
func RowLines(rows []pages.Row, width int, ascii bool) (sheet line.Sheet) {
	labels, count, unmarked := Labels(rows, width), 0, line.Line(nil)
	for i := range rows {
		if rows[i].Of > 0 {
			count = max(count, line.Width(rows[i].Value))
		}
		if rows[i].Mark != pages.None {
			unmarked = line.Of(theme.Plain, "  ")
		}
	}
	for i := range rows {
		r := &rows[i]
		mark, value := Mark(r.Mark), Value(r)
		if mark == nil {
			mark = unmarked
		}
		if r.Of > 0 {
			value = value.Right(count)
			if room := width - mark.Width() - labels - count - 4; room >= leastBar {
				value = value.And(theme.Plain, "  ").Plus(Bar(r.Count, r.Of, min(room, mostBar), theme.Accent, ascii))
			}
		}
		sheet = append(sheet, marked(mark, r, value, labels, width)...)
	}
	return sheet
}

// The widths of a bar.
const (
	leastBar = 8
	mostBar  = 24
)

// LabelledRow lays a row out with its value as drawn: its label in a column of that width, the
// blockers that hold because of it in its last line where they fit, else below, and its notes.
func LabelledRow(r *pages.Row, value line.Line, labels, width int) line.Sheet {
	return marked(Mark(r.Mark), r, value, labels, width)
}

func marked(mark line.Line, r *pages.Row, value line.Line, labels, width int) line.Sheet {
	sheet, indent := line.Sheet(mark.Plus(value).Wrap(width, 2)), 2
	if r.Label != "" {
		sheet, indent = Pair(mark, r.Label, value, labels, width)
	}
	for _, note := range r.Notes {
		sheet = append(sheet, line.Of(theme.Plain, Spaces(indent)).And(theme.Dim, note).Wrap(width, indent+2)...)
	}
	if len(r.Codes) == 0 {
		return sheet
	}
	out := line.Of(theme.Bad, "↳ ")
	for i, code := range r.Codes {
		if i > 0 {
			out = out.And(theme.Dim, ", ")
		}
		out = out.And(theme.Dim, code.String())
	}
	if last := len(sheet) - 1; sheet[last].Width()+2+out.Width() <= width {
		sheet[last] = sheet[last].And(theme.Plain, "  ").Plus(out)
		return sheet
	}
	return append(sheet, line.Of(theme.Plain, Spaces(indent)).Plus(out).Wrap(width, indent+2)...)
}

// RedactionBar stands for a private member. Its width reveals nothing about the member.
const RedactionBar = "████████"

// Value draws the value of a row with its remarks.
func Value(r *pages.Row) line.Line {
	role := theme.Plain
	if r.Mark == pages.Bad && r.Label != "" {
		role = theme.Bad
	}
	value := line.Written(role, r.Value)
	if slices.Contains(r.Codes, terms.PrivateDetailsUnredacted) && strings.HasPrefix(r.Value, "[masked: ") {
		value = line.Of(theme.Faint, RedactionBar).And(theme.Plain, " ").Plus(value)
	}
	if r.Value == "" {
		if role == theme.Plain {
			role = theme.Dim
		}
		value = line.Of(role, r.Shown())
	}
	for _, remark := range r.Remarks {
		mark := Mark(remark.Mark)
		if remark.Mark == pages.Open {
			mark = line.Of(theme.Warn, "! ")
		}
		value = value.And(theme.Plain, "  ").Plus(mark).And(theme.Dim, remark.Text)
	}
	return value
}
