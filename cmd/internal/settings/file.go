package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"docket/domain/terms"
	"docket/domain/visible"
)

// An entry is one key of the file with the value that stands behind it.
type entry struct {
	path  []string
	line  int
	text  string   // of a text, or true or false
	bare  bool     // the text is true or false
	list  []string // of a list of texts
	table bool     // the entry only opens a table
	other bool     // the value is neither a text nor a table
}

// read takes the file apart. Problems lack their place.
func read(file []byte) ([]entry, *Problem) {
	var whole map[string]any
	if err := toml.Unmarshal(file, &whole); err != nil {
		problem := &Problem{Line: 1, Reason: "this is not TOML: a line is a name, = and a text in quotes; names stand once"}
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
	entries []entry
}

func (r *reader) expression(node *unstable.Node) {
	switch node.Kind {
	case unstable.KeyValue:
		r.pair(r.table, node)
	case unstable.Table, unstable.ArrayTable:
		path, line := r.key(node.Key())
		r.table = path
		r.entries = append(r.entries, entry{path: path, line: line, table: true, other: node.Kind == unstable.ArrayTable})
	}
}

func (r *reader) pair(below []string, node *unstable.Node) {
	path, line := r.key(node.Key())
	found := entry{path: append(slices.Clone(below), path...), line: line}
	value := node.Value()
	switch value.Kind {
	case unstable.String:
		found.text = string(value.Data)
	case unstable.Bool:
		found.text, found.bare = string(value.Data), true
	case unstable.Array:
		for items := value.Children(); items.Next(); {
			if items.Node().Kind != unstable.String {
				found.other = true
				break
			}
			found.list = append(found.list, string(items.Node().Data))
		}
		found.other = found.other || len(found.list) == 0
	case unstable.InlineTable:
		found.table = true
		r.entries = append(r.entries, found)
		for children := value.Children(); children.Next(); {
			r.pair(found.path, children.Node())
		}
		return
	default:
		found.other = true
	}
	r.entries = append(r.entries, found)
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

// take puts an entry into the values and says which setting it was for.
func (e *entry) take(v *Values) (int, *Problem) {
	at := slices.IndexFunc(table, func(s Setting) bool { return s.Name == e.path[0] })
	if at < 0 {
		return 0, &Problem{Line: e.line, Reason: "there is no such setting; " + suggest(e.path[0])}
	}
	s := &table[at]
	deep := 1
	if s.named() {
		deep = 2
	}
	switch {
	case s.named() && e.table && len(e.path) == 1 && !e.other:
		return at, nil
	case e.other || e.table || e.bare != (s.Kind == Switch) || e.list != nil && s.Kind != Keys || len(e.path) != deep:
		return 0, &Problem{Line: e.line, Reason: s.wants()}
	}
	if s.Kind == Keys {
		v.bind(e)
		return at, nil
	}
	if err := s.take(v, e.path[len(e.path)-1], e.text); err != nil {
		if errors.Is(err, errWord) {
			err = errors.New(s.wants())
		}
		return 0, &Problem{Line: e.line, Reason: err.Error()}
	}
	return at, nil
}

// errWord says that a text is none that the setting takes.
var errWord = errors.New("it is none of the words of the setting")

// take reads a text for the setting. The error says what has to be written, or is errWord.
func (s *Setting) take(v *Values, name, text string) error {
	_, age := ParseAge(text)
	if s.Kind == Age && !age || s.Words != nil && !slices.Contains(s.Words, text) || s.Kind == Path && !visible.Clean(text) {
		return errWord
	}
	return s.set(v, name, text)
}

// suggest lists the settings, those first that are called most like it.
func suggest(name string) string {
	var all []string
	for i := range table {
		all = append(all, table[i].Name)
	}
	return "there are, the nearest first, " + strings.Join(terms.Nearest(strings.ToLower(name), all, terms.Distance), ", ")
}

// sampleService is the one of the example, and no service.
const sampleService = "https://docket.example.org"

// sampleFilters are those of the example.
var sampleFilters = [][2]string{
	{"mine", "is:mine -is:decided -is:skipped"},
	{"soon", "due:<48h -is:decided"},
	{"ready", "gate:pass is:mine -is:decided"},
}

// Example is a config file in which every setting stands at its default, with what it means. It can be used as it is.
func Example() string {
	var out strings.Builder
	out.WriteString("# docket's settings. `docket config --path` says where this file belongs, `docket config` what counts.\n" +
		"# A flag goes before the environment, that before this file. Times are in UTC, always.\n")
	for i := range table {
		s := &table[i]
		fmt.Fprintf(&out, "\n# %s: %s.\n", s.Name, s.Meaning)
		if s.Kind == Filters {
			fmt.Fprintf(&out, "[%s]\n", s.Name)
			for _, filter := range sampleFilters {
				fmt.Fprintf(&out, "%s = %q\n", filter[0], filter[1])
			}
			continue
		}
		if s.Kind == Keys {
			fmt.Fprintf(&out, "# An action's name, and a key or a list of keys in place of its own: %s.\n[%s]\n# skip = \"x\"\n# down = [\"j\", \"ctrl+n\", \"down\"]\n",
				"ui/docs/console.md lists the names", s.Name)
			continue
		}
		if s.Kind == Address {
			fmt.Fprintf(&out, "# Environment: %s.\n# %s = %q\n", s.Variable, s.Name, sampleService)
			continue
		}
		if s.Kind == Path {
			out.WriteString("# A path; one that does not begin with / or ~/ is beside this file. \"\": none.\n")
		} else if s.Kind == Age {
			out.WriteString("# In days or hours, such as 90d or 12h.\n")
		} else {
			fmt.Fprintf(&out, "# One of: %s.\n", strings.Join(s.Words, ", "))
		}
		if s.Variable != "" {
			fmt.Fprintf(&out, "# Environment: %s. ", s.Variable)
		} else {
			out.WriteString("# ")
		}
		standard := strconv.Quote(s.Default)
		if s.Kind == Switch {
			standard = s.Default
		}
		fmt.Fprintf(&out, "Flag: --%s.\n%s = %s\n", s.Flag(), s.Name, standard)
	}
	return out.String()
}
