package incident

import (
	"math"
	"strconv"
	"strings"
)

const secondsPerDay = 24 * 60 * 60

// timeUnits are those of less than a day, the largest first.
var timeUnits = [...]struct {
	seconds int
	letter  string
}{{3600, "h"}, {60, "m"}, {1, "s"}}

// HoursText writes a number of hours for reading: 36 is "1d 12h", 0.5 is "30m". What is not whole seconds is rounded and
// marked with "~"; less than half a second is "<1s".
func HoursText(hours float64) string {
	if !(hours > 0) || math.IsInf(hours, 0) {
		return ""
	}
	days := math.Floor(hours / 24)
	exact := (hours - days*24) * 3600
	seconds := int(math.Round(exact))
	if seconds == secondsPerDay {
		days, seconds = days+1, 0
	}
	var parts []string
	if days > 0 {
		parts = append(parts, strconv.FormatFloat(days, 'f', -1, 64)+"d")
	}
	for _, unit := range timeUnits {
		if count := seconds / unit.seconds; count > 0 {
			parts = append(parts, strconv.Itoa(count)+unit.letter)
			seconds %= unit.seconds
		}
	}
	switch {
	case len(parts) == 0:
		return "<1s"
	case math.Abs(exact-math.Round(exact)) > 1e-6:
		return "~" + strings.Join(parts, " ")
	}
	return strings.Join(parts, " ")
}
