package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"docket/domain/canonical"
	"docket/domain/ordered"
)

// A Difference is one place where a document differs from the built-in one. It holds no text of the document except words that
// the built-in contracts know; see shown.
type Difference struct {
	Pointer string `json:"pointer"` // RFC 6901, into the document; where something is missing, to where it would stand
	Builtin string `json:"builtin"` // what stands in the built-in contract
	Found   string `json:"found"`   // what stands in the document
	// Wording is set where the source leaves the text to the publisher, so that no check objects to it.
	Wording bool `json:"wording"`

	place string // the pointer in the built-in document; "-" and "?" for entries and members that it does not have
	asks  string // what a liberty asks for in place of the built-in value; "" for that value
}

const (
	shownAbsent = "absent"
	// beyond stands in a place for an array entry that the built-in document does not have, or for the order.
	beyond = "-"
	// unknown stands in a place for a member that the built-in document does not have.
	unknown = "?"
	// maxListed is how many entries too many of one array are listed one by one.
	maxListed = 20
)

// comparison collects the differences between two documents.
type comparison struct {
	root  string // what leads from a report to the documents
	words words
	found []Difference
}

// differences compares a document with the built-in one; root leads from a report to both. Members may stand in any order; words
// of a vocabulary have the order of the source's tables. Where the source leaves the text to the publisher, another one is a
// difference of wording.
func differences(root string, want, got canonical.Value, w words) []Difference {
	c := comparison{root: root, words: w}
	c.values("", "", want, got)
	return c.found
}

func (c *comparison) add(place, pointer string, want, found string) {
	c.found = append(c.found, Difference{Pointer: pointer, Builtin: want, Found: found, place: place})
}

func (c *comparison) values(place, pointer string, want, got canonical.Value) {
	if free := libertyAt(c.root + place); free != nil && got.Exists() {
		c.wording(free, place, pointer, want, got)
		return
	}
	switch {
	case want.Kind() != got.Kind():
		c.add(place, pointer, builtin(want), c.words.shown(got))
	case want.Kind() == canonical.Object:
		c.objects(place, pointer, want, got)
	case want.Kind() == canonical.Array:
		c.arrays(place, pointer, want, got)
	case identity(want) != identity(got):
		c.add(place, pointer, builtin(want), c.words.shown(got))
	}
}

// wording compares the texts at a place where the source leaves the wording to the publisher.
func (c *comparison) wording(free *liberty, place, pointer string, want, got canonical.Value) {
	if identity(want) == identity(got) {
		return
	}
	c.add(place, pointer, builtin(want), c.words.shown(got))
	last := &c.found[len(c.found)-1]
	if last.Wording = free.holds(want, got); !last.Wording {
		last.asks = free.asks
	}
}

func (c *comparison) objects(place, pointer string, want, got canonical.Value) {
	known := 0
	for _, member := range entries(want) {
		name := "/" + member.Name()
		inside := got.Member(member.Name())
		if inside.Exists() {
			known++
		}
		c.values(place+name, pointer+name, member, inside)
	}
	if extra := got.Len() - known; extra > 0 {
		c.add(place+"/"+unknown, pointer, shownAbsent, fmt.Sprintf("%s not known, with a name that is not shown", count(extra, "member", "members")))
	}
}

// arrays pairs the entries of two arrays: first those of the same identity, then those at the same index. Sentences that the
// publisher words are only counted.
func (c *comparison) arrays(place, pointer string, want, got canonical.Value) {
	wanted, found := entries(want), entries(got)
	partner := pair(wanted, found)
	if libertyAt(c.root+place+"/0") != nil {
		partner = inTurn(len(wanted), len(found))
	}
	taken := make([]bool, len(found))
	last, ordered := -1, true
	for _, at := range partner {
		if at >= 0 {
			ordered = ordered && at > last
			last, taken[at] = at, true
		}
	}
	for i, entry := range wanted {
		step := "/" + strconv.Itoa(i)
		switch at := partner[i]; {
		case at >= 0:
			c.values(place+step, pointer+"/"+strconv.Itoa(at), entry, found[at])
		case i < len(found) && !taken[i]:
			taken[i] = true
			c.values(place+step, pointer+step, entry, found[i])
		default:
			c.add(place+step, pointer+step, builtin(entry), shownAbsent)
		}
	}
	c.extra(place, pointer, found, taken)
	if !ordered {
		c.add(place+"/"+beyond, pointer, "the order of the contract", "the same entries in another order")
	}
}

// extra reports the entries that have no counterpart in the built-in array.
func (c *comparison) extra(place, pointer string, found []canonical.Value, taken []bool) {
	listed, more := 0, 0
	for i, entry := range found {
		switch {
		case taken[i]:
		case listed < maxListed:
			listed++
			c.add(place+"/"+beyond, pointer+"/"+strconv.Itoa(i), shownAbsent, c.words.shown(entry))
		default:
			more++
		}
	}
	if more > 0 {
		c.add(place+"/"+beyond, pointer, shownAbsent, fmt.Sprintf("%d more entries", more))
	}
}

// pair gives for each wanted entry the index of the first found one with the same identity, -1 where there is none.
func pair(wanted, found []canonical.Value) []int {
	open := map[string][]int{}
	for i, entry := range found {
		key := identity(entry)
		open[key] = append(open[key], i)
	}
	partner := make([]int, len(wanted))
	for i, entry := range wanted {
		key := identity(entry)
		partner[i] = -1
		if candidates := open[key]; len(candidates) > 0 {
			partner[i], open[key] = candidates[0], candidates[1:]
		}
	}
	return partner
}

// inTurn gives for each of so many wanted entries the index of the found one in the same place, -1 where there is none.
func inTurn(wanted, found int) []int {
	partner := make([]int, wanted)
	for i := range partner {
		if partner[i] = i; i >= found {
			partner[i] = -1
		}
	}
	return partner
}

// identityMembers are the members by which an entry that is an object is known, in the order in which they are tried.
var identityMembers = []string{"key", "id", "path"}

// identity identifies an entry: an object by its key if it has one, anything else by its whole content.
func identity(v canonical.Value) string {
	for _, name := range identityMembers {
		if key := v.Member(name); key.Kind() == canonical.String {
			return name + string(key.AppendCanonical(nil, ""))
		}
	}
	return string(v.AppendCanonical(nil, ""))
}

// entries lists the elements of an array or the members of an object, as they stand in the text.
func entries(v canonical.Value) []canonical.Value {
	list := make([]canonical.Value, 0, v.Len())
	for entry := v.First(); entry.Exists(); entry = entry.Next() {
		list = append(list, entry)
	}
	if v.Kind() == canonical.Object {
		ordered.Sort(list, func(a, b canonical.Value) int { return cmp.Compare(a.Offset(), b.Offset()) })
	}
	return list
}

// isSentence tells a sentence from a code.
func isSentence(text string) bool { return strings.Contains(text, " ") }

// count writes a number with the singular or the plural words for what is counted.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
