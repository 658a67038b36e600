package report

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"docket/domain/terms"
)

// utcForm is ISO 8601's date and time of day in UTC, in its basic or its extended format: a calendar, week or ordinal
// date; hours, minutes or seconds with or without a fraction; Z or an offset of zero.
const (
	basicForm    = `[0-9]{4}([0-9]{4}|[0-9]{3}|W[0-9]{3})T[0-9]{2}([0-9]{2}([0-9]{2})?)?([.,][0-9]+)?(Z|\+00(00)?)`
	extendedForm = `[0-9]{4}-([0-9]{2}-[0-9]{2}|[0-9]{3}|W[0-9]{2}-[0-9])T[0-9]{2}(:[0-9]{2}(:[0-9]{2})?)?([.,][0-9]+)?(Z|\+00(:00)?)`
	utcPattern   = `^(` + basicForm + `|` + extendedForm + `)$`
)

var utcForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(utcPattern) })

// maxTime is the length in bytes of the longest time that is read: a fraction has no end in ISO 8601.
const maxTime = 64

// parseUTC reads an ISO 8601 time in UTC, to the nanosecond.
func parseUTC(text string) (terms.Instant, bool) {
	if len(text) > maxTime || !utcForm().MatchString(text) {
		return terms.Instant{}, false
	}
	date, clock, _ := strings.Cut(text, "T")
	day, there := parseDate(strings.ReplaceAll(date, "-", ""))
	if !there {
		return terms.Instant{}, false
	}
	clock, _, _ = strings.Cut(strings.TrimSuffix(clock, "Z"), "+")
	since, there := parseClock(strings.ReplaceAll(clock, ":", ""))
	if !there {
		return terms.Instant{}, false
	}
	at := terms.InstantOf(day.Add(since))
	return at, at.Present()
}

// parseDate reads a date of the basic format: a year and a month and day, a week and day, or the number of a day.
func parseDate(text string) (time.Time, bool) {
	year := number(text[:4])
	start := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	switch rest := text[4:]; {
	case rest[0] == 'W':
		// The first week is the one with 4 January in it, and weeks begin on Monday.
		week, weekday := number(rest[1:3]), number(rest[3:])
		fourth := start.AddDate(0, 0, 3)
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		day := monday.AddDate(0, 0, 7*(week-1)+weekday-1)
		inYear, inWeek := day.ISOWeek()
		return day, inYear == year && inWeek == week
	case len(rest) == 3:
		day := start.AddDate(0, 0, number(rest)-1)
		return day, day.Year() == year
	default:
		day := time.Date(year, time.Month(number(rest[:2])), number(rest[2:]), 0, 0, 0, 0, time.UTC)
		return day, day.Format("20060102") == text
	}
}

// parseClock reads a time of day of the basic format: hours, minutes and seconds as far as they are given, the last of
// them with or without a fraction. 24:00 is the end of the day, and a leap second counts as it.
func parseClock(text string) (time.Duration, bool) {
	whole, fraction := text, ""
	if i := strings.IndexAny(text, ".,"); i >= 0 {
		whole, fraction = text[:i], text[i+1:]
	}
	units := [...]struct {
		length time.Duration
		limit  int
	}{{time.Hour, 24}, {time.Minute, 59}, {time.Second, 60}}
	var since, unit time.Duration
	for i := 0; 2*i < len(whole); i++ {
		n := number(whole[2*i : 2*i+2])
		if n > units[i].limit {
			return 0, false
		}
		unit = units[i].length
		since += time.Duration(n) * unit
	}
	var part time.Duration
	for scale := unit; len(fraction) > 0 && scale > 0; fraction = fraction[1:] {
		part += scale * time.Duration(fraction[0]-'0') / 10
		scale /= 10
	}
	since += part
	if len(whole) == 6 && whole[4:] == "60" {
		return 24 * time.Hour, whole[:4] == "2359"
	}
	return since, since <= 24*time.Hour
}

// number reads digits.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}
