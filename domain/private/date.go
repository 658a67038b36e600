package private

// dateAt reports whether group k starts a date: 2026-06-01 or 01.06.2026, with
// the day and the month in either order, and with a year of two digits when the
// separator does not go on, as it would in 01.02.03.04.05.
func dateAt(g *groups, k int) bool {
	if k+2 >= g.n {
		return false
	}
	separator := g.gap(k)
	if separator != "-" && separator != "." && separator != "/" || g.gap(k+1) != separator {
		return false
	}
	if g.sizes(k, 4, 2, 2) {
		return century(g.at(k)) && dayAndMonth(g.at(k+1), g.at(k+2))
	}
	if g.size(k) > 2 || g.size(k+1) > 2 || !dayAndMonth(g.at(k), g.at(k+1)) {
		return false
	}
	if g.size(k+2) == 4 {
		return century(g.at(k + 2))
	}
	return g.size(k+2) == 2 && (k+3 == g.n || g.gap(k+2) != separator)
}

// yearsAt reports whether group k starts a range of years.
func yearsAt(g *groups, k int) bool {
	return g.sizes(k, 4, 4) && century(g.at(k)) && century(g.at(k+1))
}

func century(year string) bool {
	return year[:2] == "19" || year[:2] == "20"
}

// dayAndMonth reports whether one of the two can be a month and the other a day.
func dayAndMonth(a, b string) bool {
	x, y := small(a), small(b)
	return x >= 1 && y >= 1 && min(x, y) <= 12 && max(x, y) <= 31
}

// small returns the value of one digit or two.
func small(digits string) int {
	n := int(digits[0] - '0')
	if len(digits) == 2 {
		n = n*10 + int(digits[1]-'0')
	}
	return n
}
