package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/settings"
)

// A given flag has a value, or a list.
type given map[string][]string

// load reads the settings of a file's text and of flags. The path of the file is FILE in errors.
func load(t *testing.T, file string, flags given) (Effective, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "service.toml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(Source{Path: path, Flag: func(name string) (string, []string, bool) {
		list, there := flags[name]
		return strings.Join(list, ","), list, there
	}})
}

func TestWithoutAFileTheDefaultsCount(t *testing.T) {
	e, err := Load(Source{Flag: func(string) (string, []string, bool) { return "", nil, false }})
	if err != nil || e.Limits != serve.DefaultLimits() || e.Listen != Defaults().Listen {
		t.Fatalf("%+v, %v", e.Values, err)
	}
	for i, row := range e.Rows() {
		if row.From != "default" || row.Where != "" || row.Value != table[i].Default() {
			t.Errorf("%+v", row)
		}
	}
}

// sample is another value than the default for each kind of setting.
func sample(s *Setting) (inFile, text string) {
	switch s.Name {
	case "listen":
		return `"127.0.0.1:9999"`, "127.0.0.1:9999"
	case "db", "log_file", "tls_cert", "tls_key", "profile", "witness_policy":
		return `"/some/file"`, "/some/file"
	case "behind_proxy":
		return "true", "true"
	case "trusted_proxy":
		return `["10.0.0.0/8", "unix"]`, "10.0.0.0/8 unix"
	}
	if s.Words != nil {
		last := s.Words[len(s.Words)-1]
		return `"` + last + `"`, last
	}
	if s.Form() == settings.Text {
		return `"1.5s"`, "1.5s"
	}
	return "7", "7"
}

func TestEverySettingIsReadFromTheFileAndEveryFlagGoesBeforeIt(t *testing.T) {
	for i := range table {
		s := &table[i]
		written, want := sample(s)
		line := s.Name + " = " + written + "\n"
		if s.Name == "tls_cert" || s.Name == "tls_key" {
			line = "tls_cert = " + written + "\ntls_key = " + written + "\n"
		}
		e, err := load(t, "# a comment\n"+line, nil)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		row := e.Rows()[i]
		if row.Value != want || row.Value == s.Default() && s.Words == nil || row.From != "file" || !strings.Contains(row.Where, "service.toml:") {
			t.Errorf("%s = %s is read as %+v", s.Name, written, row)
		}
		if s.Flag() == "" {
			continue
		}
		standard := s.Default()
		if s.Name == "tls_cert" || s.Name == "tls_key" {
			standard = "/flag"
		}
		e, err = load(t, line, given{s.Flag(): strings.Fields(standard)})
		if err != nil {
			t.Errorf("--%s: %v", s.Flag(), err)
		} else if row := e.Rows()[i]; row.Value != standard || row.From != "flag" || row.Where != "--"+s.Flag() {
			t.Errorf("--%s = %s is read as %+v", s.Flag(), standard, row)
		}
	}
}

func TestTheAddressOfADatabaseIsNoPathAndIsShownWithoutItsPassword(t *testing.T) {
	const address = "postgres://docket:CANARY@db.example/docket"
	e, err := load(t, `db = "`+address+`"`, nil)
	if err != nil || e.Store != address {
		t.Fatal("it is read as another one", err)
	}
	for _, row := range e.Rows() {
		if strings.Contains(row.Value, "CANARY") || row.Name == "db" && row.Value != "postgres://docket@db.example/docket" {
			t.Errorf("it is shown as %s", row.Value)
		}
	}
}

func TestAPathOfTheFileIsBesideTheFileAndOneOfAFlagIsNot(t *testing.T) {
	e, err := load(t, `profile = "p.json"`, nil)
	if err != nil || filepath.Base(e.Profile) != "p.json" || !filepath.IsAbs(e.Profile) {
		t.Errorf("%q, %v", e.Profile, err)
	}
	if e, err = load(t, "", given{"profile": {"p.json"}}); err != nil || e.Profile != "p.json" {
		t.Errorf("%q, %v", e.Profile, err)
	}
}

