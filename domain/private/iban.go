package private

const (
	minBBAN, maxBBAN = 11, 30 // the shortest known, and the longest allowed
	// minBBANDigits keeps words behind something like "be 12" from being tried;
	// no account number has fewer digits.
	minBBANDigits = 6
	// minForeignDigits is the same for a country that is not in the table.
	minForeignDigits = 10
	// maxLetters stops reading when it is prose: known accounts have up to 12.
	maxLetters = 18
	maxIBANGap = 3
)

// iban reports whether the digits at i are the check digits of an IBAN. Its
// first four characters are moved to the end, letters count as two digits, and
// the rest by 97 has to be 1.
func iban(text string, i int) bool {
	second := skipBack(text, i-1, maxIBANGap, isJoint)
	if !isASCIILetter(text, second) {
		return false
	}
	first := skipBack(text, second-1, maxIBANGap, isJoint)
	if !isASCIILetter(text, first) {
		return false
	}
	check := skip(text, i+1, maxIBANGap, isJoint)
	if !isAtIndex(text, check, isDigit) {
		return false
	}
	tail := (letterValue(text[first])*100 + letterValue(text[second])) * 100
	tail += int(text[i]-'0')*10 + int(text[check]-'0')
	country := countryOf(text[first], text[second])
	if !country.digitsOnly && !startsWord(text, first) {
		// Digits only are safe to find inside a word; with letters allowed,
		// every word with a number behind it would be a candidate.
		return false
	}
	return account(text, check+1, tail, country) && !inUUID(text, i)
}

// account reports whether the part behind the check digits, starting at i, fits
// the country and the remainder. tail is the number made of the first four.
func account(text string, i, tail int, c country) bool {
	rest, length, digits := 0, 0, 0
	for length < maxBBAN {
		i = skip(text, i, maxIBANGap, isJoint)
		if !isAtIndex(text, i, isWord) || text[i] == foreign {
			return false
		}
		if is(text[i], isDigit) {
			rest = (rest*10 + int(text[i]-'0')) % 97
			digits++
		} else if c.digitsOnly || length-digits == maxLetters {
			return false
		} else {
			rest = (rest*100 + letterValue(text[i])) % 97
		}
		i++
		length++
		valid := (rest*1000000+tail)%97 == 1
		if length == c.length {
			return valid && digits >= minBBANDigits
		}
		unknown := c.length == 0 && length >= minBBAN && digits >= minForeignDigits && digits*2 >= length
		if unknown && valid && !isAtIndex(text, i, isWord) {
			return true
		}
	}
	return false
}

// startsWord reports whether no letter or digit comes before i, other than the
// word IBAN itself.
func startsWord(text string, i int) bool {
	return !isAtIndex(text, i-1, isWord) || hasFold(text, i-4, "iban")
}

func isASCIILetter(text string, i int) bool {
	return isAtIndex(text, i, isLetter) && text[i] != foreign
}

// letterValue returns 10 for A to 35 for Z, in either case.
func letterValue(letter byte) int { return int(letter|0x20-'a') + 10 }
