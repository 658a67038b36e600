package json

import (
	"strconv"
)

// A Writer appends JSON to a text. The zero Writer starts an empty one.
//
//	w := json.Append(dst)
//	w.Open().Name("id").String(id).Name("revision").Int(3).Close()
//	return w.Text()
type Writer struct {
	text  []byte
	start int // of what this Writer wrote
}

// Append returns a Writer that appends to dst.
func Append(dst []byte) Writer { return Writer{dst, len(dst)} }

// Text is dst and what was written. It is good until the next call of Reset.
func (w *Writer) Text() []byte { return w.text }

// Reset forgets what was written, and keeps the memory.
func (w *Writer) Reset() { w.text, w.start = w.text[:0], 0 }

func (w *Writer) next() {
	if len(w.text) == w.start {
		return
	}
	if last := w.text[len(w.text)-1]; last != '{' && last != '[' && last != ':' {
		w.text = append(w.text, ',')
	}
}

// Open begins an object.
func (w *Writer) Open() *Writer {
	w.next()
	w.text = append(w.text, '{')
	return w
}

// Close ends an object.
func (w *Writer) Close() *Writer {
	w.text = append(w.text, '}')
	return w
}

// Name begins a member: its value has to follow. The name must not need escapes.
func (w *Writer) Name(name string) *Writer {
	w.next()
	w.text = append(w.text, '"')
	w.text = append(w.text, name...)
	w.text = append(w.text, '"', ':')
	return w
}

// String writes a string.
func (w *Writer) String(text string) *Writer {
	w.next()
	w.text = AppendString(w.text, text)
	return w
}

// StringOrNull writes a string, or null for an empty one.
func (w *Writer) StringOrNull(text string) *Writer {
	if text == "" {
		return w.Null()
	}
	return w.String(text)
}

// Int writes an integer.
func (w *Writer) Int(number int64) *Writer {
	w.next()
	w.text = AppendInt(w.text, number)
	return w
}

// IntOrNull writes an integer, or null for 0.
func (w *Writer) IntOrNull(number int64) *Writer {
	if number == 0 {
		return w.Null()
	}
	return w.Int(number)
}

// Bool writes true or false.
func (w *Writer) Bool(value bool) *Writer {
	w.next()
	w.text = strconv.AppendBool(w.text, value)
	return w
}

// Null writes null.
func (w *Writer) Null() *Writer {
	w.next()
	w.text = append(w.text, "null"...)
	return w
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(value []byte) *Writer {
	w.next()
	w.text = append(w.text, value...)
	return w
}

// OpenList begins a list.
func (w *Writer) OpenList() *Writer {
	w.next()
	w.text = append(w.text, '[')
	return w
}

// CloseList ends a list.
func (w *Writer) CloseList() *Writer {
	w.text = append(w.text, ']')
	return w
}

// Strings writes a list of strings.
func (w *Writer) Strings(texts []string) *Writer {
	w.OpenList()
	for _, text := range texts {
		w.String(text)
	}
	return w.CloseList()
}

// List writes a list whose elements each writes; null for a nil list.
func List[E any](w *Writer, list []E, each func(w *Writer, e *E)) *Writer {
	if list == nil {
		return w.Null()
	}
	w.OpenList()
	for i := range list {
		each(w, &list[i])
	}
	return w.CloseList()
}
