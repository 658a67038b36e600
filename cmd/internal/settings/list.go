package settings

import "fmt"

// A Row is one effective setting, for printing. Each saved filter has a row of its own.
type Row struct {
	Name  string `json:"name"` // of a saved filter: filters.NAME
	Value string `json:"value"`
	From  string `json:"from"`            // the Origin as a word
	Where string `json:"where,omitempty"` // the file with the line, the variable or the flag
}

// Rows lists what counts in the order of the table.
func (e *Effective) Rows() []Row {
	var rows []Row
	for i := range table {
		s := &table[i]
		row := Row{Name: s.Name, From: e.origins[i].String()}
		switch e.origins[i] {
		case File:
			row.Where = fmt.Sprintf("%s:%d", e.Path, e.lines[i])
		case Environment:
			row.Where = s.Variable
		case Flag:
			row.Where = "--" + s.Flag()
		}
		if s.Kind != Filters {
			row.Value = s.get(&e.Values)
			rows = append(rows, row)
			continue
		}
		for _, filter := range e.Filters {
			row.Name, row.Value = s.Name+"."+filter.Name, filter.Text
			if !filter.Fixed {
				row.From, row.Where = Console.String(), e.Saved.Path
			}
			rows = append(rows, row)
		}
		if len(e.Filters) == 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
