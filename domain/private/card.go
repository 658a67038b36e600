package private

// issued are the numbers that the card networks issue, by their first digits and their lengths.
var issued = expression(
	`^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|1\d{14}|220[0-4]\d{12,15}|3[47]\d{13}|` +
		`3(?:0[0-59]|[689]\d)\d{11,16}|35(?:2[89]|[3-8]\d)\d{12,15}|(?:2131|1800)\d{11}|6\d{11,18}|(?:50|5[6-9])\d{10,17}|81\d{14,17}|9792\d{12})$`)

const maxCardDigits = 19

// card reports whether a payment card number starts at group k and ends with a
// group: 12 to 19 digits of an issuer's range with a valid check digit.
func card(g *groups, k int) bool {
	if first := g.at(k)[0]; first == '0' || first == '7' {
		return false
	}
	valid := false
	switch size := g.size(k); {
	case size >= minCardDigits:
		valid = size <= maxCardDigits && luhn(g, k, k)
	case size < 3:
		valid = singly(g, k)
	default:
		valid = inGroups(g, k)
	}
	if valid && g.at(k)[0] == '1' && labelled(g.text, g.start[k]) {
		return false // numbers of things begin so, too
	}
	return valid && !inIdentifier(g.text, g.start[k], g.end[k])
}

func inGroups(g *groups, k int) bool {
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

// singly reports whether all of g is one card number in groups of one or two digits: elsewhere in a
// list of such numbers some stretch would always have a matching check digit.
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

// cardGap reports whether the gap behind group k can be one in a card number: a space or a dash, or
// two; a dot or a slash where the group is too long for an IP address or an amount.
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

// luhn reports whether the number in groups first to last is one that a network
// issues, with the right check digit, and not the number of an article in a shop.
func luhn(g *groups, first, last int) bool {
	sum, articles, double, same, n := 0, 0, false, true, 0
	final := g.text[g.end[last]-1]
	var digits [maxCardDigits]byte
	for k := last; k >= first; k-- {
		for i := g.end[k] - 1; i >= g.start[k]; i-- {
			d := int(g.text[i] - '0')
			n++
			digits[maxCardDigits-n] = g.text[i]
			same = same && g.text[i] == final
			if double {
				articles += 3 * d
				sum += d*2%10 + d/5 // the sum of the digits of 2d
			} else {
				articles += d
				sum += d
			}
			double = !double
		}
	}
	if sum%10 != 0 || same || n <= 13 && first == last && articles%10 == 0 {
		return false
	}
	return issued().MatchString(string(digits[maxCardDigits-n:]))
}
