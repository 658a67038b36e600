//go:build unix

package walks_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
)

// A counted is a person at the demo whose keys and screens are counted, from a queue that shows one case to the receipt. The letters
// of a text and of the word count as one key: they are the same in every console.
type counted struct {
	*programtest.Terminal
	keys, screens int
}

// key presses a key, and counts the screen that comes of it.
func (c *counted) key(name string, shows ...string) {
	c.T.Helper()
	c.Press(name)
	c.keys++
	if len(shows) > 0 {
		c.screens++
		c.WaitFor(shows...)
	}
}

// writes types a text.
func (c *counted) writes(text string) {
	c.T.Helper()
	c.Press("-l", text)
	c.keys++
	c.WaitFor(text[max(len(text)-12, 0):])
}

// records reads the last page and types the word.
func (c *counted) records(shows ...string) {
	c.T.Helper()
	c.WaitFor("Type record to record it")
	c.WaitQuiet(quiet * 10)
	for strings.Contains(c.Screen(), "not shown yet") && c.Ctx.Err() == nil {
		before := c.Screen()
		c.key("NPage")
		c.screens++
		for c.Screen() == before && c.Ctx.Err() == nil {
		}
		c.WaitQuiet(quiet * 2)
	}
	for typed := 1; typed <= len("record"); typed++ {
		through(c.Terminal, "record"[typed-1:typed], "sees record it: "+"record"[:typed])
	}
	c.keys++
	c.key("Enter", append(shows, "✓ recorded")...)
}

// goTo filters the queue to one case and opens it.
func (c *counted) goTo(docket, id string) {
	c.T.Helper()
	c.WaitFor("Appeals", "rev-demo", "log checked")
	if docket == "amendments" {
		through(c.Terminal, "Tab", "sees ▐Amendments")
	}
	through(c.Terminal, "/", "type "+id, "sees 1 of ", "Enter", "sees open  / filter")
	c.keys, c.screens = 0, 0
	c.key("Enter", id, " · Evaluated 2")
}

// within holds what was counted to what it may take.
func (c *counted) within(keys, screens int) {
	c.T.Helper()
	if c.keys > keys || c.screens > screens {
		c.T.Errorf("%d keys and %d screens, more than %d and %d", c.keys, c.screens, keys, screens)
	}
	c.T.Logf("%d keys, %d screens", c.keys, c.screens)
}

// Each way through a case, with the most keys and screens that it may take.
var counts = []struct {
	name, docket, id string
	keys, screens    int
	walk             func(c *counted)
}{
	{"with the advice", "appeals", "case-004122", 6, 5, func(c *counted) {
		c.key("d", "[1 outcome]")
		c.key("4", "open challenge window", "Type record to record it")
		c.records("open challenge window")
	}},
	{"against the advice", "appeals", "case-004122", 8, 6, func(c *counted) {
		c.key("d", "[1 outcome]")
		c.key("1", "departs from the advice", "It is required")
		c.writes("the scope is right")
		c.key("Enter", "departs")
		c.records("uphold decision")
	}},
	{"blocked", "appeals", "case-004160", 6, 5, func(c *counted) {
		c.key("d", "[1 outcome]")
		c.key("5", "block reliance", "Type record to record it")
		c.records("block reliance", "blocked")
	}},
	{"an amendment", "amendments", "amd-000240", 4, 3, func(c *counted) {
		c.key("d", "Type record to record it")
		c.records("blocked")
	}},
	{"supersede", "appeals", "case-004122", 11, 9, func(c *counted) {
		c.key("d", "[1 outcome]")
		c.key("4", "Type record to record it")
		c.records()
		c.keys, c.screens = 0, 0
		c.key("Escape", "1 decided")
		c.key("r", "1 record in the log")
		c.key("Enter", "in force")
		c.key("d", "[1 outcome]")
		c.key("2", "It is required")
		c.writes("more evidence has come")
		c.key("Enter", "supersedes")
		c.records("request evidence")
	}},
	{"recuse", "appeals", "case-004122", 7, 5, func(c *counted) {
		c.key("u", "Why can you not decide")
		c.writes("I advised one of the parties")
		c.key("Enter", "neutral_review_missing")
		c.records("route human review")
	}},
}

func TestADecisionTakesFewKeysAndScreens(t *testing.T) {
	for _, one := range counts {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			c := &counted{Terminal: programtest.OpenTerminal(t, 120, 40, programtest.Built(t)+" demo")}
			c.goTo(one.docket, one.id)
			one.walk(c)
			c.within(one.keys, one.screens)
		})
	}
}

// refusals are the cases of the sample docket that its reviewer may not decide.
var refusals = map[string]bool{
	"case-004174": true, "case-004186": true, "case-004166": true, "case-004177": true, "case-004192": true,
	"amd-000231": true, "amd-000245": true,
}

// The review of every sample case, decided as advised and without text, shows at once with its question.
func TestTheReviewOfEverySampleCaseFitsTheWindow(t *testing.T) {
	t.Parallel()
	advised := regexp.MustCompile(`(\d) [○●] .*  advised`)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			term := programtest.OpenTerminal(t, size[0], size[1], programtest.Built(t)+" demo")
			term.WaitFor("Appeals", "log checked")
			reviewed := 0
			eachSampleCase(term, func(docket, name string) {
				if refusals[name] {
					through(term, "Escape", "sees Tab docket")
					return
				}
				through(term, "d", "sees decide on")
				if docket == "appeals" {
					term.Press(advised.FindStringSubmatch(term.WaitFor("advised"))[1])
				}
				reviewed++
				if page := term.WaitFor("Type record to record it"); strings.Contains(page, "not shown yet") {
					t.Errorf("it does not fit:\n%s", page)
				}
				for !strings.Contains(term.Screen(), "Tab docket") && term.Ctx.Err() == nil {
					term.Press("Escape")
					term.WaitQuiet(quiet)
				}
			})
			if want := sampleCases["appeals"] + sampleCases["amendments"] - len(refusals); reviewed != want {
				t.Errorf("%d reviews, not %d", reviewed, want)
			}
		})
	}
}

// What came in since a reviewer last left the console is new to them, whichever process brought it.
func TestWhatCameInSinceTheConsoleWasLeftIsNew(t *testing.T) {
	t.Parallel()
	docket, packets, folder := programtest.Built(t), programtest.Testdata(t, "packets"), t.TempDir()
	importing := func(name string) string {
		return fmt.Sprintf("%[1]s seal %[2]s/%[4]s.json | %[1]s --db %[3]s/docket.db import - 2>>%[3]s/log", docket, packets, folder, name)
	}
	count := func(when string) string {
		return fmt.Sprintf(`echo "%s: $(%s --db %s/docket.db queue --json is:new | wc -l) new"`, when, docket, folder)
	}
	term := programtest.OpenTerminal(t, 100, 40, fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[2]s/log 2>&1; "+
		"%[3]s; %[1]s --db %[2]s/docket.db --plain; clear; %[4]s; %[5]s; %[6]s", docket, folder,
		importing("appeals")+"; "+count("before"), count("after"), importing("amendments"), count("again")))
	through(term, "sees before: 1 new", "and Number or command:", "quiet", "line quit",
		"sees after: 0 new", "and again: 2 new", "and exit status 0")
}
