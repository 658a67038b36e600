package ui

import (
	"strings"
	"testing"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// spoken is the contract's text that lies over the screen, in one line.
func (b *harness) spoken() string {
	b.t.Helper()
	width, height := b.console.frame.Width, b.console.frame.Height
	b.resize(100, 200)
	defer b.resize(width, height)
	_, box, is := strings.Cut(b.frame(), "╭─ contract text")
	box, _, ends := strings.Cut(box, "╰─")
	if !is || !ends {
		b.t.Fatalf("no contract text is shown:\n%s", b.frame())
	}
	var words []string
	for _, l := range strings.Split(box, "\n") {
		if in := strings.Split(l, "│"); len(in) > 2 {
			words = append(words, strings.Fields(strings.ReplaceAll(in[len(in)-2], "❝", ""))...)
		}
	}
	return strings.Join(words, " ")
}

func TestOneKeyShowsTheContractsTextOnEveryScreenWithABlocker(t *testing.T) {
	for name, arrive := range map[string][]string{
		"queue":    {"/", "type AC-2042", "enter"},
		"packet":   {"open AC-2042", "to ↳ notice_missing"},
		"banner":   {"open AC-2042"},
		"outcome":  {"open AC-2042", "d"},
		"blockers": {"open AC-2041", "d", "8", "blockers", "to notice_missing"},
		"board":    {"b", "to notice_missing"},
	} {
		b, _ := sample(t, 100, 40)
		b.press(append(arrive, "t")...)
		rule, _ := rules.RuleFor(terms.Appeals, terms.NoticeMissing)
		if name == "blockers" { // a case whose notice was delivered
			rule.Cure = "The notice counts from"
		}
		for _, part := range append(views.ContractText(terms.Appeals, terms.NoticeMissing), rule.Meaning, rule.Cure) {
			if !strings.Contains(b.spoken(), part) {
				t.Errorf("in the %s it does not say %q:\n%s", name, part, b.spoken())
			}
		}
		b.press("esc", "hides contract text")
	}
}

func TestARecordShowsTheContractsTextOfItsBlockers(t *testing.T) {
	b, _ := sample(t, 100, 40)
	b.press("open AM-310", "d", "review", "record", "esc", "r", "t")
	definition, _ := rules.Definition(terms.PostLockCorrection)
	if !strings.Contains(b.spoken(), definition.ProtectedBoundary) {
		t.Errorf("in the records:\n%s", b.frame())
	}
	b.press("esc", "enter", "t")
	if !strings.Contains(b.spoken(), definition.ProtectedBoundary) {
		t.Errorf("on the record:\n%s", b.frame())
	}
}

func TestWaysToTheContractsText(t *testing.T) {
	walks(t, []walk{
		{"the text goes from one topic to the next", nil, 100, 40, way{
			"open AC-2044", "t", "shows contract text 1/4", "shows standing_missing",
			"tab", "shows contract text 2/4", "shows deadline_expired", "shift+tab",
			"shift+tab", "shows contract text 4/4", "shows trigger coercive baseline",
			"shows by default  route human review", "enter", "at packet"}},
		{"a trigger lists the outcomes that the policy of the open case permits", nil, 80, 40, way{
			"open AC-2043", "to ✓ trigger", "enter", "shows trigger externality remedy gap",
			"shows by default  record remedy", "shows Contract text", "esc", "Z", "to rule: duplicate proof",
			"t", "shows trigger duplicate proof", "shows It is not the trigger of this case."}},
		{"the pane follows the cursor", nil, 160, 40, way{"open AC-2042",
			"shows │ The rule for duplicate proof", "hides What this line is about", "to ↳ notice_missing",
			"shows What this line is about", "shows │ ✗ Standing and notice · notice", "j",
			"hides What this line is about"}},
		{"the transition stands beside an amendment", nil, 160, 40, way{
			"open AM-311", "shows │ The transition ─", "shows ✗ performance start"}},
		{"a policy that is not held permits nothing", nil, 80, 24, way{
			"open AC-2053", "heading The rule", "shows The rule for"}},
		{"the key says so if there is nothing to explain", nil, 80, 24, way{"/", "type zzz", "enter",
			"t", "shows ✗ there is no blocker, trigger or transition here"}},
	})
}
