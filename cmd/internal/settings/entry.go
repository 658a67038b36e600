package settings

import (
	"bytes"
	"errors"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// An entry is one key of a config file with its value, or one that opens a table.
type entry struct {
	path  []string // with the tables around it
	line  int      // from 1
	value any      // as toml.Unmarshal returns it
}

func (e *entry) opens() bool {
	_, is := e.value.(map[string]any)
	return is
}

// readEntries returns the entries in the file's order; the Place of a Problem is not set.
func readEntries(file []byte) ([]entry, *Problem) {
	if bytes.HasPrefix(file, []byte("\xEF\xBB\xBF")) {
		return nil, &Problem{Line: 1, Reason: "the file starts with a byte order mark; save it as UTF-8 without one"}
	}
	r := reader{values: map[string]any{}}
	if err := toml.Unmarshal(file, &r.values); err != nil {
		problem := &Problem{Line: 1, Reason: "this is not TOML: a line is a name, = and a value, a text in quotes; names stand once"}
		var where *toml.DecodeError
		if errors.As(err, &where) {
			problem.Line, _ = where.Position()
		}
		return nil, problem
	}
	r.parser.Reset(file)
	for r.parser.NextExpression() {
		switch node := r.parser.Expression(); node.Kind {
		case unstable.KeyValue:
			r.add(r.table, node)
		case unstable.Table, unstable.ArrayTable:
			r.table = r.add(nil, node)
		}
	}
	return r.entries, nil
}

// A reader finds the places of the values, which toml.Unmarshal does not tell.
type reader struct {
	parser  unstable.Parser
	values  map[string]any
	table   []string // the one that the lines belong to
	entries []entry
}

// add adds the entry of a key in a table, and those within its value, and returns the path.
func (r *reader) add(table []string, node *unstable.Node) []string {
	e := entry{path: slices.Clone(table)}
	for parts := node.Key(); parts.Next(); {
		if e.line == 0 {
			e.line = r.parser.Shape(parts.Node().Raw).Start.Line
		}
		e.path = append(e.path, string(parts.Node().Data))
	}
	e.value = r.values
	for _, name := range e.path {
		within, _ := e.value.(map[string]any) // a list of tables has no names
		e.value = within[name]
	}
	r.entries = append(r.entries, e)
	if node.Kind == unstable.KeyValue && node.Value().Kind == unstable.InlineTable {
		for within := node.Value().Children(); within.Next(); {
			r.add(e.path, within.Node())
		}
	}
	return e.path
}
