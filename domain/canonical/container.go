package canonical

import "unicode/utf8"

// enter opens the container whose bracket stands at at. The bracket that may
// close it at once, and the first member name, are left to following and key.
func (d *Document) enter(at int, kind Kind, key node, depth int) (int, *Fault) {
	d.begin(at, kind, key)
	if len(d.open) == depth {
		return 0, d.refuse(at, ReasonDepth, true)
	}
	d.open = append(d.open, frame{node: uint32(len(d.nodes) - 1)})
	return at + 1, nil
}

// following moves from the end of a value, or from an opening bracket, to the
// next value or member name of the innermost container, closing what ends in
// between. No container is open any more when the root has ended.
func (d *Document) following(at int) (int, *Fault) {
	for len(d.open) > 0 {
		at = d.space(at)
		if at == len(d.src) {
			return 0, d.refuse(at, ReasonEnd, false)
		}
		top := &d.open[len(d.open)-1]
		closing := byte('}')
		if d.nodes[top.node].kind == Array {
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

// leave closes the innermost container, which ends before end, and puts the
// members of an object in order.
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
