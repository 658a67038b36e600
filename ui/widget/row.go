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

// RowLines lays rows out below one another.
func RowLines(rows []pages.Row, width int) (sheet line.Sheet) {
	labels := Labels(rows, width)
	for i := range rows {
		sheet = append(sheet, LabelledRow(&rows[i], Value(&rows[i]), labels, width)...)
	}
	return sheet
}

// LabelledRow lays a row out with its value as drawn: its label in a column of that width, the
// blockers that hold because of it in its last line where they fit, else below, and its notes.
func LabelledRow(r *pages.Row, value line.Line, labels, width int) line.Sheet {
	sheet, indent := line.Sheet(Mark(r.Mark).Plus(value).Wrap(width, 2)), 2
	if r.Label != "" {
		sheet, indent = Pair(Mark(r.Mark), r.Label, value, labels, width)
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
		value = line.Of(role, "absent")
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
