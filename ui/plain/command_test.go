package plain

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// standard are the commands of a reader without keys of their own.
var standard = commandsWith(action.Keymap{})

func TestAMovedKeyIsTheShortFormOfItsCommand(t *testing.T) {
	keys, err := action.Bind([]action.Binding{{Action: "decide", Keys: []string{"ctrl+n", "l"}}, {Action: "read_again", Keys: []string{"f5"}},
		{Action: "help", Keys: []string{"é"}}, {Action: "next_case", Keys: []string{"5"}}})
	must(t, err)
	table := commandsWith(keys)
	for text, want := range map[string]string{"l": "decide", "decide": "decide", "sections": "sections", "R": "again", "é": "help", "next": "next", "n": "next"} {
		if c, _, is := table.at(atPacket, text); !is || c.word != want {
			t.Errorf("%q calls %q, not %s", text, c.word, want)
		}
	}
	for _, text := range []string{"d", "?", "5"} {
		if c, _, is := table.at(atPacket, text); is {
			t.Errorf("%q calls %s", text, c.word)
		}
	}
	if c, _, is := table.at(atQueue, "l"); !is || c.word != "list" {
		t.Errorf("where nothing else has its letter, list lost it to %q", c.word)
	}
	for _, p := range places {
		seen := map[string]bool{}
		for _, c := range table.of(p) {
			if c.short != "" && seen[c.short] {
				t.Errorf("at the %s %q is two commands", action.PlaceNames[p], c.short)
			}
			seen[c.short] = true
		}
	}
}

func TestInOnePlaceNoWordMeansTwoThings(t *testing.T) {
	for _, p := range places {
		called := map[string]bool{}
		for _, c := range standard.of(p) {
			for _, name := range []string{c.word, c.short} {
				if name != "" && called[name] {
					t.Errorf("%s stands twice for the %s", name, action.PlaceNames[p])
				}
				called[name] = true
			}
			if c.meaning == "" || c.run == nil || c.word != strings.ToLower(c.word) {
				t.Errorf("the command %q is not whole", c.word)
			}
			if _, err := strconv.Atoi(c.word + c.short); err == nil {
				t.Errorf("%s would be a number", c.word)
			}
		}
		if !called["help"] || !called["quit"] {
			t.Errorf("there is no way out of the %s", action.PlaceNames[p])
		}
	}
}

func TestEveryCommandAnswersToItsWordAndItsShortForm(t *testing.T) {
	for _, p := range places {
		for _, c := range standard.of(p) {
			for _, text := range []string{c.word, strings.ToUpper(c.word), c.word + " rest", c.short} {
				if text == "" {
					continue
				}
				got, rest, ok := standard.at(p, text)
				if ok == (c.takes == "" && rest != "") || got.meaning != c.meaning || strings.HasSuffix(text, " rest") != (rest == "rest") {
					t.Errorf("%q at the %s calls %q with %q", text, action.PlaceNames[p], got.word, rest)
				}
			}
		}
	}
	if c, rest, ok := standard.at(atQueue, "/gate:pass mine"); !ok || c.word != "filter" || rest != "gate:pass mine" {
		t.Errorf("a filter that touches its slash calls %q with %q", c.word, rest)
	}
	for _, text := range []string{"", " ", "decid", "decided", "d1", "queues"} {
		if c, _, ok := standard.at(atPacket, text); ok {
			t.Errorf("%q calls %s", text, c.word)
		}
	}
}

func TestHelpNamesEveryCommandOfThePlaceAndNoOther(t *testing.T) {
	for _, p := range places {
		h := newHarness(t, workbenchtest.Sample(t))
		h.place = p
		if p == inDecision {
			h.decision = &deciding{}
		}
		must(t, h.help(""))
		text := h.output.String()
		if replies()[p].entering == "" {
			t.Errorf("it is not said what Enter does at the %s", action.PlaceNames[p])
		}
		for _, c := range standard {
			if line := "\n" + written.ReplaceAllStringFunc(c.name()+": "+c.meaning, inWords) + "."; strings.Contains(flat(text), line) != c.in.Has(p) {
				t.Errorf("help at the %s and the command %s:\n%s", action.PlaceNames[p], c.word, text)
			}
		}
	}
}

