package serve

import (
	"bytes"
	"encoding/json"
)

// An object is a JSON object whose members stand in the order in which they are listed.
type object []member

type member struct {
	name  string
	value any // what encoding/json can write
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		for j, part := range []any{m.name, m.value} {
			text, err := plainJSON(part)
			if err != nil {
				return nil, err
			}
			if j > 0 {
				out = append(out, ':')
			}
			out = append(out, text...)
		}
	}
	return append(out, '}'), nil
}

// plainJSON writes a value and leaves < > & as they are.
func plainJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), nil
}
