package walks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// quiet is how long the screen stays as it is before it counts as drawn.
const quiet = 60 * time.Millisecond

// sampleCases are how many rows the demo's queue of each docket has.
var sampleCases = map[string]int{"appeals": 24, "amendments": 14}

// Every case of the sample docket: on how many pages stand the gate, every blocker with its cure, and everything that is said,
// before the first of the facts?
func TestEverySampleCaseSaysAllOnItsFirstPages(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height, pages int }{{120, 40, 1}, {80, 24, 2}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			t.Parallel()
			term := programtest.OpenTerminal(t, size.width, size.height, programtest.Built(t)+" demo")
			term.WaitFor("Appeals", "log checked")
			seen := map[string]bool{}
			eachSampleCase(term, func(docket, name string) {
				if seen[name] {
					t.Fatalf("%s comes twice", name)
				}
				seen[name] = true
				text := term.Screen()
				for range size.pages - 1 {
					term.Press("NPage")
					term.WaitQuiet(quiet)
					text += term.Screen()
				}
				checkFirstPages(t, docket, name, text)
				through(term, "Escape", "sees open  / filter")
			})
		})
	}
}

// eachSampleCase opens each case of the sample docket in the order of its lists; visit comes back to the list.
func eachSampleCase(term *programtest.Terminal, visit func(docket, name string)) {
	for _, docket := range []string{"appeals", "amendments"} {
		if docket == "amendments" {
			through(term, "Tab", "sees ▐Amendments")
		}
		for row := range sampleCases[docket] {
			if row > 0 {
				term.Press("j")
			}
			term.Press("Enter")
			visit(docket, openCase(term))
		}
	}
}

// openCase waits until a packet shows, whose title names its revision, and returns its name.
func openCase(term *programtest.Terminal) string {
	term.T.Helper()
	for term.Ctx.Err() == nil {
		title := strings.Fields(strings.Split(term.Screen(), "\n")[1])
		if len(title) > 3 && title[3] == "revision" {
			term.WaitQuiet(quiet)
			return title[2]
		}
	}
	term.T.Fatalf("no case is open:\n%s", term.Screen())
	return ""
}

// checkFirstPages looks for all that has to be on the first pages of a case.
func checkFirstPages(t *testing.T, docket, name, text string) {
	t.Helper()
	joined := strings.Join(strings.Fields(text), " ") // a text that is wrapped reads on
	wanted := []string{"▾ What is said", "statement ", "summary ", "standing ", "asks for ", "effects ", "deadline ", "▾ Reviewed item"}
	if docket == "amendments" {
		wanted = []string{"▾ What changes", "change ", " from ", " to ", "parent record ", "▾ Effects and who confirmed them", "confirmations ", "no effect on: | ruled out"}
	}
	for _, one := range wanted {
		if !slices.ContainsFunc(strings.Split(one, "|"), func(one string) bool { return strings.Contains(joined, strings.TrimSpace(one)) }) {
			t.Errorf("%s: %q is not on the first pages:\n%s", name, one, text)
		}
	}
	if strings.Contains(text, "BLOCKED") == strings.Contains(text, "PASS") {
		t.Errorf("%s: the gate is not clear:\n%s", name, text)
	}
	blockers := strings.Count(text, "→ ")
	if strings.Contains(text, "BLOCKED") == (blockers == 0) {
		t.Errorf("%s: the gate stands beside %d cures:\n%s", name, blockers, text)
	}
}
