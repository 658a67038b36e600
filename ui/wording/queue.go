package wording

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
)

const (
	WhySkip          = "Why do you skip it? The reason stays on this machine; the case comes back with its next revision."
	RowUnreadable    = "it cannot be read"
	StatementMissing = "a statement of reasons is required"
	NoneRejected     = "no case is rejected by the service"
)

// Skipped says in a clause that a case was skipped for a reason, or that its skip is undone; undoes is
// the key or the command that undoes the skip.
func Skipped(reason, undoes string) string {
	if reason == "" {
		return "the skip is undone"
	}
	return fmt.Sprintf("skipped; it is at the end of the queue, where %s undoes it", undoes)
}

// GivenAway says in a clause that the service has reassigned a case, and how it can come back.
func GivenAway(d *queue.CaseFile) string {
	return fmt.Sprintf("revision %s at the service is not assigned to you; if it is given back to you, `docket pull` brings it",
		Thousands(int(d.Reassigned)))
}

// Waits says how long a case has waited since its decision; "" for one that does not wait.
func Waits(row *queue.Row, now terms.Instant) string {
	switch since := row.WaitsSince(); {
	case !row.Waiting():
		return ""
	case !since.Present():
		return "waits"
	default:
		return fmt.Sprintf("waits %s", Span(now.Sub(since), 0))
	}
}

func BoardLine(l *queue.BoardLine, now terms.Instant) string {
	came := 0
	for _, count := range l.Weeks {
		came += count
	}
	parts := []string{fmt.Sprintf("%s of %s by it alone", Thousands(l.Alone), Thousands(l.Held))}
	if l.Oldest.Present() {
		parts = append(parts, fmt.Sprintf("the oldest came %s ago", SpanInWords(now.Sub(l.Oldest))))
	}
	if l.New > 0 {
		parts = append(parts, Thousands(l.New)+" new this week")
	}
	if l.Added > 0 {
		parts = append(parts, "people added it on "+Thousands(l.Added))
	}
	parts = append(parts, fmt.Sprintf("%s came with it in the last %d weeks", Thousands(came), queue.Weeks))
	return strings.Join(parts, "; ")
}

// WaitingCases counts the cases that wait since their decision, for the board; "" if none does.
func WaitingCases(t *queue.Tally, now terms.Instant) string {
	switch {
	case t.Waiting == 0:
		return ""
	case !t.Longest.Present():
		return fmt.Sprintf("%s after a decision", Plural(t.Waiting, "case waits", "cases wait"))
	}
	return fmt.Sprintf("%s after a decision, longest %s", Plural(t.Waiting, "case waits", "cases wait"), Span(now.Sub(t.Longest), 0))
}

// RowDue says why no deadline runs, or else what left says of the deadline.
func RowDue(row *queue.Row, now terms.Instant, left func(deadline, now terms.Instant) string) string {
	switch {
	case row.Reassigned:
		return queue.GivenAway
	case row.Closed():
		return "closed"
	case row.Waiting():
		return Waits(row, now)
	case row.AwaitsRecord():
		return queue.RelianceWaits
	}
	return left(row.Due(), now)
}

// ClosedTitle is the heading of the cases that are closed or, if there are any, reassigned.
func ClosedTitle(given int) string {
	if given > 0 {
		return fmt.Sprintf("Closed or %s", queue.GivenAway)
	}
	return "Closed"
}

// Aside counts the cases that are not open by why, skipped and decided ones even if there are none.
func Aside(t *queue.Tally) []string {
	parts := []string{fmt.Sprintf("%s skipped", Thousands(t.Skipped)), fmt.Sprintf("%s decided", Thousands(t.Decided))}
	if t.Closed > 0 {
		parts = append(parts, fmt.Sprintf("%s closed", Thousands(t.Closed)))
	}
	if t.Reassigned > 0 {
		parts = append(parts, Thousands(t.Reassigned)+" "+queue.GivenAway)
	}
	return parts
}
