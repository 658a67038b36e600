package json

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Replace decides, for a String, whether something else stands in its place: it
// then appends that, which must be in canonical form, to dst and returns true.
// Otherwise it returns dst as it was, and false.
type Replace func(dst []byte, v Value) ([]byte, bool)

// AppendCanonical appends the RFC 8785 form of v to dst. If v is an object, its
// own member called except is left out, though not those of objects within it;
// with "" nothing is. A value that does not exist appends nothing.
func (v Value) AppendCanonical(dst []byte, except string) []byte {
	return v.AppendCanonicalWith(dst, except, nil)
}

// AppendCanonicalWith is AppendCanonical with every String at or below v, and every Object below
// it, shown to replace first. Member names are not shown to it: they stay as they are.
func (v Value) AppendCanonicalWith(dst []byte, except string, replace Replace) []byte {
	n := v.node()
	w := rewriter{doc: v.doc, replace: replace}
	switch {
	case n.kind != KindObject:
		return w.value(dst, v.at, n)
	case except == "":
		return w.members(dst, n, nil)
	}
	return w.members(dst, n, func(name []byte) bool { return string(name) != except })
}

// AppendMembers appends the canonical form of the object that has, of the members of v, only those
// that are called one of names, with every String and Object below v shown to replace first. Names
// that v does not have are passed over; a v that is not an object appends nothing.
func (v Value) AppendMembers(dst []byte, replace Replace, names ...string) []byte {
	n := v.node()
	if n.kind != KindObject {
		return dst
	}
	w := rewriter{doc: v.doc, replace: replace}
	return w.members(dst, n, func(name []byte) bool { return slices.Contains(names, string(name)) })
}

type rewriter struct {
	doc     *Document
	replace Replace
}

// value recurses no deeper than Parse allowed the text to nest.
func (w *rewriter) value(dst []byte, at uint32, n *node) []byte {
	switch n.kind {
	case KindNull:
		return append(dst, "null"...)
	case KindFalse:
		return append(dst, "false"...)
	case KindTrue:
		return append(dst, "true"...)
	case KindNumber:
		if n.flags&verbatim != 0 {
			return append(dst, w.doc.src[n.start:n.end]...)
		}
		return appendNumber(dst, n.float())
	case KindString:
		return w.text(dst, at, n)
	case KindArray:
		dst = append(dst, '[')
		for child := n.low; child != 0; {
			if child != n.low {
				dst = append(dst, ',')
			}
			c := &w.doc.nodes[child]
			dst = w.value(dst, child, c)
			child = c.next
		}
		return append(dst, ']')
	case KindObject:
		if w.replace != nil {
			if replaced, ok := w.replace(dst, w.valueOf(at)); ok {
				return replaced
			}
		}
		return w.members(dst, n, nil)
	default:
		return dst
	}
}

func (w *rewriter) valueOf(at uint32) Value {
	return Value{doc: w.doc, at: at, generation: w.doc.generation}
}

func (w *rewriter) members(dst []byte, n *node, keep func(name []byte) bool) []byte {
	dst = append(dst, '{')
	separate := false
	for child := n.low; child != 0; {
		at, c := child, &w.doc.nodes[child]
		child = c.next
		if keep != nil && !keep(w.doc.name(c)) {
			continue
		}
		if separate {
			dst = append(dst, ',')
		}
		separate = true
		if c.flags&nameCopy != 0 {
			dst = appendQuoted(dst, w.doc.name(c))
		} else {
			dst = append(dst, w.doc.src[c.nameAt:c.nameAt+c.nameLen+2]...)
		}
		dst = append(dst, ':')
		dst = w.value(dst, at, c)
	}
	return append(dst, '}')
}

// text appends a string; one without escapes is its own canonical form.
func (w *rewriter) text(dst []byte, at uint32, n *node) []byte {
	if w.replace != nil {
		if replaced, ok := w.replace(dst, w.valueOf(at)); ok {
			return replaced
		}
	}
	if n.flags&textCopy != 0 {
		return appendQuoted(dst, w.doc.text(n))
	}
	return append(dst, w.doc.src[n.start:n.end]...)
}

// AppendString appends s as a string in canonical form. s must be valid UTF-8,
// as every text of this package is: check what comes from elsewhere first. To
// keep the output JSON even so, broken bytes are written as U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return appendQuoted(dst, s)
}

// AppendInt appends n. Parse refuses what is written here if the magnitude of n is 2^53 or more.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, digits[c>>4], digits[c&0xF])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
