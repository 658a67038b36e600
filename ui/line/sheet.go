package line

import (
	"strings"

	"docket/ui/theme"
)

// A Sheet is lines below one another.
type Sheet []Line

// Window returns height lines from top on; fewer where the sheet ends.
func (s Sheet) Window(top, height int) Sheet {
	top = min(max(top, 0), len(s))
	return s[top:min(top+max(height, 0), len(s))]
}

// To returns the sheet at exactly the height: cut, or filled with empty lines.
func (s Sheet) To(height int) Sheet {
	if len(s) >= height {
		return s[:max(height, 0)]
	}
	out := make(Sheet, height)
	copy(out, s)
	return out
}

// Beside puts two sheets next to one another, with a rule after leftWidth columns.
func Beside(left, right Sheet, leftWidth, height int) Sheet {
	left, right = left.To(height), right.To(height)
	out := make(Sheet, height)
	for i := range out {
		out[i] = left[i].Pad(leftWidth).And(theme.Faint, " │ ").Plus(right[i])
	}
	return out
}

// BesideGap is how many columns Beside puts between its sheets.
const BesideGap = 3

// With reports for each line whether a text, in any case, begins in it; an empty one nowhere.
func (s Sheet) With(text string) []bool {
	text = folded(text)
	found := make([]bool, len(s))
	var all strings.Builder
	ends := make([]int, len(s))
	for i, l := range s {
		all.WriteString(folded(l.String()) + " ")
		ends[i] = all.Len()
	}
	if text == "" {
		return found
	}
	whole, from, row := all.String(), 0, 0
	for {
		at := strings.Index(whole[from:], text)
		if at < 0 {
			return found
		}
		for from += at; ends[row] <= from; row++ {
		}
		found[row] = true
		if from = ends[row]; from >= len(whole) {
			return found
		}
	}
}

func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// Box frames a sheet; with its frame it takes width columns and two lines more than the sheet.
func Box(title string, inner Sheet, width int) Sheet {
	inside := max(width-4, 0)
	top := Of(theme.Faint, "╭─").And(theme.Accent, " "+title+" ").Fit(max(width-1, 0))
	top = top.And(theme.Faint, strings.Repeat("─", max(width-1-top.Width(), 0))+"╮")
	out := make(Sheet, 0, len(inner)+2)
	out = append(out, top)
	for _, l := range inner {
		out = append(out, Of(theme.Faint, "│ ").Plus(l.Pad(inside)).And(theme.Faint, " │"))
	}
	return append(out, Of(theme.Faint, "╰"+strings.Repeat("─", max(width-2, 0))+"╯"))
}

// Over lays box over the middle of a sheet of width and height, into which it fits and which fades.
func Over(behind, box Sheet, boxWidth, width, height int) Sheet {
	behind = behind.To(height)
	out := make(Sheet, height)
	left := max((width-boxWidth)/2, 0)
	top := max((height-len(box))/2, 0)
	for i := range out {
		faded := behind[i].As(theme.Faint)
		if i < top || i >= top+len(box) {
			out[i] = faded
			continue
		}
		faded = faded.Pad(width)
		out[i] = faded.cut(left).Pad(left).Plus(box[i-top].Pad(boxWidth)).Plus(faded.drop(left + boxWidth))
	}
	return out
}

// RowsTo is how many rows of a list a line is from the selected one; false if it has no row.
func (s Sheet) RowsTo(at int) (rows int, is bool) {
	count, selected, wanted := 0, -1, -1
	for i, l := range s {
		for _, span := range l {
			if !span.row {
				continue
			}
			if count++; span.selected {
				selected = count
			}
			if i == at {
				wanted = count
			}
		}
	}
	if min(wanted, selected) < 0 {
		return 0, false
	}
	return wanted - selected, true
}

// Text writes the sheet without colours, a line end after each line.
func (s Sheet) Text() string {
	var b strings.Builder
	for _, l := range s {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

// Render draws the sheet at exactly the height, no line wider than the width.
func (s Sheet) Render(t *theme.Theme, width, height int) string {
	dst := make([]byte, 0, width*height*2)
	for i, l := range s.To(height) {
		if i > 0 {
			dst = append(dst, '\n')
		}
		for _, span := range l.Fit(width) {
			dst = t.Paint(dst, span.role, span.selected, span.text)
		}
	}
	return string(dst)
}