func TestTheLimitsAreReadHoweverTheirTableIsWritten(t *testing.T) {
	for _, file := range []string{"[limits]\nstop_time = \"7s\"\nreads = 5", "limits.stop_time = \"7s\"\nlimits.reads = 5", "limits = {stop_time = \"7s\", reads = 5}",
		"[limits]\nstop_time = \"7000ms\"\nreads = 0x5\nconnections = 1_024"} {
		if e, err := load(t, file, nil); err != nil || e.Limits.Stop != 7*time.Second || e.Limits.Reads != 5 {
			t.Errorf("%s: %+v, %v", file, e.Limits, err)
		}
	}
}

func TestWhatIsWrongIsRefusedWithItsLineAndWithoutWhatWasWritten(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		line   int
		reason string
	}{
		"an unknown name":               {"\nCANARYlisten = \"x\"", 2, "there is no such setting; the nearest is listen"},
		"a mistyped name":               {"lissen = \"127.0.0.1:1\"", 1, "there is no such setting; the nearest is listen"},
		"a limit outside of its table":  {"stop_time = \"7s\"", 1, "there is no such setting; the nearest is limits.stop_time"},
		"a mistyped limit":              {"[limits]\nstop_tine = \"7s\"", 2, "the nearest is limits.stop_time"},
		"a setting within the limits":   {"[limits]\nlisten = \"127.0.0.1:1\"", 2, "the nearest is listen"},
		"an unknown table":              {"[limit]\nreads = 3", 1, "there is no such setting"},
		"tables of limits":              {"[[limits]]\nreads = 3", 1, "limits is a table: [limits], then"},
		"a number for the limits":       {"limits = 3", 1, "limits is a table: [limits], then"},
		"a setting that is a table":     {"[listen]\nx = 1", 1, "listen takes a text, in quotes"},
		"a number for a text":           {"listen = 8417", 1, "listen takes a text, in quotes"},
		"a text for a number":           {"[limits]\nreads = \"3\"", 2, "limits.reads takes a whole number from 1 to 1000, without quotes"},
		"a fraction for a whole number": {"[limits]\nreads = 3.5", 2, "limits.reads takes a whole number"},
		"a number that is too large":    {"[limits]\nreads = 1001", 2, "limits.reads takes a whole number"},
		"a number that is too small":    {"[limits]\nreads = 0", 2, "limits.reads takes a whole number"},
		"a number for a duration":       {"[limits]\nstop_time = 7", 2, "limits.stop_time takes a duration from 1ms to 1h0m0s, in quotes"},
		"a duration without a unit":     {"[limits]\nstop_time = \"7\"", 2, "limits.stop_time takes a duration"},
		"a word for a switch":           {"behind_proxy = \"true\"", 1, "behind_proxy takes true or false, without quotes"},
		"an unknown word":               {"log_level = \"CANARY\"", 1, "log_level takes one of debug, info, warn, error, in quotes"},
		"a text for a list":             {"trusted_proxy = \"10.0.0.0/8\"", 1, `in quotes and brackets: ["10.0.0.0/8", "unix"]`},
		"a list of other things":        {"trusted_proxy = [\"CANARY\"]", 1, "trusted_proxy takes addresses of networks"},
		"a control character":           {"profile = \"CANARY\\u001b[2J\"", 1, "profile takes the path of a file, in quotes"},
		"no TOML":                       {"log_level = \"info\"\nCANARY", 2, "this is not TOML"},
		"a name twice":                  {"log_level = \"info\"\nlog_level = \"info\"", 2, "this is not TOML"},
		"an address without a port":     {"\nlisten = \"127.0.0.1\"", 2, "listen: it takes an address and a port"},
		"a socket beside something":     {"listen = \"unix:run/docket.sock\"", 1, "listen: it takes an address and a port"},
		"an address for everybody":      {"\n\nlisten = \"0.0.0.0:8417\"", 3, "listen: the address can be reached from other machines"},
		"a certificate without a key":   {"tls_cert = \"a.pem\"", 1, "tls_cert: it must be given together with tls_key"},
		"a key without a certificate":   {"\ntls_key = \"a.pem\"", 2, "tls_key: it must be given together with tls_cert"},
		"TLS behind a proxy":            {"tls_cert = \"a.pem\"\ntls_key = \"a.pem\"\nbehind_proxy = true", 3, "behind_proxy: it is for a service without TLS"},
		"TLS on a socket":               {"listen = \"unix:/run/docket.sock\"\ntls_cert = \"a.pem\"\ntls_key = \"a.pem\"", 2, "tls_cert: a unix socket is served without TLS"},
	} {
		e, err := load(t, c.file, nil)
		var problem *settings.Problem
		if !errors.As(err, &problem) || problem.Line != c.line || !strings.Contains(problem.Reason, c.reason) || e.origins != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.HasSuffix(problem.Place, "service.toml") || strings.Contains(problem.Error(), "CANARY") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFlagThatIsWrongIsRefusedWithItsName(t *testing.T) {
	for flag, reason := range map[string]string{"listen": "it takes an address and a port", "log-level": "it takes one of debug, info, warn, error",
		"trusted-proxy": "it takes addresses of networks, such as", "tls-key": "it must be given together with --tls-cert", "behind-proxy": "it takes true or false"} {
		_, err := load(t, "", given{flag: {"CANARY"}})
		if err == nil || !strings.HasPrefix(err.Error(), "--"+flag+": "+reason) || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("--%s: %v", flag, err)
		}
	}
}

