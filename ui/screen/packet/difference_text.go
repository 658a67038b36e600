package packet

import (
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// differenceLines writes differences out, section by section, with how many there are of each kind first.
func differenceLines(list []domain.Difference, width int) line.Sheet {
	if len(list) == 0 {
		return line.Of(theme.Pass, "✓ ").And(theme.Plain, "Nothing that a packet shows is another.").Wrap(width, 2)
	}
	var count [3]int
	for i := range list {
		count[list[i].Kind]++
	}
	sum := line.Of(theme.Plain, wording.Thousands(count[domain.Altered])+" changed, "+wording.Thousands(count[domain.Added])+" added, "+
		wording.Thousands(count[domain.Removed])+" removed")
	sheet := line.Sheet(sum.Wrap(width, 2))
	section := domain.SectionName(0)
	for i := range list {
		if list[i].Section != section {
			section = list[i].Section
			sheet = append(sheet, nil, widget.Heading(domain.SectionTitle(section), width))
		}
		sheet = append(sheet, oneDifference(&list[i], width)...)
	}
	return sheet
}

// oneDifference is the label, then what was there and what is there now.
func oneDifference(d *domain.Difference, width int) line.Sheet {
	switch d.Kind {
	case domain.Added:
		return labelled(line.Of(theme.Pass, "+ "), d.Label, line.Of(theme.Plain, d.After), width)
	case domain.Removed:
		return labelled(line.Of(theme.Bad, "− "), d.Label, line.Of(theme.Dim, d.Before), width)
	}
	before, after := d.Before, d.After
	if len(before)+len(after) > 3*width {
		before, after = apart(before, after)
	}
	short := line.Of(theme.Dim, widget.OrAbsent(before)).And(theme.Accent, " → ").And(theme.Plain, widget.OrAbsent(after))
	if 2+line.Width(d.Label)+2+short.Width() <= width {
		return labelled(line.Of(theme.Accent, "~ "), d.Label, short, width)
	}
	sheet := line.Sheet(line.Of(theme.Accent, "~ ").And(theme.Dim, d.Label).Wrap(width, 2))
	sheet = append(sheet, line.Of(theme.Bad, "  − ").And(theme.Dim, widget.OrAbsent(before)).Wrap(width, 4)...)
	return append(sheet, line.Of(theme.Pass, "  + ").And(theme.Plain, widget.OrAbsent(after)).Wrap(width, 4)...)
}

func labelled(mark line.Line, label string, value line.Line, width int) line.Sheet {
	return mark.And(theme.Dim, label+"  ").Plus(value).Wrap(width, 4)
}

// around is how many bytes of what two long texts have in common stay on either side of where they differ.
const around = 40

// apart cuts what two long texts have in common at their ends, at a blank, so that what differs is found.
func apart(before, after string) (string, string) {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	cut := func(text string) string {
		from, to := start-around, len(text)-end+around
		if from <= 0 {
			from = 0
		} else if blank := strings.IndexByte(text[from:start], ' '); blank >= 0 {
			from += blank + 1
		} else {
			from = 0
		}
		if to >= len(text) {
			to = len(text)
		} else if blank := strings.LastIndexByte(text[len(text)-end:to], ' '); blank >= 0 {
			to = len(text) - end + blank
		} else {
			to = len(text)
		}
		out := text[from:to]
		if from > 0 {
			out = "… " + out
		}
		if to < len(text) {
			out += " …"
		}
		return out
	}
	return cut(before), cut(after)
}
