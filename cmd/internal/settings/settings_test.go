package settings

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui"
	"docket/ui/action"
	"docket/ui/theme"
)

// sources are a file's text, the environment and the flags.
type sources struct {
	file        string
	environment map[string]string
	flags       map[string]string
}

func (s sources) load(t *testing.T) (Effective, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if s.file != "" {
		if err := os.WriteFile(path, []byte(s.file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Load(Source{Path: path, Getenv: func(name string) string { return s.environment[name] },
		Flag: func(name string) (string, bool) { text, given := s.flags[name]; return text, given }})
}

func (s sources) mustLoad(t *testing.T) Effective {
	t.Helper()
	e, err := s.load(t)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWithoutAFileTheDefaultsCount(t *testing.T) {
	e := sources{}.mustLoad(t)
	if e.Exists || e.BlindFirst || e.Theme != theme.Auto || e.Docket != terms.Appeals || e.Sort != queue.ByDeadline || e.Filters != nil {
		t.Errorf("%+v", e)
	}
	for _, row := range e.Rows() {
		if row.From != "default" || row.Where != "" {
			t.Errorf("%+v", row)
		}
	}
}

func TestAFlagGoesBeforeTheEnvironmentAndThatBeforeTheFile(t *testing.T) {
	all := sources{file: `theme = "light"`, environment: map[string]string{"DOCKET_THEME": "contrast"}, flags: map[string]string{"theme": "dark"}}
	for _, c := range []struct {
		drop  func(*sources)
		theme theme.Name
		from  Origin
		where string
	}{
		{func(*sources) {}, theme.Dark, Flag, "--theme"},
		{func(s *sources) { s.flags = nil }, theme.Contrast, Environment, "DOCKET_THEME"},
		{func(s *sources) { s.environment = nil }, theme.Light, File, "config.toml:1"},
		{func(s *sources) { s.file = "" }, theme.Auto, Default, ""},
	} {
		c.drop(&all)
		e := all.mustLoad(t)
		row := e.Rows()[0]
		if e.Theme != c.theme || row.From != c.from.String() || row.Value != c.theme.String() || !strings.HasSuffix(row.Where, c.where) {
			t.Errorf("%v: %+v", c.from, row)
		}
	}
}

func TestEverySettingIsReadFromTheFile(t *testing.T) {
	e := sources{file: "service = \"https://docket.example.org\"\ndocket = \"amendments\"\nsort = 'id'\nblind_first = true\nmouse = true\nincident_profile = \"/p.json\"\nwitness_policy = \"/w\"\nwitness_max_age = \"1d\"\nbackups = \"/b\"\nbackups_max_age = \"1d\"\ntheme = \"\"\"colour-blind\"\"\"\n\n[filters]\n\"mine, open\" = \"is:mine\"\nsoon = \"due:<48h\"\n[keys]\nskip = \"x\"\n"}.mustLoad(t)
	want := []ui.SavedFilter{{Name: "mine, open", Text: "is:mine", Fixed: true}, {Name: "soon", Text: "due:<48h", Fixed: true}}
	if e.Docket != terms.Amendments || e.Sort != queue.ByID || !e.BlindFirst || !e.Mouse || e.Theme != theme.ColourBlind ||
		e.Service != "https://docket.example.org" || !slices.Equal(e.Filters, want) {
		t.Errorf("%+v", e.Values)
	}
	for _, row := range e.Rows() {
		if row.From != "file" {
			t.Errorf("%+v", row)
		}
	}
}

func TestFiltersAreReadHoweverTheirTableIsWritten(t *testing.T) {
	for _, file := range []string{"[filters]\na = \"is:mine\"", "filters.a = \"is:mine\"", "filters = {a = \"is:mine\"}"} {
		if e := (sources{file: file}).mustLoad(t); len(e.Filters) != 1 || e.Filters[0] != (ui.SavedFilter{Name: "a", Text: "is:mine", Fixed: true}) {
			t.Errorf("%s: %+v", file, e.Filters)
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
		var rows []Row
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

func TestWhatIsWrongIsRefusedWithItsLineAndWithoutWhatWasWritten(t *testing.T) {
	for name, c := range map[string]struct {
		file, reason string
		line         int
	}{
		"an unknown name":              {"theme = \"dark\"\nCANARYtheem = \"dark\"\n", "there is no such setting", 2},
		"a name in another case":       {"Theme = \"CANARY\"", "there are, the nearest first, theme,", 1},
		"a mistyped name":              {"# x\n\nsrot = \"CANARY\"", "there are, the nearest first, sort,", 3},
		"an unknown table":             {"[fliters]\na = \"is:mine\"", "there are, the nearest first, filters,", 1},
		"a name like none":             {"CANARYCANARY = 1", "there is no such setting; there are, the nearest first, ", 1},
		"an unknown word":              {"\ntheme = \"CANARY\"", "theme is one of auto, dark, light", 2},
		"an empty word":                {"theme = \"\"", "theme is one of", 1},
		"a number for a word":          {"theme = 7", "theme is one of", 1},
		"a boolean for a word":         {"sort = true", "sort is one of", 1},
		"a list for a word":            {"docket = [\"CANARY\"]", "docket is one of appeals, amendments", 1},
		"a table for a word":           {"[theme]\nx = \"CANARY\"", "theme is one of", 1},
		"an inline table for a word":   {"theme = {CANARY = 1}", "theme is one of", 1},
		"a text for the filters":       {"filters = \"CANARY\"", "filters is a table", 1},
		"tables of filters":            {"[[filters]]\na = \"CANARY\"", "filters is a table", 1},
		"a table within the filters":   {"[filters.a]\nb = \"CANARY\"", "filters is a table", 1},
		"a text for a switch":          {"blind_first = \"true\"", "blind_first is true or false, without quotes", 1},
		"a number for a switch":        {"blind_first = 1", "blind_first is true or false", 1},
		"a service without https":      {"service = \"http://CANARY.example.org\"", "use https", 1},
		"a service with a password":    {"service = \"https://x:CANARY@docket.example.org\"", "leave the user name", 1},
		"a service with a query":       {"service = \"https://docket.example.org/?CANARY\"", "leave the query", 1},
		"a service that is none":       {"service = \"CANARY\"", "give the address of the service", 1},
		"a boolean for a service":      {"service = true", "service is the address of a service", 1},
		"a boolean for a filter":       {"[filters]\na = true", "filters is a table", 2},
		"a number for a filter":        {"[filters]\na = 1", "filters is a table", 2},
		"a filter that is none":        {"[filters]\nok = \"is:mine\"\na = \"due:CANARY\"", "the filter cannot be used: due: takes", 3},
		"a filter without a name":      {"[filters]\n\" \" = \"is:mine\"", "has a name", 2},
		"a name that cannot be seen":   {"[filters]\n\"a\\u202e\" = \"is:mine\"", "printable characters only", 2},
		"a filter with an escape":      {"[filters]\na = \"CANARY\\u001b[2J\"", "printable characters only", 2},
		"a text for the keys":          {"keys = \"CANARY\"", "keys is a table of actions", 1},
		"a table within the keys":      {"[keys.skip]\na = \"CANARY\"", "keys is a table of actions", 1},
		"a number for a key":           {"[keys]\nskip = 7", "keys is a table of actions", 2},
		"a boolean for a key":          {"[keys]\nskip = true", "keys is a table of actions", 2},
		"a list with a number":         {"[keys]\nskip = [\"x\", 7]", "keys is a table of actions", 2},
		"an empty list of keys":        {"[keys]\nskip = []", "keys is a table of actions", 2},
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
	} {
		_, err := sources{file: c.file}.load(t)
		var problem *Problem
		if !errors.As(err, &problem) || problem.Line != c.line || !strings.Contains(problem.Reason, c.reason) ||
			!strings.HasSuffix(problem.Place, "config.toml") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: what was written is repeated: %v", name, err)
		}
	}
}

func TestTheEnvironmentAndFlagsAreRefusedByTheirNames(t *testing.T) {
	for place, s := range map[string]sources{
		"DOCKET_THEME": {environment: map[string]string{"DOCKET_THEME": "CANARY"}},
		"--sort":       {flags: map[string]string{"sort": "CANARY"}},
		"--docket":     {flags: map[string]string{"docket": ""}},
	} {
		_, err := s.load(t)
		var problem *Problem
		if !errors.As(err, &problem) || problem.Place != place || problem.Line != 0 || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", place, err)
		}
	}
}

func TestAFileThatCannotBeOpenedIsNoProblemOfItsText(t *testing.T) {
	_, err := Load(Source{Path: t.TempDir(), Getenv: func(string) string { return "" }, Flag: func(string) (string, bool) { return "", false }})
	var problem *Problem
	if err == nil || errors.As(err, &problem) {
		t.Errorf("a folder: %v", err)
	}
}

func TestAFileThatIsTooLargeIsRefused(t *testing.T) {
	_, err := sources{file: "#" + strings.Repeat("x", mostFile)}.load(t)
	var problem *Problem
	if !errors.As(err, &problem) || !strings.Contains(problem.Reason, "1 MiB") {
		t.Errorf("%v", err)
	}
}

func TestTheExampleIsWhatCountsWithoutAFileAndItsFilters(t *testing.T) {
	e, plain := sources{file: Example()}.mustLoad(t), sources{}.mustLoad(t)
	if len(e.Filters) != len(sampleFilters) {
		t.Errorf("%+v", e.Filters)
	}
	e.Filters = nil
	if e.Theme != plain.Theme || e.Docket != plain.Docket || e.Sort != plain.Sort {
		t.Errorf("%+v", e.Values)
	}
	for _, s := range Table() {
		if !strings.Contains(Example(), s.Meaning) || !strings.Contains(Example(), s.Variable) {
			t.Errorf("the example does not tell of %s", s.Name)
		}
		_, about, _ := strings.Cut(Example(), "\n# "+s.Name+": ")
		if about, _, _ = strings.Cut(about, "\n\n"); s.Kind == Path && !strings.Contains(about, "\n# A path; ") {
			t.Errorf("the example does not say that %s is a path", s.Name)
		}
	}
}

func TestEveryRowOfTheTableIsWhole(t *testing.T) {
	for _, s := range Table() {
		if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(s.Name) || s.Meaning == "" || s.set == nil && s.Kind != Keys {
			t.Errorf("%+v", s)
		}
		chosen := s.Kind == Choice || s.Kind == Switch
		if chosen && (!slices.Contains(s.Words, s.Default) || s.get == nil) || (chosen || s.Kind == Path || s.Kind == Age) != (s.Flag() != "") {
			t.Errorf("%s: its default is none of its words", s.Name)
		}
		for _, word := range s.Words {
			var v Values
			if err := s.take(&v, s.Name, word); err != nil || s.get(&v) != word {
				t.Errorf("%s = %q is read as %q: %v", s.Name, word, s.get(&v), err)
			}
		}
	}
}

func TestTheSettingsPageHasEverySetting(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Table() {
		if row := pageRow(&s); !strings.Contains(string(page), row+"\n") {
			t.Errorf("cmd/docs/commands.md lacks this row:\n%s", row)
		}
	}
}

// pageRow is a setting's row in the page's table.
func pageRow(s *Setting) string {
	words, place, standard := "names with filters", "–", "–"
	switch s.Kind {
	case Keys:
		words = "names of actions with keys"
	case Address:
		words, place = "an address", ""
	case Path:
		words, place, standard = "the path of a file", "`--"+s.Flag()+"`", "none"
	case Age:
		words, place, standard = "days or hours", "`--"+s.Flag()+"`", "`"+s.Default+"`"
	case Choice, Switch:
		words, place, standard = "`"+strings.Join(s.Words, "` `")+"`", "`--"+s.Flag()+"`", "`"+s.Default+"`"
	}
	if s.Variable != "" {
		place = strings.TrimSpace(place + " `" + s.Variable + "`")
	}
	return "| `" + s.Name + "` | " + strings.Join([]string{s.Meaning, words, standard, place}, " | ") + " |"
}

func FuzzAFileIsReadOrRefusedWithALine(f *testing.F) {
	f.Add(Example())
	f.Add("theme = {a.b = 1}\n[filters]\nx = [1, {y = 2}]")
	f.Add("[keys]\nskip = [\"x\"]\ndown = []\nkeys = {a = [[1]]}")
	f.Add("[filters.\"a\".b]\n[[x]]\n")
	f.Fuzz(func(t *testing.T, file string) {
		entries, problem := ReadEntries([]byte(file))
		if problem != nil && problem.Line < 1 {
			t.Errorf("no line: %v", problem)
		}
		for i := range entries {
			var v Values
			if _, problem := entries[i].take(&v); problem != nil && problem.Line < 1 {
				t.Errorf("no line: %v", problem)
			}
		}
	})
}
