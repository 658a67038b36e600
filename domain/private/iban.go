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

// iban reports whether the digits at i are the check digits of an IBAN: with its first four
// characters moved to the end, and letters as two digits, the rest by 97 has to be 1.
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
		if !isAtIndex(text, i, isWord) || text[i] == foreign || text[i] == unspaced {
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

func startsWord(text string, i int) bool {
	return !isAtIndex(text, i-1, isWord) || hasFold(text, i-4, "iban")
}

func isASCIILetter(text string, i int) bool {
	return isAtIndex(text, i, isLetter) && text[i] != foreign && text[i] != unspaced
}

func letterValue(letter byte) int { return int(letter|0x20-'a') + 10 }

// country is what is known of the IBANs of a country: how long the part behind
// the check digits is, 0 for unknown, and whether it has no letters.
type country struct {
	code       string
	length     int
	digitsOnly bool
}

// countries are those of the IBAN registry, then those that number their accounts like it.
var countries = [...]country{
	{"AD", 20, false}, {"AE", 19, true}, {"AL", 24, false}, {"AT", 16, true}, {"AZ", 24, false},
	{"BA", 16, true}, {"BE", 12, true}, {"BG", 18, false}, {"BH", 18, false}, {"BI", 23, true},
	{"BR", 25, false}, {"BY", 24, false}, {"CH", 17, false}, {"CR", 18, true}, {"CY", 24, false},
	{"CZ", 20, true}, {"DE", 18, true}, {"DJ", 23, true}, {"DK", 14, true}, {"DO", 24, false},
	{"EE", 16, true}, {"EG", 25, true}, {"ES", 20, true}, {"FI", 14, true}, {"FK", 14, false},
	{"FO", 14, true}, {"FR", 23, false}, {"GB", 18, false}, {"GE", 18, false}, {"GI", 19, false},
	{"GL", 14, true}, {"GR", 23, false}, {"GT", 24, false}, {"HN", 24, false}, {"HR", 17, true},
	{"HU", 24, true}, {"IE", 18, false}, {"IL", 19, true}, {"IQ", 19, false}, {"IS", 22, true},
	{"IT", 23, false}, {"JO", 26, false}, {"KW", 26, false}, {"KZ", 16, false}, {"LB", 24, false},
	{"LC", 28, false}, {"LI", 17, false}, {"LT", 16, true}, {"LU", 16, false}, {"LV", 17, false},
	{"LY", 21, true}, {"MC", 23, false}, {"MD", 20, false}, {"ME", 18, true}, {"MK", 15, false},
	{"MN", 16, true}, {"MR", 23, true}, {"MT", 27, false}, {"MU", 26, false}, {"NI", 24, false},
	{"NL", 14, false}, {"NO", 11, true}, {"OM", 19, false}, {"PK", 20, false}, {"PL", 24, true},
	{"PS", 25, false}, {"PT", 21, true}, {"QA", 25, false}, {"RO", 20, false}, {"RS", 18, true},
	{"RU", 29, false}, {"SA", 20, false}, {"SC", 27, false}, {"SD", 14, true}, {"SE", 20, true},
	{"SI", 15, true}, {"SK", 20, true}, {"SM", 23, false}, {"SO", 19, true}, {"ST", 21, true},
	{"SV", 24, false}, {"TL", 19, true}, {"TN", 20, true}, {"TR", 22, false}, {"UA", 25, false},
	{"VA", 18, true}, {"VG", 20, false}, {"XK", 16, true},

	{"YE", 26, false}, {"DZ", 22, true}, {"AO", 21, true}, {"BJ", 24, false}, {"BF", 24, false},
	{"CM", 23, true}, {"CV", 21, true}, {"CF", 23, true}, {"TD", 23, true}, {"KM", 23, true},
	{"CG", 23, true}, {"GQ", 23, true}, {"GA", 23, true}, {"GW", 21, false}, {"IR", 22, true},
	{"CI", 24, false}, {"MG", 23, true}, {"ML", 24, false}, {"MA", 24, true}, {"MZ", 21, true},
	{"NE", 24, false}, {"SN", 24, false}, {"TG", 24, false},
}

// countryIndex has for every two letters the index into countries, plus one.
var countryIndex = func() (t [26 * 26]uint8) {
	for i, c := range countries {
		t[pairIndex(c.code[0], c.code[1])] = uint8(i + 1)
	}
	return t
}()

func pairIndex(first, second byte) int {
	return (letterValue(first)-10)*26 + letterValue(second) - 10
}

func countryOf(first, second byte) country {
	if i := countryIndex[pairIndex(first, second)]; i > 0 {
		return countries[i-1]
	}
	return country{}
}
