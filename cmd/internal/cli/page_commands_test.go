package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The commands that pages print are run by a test or held to what they name: the command tree, packages with tests of that name, scripts.

// runPages are the pages whose blocks marked sh scripts run as they stand.
var runPages = map[string][]string{
	"README.md":           {"stock.txtar"},
	"cmd/docs/service.md": {"first_set_up.txtar", "postgres_page.txtar"},
	"cmd/docs/drill.md":   {"first_set_up.txtar"},
	"cmd/docs/offline.md": {"without_network.txtar"},
}

// otherBlocks are the marks of blocks that hold no commands.
var otherBlocks = []string{"toml", "nginx", "python", "json", "text", "go"}

// placeholders are the words in capitals that stand for something of the reader's.
var placeholders = []string{"COMMAND", "DIR", "FILE", "FINGERPRINT", "FOLDER", "ID", "KEY", "KIND", "LINE", "N", "NAME", "ORIGIN", "OUT", "PACKAGE", "PAGE", "PATH",
	"RECORD", "REASON", "REVIEWER", "SEQUENCE", "SHELL", "URL", "CONFIG", "PERIOD"}

// otherPrograms are those of the system and of other projects.
var otherPrograms = []string{"adduser", "cat", "cd", "cp", "cut", "diff", "git", "journalctl", "ls", "mkdir", "mktemp", "mv", "psql", "python3", "rm", "sed", "sqlite3", "ssh-add", "ssh-agent",
	"ssh-keygen", "systemctl", "systemd-sysusers", "systemd-tmpfiles", "tail", "./litewitness"}

var (
	marked   = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	capital  = regexp.MustCompile(`^[A-Z]+$`)
	variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// A shellCommand is a simple command of a shell: its words without quotes, and without what it reads and writes.
type shellCommand []string

var (
	shellToken = regexp.MustCompile(`'[^']*'|"[^"]*"|[|;&\n<>]|[^\S\n]+|[^\s'"|;&<>]+`)
	substitute = regexp.MustCompile(`\$\(([^)]*)\)`)
	comment    = regexp.MustCompile(`(?m)(^|\s)#.*$`)
)

// shellCommands splits lines of a shell into simple commands, those within $( ) first.
func shellCommands(text string) (commands []shellCommand, err error) {
	text = comment.ReplaceAllString(strings.ReplaceAll(text, "\\\n", " "), "$1")
	for _, inner := range substitute.FindAllStringSubmatch(text, -1) {
		below, err := shellCommands(inner[1])
		if err != nil {
			return nil, err
		}
		commands = append(commands, below...)
	}
	text = substitute.ReplaceAllString(text, "$$")
	tokens := shellToken.FindAllString(text, -1)
	if strings.Join(tokens, "") != text {
		return nil, fmt.Errorf("a quotation in %q has no end", text)
	}
	var words shellCommand
	begun, redirects := false, false // a word, and < or > before it
	for _, token := range append(tokens, "\n") {
		switch {
		case strings.ContainsAny(token, "|;&\n") && len(token) == 1:
			if len(words) > 0 {
				commands = append(commands, words)
			}
			words, begun, redirects = nil, false, false
		case token == "<" || token == ">":
			begun, redirects = false, true
		case strings.TrimSpace(token) == "":
			redirects, begun = redirects && !begun, false
		case redirects:
			begun = true
		case begun:
			words[len(words)-1] += strings.Trim(token, `'"`)
		default:
			words, begun = append(words, strings.Trim(token, `'"`)), true
		}
	}
	return commands, nil
}

// A pageCommand is a simple command of a page.
type pageCommand struct {
	page  string
	words shellCommand
}

// pageCommands returns the commands of a page: those of its blocks, and those of its lines that run a program of the project.
func pageCommands(t *testing.T, name, text string) (commands []pageCommand) {
	t.Helper()
	add := func(shell string) {
		split, err := shellCommands(shell)
		if err != nil {
			t.Errorf("%s: %q: %v", name, shell, err)
		}
		for _, words := range split {
			for len(words) > 0 && (variable.MatchString(words[0]) || words[0] == "do") {
				words = words[1:]
			}
			if len(words) > 0 && (words[0] == "for" || words[0] == "done") {
				continue
			}
			if len(words) > 3 && slices.Equal(words[:3], []string{"sudo", "-H", "-u"}) {
				words = words[4:]
			}
			if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "./cmd/docket"}) {
				words = append(shellCommand{"docket"}, words[3:]...)
			}
			if len(words) > 0 {
				commands = append(commands, pageCommand{name, words})
			}
		}
	}
	for _, block := range marked.FindAllStringSubmatch(text, -1) {
		switch {
		case slices.Contains(otherBlocks, block[1]):
		case block[1] == "" || block[1] == "sh" && runPages[name] != nil:
			add(block[2])
		default:
			t.Errorf("%s: a block is marked %q: sh is for those that a test runs, none for other commands, and %q for what is no command", name, block[1], otherBlocks)
		}
	}
	for _, match := range span.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		bare := match[1]
		for variable.MatchString(bare) && strings.Contains(bare, " ") {
			_, bare, _ = strings.Cut(bare, " ")
		}
		if strings.HasPrefix(bare, "go ") || strings.HasPrefix(bare, ".ci/") || strings.HasPrefix(bare, "python3 ") {
			add(strings.ReplaceAll(match[1], `\|`, "|"))
		}
	}
	return commands
}

