package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/settings"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui"
	"docket/ui/action"
	"docket/ui/theme"
)

// sources are a file's text, the environment and the flags. A flag has a value, or a list.
type sources struct {
	of          settings.Reader // the zero value is the console
	file        string
	environment map[string]string
	flags       map[string][]string
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s sources) load(t *testing.T) (settings.Effective, error) {
	t.Helper()
	if s.of == 0 {
		s.of = settings.Console
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if s.file != "" || s.of == settings.Service {
		must(t, os.WriteFile(path, []byte(s.file), 0o644))
	}
	return settings.Load(settings.Source{For: s.of, Path: path, Getenv: func(name string) string { return s.environment[name] },
		Flag: func(name string) (string, []string, bool) {
			list, given := s.flags[name]
			return strings.Join(list, ","), list, given
		}})
}

func (s sources) mustLoad(t *testing.T) settings.Effective {
	t.Helper()
	e, err := s.load(t)
	must(t, err)
	return e
}

func (s sources) rows(t *testing.T) []settings.Row {
	t.Helper()
	e := s.mustLoad(t)
	return e.Rows()
}

func TestWithoutAFileTheDefaultsCount(t *testing.T) {
	e := sources{}.mustLoad(t)
	if e.Exists || e.BlindFirst || e.Theme != theme.Dark || e.Docket != terms.Appeals || e.Sort != queue.ByDeadline || e.Filters != nil {
		t.Errorf("%+v", e)
	}
	served, err := settings.Load(settings.Source{For: settings.Service})
	if err != nil || served.Limits != serve.DefaultLimits() || served.Listen != "127.0.0.1:8417" {
		t.Errorf("%+v, %v", served.Values, err)
	}
	for of, e := range map[settings.Reader]settings.Effective{settings.Console: e, settings.Service: served} {
		for i, row := range e.Rows() {
			if s := settings.Table(of)[i]; row != (settings.Row{Name: s.Name, Value: s.Value(), From: "default"}) {
				t.Errorf("%+v", row)
			}
		}
	}
}

func TestAFlagGoesBeforeTheEnvironmentAndThatBeforeTheFile(t *testing.T) {
	all := sources{file: `theme = "light"`, environment: map[string]string{"DOCKET_THEME": "contrast"}, flags: map[string][]string{"theme": {"none"}}}
	for _, c := range []struct {
		drop        func(*sources)
		theme       theme.Name
		from, where string
	}{
		{func(*sources) {}, theme.None, "flag", "--theme"},
		{func(s *sources) { s.flags = nil }, theme.Contrast, "environment", "DOCKET_THEME"},
		{func(s *sources) { s.environment = nil }, theme.Light, "file", "config.toml:1"},
		{func(s *sources) { s.file = "" }, theme.Dark, "default", ""},
	} {
		c.drop(&all)
		e := all.mustLoad(t)
		row := e.Rows()[0]
		if e.Theme != c.theme || row.From != c.from || row.Value != c.theme.String() || !strings.HasSuffix(row.Where, c.where) {
			t.Errorf("%v: %+v", c.from, row)
		}
	}
}

// sample is a value other than the default for each kind of setting.
func sample(s *settings.Setting) (inFile, text string) {
	switch s.Kind {
	case settings.Plain:
		return `"127.0.0.1:9999"`, "127.0.0.1:9999"
	case settings.Path, settings.Database:
		return `"/some/file"`, "/some/file"
	case settings.Switch:
		return "true", "true"
	case settings.Networks:
		return `["10.0.0.0/8", "unix"]`, "10.0.0.0/8 unix"
	case settings.Word:
		last := s.Words[len(s.Words)-1]
		return `"` + last + `"`, last
	case settings.Duration:
		return `"1.5s"`, "1.5s"
	case settings.Age:
		return `"36h"`, "36h"
	case settings.Address:
		return `"https://docket.example.org"`, "https://docket.example.org"
	}
	return "7", "7"
}

func TestEverySettingIsReadFromTheFileAndEveryFlagGoesBeforeIt(t *testing.T) {
	for _, of := range []settings.Reader{settings.Console, settings.Service} {
		for i, s := range settings.Table(of) {
			if s.Kind == settings.Keys || s.Kind == settings.Filters {
				continue
			}
			written, want := sample(&s)
			file := sources{of: of, file: "# a comment\n" + s.Name + " = " + written + "\n"}
			row := file.rows(t)[i]
			if row.Value != want || row.Value == s.Value() || row.From != "file" || !strings.HasSuffix(row.Where, "config.toml:2") {
				t.Errorf("%s = %s is read as %+v", s.Name, written, row)
			}
			if s.Flag() == "" {
				continue
			}
			file.flags = map[string][]string{s.Flag(): strings.Fields(s.Value())}
			if row := file.rows(t)[i]; row.Value != s.Value() || row.From != "flag" || row.Where != "--"+s.Flag() {
				t.Errorf("--%s = %s is read as %+v", s.Flag(), s.Value(), row)
			}
		}
	}
}

func TestTheValuesOfTheFileAreThoseOfTheProgram(t *testing.T) {
	e := sources{file: "service = \"https://docket.example.org\"\ndocket = \"amendments\"\nsort = 'id'\nblind_first = true\nmouse = true\n" +
		"theme = \"\"\"none\"\"\"\n\n[filters]\n\"mine, open\" = \"is:mine\"\nsoon = \"due:<48h\"\n"}.mustLoad(t)
	want := []ui.SavedFilter{{Name: "mine, open", Text: "is:mine"}, {Name: "soon", Text: "due:<48h"}}
	if e.Docket != terms.Amendments || e.Sort != queue.ByID || !e.BlindFirst || !e.Mouse || e.Theme != theme.None ||
		e.Service != "https://docket.example.org" || !slices.Equal(e.Filters, want) {
		t.Errorf("%+v", e.Values)
	}
}

func TestATableIsReadHoweverItIsWritten(t *testing.T) {
	for _, file := range []string{"[filters]\na = \"is:mine\"", "filters.a = \"is:mine\"", "filters = {a = \"is:mine\"}"} {
		if e := (sources{file: file}).mustLoad(t); !slices.Equal(e.Filters, []ui.SavedFilter{{Name: "a", Text: "is:mine"}}) {
			t.Errorf("%s: %+v", file, e.Filters)
		}
	}
	for _, file := range []string{"[limits]\nstop_time = \"7s\"\nreads = 5", "limits.stop_time = \"7s\"\nlimits.reads = 5", "limits = {stop_time = \"7s\", reads = 5}",
		"[limits]\nstop_time = \"7000ms\"\nreads = 0x5\nconnections = 1_024"} {
		if e := (sources{of: settings.Service, file: file}).mustLoad(t); e.Limits.Stop != 7*time.Second || e.Limits.Reads != 5 {
			t.Errorf("%s: %+v", file, e.Limits)
		}
	}
}

func TestKeysAreReadHoweverTheirTableIsWritten(t *testing.T) {
	for _, file := range []string{"[keys]\nskip = \"x\"\ndown = [\"j\", \"ctrl+n\"]", "keys.skip = \"x\"\nkeys.down = ['j', 'ctrl+n']", "keys = {skip = \"x\", down = [\"j\", \"ctrl+n\"]}"} {
		e := sources{file: file}.mustLoad(t)
		for key, want := range map[string]action.Verb{"x": action.SetAside, "j": action.GoDown, "ctrl+n": action.GoDown} {
			if a, is := e.Keys.ForKey(action.InQueue, key); !is || a.Verb != want {
				t.Errorf("%s: %s is %+v", file, key, a)
			}
		}
		for _, key := range []string{"s", "down"} {
			if _, is := e.Keys.ForKey(action.InQueue, key); is {
				t.Errorf("%s: %s still acts", file, key)
			}
		}
		var rows []settings.Row
		for _, row := range e.Rows() {
			if strings.HasPrefix(row.Name, "keys") {
				rows = append(rows, row)
			}
		}
		if len(rows) != 2 || rows[0].Name != "keys.skip" || rows[0].Value != "x" || rows[1].Value != "j ctrl+n" || rows[1].From != "file" {
			t.Errorf("%+v", rows)
		}
	}
	if e := (sources{}).mustLoad(t); e.Keys.KeyOf(action.SetAside, action.InQueue) != "s" {
		t.Error("without a file skip has another key")
	}
}

func TestAPathIsFoundFromWhereItIsNamed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	absolute := filepath.Join(t.TempDir(), "profile.json")
	for text, want := range map[string]string{"": "", absolute: absolute, "~/profile.json": filepath.Join(home, "profile.json"), "own/profile.json": "beside"} {
		e := sources{file: "incident_profile = " + strconv.Quote(text) + "\nwitness_policy = " + strconv.Quote(text)}.mustLoad(t)
		if want == "beside" {
			want = filepath.Join(filepath.Dir(e.Path), text)
		}
		if e.Profile != want || e.Policy != want || e.MaxAge != 7*24*time.Hour {
			t.Errorf("%q is %q and %q, %s", text, e.Profile, e.Policy, e.MaxAge)
		}
	}
	e := sources{file: `incident_profile = "a.json"`, flags: map[string][]string{"incident-profile": {"b.json"}}}.mustLoad(t)
	if e.Profile != "b.json" {
		t.Errorf("the flag's is %q", e.Profile)
	}
}

