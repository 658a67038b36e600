package ui

import (
	"strings"
	"testing"

	"docket/ui/internal/workbenchtest"
)

// withHistory is the sample with records of the weeks before.
func withHistory(t testing.TB) *workbenchtest.Workbench { return workbenchtest.Sample(t).History() }

var recorded = over(withHistory)

func TestWaysThroughTheFiguresAndTheStatement(t *testing.T) {
	walks(t, []walk{
		{"the period of the figures is changed by keys", recorded, 120, 40, way{"%", "at stats",
			"shows stats  2026-Q1, 2026-01-01 to 2026-03-31 UTC", "shows against the advice",
			"shows By outcome", "shows block reliance", "[",
			"shows stats  2025-Q4, 2025-10-01 to 2025-12-31 UTC", "v", "shows stats  all time", "]",
			"shows ✗ all time has no other period; v changes it", "v",
			"shows stats  2026-W10, 2026-03-02 to 2026-03-08 UTC", "]", "shows stats  2026-W11",
			"shows Nothing was decided in this period. [ goes back one, v changes it.", "[", "v",
			"shows stats  2026-03, 2026-03-01 to 2026-03-31 UTC", "esc", "at queue"}},
		{"figures that cannot be counted say so and are counted again", recorded, 120, 40, way{
			"fail the disk is gone", "%",
			"shows ✗ The decisions cannot be counted: the disk is gone. R counts again.",
			"fail", "R", "shows By outcome"}},
		{"the statement of a record is shown and searched", nil, 120, 40, way{"decide", "record", "esc",
			"r", "enter", "s", "shows Decision on appeal AC-2041, revision 2", "shows The decision",
			"shows decided by", "n", "shows ✗ no search; / searches", "/", "type Verify-TIME", "enter",
			"shows 1 of 1 match", "shows -Overify-time=", "/", "ctrl+u", "type no such words", "enter",
			"shows ✗ nothing on this page matches", "esc", "at statement to the parties", "g", "J",
			"J", "shows The grounds", "esc", "at record"}},
		{"a statement that cannot be laid out says so and is not written", nil, 120, 40, way{
			"decide", "record", "esc", "r", "enter", "fail the incident profile cannot be used",
			"s", "shows ✗ There is no statement: the incident profile cannot be used.",
			"w", "shows ✗ the record has none"}},
		{"the figures show bars", recorded, 120, 40, way{"%", "shows █"}},
		{"in ASCII the figures show figures", over(withHistory, Options{ASCII: true}), 120, 40, way{
			"%", "shows ####", "hides █"}},
	})
}

func TestACountThatWasReplacedIsNotShown(t *testing.T) {
	b := newHarness(t, withHistory(t), 120, 40)
	b.press("hold", "%", "[", "shows stats  2025-Q4", "shows Counting the decisions …")
	first := b.held[0]
	b.held = b.held[1:]
	b.hold = false
	b.run(first)
	b.shows("Counting the decisions …")
	for _, cmd := range b.held {
		b.run(cmd)
	}
	b.shows("stats  2025-Q4", "By outcome")
}

func TestTheStatementIsWrittenInTheFormOfTheEndingAndNothingIsOverwrittenUnasked(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.press("enter", "s", "at statement to the parties", "w", "shows Write the statement to a file",
		"shows ~/statement-of-record-20.txt", "enter",
		"shows ✓ written to ~/statement-of-record-20.txt")
	if text := workbench.Written["~/statement-of-record-20.txt"]; !strings.HasPrefix(text, "Decision on appeal AC-2041") {
		t.Errorf("written: %q", text)
	}
	for ending, begin := range map[string]string{"md": "# Decision", "html": "<!DOCTYPE html>", "HTM": "<!DOCTYPE html>"} {
		b.press("w", "ctrl+u", "type "+"out."+ending, "enter", "shows ✓ written to out."+ending)
		if text := workbench.Written["out."+ending]; !strings.HasPrefix(strings.ToLower(text), strings.ToLower(begin)) {
			t.Errorf("%s: %.40q", ending, text)
		}
	}
	b.press("w", "ctrl+u", "type out.pdf", "shows the name has to end in one of .txt, .md, .html",
		"enter", "ctrl+u")
	workbench.Written["out.md"] = "mine"
	b.press("type out.md", "enter", "shows Replace the file?", "shows out.md is there already.",
		"enter")
	same(t, "the file without a yes", workbench.Written["out.md"], "mine")
	b.press("w", "ctrl+u", "type out.md", "enter", "y", "shows ✓ written to out.md")
	if workbench.Written["out.md"] == "mine" {
		t.Error("the file was not replaced")
	}
	b.press("fail the disk is full; free some space, then try again", "w", "ctrl+u", "type more.md",
		"enter", "shows Nothing was written", "shows the disk is full; free some space")
}
