package contracts

import "docket/domain/json"

// A span is a text that may go over several lines, while its end is looked for.
type span struct {
	brackets
	line  int  // on which it starts
	large bool // refused for its length already, and not held

	// The first line after the start that is a whole object where the grammar has place for one:
	// reading goes on there if the text is broken, as the line may be a text of JSON Lines.
	resumable  bool // there is one
	resumeAt   int  // where it begins and ends, from the start of the text
	resumeEnd  int
	resumeLine int

	candidate      bool // this line may become it
	candidateAt    int
	candidateLine  int
	candidateDepth int
}

// object reads a text that begins with { and ends with its bracket, on this line or a later one.
func (f *framer) object() error {
	s := span{line: f.line}
	head := f.atHead()
	for {
		if ok, err := f.more(); err != nil {
			return err
		} else if !ok {
			s.endLine(f.held())
			return f.broken(&s, f.at)
		}
		n, event := s.scan(f.buf[f.at:f.to])
		f.at += n
		if f.held() > MaxText {
			return f.tooLarge(&s, event)
		}
		switch event {
		case eventEnd:
			return f.ended(&s, head)
		case eventMismatch:
			if ok, err := f.toLineEnd(MaxText); err != nil {
				return err
			} else if !ok {
				return f.tooLarge(&s, eventMismatch)
			}
			return f.broken(&s, f.at)
		case eventLine:
			f.newline()
			s.endLine(f.held())
			boundary, err := f.lineStart(&s)
			if err != nil {
				return err
			}
			if boundary || s.inString {
				return f.broken(&s, f.at)
			}
		}
	}
}

// lineStart reports whether the text cannot go on, since its line starts an object where none fits.
func (f *framer) lineStart(s *span) (boundary bool, err error) {
	if ok, err := f.more(); !ok || f.buf[f.at] != '{' {
		return false, err
	}
	if !s.fitsObject() {
		return true, nil
	}
	s.candidate = !s.resumable && !s.large
	s.candidateAt, s.candidateLine, s.candidateDepth = f.held(), f.line, s.depth
	return false, nil
}

// endLine looks whether the line that ends at an index of the text was a whole object.
func (s *span) endLine(at int) {
	if s.candidate && !s.inString && s.depth == s.candidateDepth && s.last == '}' {
		s.resumable, s.resumeAt, s.resumeEnd, s.resumeLine = true, s.candidateAt, at, s.candidateLine
	}
	s.candidate = false
}

// ended takes a text whose last bracket has been reached.
func (f *framer) ended(s *span, head bool) error {
	end := f.held()
	if ok, err := f.toLineEnd(MaxText); err != nil {
		return err
	} else if !ok {
		return f.tooLarge(s, eventEnd)
	}
	rest := f.trim(f.buf[f.hold+end : f.at])
	if len(rest) > 0 {
		if s.resumable {
			return f.broken(s, f.at)
		}
		f.recovering = false
		f.refuse(f.line, "", json.ReasonTrailing)
		return nil
	}
	text := f.buf[f.hold : f.hold+end]
	fault, err := f.take(s.line, "", text)
	switch {
	case err != nil:
		return err
	case fault == nil:
	case s.resumable:
		return f.broken(s, f.at)
	default:
		f.refuseFault(s.line, text, "", fault)
	}
	f.recovering = false
	f.byLine = f.byLine || head && !f.loose && s.line == f.line
	return nil
}

// broken refuses a text up to end or, if a later line is a text of its own, up to that line, from
// which on all lines are read again one by one.
func (f *framer) broken(s *span, end int) error {
	if s.resumable {
		f.byLineTo = f.position()
		end = f.hold + s.resumeAt
	}
	text := f.buf[f.hold:end]
	if !s.inString || s.resumable {
		text = f.trim(text) // else the line feed within the string is what is wrong
	}
	fault, err := f.take(s.line, "", text)
	if err != nil {
		return err
	}
	if fault != nil {
		f.refuseFault(s.line, text, "", fault)
	}
	if s.resumable {
		f.back(end, s.resumeLine)
		return nil
	}
	f.recovering = true
	return nil
}

// tooLarge refuses a text over the limit, and moves from the event to its end without holding it.
func (f *framer) tooLarge(s *span, at event) error {
	if s.resumable {
		return f.broken(s, f.at)
	}
	f.refuse(s.line, "", reasonTextSize)
	for {
		f.release()
		switch at {
		case eventEnd, eventMismatch:
			f.recovering = at == eventMismatch
			_, err := f.toLineEnd(0)
			return err
		case eventLine:
			f.newline()
			ok, err := f.more()
			if !ok || s.inString || f.buf[f.at] == '{' {
				f.recovering = true
				return err
			}
		}
		if ok, err := f.more(); !ok {
			return err
		}
		n, event := s.scan(f.buf[f.at:f.to])
		f.at += n
		at = event
	}
}
