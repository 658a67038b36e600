package json

import (
	"bytes"
	"encoding/csv"
	stdjson "encoding/json"
	"fmt"
	"strings"
)

// Sheet writes JSON objects as comma-separated values, a column for each member of heads. The words
// of a list are separated by blanks, and an absent member is empty.
func Sheet(heads []byte, objects [][]byte) (string, error) {
	var members []string
	decoder := stdjson.NewDecoder(bytes.NewReader(heads))
	_, err := decoder.Token()
	for err == nil && decoder.More() {
		var name stdjson.Token
		var value stdjson.RawMessage
		if name, err = decoder.Token(); err == nil {
			members, err = append(members, name.(string)), decoder.Decode(&value)
		}
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write(members) // a Builder takes everything
	for i := 0; i < len(objects) && err == nil; i++ {
		var values map[string]stdjson.RawMessage
		err = stdjson.Unmarshal(objects[i], &values)
		cells := make([]string, len(members))
		for at, name := range members {
			cells[at] = Cell(values[name])
		}
		_ = w.Write(cells)
	}
	w.Flush()
	if err != nil {
		return "", err
	}
	return text.String(), nil
}

// Cell returns a JSON value for a spreadsheet.
func Cell(value stdjson.RawMessage) string {
	var text string
	var list []string
	var numbers []stdjson.Number
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case stdjson.Unmarshal(value, &text) == nil:
		return harmless(text)
	case stdjson.Unmarshal(value, &list) == nil:
		return harmless(strings.Join(list, " "))
	case stdjson.Unmarshal(value, &numbers) == nil:
		return strings.Trim(fmt.Sprint(numbers), "[]")
	}
	return harmless(string(value))
}

// formulaStarts lists the characters that may begin a formula of a spreadsheet, and the quote.
const formulaStarts = "=+-@\t\r'"

// harmless puts a quote before a cell that begins like a formula or with a quote: it is reversible.
func harmless(text string) string {
	if text != "" && strings.IndexByte(formulaStarts, text[0]) >= 0 {
		return "'" + text
	}
	return text
}