func TestAnAgeIsDaysOrHours(t *testing.T) {
	for text, want := range map[string]time.Duration{"90d": 90 * 24 * time.Hour, "12h": 12 * time.Hour, "1h": time.Hour, "3650d": 3650 * 24 * time.Hour} {
		if got, ok := settings.ParseAge(text); !ok || got != want || settings.WriteAge(got) != text {
			t.Errorf("%s is read as %s, %t, and written %s", text, got, ok, settings.WriteAge(got))
		}
	}
	for _, text := range []string{"", "d", "90", "0d", "-1d", "+1d", "1.5d", "3651d", "99999h", "12m", "1d1h", " 1d", "99999999999d", "90D"} {
		if got, ok := settings.ParseAge(text); ok {
			t.Errorf("%q is read as %s", text, got)
		}
		if text != "" {
			if _, err := (sources{file: "witness_max_age = " + strconv.Quote(text)}).load(t); err == nil || !strings.Contains(err.Error(), ":1: witness_max_age takes a number of days or hours") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if e := (sources{file: `witness_max_age = "36h"`}).mustLoad(t); e.MaxAge != 36*time.Hour {
		t.Errorf("it is %s", e.MaxAge)
	}
}

func TestTheAddressOfADatabaseIsNoPathAndIsShownWithoutItsPassword(t *testing.T) {
	const address = "postgres://docket:CANARY@db.example/docket"
	e := sources{of: settings.Service, file: `db = "` + address + `"`}.mustLoad(t)
	if e.Store != address {
		t.Fatal("it is read as another one")
	}
	for _, row := range e.Rows() {
		if strings.Contains(row.Value, "CANARY") || row.Name == "db" && row.Value != "postgres://docket@db.example/docket" {
			t.Errorf("it is shown as %s", row.Value)
		}
	}
}

// A refusal is a file with the line and the reason for which it is refused.
type refusal struct {
	file, reason string
	line         int
}

// refusals are of the console's file.
var refusals = map[string]refusal{
	"an unknown name":              {"theme = \"dark\"\nCANARYtheem = \"dark\"\n", "there is no such setting", 2},
	"a name in another case":       {"Theme = \"CANARY\"", "the nearest is theme", 1},
	"a mistyped name":              {"# x\n\nsrot = \"CANARY\"", "the nearest is sort", 3},
	"an unknown table":             {"[fliters]\na = \"is:mine\"", "the nearest is filters", 1},
	"a name like none":             {"CANARYCANARY = 1", "there is no such setting; the nearest is ", 1},
	"an unknown word":              {"\ntheme = \"CANARY\"", "theme takes one of dark, light, contrast", 2},
	"an empty word":                {"theme = \"\"", "theme takes one of", 1},
	"a number for a word":          {"theme = 7", "theme takes one of", 1},
	"a boolean for a word":         {"sort = true", "sort takes one of", 1},
	"a list for a word":            {"docket = [\"CANARY\"]", "docket takes one of appeals, amendments, in quotes", 1},
	"a table for a word":           {"[theme]\nx = \"CANARY\"", "theme takes one of", 1},
	"an inline table for a word":   {"theme = {CANARY = 1}", "theme takes one of", 1},
	"a text for the filters":       {"filters = \"CANARY\"", "filters takes a table", 1},
	"tables of filters":            {"[[filters]]\na = \"CANARY\"", "filters takes a table", 1},
	"a table within the filters":   {"[filters.a]\nb = \"CANARY\"", "filters takes a table", 1},
	"a text for a switch":          {"blind_first = \"true\"", "blind_first takes true or false, without quotes", 1},
	"a number for a switch":        {"blind_first = 1", "blind_first takes true or false", 1},
	"a service without https":      {"service = \"http://CANARY.example.org\"", "use https", 1},
	"a service with a password":    {"service = \"https://x:CANARY@docket.example.org\"", "leave the user name", 1},
	"a service with a query":       {"service = \"https://docket.example.org/?CANARY\"", "leave the query", 1},
	"a service that is none":       {"service = \"CANARY\"", "give the address of the service", 1},
	"a boolean for a service":      {"service = true", "service takes the address of a service", 1},
	"a boolean for a filter":       {"[filters]\na = true", "filters takes a table", 2},
	"a number for a filter":        {"[filters]\na = 1", "filters takes a table", 2},
	"a filter that is none":        {"[filters]\nok = \"is:mine\"\na = \"due:CANARY\"", "the filter cannot be used: due: takes", 3},
	"a filter without a name":      {"[filters]\n\" \" = \"is:mine\"", "has a name", 2},
	"a name that cannot be seen":   {"[filters]\n\"a\\u202e\" = \"is:mine\"", "printable characters only", 2},
	"a filter with an escape":      {"[filters]\na = \"CANARY\\u001b[2J\"", "printable characters only", 2},
	"a text for the keys":          {"keys = \"CANARY\"", "keys takes a table of actions", 1},
	"a table within the keys":      {"[keys.skip]\na = \"CANARY\"", "keys takes a table of actions", 1},
	"a number for a key":           {"[keys]\nskip = 7", "keys takes a table of actions", 2},
	"a boolean for a key":          {"[keys]\nskip = true", "keys takes a table of actions", 2},
	"a list with a number":         {"[keys]\nskip = [\"x\", 7]", "keys takes a table of actions", 2},
	"an empty list of keys":        {"[keys]\nskip = []", "keys takes a table of actions", 2},
	"an unknown action":            {"[keys]\nhelp = \"f1\"\nCANARYskpi = \"x\"", "there is no such action; the nearest names are skip,", 3},
	"an unknown key":               {"[keys]\nskip = [\"x\", \"CANARY\"]", "skip: there is no such key", 2},
	"a key of another action":      {"theme = \"dark\"\n[keys]\nskip = \"o\"", "skip cannot have the key o: in the queue it belongs to sort", 3},
	"two actions with one key":     {"[keys]\nskip = \"f5\"\nhelp = \"f1\"\nsort = \"f5\"", "sort cannot have the key f5: in the queue it belongs to skip", 4},
	"the word of the last page":    {"[keys]\nrecord = \"CANARY\"", "record keeps its keys", 2},
	"the key that always leaves":   {"[keys]\ninterrupt = \"CANARY\"", "interrupt keeps its keys: ^C leaves", 2},
	"the same name twice":          {"theme = \"dark\"\ntheme = \"CANARY\"", "names stand once", 2},
	"a text without its quotes":    {"\n\ntheme = CANARY", "not TOML", 3},
	"a text without its end":       {"theme = \"CANARY", "not TOML", 1},
	"what is not TOML at all":      {"theme: CANARY", "not TOML", 1},
	"bytes that are no characters": {"theme = \"\xff\"", "not TOML", 1},
	"a setting of the service":     {"listen = \"CANARY\"", "there is no such setting", 1},
	"a number for a path":          {"incident_profile = 7", "incident_profile takes the path of a file", 1},
	"a boolean for a path":         {"incident_profile = true", "incident_profile takes the path of a file", 1},
	"a path with an escape":        {"incident_profile = \"CANARY\\u001b[0m\"", "incident_profile takes the path of a file", 1},
	"a list for a path":            {"incident_profile = [\"CANARY\"]", "incident_profile takes the path of a file", 1},
}

// serviceRefusals are of the service's file.
var serviceRefusals = map[string]refusal{
	"an unknown name":               {"\nCANARYlisten = \"x\"", "there is no such setting; the nearest is listen", 2},
	"a setting of the console":      {"theme = \"dark\"", "there is no such setting", 1},
	"a mistyped name":               {"lissen = \"127.0.0.1:1\"", "there is no such setting; the nearest is listen", 1},
	"a limit outside of its table":  {"stop_time = \"7s\"", "there is no such setting; the nearest is limits.stop_time", 1},
	"a mistyped limit":              {"[limits]\nstop_tine = \"7s\"", "the nearest is limits.stop_time", 2},
	"a setting within the limits":   {"[limits]\nlisten = \"127.0.0.1:1\"", "the nearest is listen", 2},
	"an unknown table":              {"[limit]\nreads = 3", "there is no such setting", 1},
	"tables of limits":              {"[[limits]]\nreads = 3", "limits is a table: [limits], then", 1},
	"a number for the limits":       {"limits = 3", "limits is a table: [limits], then", 1},
	"a setting that is a table":     {"[listen]\nx = 1", "listen takes a text, in quotes", 1},
	"a number for a text":           {"listen = 8417", "listen takes a text, in quotes", 1},
	"a text for a number":           {"[limits]\nreads = \"3\"", "limits.reads takes a whole number from 1 to 1000, without quotes", 2},
	"a fraction for a whole number": {"[limits]\nreads = 3.5", "limits.reads takes a whole number", 2},
	"a number that is too large":    {"[limits]\nreads = 1001", "limits.reads takes a whole number", 2},
	"a number that is too small":    {"[limits]\nreads = 0", "limits.reads takes a whole number", 2},
	"a number for a duration":       {"[limits]\nstop_time = 7", "limits.stop_time takes a duration from 1ms to 1h0m0s, in quotes", 2},
	"a duration without a unit":     {"[limits]\nstop_time = \"7\"", "limits.stop_time takes a duration", 2},
	"a word for a switch":           {"behind_proxy = \"true\"", "behind_proxy takes true or false, without quotes", 1},
	"an unknown word":               {"log_level = \"CANARY\"", "log_level takes one of debug, info, warn, error, in quotes", 1},
	"a text for a list":             {"trusted_proxy = \"10.0.0.0/8\"", `in quotes and brackets: ["10.0.0.0/8", "unix"]`, 1},
	"a list of other things":        {"trusted_proxy = [\"CANARY\"]", "trusted_proxy takes addresses of networks", 1},
	"a control character":           {"profile = \"CANARY\\u001b[2J\"", "profile takes the path of a file, in quotes", 1},
	"no TOML":                       {"log_level = \"info\"\nCANARY", "this is not TOML", 2},
	"a name twice":                  {"log_level = \"info\"\nlog_level = \"info\"", "this is not TOML", 2},
}

func TestWhatIsWrongIsRefusedWithItsLineAndWithoutWhatWasWritten(t *testing.T) {
	for of, all := range map[settings.Reader]map[string]refusal{settings.Console: refusals, settings.Service: serviceRefusals} {
		for name, c := range all {
			_, err := sources{of: of, file: c.file}.load(t)
			var problem *settings.Problem
			if !errors.As(err, &problem) || problem.Line != c.line || !strings.Contains(problem.Reason, c.reason) ||
				!strings.HasSuffix(problem.Place, "config.toml") || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestTheEnvironmentAndFlagsAreRefusedByTheirNames(t *testing.T) {
	flag := func(name, value string) sources { return sources{flags: map[string][]string{name: {value}}} }
	served := func(name string) sources {
		return sources{of: settings.Service, flags: map[string][]string{name: {"CANARY"}}}
	}
	for place, s := range map[string]sources{
		"DOCKET_THEME: it takes one of dark,":                             {environment: map[string]string{"DOCKET_THEME": "CANARY"}},
		"--sort: it takes one of deadline,":                               flag("sort", "CANARY"),
		"--docket: it takes one of appeals,":                              flag("docket", ""),
		"--log-level: it takes one of debug, info, warn, error":           served("log-level"),
		"--trusted-proxy: it takes addresses of networks, such as":        served("trusted-proxy"),
		"--behind-proxy: it takes true or false":                          served("behind-proxy"),
		"--witness-max-age: it takes a number of days or hours, such as ": flag("witness-max-age", "CANARY"),
	} {
		_, err := s.load(t)
		var problem *settings.Problem
		if !errors.As(err, &problem) || !strings.HasPrefix(err.Error(), place) || problem.Line != 0 || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", place, err)
		}
	}
}

func TestAFileThatCannotBeReadIsNoProblemOfItsText(t *testing.T) {
	var problem *settings.Problem
	for what, from := range map[string]settings.Source{
		"a folder":                {For: settings.Console, Path: t.TempDir()},
		"a folder of the service": {For: settings.Service, Path: t.TempDir()},
		"no file of the service":  {For: settings.Service, Path: filepath.Join(t.TempDir(), "no.toml")},
	} {
		if _, err := settings.Load(from); err == nil || errors.As(err, &problem) || !strings.Contains(err.Error(), "the config file cannot be read") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, of := range []settings.Reader{settings.Console, settings.Service} {
		_, err := sources{of: of, file: strings.Repeat("#", 1<<20+1)}.load(t)
		if err == nil || !strings.Contains(err.Error(), "more than 1048576 bytes") {
			t.Errorf("a file without end: %v", err)
		}
	}
}

func TestEveryRowOfTheTableIsWhole(t *testing.T) {
	for at, s := range slices.Concat(settings.Table(settings.Console), settings.Table(settings.Service)) {
		if !regexp.MustCompile(`^(limits\.)?[a-z]+(_[a-z]+)*$`).MatchString(s.Name) || s.Meaning == "" || (s.Kind == settings.Word) != (s.Words != nil) {
			t.Errorf("%+v", s)
		}
		for _, word := range s.Words {
			reader := settings.Console
			if at >= len(settings.Table(settings.Console)) {
				reader = settings.Service
			}
			e := sources{of: reader, file: s.Name + " = \"" + word + "\""}.mustLoad(t)
			if !slices.ContainsFunc(e.Rows(), func(row settings.Row) bool { return row.Name == s.Name && row.Value == word }) {
				t.Errorf("%s = %q is read as another word", s.Name, word)
			}
		}
	}
}

// examples are the committed config files that have every setting.
func examples(t *testing.T) map[settings.Reader]string {
	t.Helper()
	service, err := os.ReadFile(filepath.Join("..", "..", "docs", "service.toml"))
	must(t, err)
	return map[settings.Reader]string{settings.Console: settings.Example, settings.Service: string(service)}
}

func TestAnExampleHasEverySettingOnceWithItsDefaultAndWhatItIs(t *testing.T) {
	for of, text := range examples(t) {
		e := sources{of: of, file: text}.mustLoad(t)
		given := map[string]settings.Row{}
		for _, row := range e.Rows() {
			given[row.Name] = row
		}
		for _, s := range settings.Table(of) {
			name := strings.TrimPrefix(s.Name, "limits.")
			about := regexp.MustCompile(`(?m)^# ` + name + `\*?: (.*)\n((?:# .*\n)*)(?:(?:# )?` + name + ` = |\[` + name + `\])`)
			found := about.FindAllStringSubmatch(text, -1)
			if len(found) != 1 {
				t.Errorf("%s is in the example %d times with a comment", s.Name, len(found))
				continue
			}
			if s.Kind == settings.Keys || s.Kind == settings.Filters {
				continue
			}
			if row := given[s.Name]; row.Value != s.Value() || row.From != "file" && row.Value != "" {
				t.Errorf("%+v", row)
			}
			comment := found[0][0]
			for _, part := range append(slices.Clone(s.Words), s.Variable) {
				if !strings.Contains(comment, part) {
					t.Errorf("the example does not tell of %s that it takes %s", s.Name, part)
				}
			}
			if of == settings.Console && (!strings.HasPrefix(found[0][1], s.Meaning) || !strings.Contains(comment, s.Flag())) {
				t.Errorf("the example says of %s: %s", s.Name, comment)
			}
		}
	}
}

func TestTheSettingsPageHasEverySetting(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	must(t, err)
	unwrapped := strings.ReplaceAll(string(page), "\n  ", " ")
	for _, s := range settings.Table(settings.Console) {
		if item := pageItem(&s); !strings.Contains(unwrapped, "\n"+item+"\n") {
			t.Errorf("cmd/docs/commands.md lacks this item:\n%s", item)
		}
	}
}

// pageItem is a setting's item in the page's list.
func pageItem(s *settings.Setting) string {
	values := map[settings.Kind]string{settings.Keys: "names of actions with keys", settings.Filters: "names with filters", settings.Address: "an address",
		settings.Path: "the path of a file", settings.Age: "days or hours", settings.Word: "`" + strings.Join(s.Words, "` `") + "`", settings.Switch: "`false` `true`"}[s.Kind]
	if text := s.Value(); text != "" {
		values += ", by default `" + text + "`"
	}
	var ways []string
	if s.Flag() != "" {
		ways = append(ways, "`--"+s.Flag()+"`")
	}
	if s.Variable != "" {
		ways = append(ways, "`"+s.Variable+"`")
	}
	if ways == nil {
		return "- `" + s.Name + "`: " + s.Meaning + "; " + values
	}
	return "- `" + s.Name + "` (" + strings.Join(ways, " ") + "): " + s.Meaning + "; " + values
}

func FuzzAFileIsReadOrRefusedWithALine(f *testing.F) {
	f.Add(settings.Example)
	f.Add("theme = {a.b = 1}\n[filters]\nx = [1, {y = 2}]")
	f.Add("[keys]\nskip = [\"x\"]\ndown = []\nkeys = {a = [[1]]}")
	f.Add("[filters.\"a\".b]\n[[x]]\n")
	f.Add("# a comment\n\nlisten = \"127.0.0.1:8417\"\n[limits]\nreads = 3\nstop_time = \"30s\"\n")
	f.Add("trusted_proxy = [\"unix\"]\n[limits]\nreads = 0x2\nstop_time = \"1s\"")
	f.Add("limits = {reads = {a = 1}}\nlisten.x = 1\n[[limits]]\n")
	f.Fuzz(func(t *testing.T, file string) {
		for _, of := range []settings.Reader{settings.Console, settings.Service} {
			_, err := sources{of: of, file: file}.load(t)
			var problem *settings.Problem
			if errors.As(err, &problem) && problem.Line < 1 {
				t.Errorf("no line: %v", problem)
			}
		}
	})
}
