package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

// A misuse is a wrong call, with a part of what is said of it. In the call @ stands for the folder of the test.
type misuse struct{ call, says string }

// misuses are what people type who do not know docket yet, or who are in a hurry.
var misuses = []misuse{
	// Commands and flags that are not there.
	{"quee", "(did you mean queue?); `docket help` lists"}, {"shwo", "(did you mean show?)"}, {"improt", "(did you mean import?)"}, {"verfy", "(did you mean verify?)"},
	{"xyzzy", "no command \"xyzzy\"; `docket help`"}, {"help quee", "(did you mean queue?)"}, {"help serve tokn", "(did you mean token?)"},
	{"-x", "no flag -x; `docket --help`"}, {"--foo", "no flag --foo; `docket --help`"}, {"queue --sotr id", "(did you mean --sort?)"}, {"show --revison 1", "(did you mean --revision?)"},
	{"queue --docket x", "no flag --docket; `docket queue --help`"}, {"pull --service x", "no flag --service"}, {"records --limit 5", "no flag --limit"},
	{"identity foo", "no command \"foo\"; `docket identity --help`"}, {"accept foo", "no command \"foo\""}, {"witness foo", "no command \"foo\""}, {"serve tokens", "(did you mean token?)"},
	{"config exampel", "(did you mean example?)"}, {"contract chek", "(did you mean check?)"}, {"profile lint x", "no command \"lint\""},
	// Values of flags.
	{"show --revision", "--revision takes a number of 1 or more"}, {"show A --revision x", "--revision takes a number of 1 or more"}, {"show A --revision 99999999999999999999", "a number of 1 or more"},
	{"show A --revision -1", "a number of 1 or more"}, {"show A --revision 0", "a number of 1 or more"}, {"queue --json=x", "--json takes no value"}, {"report appeals --json=maybe", "--json takes no value"},
	{"queue --sort x", "it takes one of deadline, -deadline"}, {"--theme pink", "it takes one of dark, light"}, {"--docket x", "it takes one of appeals, amendments"},
	{"--witness-max-age soon", "days or hours, such as 90d"}, {"verify --max-age x", "days or hours, such as 90d"}, {"stats --period x", "week, month, quarter, all"},
	{"stats --since x", "a day such as"}, {"stats --until 2026-13-40", "a day such as"}, {"stats --csv --json", "cannot be combined"}, {"statement A --format pdf", "text, markdown, html"},
	{"--=x", "a flag is written --name"},
	// Arguments.
	{"import", "name a file: `docket import cases.jsonl`"}, {"show", "name an id: `docket show AC-2041`"}, {"show a b c", "3 are too many arguments: `docket show ID`"}, {"export", "name a folder: `docket export bundle`"}, {"export a b", "docket export DIR"}, {"backup", "docket backup"},
	{"restore", "name a file: `docket restore /media/usb/docket.db --reason store_lost`"}, {"erase", "docket erase note|statement RECORD"}, {"erase foo x --reason order", "note, statement, texts, draft, skip"}, {"erase note", "docket erase note"},
	{"statement", "docket statement RECORD"}, {"records x", "takes no arguments"}, {"doctor x", "takes no arguments"}, {"demo x", "takes no arguments"},
	{"report", "name one of appeals, overlap, amendments"}, {"report x", "name one of appeals, overlap, amendments"}, {"contract", "docket contract check FILE"}, {"contract check", "name a file: `docket report appeals --json | docket contract check -`"},
	{"completion", "say what to do: `docket completion bash`"}, {"completion tcsh", "no command \"tcsh\""}, {"accept", "`docket accept anchor`, `docket accept clock`"}, {"witness", "docket witness submit"},
	{"identity revoke", "docket identity revoke FINGERPRINT"}, {"man x", "has no command"}, {"config x", "no command"},
	{"serve key revoke", "docket serve key revoke"}, {"serve token", "say what to do: `docket serve token add"}, {"serve key lsit", "did you mean list?"}, {"serve db", "docket serve db copy FILE"},
	{"serve operator change _ x", "ID takes a letter or digit"}, {"serve token add a b", "takes no arguments"}, {"pull a b c", "docket pull"}, {"push a b c d", "docket push"},
	// Filters.
	{"--db @/store.db queue foo:bar", "foo: is no key"}, {"--db @/store.db queue gate:maybe", "gate: takes pass or blocked"}, {"--db @/store.db queue due:soon", "due: takes < or >"},
	{"--db @/store.db queue is:", "is: has no such value"}, {"--db @/store.db queue gaet:pass", "gate:"}, {"--db @/store.db queue blocker:none_such", "blocker:"},
	// Ids, roles, reasons, keys.
	{"identity init", "give --id: the id of a person"}, {"identity init --id _a --role neutral_reviewer", "--id takes the id of a person, as cases name it, such as rev-7: a letter or digit"}, {"identity init --id a", "give --role: one of neutral_reviewer, safety_admin"},
	{"identity init --id a --role admin", "neutral_reviewer, safety_admin"}, {"identity init --id a --role neutral_reviewer --key x --agent SHA256:x", "give one"},
	{"identity init --id a --role neutral_reviewer --key x --no-passphrase", "--key and --no-passphrase cannot be combined; give one of them"}, {"serve token add", "--principal: the id of a person"}, {"serve token add --principal a", "--role: one of neutral_reviewer, safety_admin, metrics"},
	{"restore x --reason whim", "store_lost, store_damaged, key_lost, key_exposed"}, {"erase note x --reason whim", "person_asked, private_detail"}, {"restore @/note.md --reason store_lost", "needs a person at a terminal"},
	// Files that are not what they are taken for.
	{"--db @/new.db import @/none.jsonl", "@/none.jsonl: there is no such file"}, {"--db @/new.db import @", "it is a folder; name the files in it"}, {"--db @/new.db import @/note.md", "note.md, line 1: this is no packet file"},
	{"--db @/new.db import @/noise", "noise, line 1: this is no packet file"}, {"--db @/new.db import @/twice.json", "twice.json, line 1: duplicate member name"}, {"--db @/new.db import @/cut.json", "cut.json, line 1: the JSON stops early; it may be cut off"},
	{"--db @/new.db import @/table.json", "trade_appeal_policies, trade_appeal_cases"}, {"evaluate @/none", "there is no such file"}, {"evaluate @/note.md", "unexpected character"}, {"seal @/none", "there is no such file"},
	{"contract check @/none", "there is no such file"}, {"contract check @/note.md", "on line 1"}, {"profile check @/none", "there is no such file"}, {"profile check @/note.md", "on line 1"},
	{"verify @/none", "there is no bundle; make one with `docket export DIR`"}, {"verify @/note.md", "not a docket store"}, {"verify @", "there is no bundle"}, {"--db @/store.db verify --since @/none", "name the file `checkpoint`"},
	{"--db @/store.db verify --policy @/note.md", "line 3 of the witness policy: a line begins with log, witness, group or quorum"}, {"--db @/store.db verify --policy @/empty", "names no quorum"}, {"--db @ queue", "it is a folder; name a file in it"}, {"--db @/note.md queue", "not a docket store"}, {"--db @/noise records", "not a docket store"},
	{"--db @/none.db queue", "there is no store"}, {"--db @/none.db show A", "there is no store"}, {"--db @/store.db show A-1", "`docket queue` lists"}, {"--db @/store.db export @/none/deeper", "its folder does not exist"},
	{"--db @/store.db export @/note.md", "@/note.md"}, {"--db @/store.db backup @/none/deeper", "its folder does not exist"}, {"--db @/store.db backup @/note.md", "@/note.md"},
	{"--db @/new.db import @/random", "random, line 1: this is no packet file"}, {"--db @/new.db import @/marked.json", "save it as UTF-8 without one"}, {"man --folder @/note.md", "no folder can be made of that name"},
	{"verify @/empty", "name the file of a backup, or of another store"}, {"verify @/noise", "it is not an SQLite file; name another one\n"}, {"enroll @", "it is a folder; name the file in it"},
	{"pull http://127.0.0.1:1 --token-file @", "it is a folder; name the file in it"},
	{"--db @/service.db serve --config @/none", "none: the config file cannot be read"}, {"--db @/service.db serve --config @/marked.json", "marked.json:1: the file starts with a byte order mark"},
	{"--db @/service.db serve --tls-cert @/note.md --tls-key @/noise", "are not a certificate and its key in PEM"},
	// What needs a terminal, a service or an identity.
	{"--db postgres://127.0.0.1:1/docket queue", "the store cannot be opened; connect: connection refused; make sure that the server runs"},
	{"", "needs a terminal"}, {"--db @/store.db accept anchor", "needs a person at a terminal"}, {"--db @/store.db accept clock", "needs a person at a terminal"}, {"--db @/store.db identity replace", "needs a person at a terminal"},
	{"pull x", "such as https://docket.example.org"}, {"pull ftp://x", "use https"}, {"pull http://192.0.2.1", "https"}, {"push ftp://x", "use https"}, {"pull https://127.0.0.1:99999", "a port from 1 to 65535"}, {"push http://127.0.0.1:0", "a port from 1 to 65535"},
	{"pull http://127.0.0.1:1 --token-file @/token", "127.0.0.1:1: connection refused; check its address, and that it runs"}, {"witness submit", "give it with --policy"},
	{"serve --listen x", "an address and a port such as 127.0.0.1:8417"}, {"serve --listen 0.0.0.0:1", "give --tls-cert and --tls-key, or --behind-proxy"}, {"serve --tls-cert x", "must be given together"},
	{"--db @/store.db serve token list", "console"}, {"--db @/none.db serve key list", "the service makes it when it first runs (`docket serve`)"},
	{"--db @/none.db serve invite --principal a --role safety_admin --expires 9d --address http://127.0.0.1:1 @/i", "(`docket serve`)"},
}