func TestEveryBlockMarkedShIsOfAPageThatAScriptRuns(t *testing.T) {
	pages := readPages(t)
	for page, scripts := range runPages {
		for _, script := range scripts {
			text, err := os.ReadFile(filepath.Join(module, "testdata", "script", script))
			if err != nil {
				t.Fatal(err)
			}
			if named := strings.TrimPrefix(page, "cmd/docs/"); !bytes.Contains(text, []byte(named)) && !bytes.Contains(text, []byte(`"$README"`)) {
				t.Errorf("%s does not name %s", script, page)
			}
		}
		if !strings.Contains(pages[page], "\n```sh\n") {
			t.Errorf("%s has no block that is marked sh", page)
		}
	}
}

func TestEveryCommandOfAPageCanBeRun(t *testing.T) {
	tests := findTests(t)
	count := map[string]int{}
	for name, text := range readPages(t) {
		for _, c := range pageCommands(t, name, text) {
			program := c.words[0]
			var err error
			switch {
			case program == "docket":
				err = checkCall(c.words[1:])
			case program == "go":
				err = checkGo(c.words[1:], tests)
			case strings.HasPrefix(program, ".ci/"):
				err = checkFile(program)
			case !slices.Contains(otherPrograms, program):
				err = fmt.Errorf("%s is not among otherPrograms", program)
			}
			if err == nil && program == "python3" && strings.Contains(c.words[1], "/") {
				err = checkFile(c.words[1])
			}
			for _, word := range c.words[1:] {
				if capital.MatchString(word) && !slices.Contains(placeholders, word) && !strings.HasPrefix(c.words[max(slices.Index(c.words, word)-1, 0)], "-") {
					err = fmt.Errorf("%s is not among placeholders", word)
				}
			}
			if err != nil {
				t.Errorf("%s: `%s`: %v", c.page, strings.Join(c.words, " "), err)
			}
			count[program]++
		}
	}
	if count["docket"] < 40 || count["go"] < 40 || count["ssh-keygen"] < 2 {
		t.Errorf("few commands were found: %v", count)
	}
}

// checkCall parses a call of docket with the command tree.
func checkCall(words []string) error {
	root := newRoot(&program{System: System{Now: time.Now}})
	root.InitDefaultHelpCmd()
	if at, _ := commandOf(root, words); at == nil {
		return fmt.Errorf("there is no such command")
	}
	at, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	at.InitDefaultHelpFlag()
	at.InitDefaultVersionFlag()
	if err := at.ParseFlags(rest); err != nil {
		return err
	}
	return at.ValidateArgs(at.Flags().Args())
}

// checkFile looks for a file of the project.
func checkFile(name string) error {
	_, err := os.Stat(filepath.Join(module, filepath.FromSlash(name)))
	return err
}

// A testedPackage is what its tests are called.
type testedPackage struct {
	names   []string // of tests, benchmarks and fuzzers
	updates bool     // -update writes what they compare with
}

