// Package contractpage holds texts that the console shows without knowing what they are about: the published contracts with
// their checks, the incident profile, the state of the private-overlap pilot. Its caller lays them out as a Page.
package contractpage

// A Page is a text in parts, under a name and with a word on how things stand.
type Page struct {
	Name  string // short: "appeals"
	Title string // what it is, a few words
	State string // "15 of 15 checks pass", "not live"
	Mark  Mark   // of the state
	Parts []Part
}

// A Part is what stands under a heading.
type Part struct {
	Heading string
	Entries []Entry
}

// An Entry is a row of a part: a name and a text, each of which may be "", and what is said below them.
type Entry struct {
	Mark  Mark
	Name  string
	Text  string
	Notes []string
}

// A Mark says how something stands, beside the words that say so too.
type Mark uint8

// Marks.
const (
	None Mark = iota
	Good      // it is as it has to be
	Bad       // it is not
	Open      // it is not settled
)
