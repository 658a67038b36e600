package contracts

type event uint8

const (
	eventNone     event = iota // all bytes are scanned
	eventEnd                   // the outermost container has ended
	eventComma                 // a comma directly within the outermost container, if that is an array
	eventLine                  // a line feed
	eventMismatch              // a closing bracket that fits no open one
)

// trackedDepth is the depth of a packet and the array around it; deeper ones are only counted.
const trackedDepth = 64

// brackets follows strings and brackets alone of a JSON text; the zero value stands before it.
type brackets struct {
	arrays   uint64 // bit i reports whether the container at depth i+1 is an array
	depth    int
	last     byte // the last byte that is neither white space nor within a string
	inString bool
	escaped  bool // the byte before was a backslash within a string
}

var byteClass = [256]uint8{
	' ': classSpace, '\t': classSpace, '\r': classSpace, '\n': classLine, '"': classQuote,
	'{': classOpen, '[': classOpen, '}': classClose, ']': classClose, ',': classComma,
}

const (
	classOther uint8 = iota
	classSpace
	classLine
	classQuote
	classOpen
	classClose
	classComma
)

// scan reads bytes up to and including the first event and returns how many there were.
func (b *brackets) scan(text []byte) (int, event) {
	for i := 0; i < len(text); i++ {
		if b.inString {
			i += b.skipString(text[i:])
			if i < len(text) && text[i] == '\n' {
				return i + 1, eventLine
			}
			continue
		}
		c := text[i]
		switch byteClass[c] {
		case classSpace:
			continue
		case classLine:
			return i + 1, eventLine
		case classQuote:
			b.inString = true
		case classOpen:
			b.open(c)
		case classClose:
			if !b.close(c) {
				return i + 1, eventMismatch
			}
			if b.depth == 0 {
				return i + 1, eventEnd
			}
		case classComma:
			if b.depth == 1 && b.arrays&1 != 0 {
				b.last = c
				return i + 1, eventComma
			}
		}
		b.last = c
	}
	return len(text), eventNone
}

// skipString returns the place of the byte that ends the string, the line or the text.
func (b *brackets) skipString(text []byte) int {
	for i, c := range text {
		switch {
		case c == '\n':
			b.escaped = false
			return i
		case b.escaped:
			b.escaped = false
		case c == '\\':
			b.escaped = true
		case c == '"':
			b.inString = false
			return i
		}
	}
	return len(text)
}

func (b *brackets) open(c byte) {
	if b.depth < trackedDepth {
		b.arrays &^= 1 << b.depth
		if c == '[' {
			b.arrays |= 1 << b.depth
		}
	}
	b.depth++
}

func (b *brackets) close(c byte) bool {
	if b.depth == 0 || b.depth <= trackedDepth && b.inArray() != (c == ']') {
		return false
	}
	b.depth--
	return true
}

func (b *brackets) inArray() bool { return b.arrays>>(b.depth-1)&1 != 0 }

// fitsObject reports whether an object may begin here, which is no deeper than in a packet.
func (b *brackets) fitsObject() bool {
	if b.inString || b.depth == 0 || b.depth > trackedDepth {
		return false
	}
	switch b.last {
	case '[':
		return true
	case ',':
		return b.inArray()
	case ':':
		return !b.inArray()
	}
	return false
}
