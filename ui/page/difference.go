package page

import (
	"cmp"
	"slices"
	"strings"

	"docket/domain/pages"
	"docket/domain/views"
	"docket/ui/wording"
)

// HoldBack leaves out the differences that reveal the advice.
func HoldBack(list []views.Difference) []views.Difference {
	return slices.DeleteFunc(list, func(d views.Difference) bool {
		return d.Section == views.SectionAdvisory || d.Label == views.LabelFits || strings.HasPrefix(d.Label, "rule: ")
	})
}

// Differences writes out what changed between two views of a packet, under the headings of the
// later one. blind holds back what reveals the advice.
func Differences(from, to *views.View, blind bool) []pages.Part {
	list := views.Differences(from, to)
	head := pages.Part{}
	if blind {
		list = HoldBack(list)
		head.Say("%s", Advice(to, blind))
	}
	if len(list) == 0 {
		head.Say("%s", wording.Unchanged)
		return []pages.Part{head}
	}
	head.Say("%s", wording.Differences(list))
	parts := []pages.Part{head}
	for i := range list {
		d := &list[i]
		if of := to.Heading(d.Section); of != parts[len(parts)-1].Title {
			parts = append(parts, pages.Part{Title: of})
		}
		one := &parts[len(parts)-1]
		switch d.Kind {
		case views.Added:
			one.Say("Added: %s: %s", d.Label, d.After)
		case views.Removed:
			one.Say("Removed: %s: %s", d.Label, d.Before)
		default:
			one.Say("Changed: %s: from %s to %s", d.Label, cmp.Or(d.Before, absent), cmp.Or(d.After, absent))
		}
	}
	return parts
}
