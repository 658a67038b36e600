package contracts

import (
	"bytes"

	"docket/domain/json"
)

type framer struct {
	window
	file    string
	take    func(line int, pointer string, text []byte) (*json.Fault, error)
	explain func(text []byte, fault *json.Fault) []json.Fault // nil: only what take returned is told
	refused func(Refusal)

	once       bool  // a file that is not at all what is read gets a single refusal
	byLine     bool  // every line stands for itself
	byLineTo   int64 // so do those that begin before this place in the stream: read again
	loose      bool  // an array was left half-way: a comma or bracket behind a text belongs to it
	recovering bool  // what was refused last may go on, but not in a line that starts with {
}

func (f *framer) read() error {
	marked, err := f.byteOrderMark()
	if err != nil {
		return err
	}
	if marked {
		f.refuse(1, "", reasonFileMark)
		return nil
	}
	if ok, err := f.space(); !ok {
		return err
	}
	if f.once {
		if plausible, err := f.plausible(); !plausible {
			if err == nil {
				f.refuse(f.line, "", reasonNoPackets)
			}
			return err
		}
	}
	if f.buf[f.at] == '[' && !f.byLine {
		if err := f.array(); err != nil {
			return err
		}
	}
	return f.stream()
}

// plausibleBytes is how far into a file the first text may begin.
const plausibleBytes = 64 << 10

// plausible reports whether some line near the start of the file begins as a text does.
func (f *framer) plausible() (bool, error) {
	defer func() { f.at = f.hold }()
	for head := true; f.held() < plausibleBytes; f.at++ {
		if ok, err := f.more(); !ok {
			return false, err
		}
		switch c := f.buf[f.at]; c {
		case '{', '[':
			if head {
				return true, nil
			}
		case '\n':
			head = true
		case 0:
			return false, nil // no text, and what begins as one farther on does so by chance
		case ' ', '\t', '\r':
		default:
			head = false
		}
	}
	return false, nil
}

// byteOrderMark reports whether the file starts with one, of UTF-8 or UTF-16.
func (f *framer) byteOrderMark() (bool, error) {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"} {
		for f.at = f.hold; f.held() < len(mark); f.at++ {
			ok, err := f.more()
			if err != nil {
				return false, err
			}
			if !ok || f.buf[f.at] != mark[f.held()] {
				break
			}
		}
		if f.held() == len(mark) {
			return true, nil
		}
	}
	f.at = f.hold
	return false, nil
}

// stream reads texts that stand one after another, each beginning on a line of its own.
func (f *framer) stream() error {
	for {
		if ok, err := f.space(); !ok {
			return err
		}
		var err error
		switch object := f.buf[f.at] == '{'; {
		case f.byLine || f.position() < f.byLineTo:
			err = f.oneLine()
		case f.recovering && !(object && (f.atHead() || !f.loose)):
			_, err = f.toLineEnd(0)
		case object:
			err = f.object()
		default:
			err = f.oneLine()
		}
		if err != nil {
			return err
		}
	}
}

func (f *framer) oneLine() error {
	line := f.line
	head := f.atHead()
	ok, err := f.toLineEnd(MaxText)
	if err != nil {
		return err
	}
	if !ok {
		f.refuse(line, "", reasonTextSize)
		_, err := f.toLineEnd(0)
		return err
	}
	text := f.trim(f.buf[f.hold:f.at])
	if len(text) == 0 {
		return nil
	}
	fault, err := f.take(line, "", text)
	if err != nil {
		return err
	}
	if fault != nil {
		f.refuseFault(line, text, "", fault)
		return nil
	}
	f.foundWhole(head)
	return nil
}

// foundWhole notes a whole text on one line: if the line started with it, the file is JSON Lines.
func (f *framer) foundWhole(head bool) {
	f.recovering = false
	f.byLine = f.byLine || head && !f.loose
}

// trim removes white space, and a comma or bracket of an array that was left half-way.
func (f *framer) trim(text []byte) []byte {
	text = bytes.TrimRight(text, " \t\r\n")
	if last := len(text) - 1; f.loose && last >= 0 && (text[last] == ',' || text[last] == ']') {
		text = bytes.TrimRight(text[:last], " \t\r\n")
	}
	return text
}

// refuseFault reports the faults of a text that starts on the line; prefix leads to the text.
func (f *framer) refuseFault(line int, text []byte, prefix string, fault *json.Fault) {
	faults := []json.Fault{*fault}
	if f.explain != nil {
		faults = f.explain(text, fault)
	}
	var all []Refusal
	at, from := line, 0
	for _, fault := range faults {
		offset := max(from, min(fault.Offset, len(text)))
		at, from = at-1+json.Line(text[from:], offset-from), offset
		all = append(all, Refusal{File: f.file, Line: at, Pointer: prefix + fault.Pointer, Reason: fault.Reason})
	}
	first := all[0]
	if len(all) > 1 {
		first.Others = all[1:]
	}
	f.refused(first)
}

func (f *framer) refuse(line int, pointer, reason string) {
	f.refused(Refusal{File: f.file, Line: line, Pointer: pointer, Reason: reason})
}
