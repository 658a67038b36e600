package ui

import (
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

func TestAStatementIsRequiredWhereTheReviewerDepartsFromTheAdviceOrAddsABlocker(t *testing.T) {
	for name, test := range map[string]struct {
		id       string
		outcome  string
		blockers []string
		why      string
	}{
		"the advised outcome":                    {"AC-2041", "correct record", nil, ""},
		"another outcome":                        {"AC-2041", "uphold decision", nil, "the outcome is not the advised one; docket advises correct record"},
		"closed unresolved":                      {"AC-2041", "close unresolved", nil, "the case is closed unresolved"},
		"an added blocker":                       {"AC-2042", "block reliance", []string{"space"}, "a blocker is added"},
		"the advised outcome on a blocked gate":  {"AC-2042", "block reliance", nil, ""},
		"an amendment":                           {"AM-310", "", nil, ""},
		"an added blocker to an amendment":       {"AM-310", "", []string{"space"}, "a blocker is added"},
		"a blocker that was added and taken out": {"AM-310", "", []string{"space", "space"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, workbench := sample(t, 100, 40)
			b.press("open "+test.id, "d")
			if test.outcome != "" {
				b.press("choose " + test.outcome)
			}
			if test.blockers != nil {
				b.press("blockers")
				b.press(test.blockers...)
				b.press("enter")
			}
			if test.why == "" {
				b.at(action.InReview)
				return
			}
			b.press("at statement", "shows It is required: "+test.why, "enter", "at statement",
				"shows ✗ a statement of reasons is required", "type two receipts", "enter", "at review",
				"shows statement       two receipts", "record", "at receipt")
			same(t, "recorded", workbench.Choices()[0].Statement.Text, "two receipts")
		})
	}
}

func TestWaysThroughAStatement(t *testing.T) {
	walks(t, []walk{
		{"undo takes back a paste, then a word", nil, 100, 40, way{"open AC-2041", "d", "choose uphold decision", "type wrong", "paste , all of it",
			"kept statement wrong, all of it", "ctrl+_", "kept statement wrong", "ctrl+_", "shows your reasons;", "ctrl+_", "shows your reasons;"}},
		{"a statement that holds private details is refused and nowhere kept", nil, 100, 40, way{
			"open AC-2041", "d", "choose uphold decision", "type write to jane@example.org", "enter",
			"at statement", "shows ✗ the statement of reasons holds private details (e-mail address)",
			"kept statement ", "esc", "at decision", "shows ✗ not all of the text is kept",
			"kept statement ", "statement", "hides jane", "ctrl+u", "type \u200b", "enter",
			"ctrl+u", "type \u2800", "enter", "ctrl+u", "type   ", "enter", "at statement"}},
		{"a carried blocker is shown and cannot be taken away", nil, 120, 60, way{"open AC-2041", "d",
			"choose request evidence", "blockers", "/", "type notice_missing", "enter", "space", "review",
			"shows added blockers", "shows stays until", "record", "at receipt", "esc", "esc",
			"open AC-2041", "esc", "shows ✗ blocked  AC-2041", "b", "reads notice_missing", "esc", "open AC-2041",
			"shows BLOCKED", "shows 1 blocker", "shows notice_missing: added by a human in record",
			"shows #0", "d", "choose block reliance", "blockers", "/",
			"type notice_missing", "enter", "space", "shows [✗] notice_missing",
			"shows nobody can remove notice_missing", "review", "shows carried over",
			"shows notice_missing", "shows gate to record: ✗ blocked", "record", "at receipt",
			"recorded gate blocked", "recorded carried notice_missing", "recorded no added blocker"}},
		{"a word that is the name of a key is text", nil, 100, 40, way{
			"open AC-2041", "d", "choose uphold decision",
			func(b *harness) {
				for _, word := range []string{"right", "left", "up", "home", "end", "delete", "tab", "enter"} {
					b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word)})
					b.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
				}
			},
			"shows right left up home end delete tab enter", "note",
			func(b *harness) { b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("right")}) },
			func(b *harness) { b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("home")}) },
			"shows righthome"}},
		{"what does not fit beside a text is refused and the text stays", nil, 80, 24, way{
			"open AC-2041", "d", "choose correct record", "statement", "paste " + strings.Repeat("x", 1999),
			"paste yz", "shows ✗ nothing is added: there is room for 1 character, not for 2", "type ab",
			func(b *harness) { same(b.t, "kept", keptOn(b.t, b.over).Statement, strings.Repeat("x", 1999)+"a") },
			"note", "paste one\r\ntwo",
			func(b *harness) { same(b.t, "the note", keptOn(b.t, b.over).Note, "one two") },
			func(b *harness) { b.paste(strings.Repeat("y", 3599)) },
			func(b *harness) { b.shows("✗ nothing is added: there is room for 1,993 characters, not for 3,599") }}},
	})
}

