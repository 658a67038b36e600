package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"docket/domain"
	"docket/domain/canonical"
)

// An object is a JSON object whose members stand in the order in which they are listed.
type object []member

type member struct {
	name  string
	value any // string, bool, int, nil, []string, []any, object or []object
}

// append writes the object without white space.
func (o object) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(canonical.AppendString(dst, m.name), ':')
		dst = appendValue(dst, m.value)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case object:
		return v.append(dst)
	case string:
		return canonical.AppendString(dst, v)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case int:
		return canonical.AppendInt(dst, int64(v))
	case []string:
		return appendList(dst, v)
	case []object:
		return appendList(dst, v)
	case []any:
		return appendList(dst, v)
	}
	return append(dst, "null"...)
}

func appendList[T any](dst []byte, list []T) []byte {
	dst = append(dst, '[')
	for i, entry := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, entry)
	}
	return append(dst, ']')
}

func (o object) compact() []byte { return o.append(nil) }

// indented writes the object over many lines, with two spaces a level and a line feed at its end.
func (o object) indented() []byte {
	var out bytes.Buffer
	if json.Indent(&out, o.compact(), "", "  ") != nil {
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// texts writes words as they stand in a report; never nil.
func texts[W fmt.Stringer](words []W) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.String()
	}
	return list
}

// parsed reads JSON strictly into a value that keeps its own memory.
func parsed(text []byte) (canonical.Value, error) {
	doc := new(canonical.Document)
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		return canonical.Value{}, &domain.Fault{Reason: fault.Reason, Offset: fault.Offset}
	}
	return doc.Root(), nil
}