// goNames are names of Go's packages and functions, as its errors begin.
var goNames = regexp.MustCompile(`\b(strconv|json|toml|pflag|cobra|os|io|fs|net|http|url|sql|sqlite|regexp|syscall|runtime|errors|tls|x509|mkdir)[.:]\s?[A-Za-z]+|dial tcp|panic|%!|<nil>|\.go:\d`)

func TestEachMisuseIsToldInDocketsWords(t *testing.T) {
	folder := t.TempDir()
	t.Cleanup(xdg.Reload) // once the variables are what they were
	for _, variable := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(variable, filepath.Join(folder, "home", variable))
	}
	xdg.Reload()
	for name, text := range map[string]string{
		"note.md": "# Notes\n\nNothing of this is JSON.\n", "noise": "\x00\xff\xfe\x01\n\x90\x90\n", "twice.json": `{"table":"x","table":"y"}`,
		"cut.json": `{"table":"trade_appeal_cases"`, "table.json": `{"table":"appeals","record":{}}`, "empty": "",
		"one.json": `{"table":"trade_appeal_cases","record":{"caseId":"case-good","revision":1,"contractVersion":"x","status":"filed"}}`,
		"random":   "\x91\x00\xa7\n{\x81\n\xfe{[\n", "marked.json": "\xEF\xBB\xBF{}", "token": "docket_" + strings.Repeat("A", 26) + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(call string) (Status, string) {
		var out, messages bytes.Buffer
		status := Main(strings.Fields(strings.ReplaceAll(call, "@", folder)), System{In: strings.NewReader(""), Out: &out, Err: &messages, Now: time.Now,
			Getenv: func(string) string { return "" }, TerminalSize: func() (int, int, error) { return 0, 0, errors.New("no terminal") }})
		return status, out.String() + messages.String()
	}
	if status, said := run("--db @/store.db import @/one.json"); status != Done {
		t.Fatal(said)
	}
	if len(misuses) < 100 {
		t.Errorf("only %d misuses are tried", len(misuses))
	}
	for _, m := range misuses {
		status, said := run(m.call)
		says := strings.ReplaceAll(m.says, "@", folder)
		if status == Done || !strings.Contains(said, says) {
			t.Errorf("docket %s ends with %d and says\n\t%s\tnot %q", m.call, status, said, says)
		}
		if found := goNames.FindString(said); found != "" {
			t.Errorf("docket %s says %q: %s", m.call, found, said)
		}
		if strings.Contains(said, ":0:") {
			t.Errorf("docket %s names line 0: %s", m.call, said)
		}
		for line := range strings.Lines(said) {
			for _, word := range strings.Fields(line) {
				if path := strings.TrimRight(word, ":,;"); strings.HasPrefix(path, folder+"/") && strings.Count(line, path) > 1 {
					t.Errorf("docket %s says the path twice: %s", m.call, line)
				}
			}
			if strings.Contains(line, "is not in the vocabulary") && !strings.Contains(line, ": trade_") {
				t.Errorf("docket %s does not say which words there are: %s", m.call, line)
			}
		}
	}
}
