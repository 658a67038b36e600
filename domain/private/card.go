package private

const maxCardDigits = 19

// card reports whether a payment card number starts at group k and ends with a
// group: 12 to 19 digits of an issuer's range with a valid check digit.
func card(g *groups, k int) bool {
	if !issued(g, k) {
		return false
	}
	valid := false
	switch size := g.size(k); {
	case size >= minCardDigits:
		valid = size <= maxCardDigits && luhn(g, k, k)
	case size < 3:
		valid = singly(g, k)
	default:
		valid = grouped(g, k)
	}
	return valid && !inIdentifier(g.text, g.start[k], g.end[k])
}

// grouped reports whether a card number in groups of three digits or more, the
// last one excepted, starts at group k.
func grouped(g *groups, k int) bool {
	total := g.size(k)
	for last := k + 1; last < g.n; last++ {
		total += g.size(last)
		if total > maxCardDigits || !cardGap(g, last-1) {
			return false
		}
		if total >= minCardDigits && luhn(g, k, last) {
			return true
		}
		if g.size(last) < 3 {
			return false // only the last group of a card is that short
		}
	}
	return false
}

// singly reports whether all of g is one card number written in groups of one
// digit or two. Elsewhere in a list of such numbers there would always be some
// stretch with a matching check digit.
func singly(g *groups, k int) bool {
	if k != 0 {
		return false
	}
	total, last := 0, g.n-1
	for i := 0; i <= last; i++ {
		size := g.size(i)
		if size > g.size(0) || size < g.size(0) && i < last || i > 0 && !cardGap(g, i-1) {
			return false
		}
		total += size
	}
	return total >= minCardDigits && total <= maxCardDigits && luhn(g, 0, last)
}

// cardGap reports whether the gap behind group k can be one in a card number: a
// space or a dash, or two; a dot or a slash where the group is too long for an
// IP address or an amount.
func cardGap(g *groups, k int) bool {
	gap := g.gap(k)
	if len(gap) > 2 {
		return false
	}
	for i := range len(gap) {
		c := gap[i]
		if c != '-' && !is(c, isSpace) && (g.size(k) < 4 || c != '.' && c != '/' && c != '_') {
			return false
		}
	}
	return true
}

// issued reports whether the number at group k starts like a card's. Any number
// from 2 to 6 does, except 20, which no issuer has and every year and timestamp
// starts with; of the ones below, only two old ranges.
func issued(g *groups, k int) bool {
	switch first := g.at(k)[0]; {
	case first >= '3' && first <= '6':
		return true
	case first == '2':
		return g.size(k) < 2 || g.at(k)[1] != '0'
	}
	return g.size(k) >= 4 && g.at(k)[:4] == "1800"
}

// luhn reports whether the check digit of the number in groups first to last is
// right and not all its digits are the same.
func luhn(g *groups, first, last int) bool {
	sum, double, same := 0, false, true
	final := g.text[g.end[last]-1]
	for k := last; k >= first; k-- {
		for i := g.end[k] - 1; i >= g.start[k]; i-- {
			d := int(g.text[i] - '0')
			same = same && g.text[i] == final
			if double {
				d = d*2%10 + d/5 // the sum of the digits of 2d
			}
			sum += d
			double = !double
		}
	}
	return sum%10 == 0 && !same
}
