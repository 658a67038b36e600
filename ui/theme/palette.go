package theme

import "github.com/muesli/termenv"

// A tone is one colour in true colour, in 256 and in 16 colours; "" changes nothing.
type tone struct{ full, of256, of16 string }

func (t tone) at(profile termenv.Profile) string {
	switch profile {
	case termenv.TrueColor:
		return t.full
	case termenv.ANSI256:
		return t.of256
	case termenv.ANSI:
		return t.of16
	}
	return ""
}

type look struct {
	ink, back tone
	bold      bool
}

// A palette is the colours of one theme: tests hold every ink to a contrast with its background of
// 4.5 to 1, or 7 to 1 for high contrast, save in 16 colours, which the terminal decides.
type palette struct {
	ground tone // the background that the theme is made for; it is never painted
	looks  [roles]look
	// chosen is the line under the cursor: its background, and the ink of texts that have none; in
	// 16 colours that of every text, because few of those colours can be read on another.
	chosen look
}

var darkPalette = palette{
	ground: tone{"#1c1f26", "234", "0"},
	looks: [roles]look{
		Strong:   {bold: true},
		Dim:      {ink: tone{"#a3adb9", "248", "7"}},
		Faint:    {ink: tone{"#8e97a3", "247", "8"}},
		Accent:   {ink: tone{"#7cc4ff", "117", "14"}, bold: true},
		Pass:     {ink: tone{"#7fd88f", "114", "10"}},
		Bad:      {ink: tone{"#ff8a80", "210", "9"}},
		Warn:     {ink: tone{"#e9bd5b", "179", "11"}},
		Input:    {ink: tone{"#f0f3f6", "255", "15"}},
		Cursor:   {ink: tone{"#e9bd5b", "179", "11"}, bold: true},
		PassSign: {ink: tone{"#b9f2c4", "157", "0"}, back: tone{"#123d20", "22", "10"}, bold: true},
		BadSign:  {ink: tone{"#ffc9c4", "224", "15"}, back: tone{"#5a1e23", "52", "1"}, bold: true},
	},
	chosen: look{ink: tone{"#e6eaef", "254", "15"}, back: tone{"#1e2c42", "236", "4"}},
}

var lightPalette = palette{
	ground: tone{"#fafafa", "255", "15"},
	looks: [roles]look{
		Strong:   {bold: true},
		Dim:      {ink: tone{"#57606a", "240", "8"}},
		Faint:    {ink: tone{"#626a75", "241", "8"}},
		Accent:   {ink: tone{"#0757ad", "25", "4"}, bold: true},
		Pass:     {ink: tone{"#116b2d", "22", "2"}},
		Bad:      {ink: tone{"#b3162a", "124", "1"}},
		Warn:     {ink: tone{"#7a4b00", "94", "3"}},
		Input:    {ink: tone{"#1f2328", "234", "0"}},
		Cursor:   {ink: tone{"#7a4b00", "94", "3"}, bold: true},
		PassSign: {ink: tone{"#0b4f20", "22", "0"}, back: tone{"#c9f0d3", "194", "10"}, bold: true},
		BadSign:  {ink: tone{"#8a0f20", "88", "15"}, back: tone{"#fbd5d5", "224", "1"}, bold: true},
	},
	chosen: look{ink: tone{"#1f2328", "234", "0"}, back: tone{"#dfebfa", "254", "7"}},
}

// contrastPalette has the hues of Okabe and Ito, for those who do not tell red from green.
var contrastPalette = palette{
	ground: tone{"#000000", "16", "0"},
	looks: [roles]look{
		Strong:   {bold: true},
		Dim:      {ink: tone{"#dfe4ea", "254", "15"}},
		Faint:    {ink: tone{"#b8c0c9", "250", "7"}},
		Accent:   {ink: tone{"#e3a6d0", "182", "15"}, bold: true},
		Pass:     {ink: tone{"#7cc8f7", "117", "14"}, bold: true},
		Bad:      {ink: tone{"#ffa15e", "215", "13"}, bold: true},
		Warn:     {ink: tone{"#f0e442", "227", "11"}, bold: true},
		Input:    {ink: tone{"#ffffff", "231", "15"}, bold: true},
		Cursor:   {ink: tone{"#f0e442", "227", "11"}, bold: true},
		PassSign: {ink: tone{"#000000", "16", "0"}, back: tone{"#7cc8f7", "117", "14"}, bold: true},
		BadSign:  {ink: tone{"#000000", "16", "15"}, back: tone{"#ffa15e", "215", "5"}, bold: true},
	},
	chosen: look{ink: tone{"#ffffff", "231", "0"}, back: tone{"#0b2a55", "17", "15"}, bold: true},
}
