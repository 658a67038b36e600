package json

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

var byteOrderMark = []byte("\xEF\xBB\xBF")

// read parses src onto the tape without recursion: d.open holds the open containers.
func (d *Document) read(limits *Limits) *Fault {
	if bytes.HasPrefix(d.src, byteOrderMark) {
		return d.refuse(0, ReasonByteOrderMark, false)
	}
	at := d.space(0)
	if at == len(d.src) {
		return d.refuse(at, ReasonEmpty, false)
	}
	var fault *Fault
	var key node
	for {
		if len(d.nodes) > limits.Values {
			return d.refuse(at, ReasonValues, false)
		}
		at, fault = d.value(at, key, limits.Depth)
		if fault != nil {
			return fault
		}
		at, fault = d.following(at)
		if fault != nil {
			return fault
		}
		if len(d.open) == 0 {
			return d.rest(at)
		}
		key = node{}
		if top := d.open[len(d.open)-1]; d.nodes[top.node].kind == KindObject {
			at, fault = d.key(at, &key)
			if fault != nil {
				return fault
			}
		}
	}
}

// value reads a scalar with its end, or only the bracket of a container, under the name in key.
func (d *Document) value(at int, key node, depth int) (int, *Fault) {
	if at == len(d.src) {
		return 0, d.refuse(at, ReasonEnd, false)
	}
	switch c := d.src[at]; c {
	case '"':
		return d.stringValue(at, key)
	case '{':
		return d.enter(at, KindObject, key, depth)
	case '[':
		return d.enter(at, KindArray, key, depth)
	case 't':
		return d.word(at, "true", KindTrue, key)
	case 'f':
		return d.word(at, "false", KindFalse, key)
	case 'n':
		return d.word(at, "null", KindNull, key)
	default:
		if c == '-' || '0' <= c && c <= '9' || c == '+' || c == '.' {
			return d.numberValue(at, key)
		}
		return 0, d.refuse(at, d.unexpected(at), false)
	}
}

func (d *Document) begin(at int, kind Kind, key node) *node {
	index := uint32(len(d.nodes))
	key.start, key.kind = uint32(at), kind
	if len(d.open) > 0 {
		top := &d.open[len(d.open)-1]
		if top.last == 0 {
			d.nodes[top.node].low = index
		} else {
			last := &d.nodes[top.last]
			last.next = index
			if kind := d.nodes[top.node].kind; kind == KindObject && !top.unsorted {
				top.unsorted = compareNames(d.name(last), d.name(&key)) >= 0
			}
		}
		top.last = index
		top.count++
	}
	d.nodes = append(d.nodes, key)
	return &d.nodes[index]
}

func (d *Document) finish(n *node, end int) {
	n.end, n.leaves = uint32(end), 1
	if len(d.open) > 0 {
		d.open[len(d.open)-1].leaves++
	}
}

func (d *Document) word(at int, word string, kind Kind, key node) (int, *Fault) {
	rest := d.src[at:]
	for i := range len(word) {
		if i == len(rest) {
			return 0, d.refuse(len(d.src), ReasonEnd, false)
		}
		if rest[i] != word[i] {
			return 0, d.refuse(at+i, d.unexpected(at+i), false)
		}
	}
	d.finish(d.begin(at, kind, key), at+len(word))
	return at + len(word), nil
}

func (d *Document) stringValue(at int, key node) (int, *Fault) {
	n := d.begin(at, KindString, key)
	t, end, reason := d.scanText(at)
	if reason != "" {
		return 0, d.refuse(end, reason, true)
	}
	n.low, n.high = uint32(t.at), uint32(t.length)
	if t.copied {
		n.flags |= textCopy
	}
	d.finish(n, end)
	return end, nil
}

func (d *Document) numberValue(at int, key node) (int, *Fault) {
	n := d.begin(at, KindNumber, key)
	num, end, reason := scanNumber(d.src, at)
	if reason != "" {
		return 0, d.refuse(at, reason, true)
	}
	n.setFloat(num.float)
	if num.canonical {
		n.flags |= verbatim
	}
	d.finish(n, end)
	return end, nil
}

// enter leaves the bracket that may close the container at once, and the first name, to others.
func (d *Document) enter(at int, kind Kind, key node, depth int) (int, *Fault) {
	d.begin(at, kind, key)
	if len(d.open) == depth {
		return 0, d.refuse(at, ReasonDepth, true)
	}
	d.open = append(d.open, frame{node: uint32(len(d.nodes) - 1)})
	return at + 1, nil
}

// following moves from the end of a value or an opening bracket to the next value or member name,
// closing what ends in between.
func (d *Document) following(at int) (int, *Fault) {
	for len(d.open) > 0 {
		at = d.space(at)
		if at == len(d.src) {
			return 0, d.refuse(at, ReasonEnd, false)
		}
		top := &d.open[len(d.open)-1]
		closing := byte('}')
		if d.nodes[top.node].kind == KindArray {
			closing = ']'
		}
		switch c := d.src[at]; {
		case c == closing:
			at++
			if fault := d.leave(at); fault != nil {
				return 0, fault
			}
		case top.count == 0:
			return at, nil
		case c == ',':
			return d.space(at + 1), nil
		default:
			return 0, d.refuse(at, d.unexpected(at), false)
		}
	}
	return at, nil
}

// leave closes the innermost container, and puts the members of an object in order.
func (d *Document) leave(end int) *Fault {
	top := d.open[len(d.open)-1]
	if top.unsorted {
		if twice, found := d.sortMembers(top); found {
			return d.refuse(twice, ReasonDuplicate, false)
		}
	}
	n := &d.nodes[top.node]
	n.end, n.high, n.leaves = uint32(end), top.count, top.leaves
	d.open = d.open[:len(d.open)-1]
	if len(d.open) > 0 {
		d.open[len(d.open)-1].leaves += top.leaves
	}
	return nil
}

// key reads the member name at at and the colon, up to the member's value.
func (d *Document) key(at int, key *node) (int, *Fault) {
	if at == len(d.src) {
		return 0, d.refuse(at, ReasonEnd, false)
	}
	if d.src[at] != '"' {
		return 0, d.refuse(at, d.unexpected(at), false)
	}
	t, end, reason := d.scanText(at)
	if reason != "" {
		return 0, d.refuse(end, reason, false)
	}
	key.nameAt, key.nameText, key.nameLen = uint32(at), uint32(t.at), uint32(t.length)
	key.flags = hasName
	if t.copied {
		key.flags |= nameCopy
	}
	at = d.space(end)
	if at == len(d.src) {
		return 0, d.refuse(at, ReasonEnd, false)
	}
	if d.src[at] != ':' {
		return 0, d.refuse(at, d.unexpected(at), false)
	}
	return d.space(at + 1), nil
}

func (d *Document) rest(at int) *Fault {
	if at = d.space(at); at < len(d.src) {
		return d.refuse(at, ReasonTrailing, false)
	}
	return nil
}

// space gives the first byte from at on that is not JSON white space.
func (d *Document) space(at int) int {
	for at < len(d.src) {
		switch d.src[at] {
		case ' ', '\n', '\r', '\t':
			at++
		default:
			return at
		}
	}
	return at
}

// unexpected names what is wrong with a byte that fits no rule outside strings.
func (d *Document) unexpected(at int) string {
	if r, size := utf8.DecodeRune(d.src[at:]); r == utf8.RuneError && size == 1 {
		return ReasonUTF8
	}
	return ReasonUnexpected
}

// sortMembers relinks the members of an object by their names, and finds the first repetition.
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
