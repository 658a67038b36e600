package bundle

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"

	"docket/domain/ordered"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A sheet holds the records of one area as comma-separated values: the sequence, then one column for each member in the
// order of the record's shape, the members of an object as object.member. The words of a list are separated by spaces,
// and an absent member is empty.
type sheet struct {
	file    *outputFile
	rows    *csv.Writer
	members []shape.MemberShape
	cells   []string
}

func newSheet(out *output, path string, area terms.Area) (*sheet, error) {
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
			s.cells = append(s.cells, ordered.Cell(values[member.Name]))
			continue
		}
		var nested map[string]json.RawMessage
		if err := json.Unmarshal(values[member.Name], &nested); err != nil {
			return fmt.Errorf("record %d: %w", sequence, err)
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, ordered.Cell(nested[member.Form.Shape.Members[j].Name]))
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
