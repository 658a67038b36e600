package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/postgres"
	"docket/ui"
	"docket/ui/action"
)

// An origin says where the value of a setting comes from; the zero origin is the default.
type origin uint8

const (
	fromFile origin = iota + 1
	fromEnvironment
	fromFlag
)

var originWords = [...]string{"default", fromFile: "file", fromEnvironment: "environment", fromFlag: "flag"}

// A Source holds the places from which settings come.
type Source struct {
	For Reader
	// Path is of the config file, which need not exist for the console; "" for none.
	Path string
	// Getenv may be nil; an empty variable says nothing.
	Getenv func(string) string
	Flag   func(name string) (text string, list []string, given bool) // nil for none
}

// Effective holds the settings in effect.
type Effective struct {
	Values
	Path   string // of the config file
	Exists bool   // there is such a file

	reader  Reader
	origins []origin // by row of the table
	lines   []int    // in the file, by row of the table
	named   []named  // the filters and the bindings of the file
}

// A named is a filter, or the keys of an action.
type named struct {
	of    string // the setting
	name  string
	texts []string
	line  int // in the file
}

const maxFile = 1 << 20

// table is that of the reader, with the values in effect.
func (e *Effective) table() []Setting { return tableOf(e.reader, &e.Values) }

// Load combines the settings. The error is a *Problem, or says that the file cannot be read.
func Load(from Source) (Effective, error) {
	e := Effective{Values: Defaults(), Path: from.Path, reader: from.For}
	table := e.table()
	e.origins, e.lines = make([]origin, len(table)), make([]int, len(table))
	if err := e.readFile(); err != nil && (from.For == Service || !errors.Is(err, fs.ErrNotExist)) {
		return Effective{}, err
	}
	for i := range table {
		s := &table[i]
		var err error
		if s.Variable != "" && from.Getenv != nil {
			if text := from.Getenv(s.Variable); text != "" {
				err = e.apply(i, s, fromEnvironment, s.Variable, text, nil)
			}
		}
		if s.Flag() != "" && from.Flag != nil && err == nil {
			if text, list, given := from.Flag(s.Flag()); given {
				err = e.apply(i, s, fromFlag, "--"+s.Flag(), text, list)
			}
		}
		if err != nil {
			return Effective{}, err
		}
	}
	return e, nil
}

func (e *Effective) apply(i int, s *Setting, from origin, place, text string, list []string) error {
	e.origins[i] = from
	err := s.set(text, list)
	if errors.Is(err, errForm) {
		err = fmt.Errorf("it takes %s", s.takes())
	}
	if err != nil {
		return &Problem{Place: place, Reason: err.Error()}
	}
	return nil
}

func (e *Effective) readFile() error {
	if e.Path == "" {
		return nil
	}
	text, err := disk.ReadRegular(e.Path, maxFile)
	if err != nil {
		return fmt.Errorf(
			"%s: the config file cannot be read: %w; make it a file that you may read, or name another one",
			e.Path, disk.Reason(err))
	}
	e.Exists = true
	entries, problem := readEntries(text)
	for i := 0; i < len(entries) && problem == nil; i++ {
		if err := e.take(&entries[i]); err != nil {
			problem = &Problem{Line: entries[i].line, Reason: err.Error()}
		}
	}
	if problem == nil {
		problem = e.bindKeys()
	}
	if problem != nil {
		problem.Place = e.Path
		return problem
	}
	return nil
}

func (e *Effective) take(entry *entry) error {
	path, table := strings.Join(entry.path, "."), e.table()
	if slices.ContainsFunc(table, func(s Setting) bool { return strings.HasPrefix(s.Name, path+".") }) {
		if entry.opens() {
			return nil
		}
		return fmt.Errorf("%s is a table: [%[1]s], then lines such as connections = 1024", path)
	}
	at := slices.IndexFunc(table, func(s Setting) bool {
		return s.Name == path || s.field == nil && s.Name == entry.path[0]
	})
	if at < 0 {
		return fmt.Errorf("there is no such setting; the nearest is %s", e.nearest(path))
	}
	s := &table[at]
	if e.origins[at] == 0 {
		e.origins[at], e.lines[at] = fromFile, entry.line
	}
	if s.field == nil {
		return e.takeNamed(s, entry)
	}
	text, list, fits := s.read(entry.value)
	if s.Kind == Path || s.Kind == Database && !postgres.IsAddress(text) {
		var err error
		if text, err = disk.AtHome(text); err != nil {
			return err
		}
		if text != "" && !filepath.IsAbs(text) {
			text = filepath.Join(filepath.Dir(e.Path), text)
		}
	}
	err := errForm
	if s.Name == path && fits {
		err = s.set(text, list)
	}
	if errors.Is(err, errForm) {
		return errors.New(s.takesInFile())
	}
	return err
}

