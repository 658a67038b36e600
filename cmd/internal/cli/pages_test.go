package cli

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"docket/domain/queue"
)

// The project's pages are its Markdown files. Here they are held to the program and to one another.

// readmeWords is how many words the README has at most: it says what docket is and where the rest stands.
const readmeWords = 700

// module is the root of the module.
var module = filepath.Join("..", "..", "..")

// readPages returns the text of each Markdown file by its path in the module.
func readPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(module, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if file != module && strings.HasPrefix(name, ".") && name != ".." || name == "testdata" && filepath.Dir(file) != module {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(file) != ".md" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(module, file)
		pages[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 10 || pages["README.md"] == "" {
		t.Fatalf("only %d pages were found", len(pages))
	}
	return pages
}

func TestTheReadmeIsShort(t *testing.T) {
	if words := len(strings.Fields(readPages(t)["README.md"])); words > readmeWords {
		t.Errorf("README.md has %d words, more than %d: move what is reference to the page of the code that it describes", words, readmeWords)
	}
}

var (
	fence   = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$")
	span    = regexp.MustCompile("`([^`\n]+)`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
)

// linksOf returns the targets of a page's links, those in code left out.
func linksOf(text string) []string {
	var targets []string
	for _, match := range link.FindAllStringSubmatch(span.ReplaceAllString(fence.ReplaceAllString(text, ""), "``"), -1) {
		targets = append(targets, match[1])
	}
	return targets
}

// anchorsOf returns the fragments that lead to a page's headings, as GitHub makes them.
func anchorsOf(text string) []string {
	var anchors []string
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		anchors = append(anchors, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, match[1]))
	}
	return anchors
}

func TestEveryRelativeLinkOfAPageLeadsSomewhere(t *testing.T) {
	pages, count := readPages(t), 0
	for name, text := range pages {
		for _, target := range linksOf(text) {
			to, err := url.Parse(target)
			if err != nil {
				t.Errorf("%s: the link %s: %v", name, target, err)
				continue
			}
			if to.IsAbs() {
				continue
			}
			count++
			file := name
			if to.Path != "" {
				file = path.Join(path.Dir(name), to.Path)
			}
			if _, err := os.Stat(filepath.Join(module, filepath.FromSlash(file))); err != nil || strings.HasPrefix(file, "../") {
				t.Errorf("%s: the link %s leads nowhere", name, target)
			} else if to.Fragment != "" && !slices.Contains(anchorsOf(pages[file]), to.Fragment) {
				t.Errorf("%s: the link %s leads to no heading of %s", name, target, file)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d relative links were found", count)
	}
}

func TestTheReadmeLinksEveryPageAndThePagesOfReferenceLinkBack(t *testing.T) {
	pages := readPages(t)
	linked := linksOf(pages["README.md"])
	for name, text := range pages {
		if name == "README.md" {
			continue
		}
		if !slices.ContainsFunc(linked, func(target string) bool { file, _, _ := strings.Cut(target, "#"); return file == name }) {
			t.Errorf("README.md does not link %s", name)
		}
		back := strings.Repeat("../", strings.Count(name, "/")) + "README.md"
		if !slices.Contains(linksOf(text), back) {
			t.Errorf("%s does not link back to the README: %s", name, back)
		}
	}
}

// A called is a call of the program that a page names.
type called struct{ page, text string }

// callsOf returns each call of docket in a page's code: `docket …` in a line, and in a block what begins a line or stands
// behind a pipe.
func callsOf(name, text string) []called {
	var lines []string
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(block[1], "\n")...)
	}
	for _, match := range span.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		lines = append(lines, strings.ReplaceAll(match[1], `\|`, "|"))
	}
	for _, line := range strings.Split(text, "\n") { // blocks by indentation
		if strings.HasPrefix(line, "    docket ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	var calls []called
	for _, line := range lines {
		line, _, _ = strings.Cut(line, " #")
		line, _, _ = strings.Cut(line, "  ") // what a block says of the line stands behind two spaces
		for _, part := range regexp.MustCompile(` \| | && |; `).Split(line, -1) {
			part = strings.Replace(strings.TrimSpace(part), "go run ./cmd/docket", "docket", 1)
			if part == "docket" || strings.HasPrefix(part, "docket ") {
				calls = append(calls, called{name, part})
			}
		}
	}
	return calls
}

// commandOf is the command that a call names, and its arguments; nil where there is no such command.
func commandOf(root *cobra.Command, words []string) (*cobra.Command, []string) {
	at, value := root, false
	for i, word := range words {
		if option, is := strings.CutPrefix(word, "-"); is || value {
			flag := at.Flag(strings.TrimPrefix(option, "-"))
			value = is && flag != nil && flag.NoOptDefVal == "" // its value is the next word
			continue
		}
		next := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
		switch {
		case next >= 0:
			at = at.Commands()[next]
		case at.HasSubCommands():
			return nil, nil // a command with others below it takes no argument
		default:
			return at, words[i:]
		}
	}
	return at, nil
}

// commandsBelow returns all commands below c.
func commandsBelow(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, below := range c.Commands() {
		all = append(append(all, below), commandsBelow(below)...)
	}
	return all
}

func TestEveryCallOfDocketInThePagesIsOneOfTheProgram(t *testing.T) {
	root := newRoot(&program{})
	root.InitDefaultHelpCmd()
	named, count := map[*cobra.Command]bool{}, 0
	for name, text := range readPages(t) {
		for _, call := range callsOf(name, text) {
			words := strings.Fields(call.text)[1:]
			if len(words) > 0 && words[0] == "COMMAND" {
				continue
			}
			at, _ := commandOf(root, words)
			if at == nil {
				t.Errorf("%s: `%s`: there is no such command", call.page, call.text)
				continue
			}
			count++
			if name != "README.md" {
				named[at] = true
			}
			at.InitDefaultHelpFlag()
			at.InitDefaultVersionFlag()
			for _, word := range words {
				flag, _, _ := strings.Cut(strings.TrimLeft(word, "["), "=")
				flag = strings.Trim(flag, "].,")
				if option, is := strings.CutPrefix(flag, "--"); is && option != "" && at.Flag(option) == nil && at.InheritedFlags().Lookup(option) == nil {
					t.Errorf("%s: `%s`: `%s` has no flag %s", call.page, call.text, at.CommandPath(), flag)
				}
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d calls were found", count)
	}
	for _, c := range commandsBelow(root) {
		if c.Name() != "help" && c.Parent().Name() != "completion" && !c.Hidden && !c.HasSubCommands() && !named[c] {
			t.Errorf("no page but the README names `%s`", c.CommandPath())
		}
	}
}

// Flags that stand alone in an item of the list belong to the command that the item names first.
func TestEveryFlagInTheListOfCommandsIsOneOfItsCommand(t *testing.T) {
	root := newRoot(&program{})
	count := 0
	for row := range strings.Lines(strings.ReplaceAll(readPages(t)["cmd/docs/commands.md"], "\n  ", " ")) {
		calls := callsOf("", row)
		if !strings.HasPrefix(row, "- `docket") || len(calls) == 0 {
			continue
		}
		at, _ := commandOf(root, strings.Fields(calls[0].text)[1:])
		if at == nil {
			t.Errorf("%s: there is no such command", row)
			continue
		}
		for _, match := range span.FindAllStringSubmatch(row, -1) {
			if option, is := strings.CutPrefix(strings.Fields(match[1])[0], "--"); is {
				count++
				if at.Flag(option) == nil {
					t.Errorf("`%s` has no flag --%s", at.CommandPath(), option)
				}
			}
		}
	}
	if count < 5 {
		t.Errorf("only %d flags were found", count)
	}
}

func TestThePageOfCommandsHasEveryKeyOfTheFilter(t *testing.T) {
	page := readPages(t)["cmd/docs/commands.md"]
	for _, key := range queue.FilterKeys() {
		if !strings.Contains(page, "`"+key.Key+":") {
			t.Errorf("it lacks %s:", key.Key)
		}
		for _, word := range key.Values {
			if key.Key == "is" && !strings.Contains(page, "`"+word+"`") {
				t.Errorf("it lacks is:%s", word)
			}
		}
	}
}

var (
	goName    = regexp.MustCompile("`([A-Za-z]+(?:\\.[A-Za-z]+)?)`")
	nameIn    = regexp.MustCompile("`([A-Za-z]+)`(?:,? or `([A-Za-z]+)`)? in `([A-Za-z0-9_./-]+\\.go)`")
	filesName = regexp.MustCompile(`\.(go|json|md|txt)$`)
)

// TestTheTenChangesNameWhatThereIs holds the page of development to the code: each name that it gives is one of the code, and stands in the file that it
// gives for it.
func TestTheTenChangesNameWhatThereIs(t *testing.T) {
	page := readPages(t)["cmd/docs/develop.md"]
	sources := map[string]string{}
	err := filepath.WalkDir(module, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		sources[filepath.ToSlash(file)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	holds := func(name string, in func(file string) bool) bool {
		word := regexp.MustCompile(`\b` + name + `\b`)
		for file, text := range sources {
			if in(file) && word.MatchString(text) {
				return true
			}
		}
		return false
	}
	names := goName.FindAllStringSubmatch(page, -1)
	for _, match := range names {
		for _, name := range strings.Split(match[1], ".") {
			if !filesName.MatchString(match[1]) && !holds(name, func(string) bool { return true }) {
				t.Errorf("no file has the name %s", match[1])
			}
		}
	}
	placed := nameIn.FindAllStringSubmatch(page, -1)
	for _, match := range placed {
		for _, name := range match[1:3] {
			if name != "" && !holds(name, func(file string) bool { return strings.HasSuffix(file, "/"+match[3]) }) {
				t.Errorf("%s does not stand in %s", name, match[3])
			}
		}
	}
	if len(names) < 20 || len(placed) < 8 {
		t.Errorf("%d names and %d with their files were found", len(names), len(placed))
	}
}

// worstWords are the words for which plain English has a better one.
var worstWords = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{"be" + "sides", "what" + "ever", "who" + "ever", "where" + "ever", "an" + "ew",
	"is " + "another", "what " + "becomes of", "come to " + "stand"}, "|") + `)\b`)

func TestNoPageAndNoFileOfGoHasOneOfTheWorstWords(t *testing.T) {
	count := 0
	err := filepath.WalkDir(module, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" && filepath.Ext(file) != ".md" {
			return err
		}
		count++
		text, err := os.ReadFile(file)
		for i, line := range strings.Split(string(text), "\n") {
			if word := worstWords.FindString(line); word != "" {
				t.Errorf("%s:%d: say it in plain English, without %q", file, i+1, word)
			}
		}
		return err
	})
	if err != nil || count < 500 {
		t.Errorf("%d files were read: %v", count, err)
	}
}
