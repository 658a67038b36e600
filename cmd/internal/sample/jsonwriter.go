package sample

import (
	"strconv"
	"time"

	"docket/domain/canonical"
)

// jsonWriter writes JSON in the order in which it is called. Called in the order of the names it is the canonical form,
// which saves generated packets from being sorted. What is absent is left out.
type jsonWriter struct{ text []byte }

// start forgets what was written and opens an object.
func (w *jsonWriter) start() { w.text = append(w.text[:0], '{') }

// next separates a value from the one before it.
func (w *jsonWriter) next() {
	if last := w.text[len(w.text)-1]; last != '{' && last != '[' && last != ':' {
		w.text = append(w.text, ',')
	}
}

func (w *jsonWriter) name(name string) {
	w.next()
	w.text = append(w.text, '"')
	w.text = append(w.text, name...)
	w.text = append(w.text, `":`...)
}

func (w *jsonWriter) open(name string) {
	w.name(name)
	w.text = append(w.text, '{')
}

func (w *jsonWriter) close() { w.text = append(w.text, '}') }

// string writes a member, unless it is "".
func (w *jsonWriter) string(name, value string) {
	if value == "" {
		return
	}
	w.name(name)
	w.text = canonical.AppendString(w.text, value)
}

// time writes a member, unless the time is zero.
func (w *jsonWriter) time(name string, at time.Time) {
	if at.IsZero() {
		return
	}
	w.name(name)
	w.text = append(w.text, '"')
	w.text = at.AppendFormat(w.text, time.RFC3339)
	w.text = append(w.text, '"')
}

func (w *jsonWriter) bool(name string, value bool) {
	w.name(name)
	w.text = strconv.AppendBool(w.text, value)
}

func (w *jsonWriter) int(name string, value int64) {
	w.name(name)
	w.text = canonical.AppendInt(w.text, value)
}

// strings writes an array, also an empty one.
func (w *jsonWriter) strings(name string, values []string) {
	w.name(name)
	w.text = append(w.text, '[')
	for _, value := range values {
		w.next()
		w.text = canonical.AppendString(w.text, value)
	}
	w.text = append(w.text, ']')
}
