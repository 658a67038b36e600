package visible

import "unicode"

// blank holds what Unicode counts as a graphic although it draws nothing or a
// gap. Default-ignorable marks and letters come from the toolchain's own tables;
// see printable.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // the braille pattern without dots
	},
	R32: []unicode.Range32{
		{Lo: 0x13441, Hi: 0x13442, Stride: 1}, // Egyptian blanks
		{Lo: 0x16fe4, Hi: 0x16fe4, Stride: 1}, // Khitan filler
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // the null notehead
	},
}

// jamo holds the vowels and final consonants that join the Hangul syllable
// before them. They are letters, but take no column of their own and pile up
// like marks.
var jamo = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1161, Hi: 0x11ff, Stride: 1},
		{Lo: 0xd7b0, Hi: 0xd7ff, Stride: 1},
	},
}

// printable reports whether a rune beyond ASCII draws something by itself or on
// the character before. unicode.IsPrint already refuses controls, formats,
// surrogates, private use, unassigned code points, line separators and every
// space but the ASCII one.
func printable(r rune) bool {
	return unicode.IsPrint(r) &&
		!unicode.In(r, blank, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// stacks reports whether r is drawn on the character before it.
func stacks(r rune) bool {
	return unicode.In(r, unicode.M, jamo)
}
