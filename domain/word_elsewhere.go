package domain

// What a package under this one needs to keep its closed vocabularies in the same way.

// A WordList holds the words of a vocabulary that stands in another package.
type WordList = wordList

// NewWordList returns the list; name says what the words are words for. It has at most 63 words.
func NewWordList(name string, words ...string) *WordList { return &wordList{name, words} }

// Listed makes a kind of words from a type that leads to their list, which must always be the same one:
//
//	type Colour = domain.Word[domain.Listed[colourList]]
type Listed[L interface{ WordList() *WordList }] struct{}

func (Listed[L]) words() *wordList { var l L; return l.WordList() }
