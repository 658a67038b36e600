package private

// country is what is known of the IBANs of a country: how long the part behind
// the check digits is, 0 for unknown, and whether it has no letters.
type country struct {
	code       string
	length     int
	digitsOnly bool
}

// countries are those of the IBAN registry.
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
}

// countryIndex has for every two letters the index into countries, plus one.
var countryIndex = func() (t [26 * 26]uint8) {
	for i, c := range countries {
		t[pairIndex(c.code[0], c.code[1])] = uint8(i + 1)
	}
	return t
}()

// pairIndex numbers the pairs of letters, in either case.
func pairIndex(first, second byte) int {
	return (letterValue(first)-10)*26 + letterValue(second) - 10
}

// countryOf returns the country with this code, or one without a known length.
func countryOf(first, second byte) country {
	if i := countryIndex[pairIndex(first, second)]; i > 0 {
		return countries[i-1]
	}
	return country{}
}
