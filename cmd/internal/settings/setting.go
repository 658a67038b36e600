// Package settings is what a reader can have their own way: one table of settings, each with its words, its default and
// what it means. The config file, the environment, the flags, `docket config`, its example and the table of cmd/docs/commands.md are
// all read by or held to that table.
//
// What a flag says goes before the environment, that before the file, and that before the default. What cannot be read
// is refused with its place, and nothing is guessed: a console that looks or sorts other than it was told would be
// worse than one that does not start.
package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"docket/cmd/internal/client"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui"
	"docket/ui/action"
	"docket/ui/theme"
)

// Values are the settings as the program uses them.
type Values struct {
	Theme      theme.Name
	Docket     terms.Area
	Sort       queue.SortOrder
	BlindFirst bool
	Service    string // the address of the service; "" for none
	Mouse      bool
	Profile    string           // path of the operator's incident profile; "": the sample
	Policy     string           // path of the witness policy; "" for none
	MaxAge     time.Duration    // how long ago the quorum of the policy may have cosigned
	Backups    string           // path of what each backup changes; "" for none
	BackupsAge time.Duration    // how long ago the last backup may have been made
	Filters    []ui.SavedFilter // those of the config file in its order, then those that were saved in the console
	Keys       action.Keymap    // the actions with the reader's keys

	bindings []action.Binding // those of the keys, with their lines
	bound    []int
}

// A Kind is the form of a setting's value.
type Kind uint8

// Kinds.
const (
	Choice  Kind = iota + 1 // a text, one of the setting's words
	Switch                  // true or false, without quotes
	Address                 // a text, the address of a service
	Filters                 // a table: names, each with a filter as its text
	Keys                    // a table: names of actions, each with a key or a list of keys
	Path                    // the path of a file as a text; "" for none
	Age                     // a text, a number of days or hours
)

// A Setting is one row of the table.
type Setting struct {
	Name     string // in the file; a flag has the same name
	Kind     Kind
	Words    []string // of a Choice or a Switch
	Default  string   // one of Words, or an age; "" for no path, no address and an empty table
	Variable string   // of the environment; "" if there is none
	Meaning  string   // one clause
	set      func(v *Values, name, text string) error
	get      func(*Values) string
}

// Flag returns the name of the setting's flag; "" for a table and for an address, which have none.
func (s *Setting) Flag() string {
	if s.named() || s.Kind == Address {
		return ""
	}
	return strings.ReplaceAll(s.Name, "_", "-")
}

// named reports whether the setting is a table of names.
func (s *Setting) named() bool { return s.Kind == Filters || s.Kind == Keys }

// table is the one table, in the order in which settings are listed.
var table = []Setting{
	{"theme", Choice, theme.Words(), "auto", "DOCKET_THEME", "the colours of the console",
		func(v *Values, _, text string) (err error) { v.Theme, err = theme.ParseName(text); return err },
		func(v *Values) string { return v.Theme.String() }},
	{"docket", Choice, terms.Areas.Texts(), "appeals", "", "which docket shows first",
		func(v *Values, _, text string) (err error) { v.Docket, err = terms.Areas.Parse(text); return err },
		func(v *Values) string { return v.Docket.String() }},
	{"sort", Choice, queue.SortOrders.Texts(), "deadline", "", "the order of the queue at first",
		func(v *Values, _, text string) (err error) { v.Sort, err = queue.SortOrders.Parse(text); return err },
		func(v *Values) string { return v.Sort.String() }},
	{"blind_first", Switch, []string{"false", "true"}, "false", "", "the reviewer judges an appeal before the advice shows",
		func(v *Values, _, text string) (err error) { v.BlindFirst, err = strconv.ParseBool(text); return err },
		func(v *Values) string { return strconv.FormatBool(v.BlindFirst) }},
	{"service", Address, nil, "", "DOCKET_SERVICE", "the service with which pull and push work where none is named", setService,
		func(v *Values) string { return v.Service }},
	{"mouse", Switch, []string{"false", "true"}, "false", "", "the wheel and clicks move the cursor of the queue",
		func(v *Values, _, text string) (err error) { v.Mouse, err = strconv.ParseBool(text); return err },
		func(v *Values) string { return strconv.FormatBool(v.Mouse) }},
	{"incident_profile", Path, nil, "", "", "the incident response profile that the contracts page shows in place of the sample",
		func(v *Values, _, text string) error { v.Profile = text; return nil },
		func(v *Values) string { return v.Profile }},
	{"witness_policy", Path, nil, "", "", "the policy that says which witnesses have to cosign the log",
		func(v *Values, _, text string) error { v.Policy = text; return nil },
		func(v *Values) string { return v.Policy }},
	{"witness_max_age", Age, nil, "7d", "", "how long ago the quorum of the witness policy may have cosigned",
		setAge(func(v *Values) *time.Duration { return &v.MaxAge }), func(v *Values) string { return WriteAge(v.MaxAge) }},
	{"backups", Path, nil, "", "", "the folder of the backups, or a file that each backup writes, whose age `docket doctor` checks",
		func(v *Values, _, text string) error { v.Backups = text; return nil },
		func(v *Values) string { return v.Backups }},
	{"backups_max_age", Age, nil, "2d", "", "how long ago the last backup may have been made",
		setAge(func(v *Values) *time.Duration { return &v.BackupsAge }), func(v *Values) string { return WriteAge(v.BackupsAge) }},
	{"keys", Keys, nil, "", "", "other keys for actions of the console, by the action's name", nil, nil},
	{filterSetting, Filters, nil, "", "", "saved filters by name, which the queue offers", addFilter, nil},
}

