package canonical

import "bytes"

var byteOrderMark = []byte("\xEF\xBB\xBF")

// read parses the whole of src onto the tape. It walks without recursion: the
// open containers stand in d.open, which never outgrows depth.
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
		if top := d.open[len(d.open)-1]; d.nodes[top.node].kind == Object {
			at, fault = d.key(at, &key)
			if fault != nil {
				return fault
			}
		}
	}
}

// value reads the value at at: a scalar with its end, or no more than the
// bracket of a container. key carries the member name it stands under.
func (d *Document) value(at int, key node, depth int) (int, *Fault) {
	if at == len(d.src) {
		return 0, d.refuse(at, ReasonEnd, false)
	}
	switch c := d.src[at]; c {
	case '"':
		return d.stringValue(at, key)
	case '{':
		return d.enter(at, Object, key, depth)
	case '[':
		return d.enter(at, Array, key, depth)
	case 't':
		return d.word(at, "true", True, key)
	case 'f':
		return d.word(at, "false", False, key)
	case 'n':
		return d.word(at, "null", Null, key)
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
			if kind := d.nodes[top.node].kind; kind == Object && !top.unsorted {
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
	n := d.begin(at, String, key)
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
	n := d.begin(at, Number, key)
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
