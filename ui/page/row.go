package page

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/wording"
)

// Counts sums up the queue of an area; known: there is a reviewer, to whom cases are assigned.
func Counts(area terms.Area, t *queue.Tally, known bool) string {
	text := fmt.Sprintf("%s: %s open; %s of them pass", wording.Capital(area.String()),
		wording.Thousands(t.Open), wording.Thousands(t.Pass))
	if known {
		text += fmt.Sprintf(" and %s are assigned to you", wording.Thousands(t.Mine))
	}
	counts := wording.Aside(t)
	if t.Rejected > 0 {
		counts = append(counts, fmt.Sprintf("%s rejected by the service", wording.Thousands(t.Rejected)))
	}
	if t.Unreadable > 0 {
		counts = append(counts, fmt.Sprintf("%s cannot be read", wording.Thousands(t.Unreadable)))
	}
	return text + "; " + strings.Join(counts, ", ") + "."
}

// Row sums up a case of the queue: gate or blockers, time left, assignee, kind.
func Row(row *queue.Row, reviewer records.Reviewer, now terms.Instant) string {
	text := fmt.Sprintf("%s, revision %s. ", row.ID, wording.Thousands(int(row.Revision)))
	switch {
	case row.Unreadable != "":
		return fmt.Sprintf("%sCannot be read: %s", text, wording.Sentence(row.Unreadable))
	case row.Decided:
		text += "Decided. "
	case row.Skipped != "":
		text += fmt.Sprintf("Skipped: %s ", wording.Sentence(row.Skipped))
	}
	if row.Closed() {
		text += "Closed. "
	}
	if row.Reassigned {
		text += wording.Capital(queue.GivenAway) + ". "
	}
	if row.Rejected {
		text += "Rejected by the service, to judge again. "
	}
	if row.Erased {
		text += wording.Capital(wording.TextsErased) + ". "
	}
	if row.Draft {
		text += wording.Capital(wording.DraftBegun) + ". "
	}
	if codes := row.Blockers.List(); len(codes) > 0 {
		text += fmt.Sprintf("Blocked by %s. ", wording.Listed(codes))
	} else {
		text += wording.Capital(row.Gate.String()) + ". "
	}
	if earlier := wording.EarlierCodes(row); earlier != "" {
		text += wording.Sentence(earlier) + " "
	}
	if terms.AreaOf(row.Table) == terms.Appeals && row.Workable() {
		text += wording.Capital(wording.RowDue(row, now, wording.TimeLeftInWords)) + ". "
	}
	switch {
	case !row.AssignedTo.Present():
		text += "Assigned to nobody. "
	case reviewer.Known() && row.AssignedTo == reviewer.ID:
		text += "Assigned to you. "
	default:
		text += fmt.Sprintf("Assigned to %s. ", row.AssignedTo)
	}
	return text + wordsOf(row)
}

func wordsOf(row *queue.Row) string {
	var words []string
	for _, word := range []terms.AnyTerm{row.Subject, row.Trigger, row.Status} {
		if word != "" {
			words = append(words, word.Label())
		}
	}
	if len(words) == 0 {
		return "Its subject, trigger and status are not given."
	}
	return wording.Capital(strings.Join(words, ", ")) + "."
}