func TestThereAreSeveralPagesOfAManyCases(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	for i := range 30 {
		workbench.Add(terms.AppealCases, workbenchtest.Case("BC-"+strconv.Itoa(100+i), 90*24*time.Hour), nil)
	}
	output := works(t, workbench, "sort id", "appeals", "sort id", "", "", "", "40", "back", "list", "quit")
	says(t, output, "1 to 20 of 44, by id.", "Enter for the next page; 24 to come.", "21 to 40 of 44, by id.", "41 to 44 of 44, by id.",
		"That was the last page.", "Case BC-128, revision 1.", "Back in the appeals, at BC-128, number 40 of 44 cases; list says them.")
	if count := strings.Count(output, "\n21 to 40 of 44"); count != 2 {
		t.Errorf("the page of the case is said %d times in\n%s", count, output)
	}
}

func TestNextAndPreviousGoThroughTheOpenCasesOfTheList(t *testing.T) {
	output := works(t, workbenchtest.Sample(t), "appeals", "filter is:mine", "sort id", "AC-2041", "next", "next", "previous", "previous", "previous", "quit")
	var opened []string
	for line := range strings.SplitSeq(output, "\n") {
		if rest, is := strings.CutPrefix(line, "Case "); is {
			opened = append(opened, rest[:7])
		}
	}
	same(t, "opened", strings.Join(opened, " "), "AC-2041 AC-2042 AC-2043 AC-2042 AC-2041 AC-2053")
	says(t, works(t, workbenchtest.New(t), "appeals", "quit"), "There are none here yet.")
}

func TestALineIsBrokenBetweenWordsAtTheTerminalsWidthOnly(t *testing.T) {
	for _, width := range []int{0, 1, 20, 40, 80, 200} {
		h := newHarness(t, workbenchtest.Sample(t), "appeals", "AC-2050", "all", "quit")
		h.page.width = func() int { return width }
		output := h.works()
		onlyText(t, output)
		longest := 0
		for line := range strings.SplitSeq(output, "\n") {
			shown, _, _ := strings.Cut(line, "command: ") // what is typed follows the question on its line
			longest = max(longest, len([]rune(shown)))
			if width == 0 && strings.HasPrefix(line, "  ") {
				t.Fatalf("a line is broken where there is no terminal: %q", line)
			}
		}
		if width > 0 && longest > max(width, leastWidth) {
			t.Errorf("at width %d a line takes %d:\n%s", width, longest, output)
		}
		says(t, strings.ReplaceAll(output, "\n  ", " "), "AC-2050")
	}
}

func TestASentenceIsTextAndOnlyTheBareWordIsACommand(t *testing.T) {
	script := lines("open AC-2041", "decide", "8", "statement")
	sentences := []string{"Quit claims were signed.", "Back payments were counted twice.", "Leave the record as it stands.", "help me", "q 1", "? what"}
	for _, sentence := range sentences {
		script = append(script, sentence, "statement")
	}
	output := works(t, workbenchtest.Sample(t), lines(script, "", "note", "Repeat the question to the school.", "note", "leave", "skip", "quit",
		"Quit claims were signed.", "1", "quit")...)
	for _, sentence := range append(sentences, "Repeat the question to the school.") {
		says(t, output, "so far: "+sentence)
	}
	says(t, output, "Quit is a command, not a text.", "Skipped: Quit claims were signed.")
	says(t, works(t, workbenchtest.Sample(t), "a notice_missing", "quit"),
		"Appeals takes no word, so notice missing is not taken and nothing is done. Type appeals alone.")
}

