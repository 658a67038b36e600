package bundle

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A sheet is the records of one area as comma-separated values: the sequence, then one column a member in the order of
// the record's shape, the members of an object as object.member. A list of words stands with a space between them, an
// absent member as nothing.
type sheet struct {
	file    io.WriteCloser
	rows    *csv.Writer
	members []shape.MemberShape
	cells   []string
}

func newSheet(out output, path string, area terms.Area) (*sheet, error) {
	file, err := out.create(path)
	if err != nil {
		return nil, err
	}
	s := &sheet{file: file, rows: csv.NewWriter(file), members: records.EnforcementShape(area).Members}
	s.cells = append(s.cells, "sequence")
	for i := range s.members {
		member := &s.members[i]
		if member.Form.Shape == nil {
			s.cells = append(s.cells, member.Name)
			continue
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, member.Name+"."+member.Form.Shape.Members[j].Name)
		}
	}
	return s, s.rows.Write(s.cells)
}

// add appends a record.
func (s *sheet) add(sequence int64, document []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(document, &values); err != nil {
		return fmt.Errorf("record %d: %w", sequence, err)
	}
	s.cells = append(s.cells[:0], strconv.FormatInt(sequence, 10))
	for i := range s.members {
		member := &s.members[i]
		if member.Form.Shape == nil {
			s.cells = append(s.cells, cell(values[member.Name]))
			continue
		}
		var nested map[string]json.RawMessage
		if err := json.Unmarshal(values[member.Name], &nested); err != nil {
			return fmt.Errorf("record %d: %w", sequence, err)
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, cell(nested[member.Form.Shape.Members[j].Name]))
		}
	}
	return s.rows.Write(s.cells)
}

func (s *sheet) close() error {
	s.rows.Flush()
	if err := s.rows.Error(); err != nil {
		return err
	}
	return s.file.Close()
}

// cell writes a JSON value for a spreadsheet.
func cell(value json.RawMessage) string {
	var text string
	var list []string
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case json.Unmarshal(value, &text) == nil:
		return harmless(text)
	case json.Unmarshal(value, &list) == nil:
		return harmless(strings.Join(list, " "))
	}
	return harmless(string(value))
}

// formulaStarts are the characters with which a spreadsheet lets a formula begin, and the quote itself.
const formulaStarts = "=+-@\t\r'"

// harmless keeps a spreadsheet from running a cell: one that starts as a formula does gets a quote in front. So does
// one that starts with a quote, so that taking one leading quote off gives every cell back.
func harmless(text string) string {
	if text != "" && strings.IndexByte(formulaStarts, text[0]) >= 0 {
		return "'" + text
	}
	return text
}
