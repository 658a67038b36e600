package daemon

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"docket/cmd/internal/settings"
	"docket/store/disk"
	"docket/store/postgres"
)

// A Source holds the places from which the settings of the service come. Flag returns the value of a flag, or its list,
// and whether it was given.
type Source struct {
	Path string // of the config file; "" for none
	Flag func(name string) (text string, list []string, given bool)
}

// Effective holds the settings in effect.
type Effective struct {
	Values
	path    string
	origins []origin // by setting
}

// An origin says where the value of a setting comes from.
type origin struct {
	from settings.Origin
	line int // in the file
}

// maxFile is the largest size of a config file, in bytes.
const maxFile = 1 << 20

// Load combines the settings: a flag takes precedence over the file, and the file over the default. The error is a
// *settings.Problem for a setting that cannot be used; any other says that the file cannot be read.
func Load(from Source) (Effective, error) {
	e := Effective{Values: Defaults(), path: from.Path, origins: make([]origin, len(table))}
	if from.Path != "" {
		if err := e.readFile(); err != nil {
			return Effective{}, err
		}
	}
	for i := range table {
		s := &table[i]
		if s.Flag() == "" {
			continue
		}
		text, list, given := from.Flag(s.Flag())
		if !given {
			continue
		}
		if !s.set(&e.Values, text, list) {
			return Effective{}, &settings.Problem{Place: "--" + s.Flag(), Reason: s.takes(false)}
		}
		e.origins[i] = origin{from: settings.Flag}
	}
	if problem := e.check(); problem != nil {
		return Effective{}, problem
	}
	return e, nil
}

func (e *Effective) readFile() error {
	text, err := disk.ReadRegular(e.path, maxFile)
	if err != nil {
		return fmt.Errorf("%s: the config file cannot be read: %w; name another one with --config", e.path, disk.Reason(err))
	}
	entries, problem := settings.ReadEntries(text)
	for i := 0; i < len(entries) && problem == nil; i++ {
		problem = e.take(&entries[i])
	}
	if problem != nil {
		problem.Place = e.path
		return problem
	}
	return nil
}

// take puts an entry of the file into the values.
func (e *Effective) take(entry *settings.Entry) *settings.Problem {
	path := strings.Join(entry.Path, ".")
	if path+"." == limits {
		if entry.Form == settings.Opening {
			return nil
		}
		return &settings.Problem{Line: entry.Line, Reason: fmt.Sprintf("%s is a table: [%s], then lines such as connections = 1024", path, path)}
	}
	at := slices.IndexFunc(table, func(s Setting) bool { return s.Name == path })
	if at < 0 {
		return &settings.Problem{Line: entry.Line, Reason: fmt.Sprintf("there is no such setting; the nearest is %s", nearest(path))}
	}
	s := &table[at]
	text := entry.Text
	if s.path {
		var err error
		if text, err = disk.AtHome(text); err != nil {
			return &settings.Problem{Line: entry.Line, Reason: err.Error()}
		}
	}
	if s.path && text != "" && !filepath.IsAbs(text) && !(s.common && postgres.IsAddress(text)) {
		text = filepath.Join(filepath.Dir(e.path), text)
	}
	if entry.Form != s.Form() || !s.set(&e.Values, text, entry.List) {
		return &settings.Problem{Line: entry.Line, Reason: s.takes(true)}
	}
	e.origins[at] = origin{settings.File, entry.Line}
	return nil
}

// A name of a setting in a reason.
type name string

// problem returns a Problem of a setting, at the place of its value. Other settings are named as they are written
// there.
func (e *Effective) problem(of name, format string, args ...any) *settings.Problem {
	at := slices.IndexFunc(table, func(s Setting) bool { return s.Name == string(of) })
	if e.origins[at].from == settings.File {
		return &settings.Problem{Place: e.path, Line: e.origins[at].line, Reason: string(of) + ": " + fmt.Sprintf(format, args...)}
	}
	for i := range args {
		if other, is := args[i].(name); is {
			args[i] = "--" + strings.ReplaceAll(string(other), "_", "-")
		}
	}
	return &settings.Problem{Place: "--" + table[at].Flag(), Reason: fmt.Sprintf(format, args...)}
}

// check compares the settings with one another.
func (e *Effective) check() *settings.Problem {
	at, known := parseListen(e.Listen)
	switch {
	case !known:
		return e.problem("listen", "it takes an address and a port such as 127.0.0.1:8417, or unix: and the path of a socket")
	case e.Certificate != "" && e.Key == "":
		return e.problem("tls_cert", "it must be given together with %s", name("tls_key"))
	case e.Certificate == "" && e.Key != "":
		return e.problem("tls_key", "it must be given together with %s", name("tls_cert"))
	case e.Certificate != "" && at.socket != "":
		return e.problem("tls_cert", "a unix socket is served without TLS; leave out %s and %s", name("tls_cert"), name("tls_key"))
	case e.Certificate != "" && e.BehindProxy:
		return e.problem("behind_proxy", "it is for a service without TLS of its own; give either it or %s and %s", name("tls_cert"), name("tls_key"))
	case at.address != nil && !at.address.IP.IsLoopback() && e.Certificate == "" && !e.BehindProxy:
		return e.problem("listen", "the address can be reached from other machines: give %s and %s, or %s if a proxy terminates TLS; nothing is served",
			name("tls_cert"), name("tls_key"), name("behind_proxy"))
	}
	return nil
}

// Rows lists the settings in effect, in the order of the table.
func (e *Effective) Rows() []settings.Row {
	var rows []settings.Row
	for i := range table {
		s := &table[i]
		row := settings.Row{Name: s.Name, Value: s.shown(&e.Values), From: e.origins[i].from.String()}
		switch e.origins[i].from {
		case settings.File:
			row.Where = fmt.Sprintf("%s:%d", e.path, e.origins[i].line)
		case settings.Flag:
			row.Where = "--" + s.Flag()
		}
		rows = append(rows, row)
	}
	return rows
}

// changed lists the settings that differ from those in force and need a new start.
func (e *Effective) changed(now *Effective) (names []string) {
	for i := range table {
		if s := &table[i]; !s.Live && s.get(&e.Values) != s.get(&now.Values) {
			names = append(names, s.Name)
		}
	}
	return names
}

// keeping returns the settings with the former values of those that need a new start.
func (e Effective) keeping(before *Effective) Effective {
	for i := range table {
		if s := &table[i]; !s.Live {
			text := s.get(&before.Values)
			s.set(&e.Values, text, strings.Fields(text))
		}
	}
	return e
}