func TestAPasteKeepsItsLinesAndIsNeverCut(t *testing.T) {
	for name, c := range map[string]struct{ pasted, kept string }{
		"line feeds":     {"one\ntwo\n\nthree", "one\ntwo\n\nthree"},
		"both":           {"one\r\ntwo\r\n\r\nthree", "one\ntwo\n\nthree"},
		"returns":        {"one\rtwo\r\rthree", "one\ntwo\n\nthree"},
		"many lines":     {strings.Repeat("a\r\n", 400), strings.TrimSpace(strings.Repeat("a\n", 400))},
		"all that fits":  {strings.Repeat("x ", 999) + "yz", strings.Repeat("x ", 999) + "yz"},
		"wide letters":   {strings.Repeat("案", 2000), strings.Repeat("案", 2000)},
		"one too many":   {strings.Repeat("x ", 1000) + "y", ""},
		"far too many":   {strings.Repeat("word ", 720), ""},
		"nothing at all": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, workbench := sample(t, 80, 24)
			b.press("open AC-2041", "d", "choose correct record", "statement", "paste "+c.pasted)
			if kept := keptOn(t, workbench).Statement; kept != c.kept {
				t.Errorf("%d of %d characters are kept: %q", len([]rune(kept)), len([]rune(c.pasted)), kept)
			}
			if c.kept == "" && c.pasted != "" {
				b.shows("✗ nothing is added: there is room for 2,000 characters, not for " + wording.Thousands(len(c.pasted)))
			}
		})
	}
}

func TestATextOfOnesOwnIsInsertedAndEdited(t *testing.T) {
	own := []decision.Prepared{
		{Heading: "receipt missing", Text: "One receipt\nis missing."},
		{Heading: "for another trigger", Trigger: terms.DuplicateProof, Text: "Not here."},
		{Heading: "for another outcome", Outcome: terms.BlockReliance, Text: "Not here."},
		{Heading: "who is it", Outcome: terms.UpholdDecision, Text: "Write to ann@example.org."},
	}
	workbench := workbenchtest.Sample(t)
	b := newHarness(t, workbench, 100, 40, Options{Prepared: own})
	b.press("open AC-2041", "d", "choose uphold decision", "statement", "type So: ", "ctrl+o",
		"shows Texts of your own", "shows receipt missing", "shows One receipt is missing.",
		"hides for another", "hides Not here.", "type rcm", "hides who is it", "enter", "at statement",
		"type !", "ctrl+o", "esc", "enter", "at review", "record", "at receipt")
	same(t, "recorded", workbench.Choices()[0].Statement.Text, "So: One receipt\nis missing.!")
	b = newHarness(t, workbench, 100, 40, Options{Prepared: own})
	b.press("open AC-2043", "d", "choose uphold decision", "statement", "ctrl+o", "type who", "enter")
	b.press("enter") // a text is scanned, by whomever it was written and when
	b.press("at statement", "shows holds private details (e-mail address); take them out")
	b = newHarness(t, workbench, 100, 40)
	b.press("open AC-2048", "d", "choose uphold decision", "statement", "ctrl+o")
	b.shows("✗ no text of your own fits; they are the files docket/reasons/*.md in your config folder")
}
