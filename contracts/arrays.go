package contracts

import (
	"strconv"

	"docket/domain/json"
)

// An element is one element of the array around it, whose brackets go on from element to element.
type element struct {
	span
	index int
}

func (e *element) pointer() string { return "/" + strconv.Itoa(e.index) }

// array reads the elements of the array that starts here, each as a text; where an element has no
// end, it stops and stream reads on.
func (f *framer) array() error {
	var e element
	e.open('[')
	e.last = '['
	f.at++
	for ; ; e.index++ {
		if ok, err := f.space(); err != nil {
			return err
		} else if !ok {
			f.refuse(f.line, "", reasonNoBracket)
			return nil
		}
		if f.buf[f.at] == ']' && e.index == 0 {
			f.at++
			return f.afterArray()
		}
		event, err := f.element(&e)
		switch {
		case err != nil:
			return err
		case event == eventEnd:
			return f.afterArray()
		case event != eventComma:
			f.loose = true
			return nil
		}
	}
}

// element reads up to eventComma or eventEnd; any other event says that no end can be found.
func (f *framer) element(e *element) (event, error) {
	e.span = span{brackets: e.brackets, line: f.line}
	if f.buf[f.at] == '{' && f.atHead() {
		e.candidate, e.candidateLine, e.candidateDepth = true, f.line, e.depth
	}
	for {
		if ok, err := f.more(); err != nil {
			return eventNone, err
		} else if !ok {
			e.endLine(f.held())
			return eventNone, f.unfinished(e)
		}
		n, event := e.scan(f.buf[f.at:f.to])
		f.at += n
		boundary := event == eventMismatch
		if event == eventLine {
			f.newline()
			e.endLine(f.held())
			var err error
			if boundary, err = f.lineStart(&e.span); err != nil {
				return event, err
			}
		}
		switch {
		case boundary || e.resumable && f.held() > MaxText:
			return eventMismatch, f.unbalanced(e, reasonNoComma)
		case event == eventComma || event == eventEnd:
			return f.whole(e, event)
		case e.large:
			f.release()
		case f.held() > MaxText:
			e.large, e.candidate = true, false
			f.release()
			f.refuse(e.line, e.pointer(), reasonTextSize)
		}
	}
}

func (f *framer) whole(e *element, end event) (event, error) {
	text := f.trim(f.buf[f.hold : f.at-1])
	switch {
	case e.large:
		return end, nil
	case len(text) > MaxText:
		f.refuse(e.line, e.pointer(), reasonTextSize)
		return end, nil
	case len(text) == 0:
		f.refuse(f.line, e.pointer(), reasonNoElement)
		return end, nil
	}
	fault, err := f.take(e.line, e.pointer(), text)
	if err != nil || fault == nil {
		return end, err
	}
	if e.resumable && (e.resumeAt > 0 || len(text) > e.resumeEnd) {
		return eventMismatch, f.unbalanced(e, reasonNoComma)
	}
	f.refuseFault(e.line, text, e.pointer(), fault)
	return end, nil
}

// unbalanced refuses an element without an end, or the array for the given reason if that is its
// first line; reading goes on at a line that certainly does not belong to it.
func (f *framer) unbalanced(e *element, ofArray string) error {
	if !e.resumable {
		line := f.line
		if !e.large {
			text := f.trim(f.buf[f.hold:f.at])
			line = e.line - 1 + json.Line(text, len(text))
		}
		f.refuse(line, e.pointer(), reasonUnbalanced)
		f.recovering = true
		return nil
	}
	text := f.trim(f.buf[f.hold : f.hold+e.resumeAt])
	if len(text) > 0 {
		f.refuse(e.line-1+json.Line(text, len(text)), e.pointer(), reasonUnbalanced)
	} else {
		f.refuse(f.line, "", ofArray)
	}
	f.byLineTo = f.position()
	f.back(f.hold+e.resumeAt, e.resumeLine)
	return nil
}

func (f *framer) unfinished(e *element) error {
	if e.resumable {
		return f.unbalanced(e, reasonNoBracket)
	}
	if !e.large {
		text := f.trim(f.buf[f.hold:f.at])
		fault, err := f.take(e.line, e.pointer(), text)
		if err != nil {
			return err
		}
		if fault != nil {
			if fault.Reason != json.ReasonEnd {
				fault.Reason = reasonUnbalanced // it may have swallowed others
			}
			f.refuseFault(e.line, text, e.pointer(), fault)
			return nil
		}
	}
	f.refuse(f.line, "", reasonNoBracket)
	return nil
}

func (f *framer) afterArray() error {
	line := f.line
	if ok, err := f.space(); !ok {
		return err
	}
	f.refuse(f.line, "", reasonAfterArray)
	if f.line > line {
		return nil
	}
	_, err := f.toLineEnd(0)
	return err
}
