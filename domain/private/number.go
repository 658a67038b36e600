package private

import "strings"

const numberKinds Kinds = 1<<Phone | 1<<IBAN | 1<<PaymentCard | 1<<Coordinates | 1<<IPAddress

// scanNumbers tries, at each run of digits, every kind that could start there.
func scanNumbers(text string, total int) Kinds {
	var found Kinds
	g := groups{text: text}
	for i := 0; i < len(text); {
		if !is(text[i], isDigit) {
			i++
			continue
		}
		digits := g.read(i)
		if total >= minIBANDigits && !found.Has(IBAN) && iban(text, i) {
			found = found.With(IBAN)
		}
		i = g.end[g.n-1]
		for k := range g.n {
			if g.n == maxGroups && k == stride {
				i = g.start[k] // read on from here, with room behind again
				break
			}
			found |= scanGroup(&g, k, digits)
			digits -= g.size(k)
		}
		if found == numberKinds {
			break
		}
	}
	return found
}

func scanGroup(g *groups, k, digits int) Kinds {
	var found Kinds
	if coordinates(g, k) {
		found = found.With(Coordinates)
	}
	if g.size(k) <= 3 && g.gapIs(k, ".") && g.gapIs(k+1, ".") && g.gapIs(k+2, ".") && ipv4(g.text, g.start[k]) {
		found = found.With(IPAddress)
	}
	if digits >= minPhoneDigits && phone(g, k) {
		found = found.With(Phone)
	}
	if digits >= minCardDigits && card(g, k) {
		found = found.With(PaymentCard)
	}
	return found
}

const (
	// maxGroups covers a card number of 19 single digits from any of the first stride groups.
	maxGroups = 32
	stride    = 12
	// maxGap is the longest gap in one number: space, bracket, space, bracket.
	maxGap = 4
)

type groups struct {
	text       string
	n          int
	start, end [maxGroups]int
}

// read fills g with the digits from i on and returns how many there are; it does not set the text,
// which would count as escaping, so that folding could not work on the stack.
func (g *groups) read(i int) (digits int) {
	text := g.text
	g.n = 0
	for g.n < maxGroups {
		end := i + 1
		for end < len(text) && is(text[end], isDigit) {
			end++
		}
		g.start[g.n], g.end[g.n] = i, end
		g.n++
		digits += end - i
		i = skip(text, end, maxGap, isJoint)
		if i == end || !isAtIndex(text, i, isDigit) {
			break
		}
	}
	return digits
}

func (g *groups) size(k int) int {
	if k >= g.n {
		return 0
	}
	return g.end[k] - g.start[k]
}

func (g *groups) at(k int) string { return g.text[g.start[k]:g.end[k]] }

func (g *groups) gap(k int) string { return g.text[g.end[k]:g.start[k+1]] }

func (g *groups) gapIs(k int, gap string) bool { return k+1 < g.n && g.gap(k) == gap }

func (g *groups) sizes(k int, want ...int) bool {
	for i, n := range want {
		if g.size(k+i) != n {
			return false
		}
	}
	return true
}

// reaches reports whether the groups from k on, the last one complete, add up to
// a number of digits from low to high.
func (g *groups) reaches(k, low, high int) bool {
	total := 0
	for ; total < low; k++ {
		if k == g.n {
			return false
		}
		total += g.size(k)
	}
	return total <= high
}

// dateAt reports whether group k starts a date: 2026-06-01 or 01.06.2026, day and month in either
// order, or with two digits for the year where no separator goes on, as in 01.02.03.04.05.
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

// datesAt reports whether group k starts a date or a range such as 03.06-07.06.2015.
func datesAt(g *groups, k int) bool {
	if dateAt(g, k) {
		return true
	}
	first := datePart(g, k)
	if first == 0 || k+first >= g.n {
		return false
	}
	between := strings.Trim(g.gap(k+first-1), " .")
	return between == "-" && (datePart(g, k+first) >= first || dateAt(g, k+first))
}

// datePart returns how many groups from k on are day and month, or month and year; 0 for none.
func datePart(g *groups, k int) int {
	if k+1 >= g.n || g.size(k) > 2 || g.gap(k) != "." && g.gap(k) != "/" {
		return 0
	}
	month := small(g.at(k))
	switch {
	case g.size(k+1) == 4 && century(g.at(k+1)) && month >= 1 && month <= 12:
		return 2
	case g.size(k+1) <= 2 && dayAndMonth(g.at(k), g.at(k+1)):
		return 2
	}
	return 0
}

func yearsAt(g *groups, k int) bool {
	return g.sizes(k, 4, 4) && century(g.at(k)) && century(g.at(k+1))
}

func century(year string) bool {
	return year[:2] == "19" || year[:2] == "20"
}

func dayAndMonth(a, b string) bool {
	x, y := small(a), small(b)
	return x >= 1 && y >= 1 && min(x, y) <= 12 && max(x, y) <= 31
}

func small(digits string) int {
	n := int(digits[0] - '0')
	if len(digits) == 2 {
		n = n*10 + int(digits[1]-'0')
	}
	return n
}
