// Package contractpage holds texts that the console shows without knowing their subject: the published contracts with their checks, the incident profile, the
// state of the private-overlap pilot. Its caller composes them as a Page.
package contractpage

// A Page is a text in parts, with a name and a state.
type Page struct {
	Name  string // short: "appeals"
	Title string // a few words
	State string // "15 of 15 checks pass", "not live"
	Mark  Mark   // of the state
	Parts []Part
}

// A Part is the text under one heading.
type Part struct {
	Heading string
	Entries []Entry
}

// An Entry is a row of a part: a name and a text, each possibly "", and the notes below them.
type Entry struct {
	Mark  Mark
	Name  string
	Text  string
	Notes []string
}

// A Mark is the state of something as a glyph, beside the words for it.
type Mark uint8

// Marks.
const (
	None Mark = iota
	Good      // as required
	Bad       // it is not
	Open      // not settled
)
