package ui

import (
	"strings"
	"testing"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
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
		"blockers": {"open AC-2041", "d", "space", "enter", "enter", "to notice_missing"},
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
		b.press("esc")
		b.hides("contract text")
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

func TestTheTextGoesFromOneTopicToTheNext(t *testing.T) {
	b, _ := sample(t, 100, 40)
	b.press("open AC-2044", "t")
	b.shows("contract text 1/4", "standing_missing")
	b.press("tab")
	b.shows("contract text 2/4", "deadline_expired")
	b.press("shift+tab", "shift+tab")
	b.shows("contract text 4/4", "trigger coercive baseline", "by default route human review")
	b.press("enter")
	b.at(action.InPacket)
}

func TestATriggerListsTheOutcomesThatThePolicyOfTheOpenCasePermits(t *testing.T) {
	b, _ := sample(t, 80, 40)
	b.press("open AC-2043", "to ✓ trigger", "enter")
	b.shows("trigger externality remedy gap", "by default record remedy", "Contract text")
	b.press("esc", "Z", "to rule: duplicate proof", "t")
	b.shows("trigger duplicate proof", "It is not the trigger of this case.")
}

func TestThePaneFollowsTheCursor(t *testing.T) {
	b, _ := sample(t, 160, 40)
	b.press("open AC-2042")
	b.shows("│ The rule for duplicate proof")
	b.hides("What this line is about")
	b.press("to ↳ notice_missing")
	b.shows("What this line is about", "│ ✗ Standing and notice · notice queued")
	b.press("j")
	b.hides("What this line is about")
}

func TestTheTransitionStandsBesideAnAmendment(t *testing.T) {
	b, _ := sample(t, 160, 40)
	b.press("open AM-311")
	b.shows("│ The transition ─", "✗ performance start")
}

func TestAPolicyThatIsNotHeldPermitsNothing(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2053")
	b.toHeading("The rule")
	b.shows("The rule for")
}

func TestTheKeySaysSoIfThereIsNothingToExplain(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("/", "type zzz", "enter", "t")
	b.shows("✗ there is no blocker, trigger or transition here")
}
