package page

import (
	"cmp"
	"slices"
	"strings"

	"docket/domain/views"
	"docket/ui/wording"
)

// HoldBack leaves out the differences that reveal the advice.
func HoldBack(list []views.Difference) []views.Difference {
	return slices.DeleteFunc(list, func(d views.Difference) bool {
		return d.Section == views.SectionAdvisory || d.Label == views.LabelFits || strings.HasPrefix(d.Label, "rule: ")
	})
}

// Differences writes out what changed between two views of a packet, under the headings of the later one. blind holds back
// what reveals the advice.
func Differences(from, to *views.View, blind bool) []Part {
	list := views.Differences(from, to)
	head := Part{}
	if blind {
		list = HoldBack(list)
		head.say("%s", Advice(to, blind))
	}
	if len(list) == 0 {
		head.say("%s", wording.Unchanged)
		return []Part{head}
	}
	head.say("%s", wording.Differences(list))
	parts := []Part{head}
	for i := range list {
		d := &list[i]
		if of := to.Heading(d.Section); of != parts[len(parts)-1].Title {
			parts = append(parts, Part{Title: of})
		}
		one := &parts[len(parts)-1]
		switch d.Kind {
		case views.Added:
			one.say("Added: %s: %s", d.Label, d.After)
		case views.Removed:
			one.say("Removed: %s: %s", d.Label, d.Before)
		default:
			one.say("Changed: %s: from %s to %s", d.Label, cmp.Or(d.Before, absent), cmp.Or(d.After, absent))
		}
	}
	return parts
}
