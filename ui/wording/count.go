// Package wording holds the words that the full console and the plain one share: counts and times,
// texts about a packet and its blockers, and texts about the service. Both take them from here, so
// that one thing has one name.
//
// count.go has counts and times, packet.go has packets, queue.go has the queue, record.go has
// records and the service, and stats.go has the figures of a period.
package wording

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"docket/domain/terms"
)

// Spaced writes a word of a vocabulary for reading: blanks in place of underscores.
func Spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

// Capital starts a sentence: a small ASCII letter at the beginning becomes a capital, unless it is
// that of a code, which has a spelling of its own.
func Capital(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if text == "" || text[0] < 'a' || text[0] > 'z' || strings.Contains(first, "_") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Thousands writes a count: 12,345.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Plural writes a count with the singular or plural words: "1 blocker holds", "2 blockers hold".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Moment writes a time for reading, to the minute, in UTC; "–" for an absent one.
func Moment(at terms.Instant) string {
	if !at.Present() {
		return "–"
	}
	return at.Time().Format("2006-01-02 15:04Z")
}

// Local writes a time in the reviewer's own zone, to show beside the time in UTC, with the date if
// that differs; "" if the zone is UTC or not known.
func Local(at terms.Instant, zone *time.Location) string {
	if !at.Present() || zone == nil {
		return ""
	}
	local := at.Time().In(zone)
	if _, offset := local.Zone(); offset == 0 {
		return ""
	}
	if utc := at.Time().UTC(); utc.YearDay() == local.YearDay() && utc.Year() == local.Year() {
		return fmt.Sprintf("%s local", local.Format("15:04 MST"))
	}
	return fmt.Sprintf("%s local", local.Format("2006-01-02 15:04 MST"))
}

func OrDash(text string) string { return cmp.Or(text, "–") }

// Day names the day of a time in a zone, in UTC where none is known, and says when it ends.
func Day(at terms.Instant, zone *time.Location) (name string, ends time.Time) {
	if zone == nil {
		zone = time.UTC
	}
	local := at.Time().In(zone)
	return local.Format(time.DateOnly), time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone)
}

// Since names a past time in the reviewer's zone: the time of the day alone if it was today.
func Since(at, now terms.Instant, zone *time.Location) string {
	day, _ := Day(at, zone)
	if today, _ := Day(now, zone); today != day {
		return day + " " + clock(at, zone)
	}
	return clock(at, zone)
}

func clock(at terms.Instant, zone *time.Location) string {
	if zone == nil {
		zone = time.UTC
	}
	return at.Time().In(zone).Format("15:04")
}

func NewSince(count int, at, now terms.Instant, zone *time.Location) string {
	return fmt.Sprintf("%s new since %s", Thousands(count), Since(at, now, zone))
}

// Due counts the overdue cases and those due today without names, which others may see; "" if none.
func Due(overdue, today int) string {
	var parts []string
	if overdue > 0 {
		parts = append(parts, fmt.Sprintf("%s overdue", Plural(overdue, "case is", "cases are")))
	}
	if today > 0 {
		parts = append(parts, fmt.Sprintf("%s due today", Plural(today, "case is", "cases are")))
	}
	return strings.Join(parts, ", ")
}

// Soon is when the time left starts to need attention.
const Soon = 48 * time.Hour

// TimeLeft says how long until a deadline, in the short form of lists; "" where there is none.
func TimeLeft(deadline, now terms.Instant) string {
	if !deadline.Present() {
		return ""
	}
	if left := deadline.Sub(now); left >= 0 {
		return fmt.Sprintf("%s left", Span(left, Soon))
	}
	return fmt.Sprintf("overdue %s", Span(now.Sub(deadline), 24*time.Hour))
}

// Span writes a duration as finely as it matters: 12d, 3h, 25m, and below fine also 1d 4h.
func Span(d, fine time.Duration) string {
	return span(d, fine, "<1m", func(n int, unit string) string { return strconv.Itoa(n) + unit[:1] })
}

// SpanInWords is Span in words, for a reader who hears it: 12 days, 1 day 4 hours.
func SpanInWords(d time.Duration) string {
	return span(d, Soon, "less than a minute", func(n int, unit string) string { return Plural(n, unit, unit+"s") })
}

// span writes hours beside days only below fine, minutes beside nothing.
func span(d, fine time.Duration, none string, write func(n int, unit string) string) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0 && hours > 0 && d < fine:
		return write(days, "day") + " " + write(hours, "hour")
	case days > 0:
		return write(days, "day")
	case hours > 0:
		return write(hours, "hour")
	case minutes > 0:
		return write(minutes, "minute")
	}
	return none
}

// TimeLeftInWords is TimeLeft for the ear.
func TimeLeftInWords(deadline, now terms.Instant) string {
	if !deadline.Present() {
		return "no deadline"
	}
	left := deadline.Sub(now)
	if left < 0 {
		return fmt.Sprintf("overdue by %s", SpanInWords(-left))
	}
	return fmt.Sprintf("%s left", SpanInWords(left))
}

// Sentence ends a text with a full stop, unless it has one.
func Sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") {
		return text
	}
	return text + "."
}

// IDs lists ids, at most so many of them, and says how many more there are.
func IDs(ids []terms.ID, most int) string {
	rest := ""
	if len(ids) > most {
		rest = fmt.Sprintf(" and %s more", Thousands(len(ids)-most))
		ids = ids[:most]
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ") + rest
}
