package bundle

import (
	"encoding/csv"
	stdjson "encoding/json"
	"fmt"
	"strconv"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
)

// A sheet is one area's records as CSV: the sequence, then a column for each member in the order of
// the record's shape (object.member), with lists separated by spaces and absent members empty.
type sheet struct {
	rows
	members []json.MemberShape
	cells   []string
}

type rows struct {
	*csv.Writer
	file *outputFile
}

func newRows(out *output, path string) (rows, error) {
	file, err := out.create(path)
	if err != nil {
		return rows{}, err
	}
	return rows{csv.NewWriter(file), file}, nil
}

func (r *rows) close() error {
	if r.Flush(); r.Error() != nil {
		return r.Error()
	}
	return r.file.Close()
}

func newSheet(out *output, path string, area terms.Area) (*sheet, error) {
	rows, err := newRows(out, path)
	if err != nil {
		return nil, err
	}
	s := &sheet{rows: rows, members: records.EnforcementShape(area).Members}
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
	return s, s.Write(s.cells)
}

func (s *sheet) add(sequence int64, document []byte) error {
	var values map[string]stdjson.RawMessage
	if err := stdjson.Unmarshal(document, &values); err != nil {
		return fmt.Errorf("record %d: %w", sequence, err)
	}
	s.cells = append(s.cells[:0], strconv.FormatInt(sequence, 10))
	for i := range s.members {
		member := &s.members[i]
		if member.Form.Shape == nil {
			s.cells = append(s.cells, json.Cell(values[member.Name]))
			continue
		}
		var nested map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(values[member.Name], &nested); err != nil {
			return fmt.Errorf("record %d: %w", sequence, err)
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, json.Cell(nested[member.Form.Shape.Members[j].Name]))
		}
	}
	return s.Write(s.cells)
}
