package json

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"sort"
)

// An Object is a JSON object as a value, with its members in the order in which they are listed.
type Object []NamedValue

// A NamedValue is a name and a value: a string, a bool, an int, an int64, nil, an Object, or a list
// of these as []string, []any or []Object.
type NamedValue struct {
	Name  string
	Value any
}

// Of makes an Object of names and values in turn, or panics: Of("id", 1, "name", "x").
func Of(namesAndValues ...any) Object {
	o := make(Object, 0, len(namesAndValues)/2)
	for i := 0; i < len(namesAndValues); i += 2 {
		o = append(o, NamedValue{namesAndValues[i].(string), namesAndValues[i+1]})
	}
	return o
}

// With returns the object with one more member at its end.
func (o Object) With(name string, value any) Object { return append(o, NamedValue{name, value}) }

// Text is the object without white space.
func (o Object) Text() []byte {
	w := Writer{}
	w.Object(o)
	return w.text
}

// MarshalJSON writes the object.
func (o Object) MarshalJSON() ([]byte, error) { return o.Text(), nil }

// Indented is the object over many lines, with two spaces a level and a line feed at its end.
func (o Object) Indented() []byte {
	var out bytes.Buffer
	if stdjson.Indent(&out, o.Text(), "", "  ") != nil {
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// Names lists the names of the members.
func (o Object) Names() []string {
	var names []string
	for i := range o {
		names = append(names, o[i].Name)
	}
	return names
}

// Object writes the object.
func (w *Writer) Object(o Object) *Writer {
	w.Open()
	for i := range o {
		w.next()
		w.text = append(AppendString(w.text, o[i].Name), ':')
		w.Value(o[i].Value)
	}
	return w.Close()
}

// Value writes what a NamedValue may hold, and panics for anything else.
func (w *Writer) Value(value any) *Writer {
	switch v := value.(type) {
	case nil:
		return w.Null()
	case Object:
		return w.Object(v)
	case string:
		return w.String(v)
	case bool:
		return w.Bool(v)
	case int:
		return w.Int(int64(v))
	case int64:
		return w.Int(v)
	case []string:
		return w.Strings(v)
	case []Object:
		w.OpenList()
		for _, o := range v {
			w.Object(o)
		}
		return w.CloseList()
	case []any:
		w.OpenList()
		for _, element := range v {
			w.Value(element)
		}
		return w.CloseList()
	}
	panic(fmt.Sprintf("json: a %T is no value of a member", value))
}

// Sort sorts a list, stably. It is for lists that are short or seldom sorted: it is slower than
// slices.SortFunc, which takes 20 kB of program for each type.
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
