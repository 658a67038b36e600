package ui

import (
	"errors"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

func TestThePeriodOfTheFiguresIsChangedByKeys(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("%")
	b.at(action.InStats)
	b.shows("stats  2026-Q1, 2026-01-01 to 2026-03-31 UTC", "against the advice", "By outcome", "block reliance")
	b.press("[")
	b.shows("stats  2025-Q4, 2025-10-01 to 2025-12-31 UTC")
	b.press("v")
	b.shows("stats  all time")
	b.press("]")
	b.shows("✗ all time has no other period; v changes it")
	b.press("v")
	b.shows("stats  2026-W10, 2026-03-02 to 2026-03-08 UTC")
	b.press("]")
	b.shows("stats  2026-W11", "Nothing was decided in this period. [ goes back one, v changes it.")
	b.press("[", "v")
	b.shows("stats  2026-03, 2026-03-01 to 2026-03-31 UTC")
	b.press("esc")
	b.at(action.InQueue)
}

func TestTheFiguresShowBarsAndSparklinesOrFiguresInASCII(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("%")
	b.shows("█", "▄")
	b = newHarness(t, workbenchtest.Sample(), 120, 40, Options{ASCII: true})
	b.press("%")
	b.shows("####", "8")
	b.hides("█", "▁", "▂")
}

func TestFiguresThatCannotBeCountedSaySoAndAreCountedAgain(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	workbench.Failing = errors.New("the disk is gone")
	b.press("%")
	b.shows("✗ The decisions cannot be counted: the disk is gone. R counts again.")
	workbench.Failing = nil
	b.press("R")
	b.shows("By outcome")
}

func TestACountThatWasReplacedIsNotShown(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.hold = true
	b.press("%", "[")
	b.shows("stats  2025-Q4", "Counting the decisions …")
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

// withStatement is a console at the statement of a record.
func withStatement(t *testing.T) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := withRecords(t, 1)
	b.press("enter", "s")
	b.at(action.InParties)
	return b, workbench
}

func TestTheStatementOfARecordIsShownAndSearched(t *testing.T) {
	b, _ := withStatement(t)
	b.shows("Decision on appeal AC-2041, revision 2", "The decision", "decided by")
	b.press("n")
	b.shows("✗ no search; / searches")
	b.press("/", "type Verify-TIME", "enter")
	b.shows("1 of 1 match", "-Overify-time=")
	b.press("/", "ctrl+u", "type no such words", "enter")
	b.shows("✗ nothing in this statement matches")
	b.press("esc")
	b.at(action.InParties)
	b.press("g", "J", "J")
	b.shows("The grounds")
	b.press("esc")
	b.at(action.InRecord)
}

func TestTheStatementIsWrittenInTheFormOfTheEndingAndNothingIsOverwrittenUnasked(t *testing.T) {
	b, workbench := withStatement(t)
	b.press("w")
	b.shows("Write the statement to a file", "~/statement-of-record-0.txt")
	b.press("enter")
	b.shows("✓ written to ~/statement-of-record-0.txt")
	if text := workbench.Written["~/statement-of-record-0.txt"]; !strings.HasPrefix(text, "Decision on appeal AC-2041") {
		t.Errorf("written: %q", text)
	}
	for ending, begin := range map[string]string{"md": "# Decision", "html": "<!DOCTYPE html>", "HTM": "<!DOCTYPE html>"} {
		b.press("w", "ctrl+u", "type "+"out."+ending, "enter")
		b.shows("✓ written to out." + ending)
		if text := workbench.Written["out."+ending]; !strings.HasPrefix(strings.ToLower(text), strings.ToLower(begin)) {
			t.Errorf("%s: %.40q", ending, text)
		}
	}
	b.press("w", "ctrl+u", "type out.pdf")
	b.shows("the name has to end in one of .txt, .md, .html")
	b.press("enter", "ctrl+u")
	workbench.Written["out.md"] = "mine"
	b.press("type out.md", "enter")
	b.shows("Replace the file?", "out.md is there already.")
	b.press("enter")
	if workbench.Written["out.md"] != "mine" {
		t.Error("the file was replaced without a yes")
	}
	b.press("w", "ctrl+u", "type out.md", "enter", "y")
	b.shows("✓ written to out.md")
	if workbench.Written["out.md"] == "mine" {
		t.Error("the file was not replaced")
	}
	workbench.Failing = errors.New("the disk is full; free some space, then try again")
	b.press("w", "ctrl+u", "type more.md", "enter")
	b.shows("Nothing was written", "the disk is full; free some space")
}

func TestAStatementThatCannotBeLaidOutSaysSoAndIsNotWritten(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.press("enter")
	workbench.Failing = errors.New("the incident profile cannot be used")
	b.press("s")
	b.shows("✗ There is no statement: the incident profile cannot be used.")
	b.press("w")
	b.shows("✗ the record has none")
}
