package canonical

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// member is an object's member while it is being sorted. prefix orders it by
// the first eight bytes of its name; most comparisons need no more.
type member struct {
	prefix uint64
	node   uint32
}

// sortMembers relinks the members of the object in top by their names. If a
// name stands twice, it gives the place of the first repetition in the text.
func (d *Document) sortMembers(top frame) (twice int, found bool) {
	object := &d.nodes[top.node]
	order := d.order[:0]
	for at := object.low; at != 0; at = d.nodes[at].next {
		order = append(order, member{prefix: namePrefix(d.name(&d.nodes[at])), node: at})
	}
	d.order = order
	slices.SortFunc(order, d.compareMembers)
	twice = len(d.src)
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if a.prefix != b.prefix || !bytes.Equal(d.name(&d.nodes[a.node]), d.name(&d.nodes[b.node])) {
			continue
		}
		twice, found = min(twice, int(d.nodes[b.node].nameAt)), true
	}
	object.low = order[0].node
	for i, m := range order[1:] {
		d.nodes[order[i].node].next = m.node
	}
	d.nodes[order[len(order)-1].node].next = 0
	return twice, found
}

// compareMembers orders equal names by their place in the text, so that the
// repetition that is reported does not depend on how the sort works.
func (d *Document) compareMembers(a, b member) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	if c := compareNames(d.name(&d.nodes[a.node]), d.name(&d.nodes[b.node])); c != 0 {
		return c
	}
	return cmp.Compare(a.node, b.node)
}

// compareNames orders two names, in valid UTF-8, by their UTF-16 code units.
//
// That is the order of their bytes with one exception: the characters from
// U+E000 to U+FFFF, which begin with EE or EF, come after those beyond U+FFFF,
// which begin with F0 to F4 and are surrogates, D800 to DFFF, in UTF-16. Where
// two names first differ in such bytes, both are first bytes of characters.
func compareNames(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		if x != y {
			i += bits.TrailingZeros64(x^y) / 8
			return cmp.Compare(rank(a[i]), rank(b[i]))
		}
	}
	for ; i < n; i++ {
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

// namePrefix packs the ranks of the first eight bytes of a name, filled up with
// zeros: where two prefixes differ, the names have the same order as they.
func namePrefix(name []byte) uint64 {
	var prefix uint64
	if len(name) >= 8 {
		prefix = binary.BigEndian.Uint64(name)
		if prefix&everyHigh == 0 {
			return prefix
		}
		name = name[:8]
	}
	prefix = 0
	for i, c := range name {
		prefix |= uint64(rank(c)) << (56 - 8*i)
	}
	return prefix
}