// findTests reads the tests of all packages, by folder.
func findTests(t *testing.T) map[string]*testedPackage {
	t.Helper()
	name, flag := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w*)\(`), []byte(`flag.Bool(`+`"update"`)
	found := map[string]*testedPackage{}
	err := filepath.WalkDir(module, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(module, filepath.Dir(file))
		if err != nil {
			return err
		}
		p := found[filepath.ToSlash(folder)]
		if p == nil {
			p = &testedPackage{}
			found[filepath.ToSlash(folder)] = p
		}
		for _, match := range name.FindAllSubmatch(text, -1) {
			p.names = append(p.names, string(match[1]))
		}
		p.updates = p.updates || bytes.Contains(text, flag)
		return nil
	})
	if err != nil || len(found) < 40 {
		t.Fatalf("%d packages have tests: %v", len(found), err)
	}
	return found
}

// checkGo looks for the packages that a call of go names, and for their tests. The pattern xx stands for no test.
func checkGo(words []string, tests map[string]*testedPackage) error {
	if len(words) == 0 {
		return fmt.Errorf("it has no command of go")
	}
	var folders []string
	patterns := map[string]string{}
	updates := false
	for i := 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-update":
			updates = true
		case slices.Contains([]string{"-run", "-bench", "-fuzz", "-skip"}, word) && i+1 < len(words):
			i++
			patterns[word] = words[i]
		case slices.Contains([]string{"-benchtime", "-cpu", "-timeout", "-cpuprofile", "-o", "-count", "-fuzztime", "-rapid.checks"}, word):
			i++
		case word == "./...":
			folders = nil
		case strings.HasPrefix(word, "./"):
			folder := strings.TrimPrefix(word, "./")
			if err := checkFile(strings.TrimSuffix(folder, "/...")); err != nil {
				return err
			}
			if !strings.HasSuffix(folder, "/...") {
				folders = append(folders, folder)
			}
		case strings.HasPrefix(word, "testdata/") || strings.HasPrefix(word, ".ci/"):
			if err := checkFile(word); err != nil {
				return err
			}
		}
	}
	if words[0] != "test" {
		return nil
	}
	for _, folder := range folders {
		p := tests[folder]
		if p == nil {
			return fmt.Errorf("%s has no tests", folder)
		}
		if updates && !p.updates {
			return fmt.Errorf("%s has no flag -update", folder)
		}
		for flag, pattern := range patterns {
			if slices.Contains(append([]string{"xx", "xxx", "XXX"}, placeholders...), pattern) {
				continue
			}
			first, _, _ := strings.Cut(pattern, "/")
			matcher, err := regexp.Compile(first)
			if err != nil {
				return err
			}
			kind := map[string]string{"-bench": "Benchmark", "-fuzz": "Fuzz"}[flag]
			if !slices.ContainsFunc(p.names, func(name string) bool { return strings.HasPrefix(name, kind) && matcher.MatchString(name) }) {
				return fmt.Errorf("no test of %s has a name like %s", folder, pattern)
			}
		}
	}
	return nil
}

// The tests above would let everything through if shell text were split wrongly.
func TestShellTextIsSplitIntoItsCommands(t *testing.T) {
	for text, want := range map[string]string{
		"a b # c\nd":                        "[[a b] [d]]",
		"a 'b c' | d \"e f\" && g; h":       "[[a b c] [d e f] [g] [h]]",
		"a < b > c d":                       "[[a d]]",
		"x=$(ls a | tail -n 1) b":           "[[ls a] [tail -n 1] [x=$ b]]",
		"a \\\n  b":                         "[[a b]]",
		"k \"$(f -l a.pub | cut -d' ')\" l": "[[f -l a.pub] [cut -d ] [k $ l]]",
		"a#b":                               "[[a#b]]",
	} {
		got, err := shellCommands(text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := shellCommands("a 'b"); err == nil {
		t.Error("a quotation without an end is taken")
	}
}

func TestAWrongCommandOfAPageIsFound(t *testing.T) {
	tests := findTests(t)
	for _, words := range []string{"docket nothing", "docket verify --nothing", "docket restore", "docket serve token nothing", "go test ./nothing", "go test ./store -run NoSuchTest",
		"go test ./store -bench NoSuchTest", "go test ./domain/terms -update", "go run testdata/nothing.go"} {
		fields := strings.Fields(words)
		check := checkCall(fields[1:])
		if fields[0] == "go" {
			check = checkGo(fields[1:], tests)
		}
		if check == nil {
			t.Errorf("%q is taken", words)
		}
	}
}