func TestAFileThatIsNotThereOrNoFileIsRefused(t *testing.T) {
	none := func(string) (string, []string, bool) { return "", nil, false }
	for _, path := range []string{filepath.Join(t.TempDir(), "no.toml"), t.TempDir()} {
		if _, err := Load(Source{Path: path, Flag: none}); err == nil || !strings.Contains(err.Error(), "the config file cannot be read") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := load(t, strings.Repeat("#", maxFile+1), nil); err == nil {
		t.Error("a file without end is read")
	}
}

func TestWhatAReloadCannotChangeIsNamedAndStays(t *testing.T) {
	before, err := load(t, "log_format = \"json\"\n[limits]\nreads = 3\nhead_time = \"4s\"", nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := load(t, "listen = \"127.0.0.1:1\"\nlog_level = \"warn\"\ntrusted_proxy = [\"unix\"]\n[limits]\nreads = 2\nhead_time = \"4s\"", nil)
	if err != nil {
		t.Fatal(err)
	}
	if names := next.changed(&before); !slices.Equal(names, []string{"listen", "trusted_proxy", "log_format", "limits.reads"}) {
		t.Errorf("%q", names)
	}
	kept := next.keeping(&before)
	if kept.Listen != before.Listen || kept.LogFormat != "json" || len(kept.TrustedProxies) > 0 || kept.Limits.Head != 4*time.Second ||
		kept.LogLevel != "warn" || kept.Limits.Reads != 3 {
		t.Errorf("%+v", kept.Values)
	}
	if names := kept.changed(&before); names != nil {
		t.Errorf("%q", names)
	}
}

func FuzzAConfigFileIsTakenOrRefusedWithALine(f *testing.F) {
	f.Add("# a comment\n\nlisten = \"127.0.0.1:8417\"\n[limits]\nreads = 3\nstop_time = \"30s\"\n")
	f.Add("trusted_proxy = [\"unix\"]\n[limits]\nreads = 0x2\nstop_time = \"1s\"")
	f.Add("limits = {reads = {a = 1}}\nlisten.x = 1\n[[limits]]\n")
	f.Add("listen = \"unix:/run/docket.sock\"\ntls_cert = \"a\"\nbehind_proxy = true")
	f.Fuzz(func(t *testing.T, file string) {
		e := Effective{Values: Defaults(), path: "service.toml", origins: make([]origin, len(table))}
		entries, problem := settings.ReadEntries([]byte(file))
		for i := 0; i < len(entries) && problem == nil; i++ {
			problem = e.take(&entries[i])
		}
		if problem == nil {
			problem = e.check()
		}
		if problem != nil && problem.Line < 1 {
			t.Errorf("no line: %v", problem)
		}
	})
}
