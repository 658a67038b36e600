package canonical

import (
	"bytes"
	"cmp"
	"slices"
)

// sortMembers relinks the members of the object in top by their names. If a
// name stands twice, it gives the place of the first repetition in the text.
func (d *Document) sortMembers(top frame) (twice int, found bool) {
	object := &d.nodes[top.node]
	order := d.order[:0]
	for at := object.low; at != 0; at = d.nodes[at].next {
		order = append(order, at)
	}
	d.order = order
	name := func(at uint32) []byte { return d.name(&d.nodes[at]) }
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(compareNames(name(a), name(b)), cmp.Compare(a, b))
	})
	twice = len(d.src)
	for i := 1; i < len(order); i++ {
		if bytes.Equal(name(order[i-1]), name(order[i])) {
			twice, found = min(twice, int(d.nodes[order[i]].nameAt)), true
		}
		d.nodes[order[i-1]].next = order[i]
	}
	object.low = order[0]
	d.nodes[order[len(order)-1]].next = 0
	return twice, found
}

// compareNames orders two names, in valid UTF-8, by their UTF-16 code units.
//
// That is the order of their bytes with one exception: the characters from
// U+E000 to U+FFFF, which begin with EE or EF, come after those beyond U+FFFF,
// which begin with F0 to F4 and are surrogates, D800 to DFFF, in UTF-16. Where
// two names first differ in such bytes, both are first bytes of characters.
func compareNames(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Compare(rank(a[i]), rank(b[i]))
		}
	}
	return cmp.Compare(len(a), len(b))
}

// rank moves the first bytes EE and EF behind F4.
func rank(c byte) byte {
	if c == 0xEE || c == 0xEF {
		return c + 0x0A
	}
	return c
}
