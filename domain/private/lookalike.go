package private

// The Cyrillic and Greek letters drawn like Latin ones, and the Latin ones at
// the same place. Without them an IBAN would pass with one letter exchanged.
var (
	twins = []rune("АВЕЅІЈКМНОРСТУХаеорсухіјѕԁ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
	latin = "ABESIJKMHOPCTYXaeopcyxijsd" + "ABEZHIKMNOPTYXo"
)

// symbolTwins maps characters that stand for an ASCII one although Unicode does
// not decompose them to it.
var symbolTwins = map[rune]byte{
	'°': degree, 'º': degree, '˚': degree, '∘': degree,
	'′': '\'', '´': '\'', '‘': '\'', '’': '\'', 'ʹ': '\'', 'ʼ': '\'',
	'″': '"', '“': '"', '”': '"', '„': '"', 'ʺ': '"',
	'。': '.', '｡': '.', '·': '.', '•': '.', '∙': '.', '⋅': '.', '・': '.', '‧': '.',
	'−': '-', '⁃': '-', '˗': '-', '➖': '-', 'ー': '-',
	'➕': '+', '⁄': '/', '∕': '/', '⧸': '/', '╱': '/',
	'ⓐ': '@', 'Ⓐ': '@',
	'،': ',', '、': ',', '؛': ';', '٫': '.', '٬': ',',
	'【': '[', '】': ']', '〔': '[', '〕': ']', '⟨': '<', '⟩': '>', '〈': '<', '〉': '>', '「': '[', '」': ']',
	'\u2800': ' ',  // the braille pattern without dots
	'\u0085': '\n', // next line
}

// circled lists the digits in circles that Unicode counts as plain symbols.
var circled = []struct {
	first, last rune
	digit       byte
}{
	{0x24f5, 0x24fd, '1'},
	{0x24ff, 0x24ff, '0'},
	{0x2776, 0x277e, '1'},
	{0x2780, 0x2788, '1'},
	{0x278a, 0x2792, '1'},
	{0x1f10b, 0x1f10b, '0'},
	{0x1f10c, 0x1f10c, '0'},
}

// lookalike returns the ASCII character, or the degree sign, that r stands for.
func lookalike(r rune) (byte, bool) {
	if b, ok := symbolTwins[r]; ok {
		return b, true
	}
	switch {
	case r >= 0x370 && r < 0x530: // Greek and Cyrillic
		for i, twin := range twins {
			if twin == r {
				return latin[i], true
			}
		}
	case r >= 0x1f1e6 && r <= 0x1f1ff: // the letters that make up flags
		return 'A' + byte(r-0x1f1e6), true
	case r >= 0x24f5 && r <= 0x2792 || r == 0x1f10b || r == 0x1f10c:
		for _, c := range circled {
			if r >= c.first && r <= c.last {
				return c.digit + byte(r-c.first), true
			}
		}
	}
	return 0, false
}
