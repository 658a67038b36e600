package private

import "maps"

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

// rows are characters in the order of the ASCII ones that they stand for, which
// Unicode counts as plain symbols.
var rows = []struct {
	first, last rune
	ascii       byte
}{
	{0x1f1e6, 0x1f1ff, 'A'}, // the letters that make up flags
	// digits in circles
	{0x24f5, 0x24fd, '1'},
	{0x24ff, 0x24ff, '0'},
	{0x2776, 0x277e, '1'},
	{0x2780, 0x2788, '1'},
	{0x278a, 0x2792, '1'},
	{0x1f10b, 0x1f10b, '0'},
	{0x1f10c, 0x1f10c, '0'},
}

// lookalikes has all of the above.
var lookalikes = func() map[rune]byte {
	all := maps.Clone(symbolTwins)
	for i, twin := range twins {
		all[twin] = latin[i]
	}
	for _, row := range rows {
		for r := row.first; r <= row.last; r++ {
			all[r] = row.ascii + byte(r-row.first)
		}
	}
	return all
}()

// lookalike returns the ASCII character, or the degree sign, that r stands for.
func lookalike(r rune) (byte, bool) {
	b, ok := lookalikes[r]
	return b, ok
}
