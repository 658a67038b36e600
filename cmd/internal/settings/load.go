package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docket/store/disk"
	"docket/ui/action"
)

// An Origin says where the value of a setting comes from.
type Origin uint8

// Origins, the weakest first; filters saved in the console are added to those of the file.
const (
	Default Origin = iota
	File
	Console
	Environment
	Flag
)

var originWords = [...]string{Default: "default", File: "file", Console: "console", Environment: "environment", Flag: "flag"}

// String returns "default", "file", "console", "environment" or "flag".
func (o Origin) String() string { return originWords[o] }

// A Source holds the places from which settings come.
type Source struct {
	Path   string                           // of the config file; it need not exist
	Saved  FilterFile                       // of the filters that were saved in the console; it need not exist
	Getenv func(string) string              // an empty variable says nothing
	Flag   func(name string) (string, bool) // the value of a flag, and whether it was given
}

// Effective holds the settings in effect.
type Effective struct {
	Values
	Path     string // of the config file
	Saved    FilterFile
	Exists   bool // there is such a file
	origins  []Origin
	lines    []int // in the file, by setting
	filtered []int // the lines of the file's filters
}

// mostFile is the largest size of a config file, in bytes.
const mostFile = 1 << 20

// Load combines the settings. The error is a *Problem for a setting that cannot be read; any other says that the file
// exists and cannot be opened.
func Load(from Source) (Effective, error) {
	e := Effective{Path: from.Path, Saved: from.Saved, origins: make([]Origin, len(table)), lines: make([]int, len(table))}
	for i := range table {
		if err := e.apply(i, Default, table[i].Default); err != nil {
			return Effective{}, err
		}
	}
	if err := e.readFile(); err != nil {
		return Effective{}, err
	}
	for i := range e.Filters {
		e.Filters[i].Fixed = true
	}
	for _, path := range []*string{&e.Profile, &e.Policy, &e.Backups} {
		if *path != "" && !filepath.IsAbs(*path) && !strings.HasPrefix(*path, "~") {
			*path = filepath.Join(filepath.Dir(e.Path), *path)
		}
	}
	saved, err := from.Saved.Filters()
	if err != nil {
		return Effective{}, err
	}
	e.Filters = append(e.Filters, saved...)
	for i := range table {
		s := &table[i]
		if s.Variable != "" {
			if text := from.Getenv(s.Variable); text != "" {
				if err := e.apply(i, Environment, text); err != nil {
					return Effective{}, &Problem{Place: s.Variable, Reason: err.Error()}
				}
			}
		}
		if s.Flag() == "" {
			continue
		}
		if text, given := from.Flag(s.Flag()); given {
			if err := e.apply(i, Flag, text); err != nil {
				return Effective{}, &Problem{Place: "--" + s.Flag(), Reason: err.Error()}
			}
		}
	}
	return e, nil
}

func (e *Effective) apply(i int, origin Origin, text string) error {
	if table[i].named() || table[i].Kind == Address && origin == Default {
		return nil
	}
	e.origins[i] = origin
	err := table[i].take(&e.Values, table[i].Name, text)
	if errors.Is(err, errWord) {
		return fmt.Errorf("it takes %s", table[i].words())
	}
	return err
}

func (e *Effective) readFile() error {
	text, err := readAtMost(e.Path, mostFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: the config file cannot be read: %w; move it away, or make it a file that you may read", e.Path, disk.Reason(err))
	}
	e.Exists = true
	if len(text) > mostFile {
		return &Problem{Place: e.Path, Reason: "a config file has at most 1 MiB"}
	}
	entries, problem := ReadEntries(text)
	for i := range entries {
		if problem != nil {
			break
		}
		var at int
		if at, problem = entries[i].take(&e.Values); problem == nil && e.origins[at] == Default {
			e.origins[at], e.lines[at] = File, entries[i].Line
		}
		if len(e.Filters) > len(e.filtered) {
			e.filtered = append(e.filtered, entries[i].Line)
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

// bindKeys makes the table of actions with the keys of the file, once all of them are known.
func (e *Effective) bindKeys() *Problem {
	keys, err := action.Bind(e.bindings)
	var wrong *action.BindingError
	switch {
	case errors.As(err, &wrong):
		return &Problem{Line: e.bound[wrong.Binding], Reason: wrong.Reason}
	case err != nil:
		return &Problem{Reason: err.Error()}
	}
	e.Keys = keys
	return nil
}

// readAtMost reads at most most bytes, and one more if there are more.
func readAtMost(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	return text, errors.Join(err, file.Close())
}

// KeepService writes the address of a service into the config file, which may not exist and does not name one yet. The
// other lines stay as they are.
func (e *Effective) KeepService(address string) error {
	path := e.Path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	text, err := readAtMost(path, mostFile)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = disk.Replace(path, append([]byte(fmt.Sprintf("service = %s\n", basic(address))), text...)) // names stand before tables
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
