package settings

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A Form is the form of the value of an entry. No setting takes the zero Form.
type Form uint8

// Forms.
const (
	Other   Form = iota // a date, a list of anything but texts, or an array of tables
	Text                // in quotes
	Bare                // true or false
	Number              // an integer or a fraction, in decimal digits
	List                // of texts, at least one
	Opening             // the entry only opens a table
)

// An Entry is one key of a config file with its value.
type Entry struct {
	Path []string // with the tables around it
	Line int      // from 1
	Form Form
	Text string   // of a Text, a Bare and a Number
	List []string // of a List
}

// ReadEntries returns the entries of a config file, in its order. The Place of a Problem is not set.
func ReadEntries(file []byte) ([]Entry, *Problem) {
	if bytes.HasPrefix(file, []byte("\xEF\xBB\xBF")) {
		return nil, &Problem{Line: 1, Reason: "the file starts with a byte order mark; save it as UTF-8 without one"}
	}
	var all map[string]any
	if err := toml.Unmarshal(file, &all); err != nil {
		problem := &Problem{Line: 1, Reason: "this is not TOML: a line is a name, = and a value, a text in quotes; names stand once"}
		var where *toml.DecodeError
		if errors.As(err, &where) {
			problem.Line, _ = where.Position()
		}
		return nil, problem
	}
	parser := &unstable.Parser{}
	parser.Reset(file)
	reader := reader{parser: parser}
	for parser.NextExpression() {
		reader.expression(parser.Expression())
	}
	if parser.Error() != nil { // it was read once already
		return nil, &Problem{Line: 1, Reason: "this is not TOML"}
	}
	return reader.entries, nil
}

type reader struct {
	parser  *unstable.Parser
	table   []string // the one that the lines belong to
	entries []Entry
}

func (r *reader) expression(node *unstable.Node) {
	switch node.Kind {
	case unstable.KeyValue:
		r.pair(r.table, node)
	case unstable.Table, unstable.ArrayTable:
		path, line := r.key(node.Key())
		r.table = path
		found := Entry{Path: path, Line: line, Form: Opening}
		if node.Kind == unstable.ArrayTable {
			found.Form = Other
		}
		r.entries = append(r.entries, found)
	}
}

func (r *reader) pair(below []string, node *unstable.Node) {
	path, line := r.key(node.Key())
	found := Entry{Path: append(slices.Clone(below), path...), Line: line}
	value := node.Value()
	switch value.Kind {
	case unstable.String:
		found.Form, found.Text = Text, string(value.Data)
	case unstable.Bool:
		found.Form, found.Text = Bare, string(value.Data)
	case unstable.Integer, unstable.Float:
		found.Form, found.Text = Number, decimal(string(value.Data))
	case unstable.Array:
		found.List = texts(value)
		if len(found.List) > 0 {
			found.Form = List
		}
	case unstable.InlineTable:
		found.Form = Opening
		r.entries = append(r.entries, found)
		for children := value.Children(); children.Next(); {
			r.pair(found.Path, children.Node())
		}
		return
	}
	r.entries = append(r.entries, found)
}

// decimal returns a number in decimal digits, without the underscores and the other bases that TOML allows.
func decimal(text string) string {
	if number, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(number, 10)
	}
	return text
}

// texts returns the texts of an array; nil if it has any other element.
func texts(array *unstable.Node) (list []string) {
	for items := array.Children(); items.Next(); {
		if items.Node().Kind != unstable.String {
			return nil
		}
		list = append(list, string(items.Node().Data))
	}
	return list
}

// key reads a dotted key and the line on which it begins.
func (r *reader) key(parts unstable.Iterator) (path []string, line int) {
	for parts.Next() {
		part := parts.Node()
		if line == 0 {
			line = r.parser.Shape(part.Raw).Start.Line
		}
		path = append(path, string(part.Data))
	}
	return path, line
}
