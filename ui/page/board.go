package page

import (
	"fmt"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/wording"
)

// Board writes the blockers that hold a case out, those first, with what they mean and what cures
// them, then what was added earlier, and the number of those that hold none.
func Board(lines []queue.BoardLine, now terms.Instant) []pages.Row {
	var part pages.Part
	held := 0
	for ; held < len(lines) && lines[held].Held > 0; held++ {
		rule := &lines[held]
		text := fmt.Sprintf("%s holds %s", rule.Code, wording.Plural(rule.Held, "case", "cases"))
		if rule.Due.Present() {
			text += fmt.Sprintf(", first deadline: %s", wording.TimeLeftInWords(rule.Due, now))
		}
		part.Say("%d. %s. %s Cure: %s %s", held+1, text, rule.Meaning, rule.Cure, wording.Capital(wording.BoardLine(rule, now)))
	}
	for i := range lines {
		if one := &lines[i]; one.Earlier > 0 {
			part.Say("%s, %s, is not answered in %s", one.Code, wording.AddedEarlier, wording.Plural(one.Earlier, "case", "cases"))
		}
	}
	if held == 0 {
		part.Say("%s", wording.NotBlocked)
	}
	if rest := len(lines) - held; rest > 0 {
		part.Say("%s no open case", wording.Plural(rest, "other blocker holds", "other blockers hold"))
	}
	return part.Rows
}