// takeNamed takes a filter or other keys of an action.
func (e *Effective) takeNamed(s *Setting, entry *entry) error {
	text, isText := entry.value.(string)
	list := []string{text}
	if !isText {
		list = texts(entry.value)
	}
	switch {
	case len(entry.path) == 1 && entry.opens():
		return nil
	case len(entry.path) != 2 || !isText && (list == nil || s.Kind == Filters):
		return errors.New(s.takesInFile())
	}
	e.named = append(e.named, named{s.Name, entry.path[1], list, entry.line})
	if s.Kind == Keys {
		return nil
	}
	filter := ui.SavedFilter{Name: entry.path[1], Text: text}
	e.Filters = append(e.Filters, filter)
	return filter.Check()
}

// nearest returns the setting most similar to an unknown one, with or without its table.
func (e *Effective) nearest(name string) string {
	var all []string
	for _, s := range e.table() {
		all = append(all, s.Name)
	}
	near := func(typed, word string) int {
		return min(terms.Distance(typed, word),
			terms.Distance(typed[strings.LastIndex(typed, ".")+1:], strings.TrimPrefix(word, limits)))
	}
	return terms.Nearest(strings.ToLower(name), all, near)[0]
}

// bindKeys makes the table of actions with the keys of the file, once all of them are known.
func (e *Effective) bindKeys() *Problem {
	var bindings []action.Binding
	var lines []int
	for _, n := range e.named {
		if n.of == "keys" {
			bindings = append(bindings, action.Binding{Action: n.name, Keys: n.texts})
			lines = append(lines, n.line)
		}
	}
	keys, err := action.Bind(bindings)
	var wrong *action.BindingError
	switch {
	case errors.As(err, &wrong):
		return &Problem{Line: lines[wrong.Binding], Reason: wrong.Reason}
	case err != nil:
		return &Problem{Reason: err.Error()}
	}
	e.Keys = keys
	return nil
}

// KeepService writes the address of a service into the config file, which may not exist and does
// not name one yet. The other lines stay as they are.
func (e *Effective) KeepService(address string) error {
	path := e.Path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	text, err := disk.ReadRegular(path, maxFile)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		// Names stand before tables.
		err = disk.Replace(path, append([]byte(fmt.Sprintf("service = %q\n", address)), text...))
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w; make its folder writable for you", e.Path, disk.Reason(err))
	}
	return nil
}

// A Problem says what is wrong with the settings, and where. It never repeats the value.
type Problem struct {
	Place  string // the file, the environment variable or the flag
	Line   int    // in the file, from 1; 0 elsewhere
	Reason string // with what to write instead
}

// Error writes the place as compilers do.
func (p *Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.Place, p.Line, p.Reason)
	}
	return fmt.Sprintf("%s: %s", p.Place, p.Reason)
}

// ProblemOf returns a Problem of a setting at the place of its value. The names of other settings,
// each a Name in args, are written as they are written there.
func (e *Effective) ProblemOf(of Name, format string, args ...any) *Problem {
	table := e.table()
	at := slices.IndexFunc(table, func(s Setting) bool { return s.Name == string(of) })
	if e.origins[at] == fromFile {
		return &Problem{Place: e.Path, Line: e.lines[at], Reason: string(of) + ": " + fmt.Sprintf(format, args...)}
	}
	for i := range args {
		if other, is := args[i].(Name); is {
			args[i] = "--" + strings.ReplaceAll(string(other), "_", "-")
		}
	}
	return &Problem{Place: "--" + table[at].Flag(), Reason: fmt.Sprintf(format, args...)}
}

// A Name is the name of a setting in a reason.
type Name string

// A Row is one setting in effect, for printing; saved filters and actions have one each.
type Row struct {
	Name  string `json:"name"` // of a saved filter: filters.NAME
	Value string `json:"value"`
	From  string `json:"from"`            // default, file, environment or flag
	Where string `json:"where,omitempty"` // the file with the line, the variable or the flag
}

// Rows lists the settings in effect, in the order of the table.
func (e *Effective) Rows() (rows []Row) {
	inFile := func(line int) string { return fmt.Sprintf("%s:%d", e.Path, line) }
	for i, s := range e.table() {
		row := Row{Name: s.Name, Value: s.Value(), From: originWords[e.origins[i]]}
		switch e.origins[i] {
		case fromFile:
			row.Where = inFile(e.lines[i])
		case fromEnvironment:
			row.Where = s.Variable
		case fromFlag:
			row.Where = "--" + s.Flag()
		}
		before := len(rows)
		for _, n := range e.named {
			if n.of == s.Name {
				rows = append(rows, Row{s.Name + "." + n.name, strings.Join(n.texts, " "),
					originWords[fromFile], inFile(n.line)})
			}
		}
		if len(rows) == before {
			rows = append(rows, row)
		}
	}
	return rows
}