func TestGoingBackSaysOneLine(t *testing.T) {
	for _, script := range [][]string{
		{"a", "AC-2041", "back"}, {"a", "AC-2041", "next", "filter", "u"}, {"AC-2041", "d", "8", "record", "u"}, {"m", "AM-312", "back"},
		{"a", "back"}, {"blockers", "back"}, {"records", "back"}, {"m", "records", "back"}, {"AC-2041", "d", "8", "record", "records", "1", ""},
		{"AC-2041", "d", "8", "record", "records", "1", "back"}, {"AC-2041", "d", "8", "back"}, {"AC-2041", "d", "1", "two receipts", "back"},
	} {
		output := flat(works(t, workbenchtest.Sample(t), script...))
		_, said, _ := strings.Cut(output[strings.LastIndex(output, ": "+script[len(script)-1]+"\n"):], "\n")
		said, _, _ = strings.Cut(strings.TrimLeft(said, "\n"), "\n\n")
		if strings.Contains(said, "\n") || !strings.HasPrefix(said, "Back ") {
			t.Errorf("%q end with\n%s", script, said)
		}
	}
}

// onlyIn is what only one of the two consoles can do: a line of the console's page, and the actions and the commands that it is about.
var onlyIn = []struct {
	line  string
	verbs []action.Verb // that plain has no command for
	words []string      // of commands that are no action
}{
	{"- On the screen: moves, folds and panes; a line has a number.", []action.Verb{action.GoUp, action.GoDown, action.PageUp,
		action.PageDown, action.GoTop, action.GoBottom, action.LaterSection, action.EarlierSection, action.LaterMatch, action.EarlierMatch,
		action.SwitchPane, action.LaterOther, action.EarlierOther}, nil},
	{"- On the screen: completion, the palette, `^G` and `^Z`, which redraw the terminal.", []action.Verb{action.CompleteWord, action.CompleteBack,
		action.OpenPalette, action.OpenEditor, action.SuspendProgram}, nil},
	{"- On the screen: `y` to the clipboard, which is not heard; plain has `exact`.", []action.Verb{action.CopyOut}, nil},
	{"- On the screen: blockers by trigger or assignee; filters list the same cases.", []action.Verb{action.Regroup}, nil},
	{"- Line by line: `who`, `list`, `sections`, `repeat`, `leave`, `exact`; a screen shows all that.", nil,
		[]string{"who", "list", "sections", "repeat", "leave", "exact"}},
}

// inAnswers are the actions that answers to a question or the two words of the areas do, and Control-C.
var inAnswers = []action.Verb{action.Toggle, action.PickNumber, action.InsertPrepared, action.NextDocket, action.Interrupt}

func TestWhatOnlyOneConsoleCanIsFiveLinesOfThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/console.md")
	must(t, err)
	_, list, _ := strings.Cut(string(page), "\nWhat only one of the two can, and why:\n\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var lines []string
	verbs, words := slices.Clone(inAnswers), []string{"appeals", "amendments"}
	for _, one := range onlyIn {
		lines, verbs, words = append(lines, one.line), append(verbs, one.verbs...), append(words, one.words...)
	}
	same(t, "the list of the page", list, strings.Join(lines, "\n"))
	if len(lines) > 5 {
		t.Errorf("%d lines", len(lines))
	}
	spoken := map[action.Verb]bool{}
	for _, c := range standard {
		if spoken[c.verb] = true; c.verb == 0 && !slices.Contains(words, c.word) {
			t.Errorf("%s is no action of the full console, and not on the list", c.word)
		}
	}
	for i := range action.Table {
		if a := &action.Table[i]; spoken[a.Verb] == slices.Contains(verbs, a.Verb) {
			t.Errorf("%s: plain has it: %v; the list has it: %v", a.Verb.Name(), spoken[a.Verb], !spoken[a.Verb])
		}
	}
}
