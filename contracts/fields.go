package contracts

import (
	"bytes"
	"encoding/json"
)

// fields is a JSON object whose members stand in the order in which they are listed.
type fields []field

type field struct {
	name  string
	value any // what encoding/json can write, or fields
}

// MarshalJSON writes the object.
func (f fields) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, member := range f {
		if i > 0 {
			out = append(out, ',')
		}
		for _, part := range []any{member.name, member.value} {
			text, err := marshal(part)
			if err != nil {
				return nil, err
			}
			out = append(out, text...)
			out = append(out, ':')
		}
		out = out[:len(out)-1]
	}
	return append(out, '}'), nil
}

// marshal writes a value and leaves < > & as they are.
func marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), nil
}

// indented writes the object over many lines, with a line feed at its end; nil if a value cannot be written.
func (f fields) indented() []byte {
	compact, err := marshal(f)
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}