// Table lists every setting.
func Table() []Setting { return append([]Setting(nil), table...) }

// setService takes the address of a service.
func setService(v *Values, _, text string) error {
	if err := client.CheckAddress(text); err != nil {
		return err
	}
	v.Service = text
	return nil
}

// setAge takes an age.
func setAge(of func(*Values) *time.Duration) func(v *Values, name, text string) error {
	return func(v *Values, _, text string) error {
		age, ok := ParseAge(text)
		if !ok {
			return fmt.Errorf("it takes %s", AgeForm)
		}
		*of(v) = age
		return nil
	}
}

// AgeForm describes the form of an age.
const AgeForm = "a number of days or hours, such as 90d or 12h; at most 3650d"

const (
	day     = 24 * time.Hour
	longest = 3650 * day
)

// ParseAge reads 90d or 12h.
func ParseAge(text string) (time.Duration, bool) {
	unit := map[string]time.Duration{"d": day, "h": time.Hour}
	if len(text) < 2 || len(text) > 6 {
		return 0, false
	}
	number, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
	age := time.Duration(number) * unit[text[len(text)-1:]]
	return age, err == nil && age > 0 && age <= longest
}

// WriteAge returns an age in the form that ParseAge reads.
func WriteAge(age time.Duration) string {
	if age%day == 0 {
		return fmt.Sprintf("%dd", age/day)
	}
	return fmt.Sprintf("%dh", age/time.Hour)
}

// bind notes other keys for an action.
func (v *Values) bind(e *Entry) {
	keys := e.List
	if keys == nil {
		keys = []string{e.Text}
	}
	v.bindings = append(v.bindings, action.Binding{Action: e.Path[1], Keys: keys})
	v.bound = append(v.bound, e.Line)
}

// filterSetting is the table of saved filters.
const filterSetting = "filters"

// addFilter takes a saved filter. An invalid filter is refused with the error of the filter language.
func addFilter(v *Values, name, text string) error {
	filter := ui.SavedFilter{Name: name, Text: text}
	if err := filter.Check(); err != nil {
		return err
	}
	v.Filters = append(v.Filters, filter)
	return nil
}

// wants describes the value of the setting in the file.
func (s *Setting) wants() string {
	if s.Kind == Switch {
		return fmt.Sprintf("%s is true or false, without quotes", s.Name)
	}
	if s.Kind == Filters {
		return fmt.Sprintf("%s is a table of filters: [%s], then lines such as mine = \"is:mine\"", s.Name, s.Name)
	}
	if s.Kind == Keys {
		return fmt.Sprintf("%s is a table of actions: [%s], then lines such as skip = \"x\" or down = [\"j\", \"down\"]", s.Name, s.Name)
	}
	if s.Kind == Address {
		return fmt.Sprintf("%s is the address of a service, in quotes: \"%s\"", s.Name, sampleService)
	}
	if s.Kind == Path {
		return fmt.Sprintf("%s is the path of a file, in quotes; one that does not begin with / or ~/ is beside the config file", s.Name)
	}
	return fmt.Sprintf("%s is %s, in quotes", s.Name, s.words())
}

// words lists the texts that the setting takes.
func (s *Setting) words() string {
	switch s.Kind {
	case Age:
		return AgeForm
	case Path:
		return "the path of a file"
	}
	return fmt.Sprintf("one of %s", strings.Join(s.Words, ", "))
}

// A Row is one setting in effect, for printing. Each saved filter has a row.
type Row struct {
	Name  string `json:"name"` // of a saved filter: filters.NAME
	Value string `json:"value"`
	From  string `json:"from"`            // the Origin as a word
	Where string `json:"where,omitempty"` // the file with the line, the variable or the flag
}

// Rows lists the settings in effect, in the order of the table.
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
		if !s.named() {
			row.Value = s.get(&e.Values)
			rows = append(rows, row)
			continue
		}
		if s.Kind == Keys {
			rows = append(rows, e.keyRows(row)...)
			continue
		}
		for i, filter := range e.Filters {
			row.Name, row.Value = s.Name+"."+filter.Name, filter.Text
			if filter.Fixed {
				row.From, row.Where = File.String(), fmt.Sprintf("%s:%d", e.Path, e.filtered[i])
			} else {
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

// keyRows returns a row for each action with other keys, or without any the setting's own row.
func (e *Effective) keyRows(setting Row) []Row {
	if len(e.bindings) == 0 {
		return []Row{setting}
	}
	var rows []Row
	for i, b := range e.bindings {
		rows = append(rows, Row{setting.Name + "." + b.Action, strings.Join(b.Keys, " "), File.String(), fmt.Sprintf("%s:%d", e.Path, e.bound[i])})
	}
	return rows
}
