package contracts_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// choices is the page that lists this project's choices, each item of its lists on one line.
func choices(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("docs/contracts.md")
	must(t, err)
	return strings.ReplaceAll(string(text), "\n  ", " ")
}

// code writes words as the page does.
func code(words ...string) string { return "`" + strings.Join(words, "`, `") + "`" }

func TestTheListOfChoicesHasTheWordsOfTheDomain(t *testing.T) {
	text := choices(t)
	for name, words := range map[string][]string{
		"gate":                    terms.Gates(),
		"decision status":         terms.DecisionStatuses.Texts(),
		"appeal policy status":    terms.AppealPolicyStatuses.Texts(),
		"amendment policy status": terms.AmendmentPolicyStatuses.Texts(),
		"redaction status":        terms.RedactionStatuses.Texts(),
		"requested effect":        terms.RequestedEffects.Texts(),
		"changed term":            terms.ChangedTerms.Texts(),
		"effect":                  terms.Effects.Texts(),
		"private category":        terms.PrivateCategories.Texts(),
		"reviewer role":           terms.Roles.Texts(),
		"reason of an erasure":    records.ErasureReasons.Texts(),
	} {
		expectItem(t, text, name, code(words...))
	}
}

func TestTheListOfChoicesHasEveryRuleInOrder(t *testing.T) {
	text := choices(t)
	_, appeals, _ := strings.Cut(text, "\n### Appeals\n")
	appeals, amendments, _ := strings.Cut(appeals, "\n### Amendments\n")
	amendments, _, _ = strings.Cut(amendments, "\n## ")
	for area, section := range map[terms.Area]string{terms.Appeals: appeals, terms.Amendments: amendments} {
		var listed, want []string
		for line := range strings.Lines(section) {
			if codes, _, found := strings.Cut(line, "`: "); found && strings.HasPrefix(line, "- `") {
				listed = append(listed, strings.Split(strings.TrimPrefix(codes, "- `"), "`, `")...)
			}
		}
		for _, rule := range rules.Book(area) {
			want = append(want, rule.Code.String())
		}
		if !slices.Equal(listed, want) {
			t.Errorf("%s: the page lists %v, the rules are %v", area, listed, want)
		}
	}
}

func TestTheListOfChoicesHasTheTablesOfTheDomain(t *testing.T) {
	text := choices(t)
	onBlocked := map[bool]string{true: "yes", false: "no"}
	blockedOutcomes := rules.OutcomesOnBlocked
	for _, outcome := range terms.Outcomes.All() {
		effect := views.EffectOf(outcome)
		expectRow(t, text, code(outcome.String()), code(effect.ProvenanceActivity), code(effect.TraceabilityStep),
			onBlocked[blockedOutcomes.Has(outcome)])
	}
	for _, transition := range rules.TransitionDefinitions() {
		subjects := code(transition.SubjectTypes.Texts()...)
		if transition.SubjectTypes.Len() == terms.SubjectTypes.Len() {
			subjects = "any"
		}
		expectRow(t, text, code(transition.Key.String()), subjects, code(transition.AmendmentTypes.Texts()...))
	}
	for _, factor := range terms.FactorCodes.Texts() {
		if !strings.Contains(text, "\n- "+code(factor)) && !strings.Contains(text, ", "+code(factor)+": always") {
			t.Errorf("%s has no line", factor)
		}
	}
	for _, trigger := range terms.Triggers.All() {
		expectItem(t, text, code(rules.ReviewCodeOf(trigger).String()), "the trigger is "+code(trigger.String()))
	}
	confirmable := terms.ConfirmableEffects
	expect(t, text, "Confirmable are "+code(confirmable.Texts()...)+", and in a "+code(terms.PauseOrEarlyTermination.String())+
		" also "+code(terms.CancellationRightsNarrowed.String())+";")
	expectItem(t, text, "its reasons, in this order", "the blockers, "+
		code(records.NoRecord, records.NotLatest, records.NotCorrected, records.HeldByOutcome, records.HeldByGate))
}

func TestTheListOfChoicesHasTheOutcomesOfTheSamplePolicy(t *testing.T) {
	text := choices(t)
	file, err := os.ReadFile("report/samples/appeals.json")
	must(t, err)
	var sample []struct {
		Record struct {
			OutcomeRules map[string]struct {
				Advisory   string
				Compatible []string
			}
		}
	}
	must(t, json.Unmarshal(file, &sample))
	held := sample[0].Record.OutcomeRules
	if got := slices.Sorted(maps.Keys(held)); len(got) != terms.Triggers.Len() {
		t.Fatalf("the sample policy has rules for %v", got)
	}
	for _, trigger := range terms.Triggers.Texts() {
		rule := held[trigger]
		expect(t, text, "In the sample policy "+code(rule.Compatible[:4]...)+" fit each trigger")
		expectRow(t, text, code(trigger), code(rule.Advisory), code(rule.Compatible[4:]...))
	}
}

func TestTheListOfChoicesHasTheLimitsOfTheDomain(t *testing.T) {
	text := choices(t)
	expect(t, text, fmt.Sprintf("\n- text: 1 to %d code points;", packets.MaxTextLength))
	expect(t, text, fmt.Sprintf("\n- limits: nesting of %d,", packets.MaxDepth))
	expect(t, text, fmt.Sprintf("the same `agreementId`; at most %d\n", queue.MostRelated))
	expect(t, text, "SSHSIG in the namespace "+code(records.SignatureNamespace))
	for _, settled := range queue.SettledCaseStatuses() {
		expect(t, text, code(settled.String()))
	}
	for _, closed := range queue.ClosedAmendmentStates() {
		_, line, _ := strings.Cut(text, "\n- closed: ")
		line, _, _ = strings.Cut(line, "\n")
		expect(t, line, code(closed.String()))
	}
}

// expect looks for a part of the page.
func expect(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(strings.ReplaceAll(text, "\n", " "), strings.ReplaceAll(part, "\n", " ")) {
		t.Errorf("the page does not say %q", part)
	}
}

// expectItem looks for an item of a list.
func expectItem(t *testing.T, text, name, says string) {
	t.Helper()
	if item := "\n- " + name + ": " + says + "\n"; !strings.Contains(text, item) {
		t.Errorf("there is no item %q", item)
	}
}

func expectRow(t *testing.T, text string, cells ...string) {
	t.Helper()
	if row := fmt.Sprintf("\n| %s |\n", strings.Join(cells, " | ")); !strings.Contains(text, row) {
		t.Errorf("there is no row %q", row)
	}
}

func TestTheListOfChoicesHasTheWordsOfThePrivateOverlapPilot(t *testing.T) {
	text := choices(t)
	for _, rule := range overlap.BlockerRules() {
		expectItem(t, text, code(string(rule.Code)), rule.Meaning)
	}
	expectItem(t, text, "result bucket", code(overlap.NotEvaluated))
}

func TestTheListOfChoicesHasTheChecksOfTheEnvelope(t *testing.T) {
	text, ids := choices(t), map[string]bool{}
	at, _ := terms.ParseInstant("2026-06-30T12:00:00Z")
	for _, kind := range report.Kinds() {
		made, err := report.Of(kind, at)
		must(t, err)
		found, err := report.Examine(made.JSON(), at)
		must(t, err)
		held := found.Pass
		for _, wording := range found.NotChecked {
			held = append(held, wording.ID)
		}
		for _, id := range held {
			if !slices.ContainsFunc(made.Checks, func(c report.Check) bool { return c.ID == id }) {
				ids[id] = true
			}
		}
	}
	_, line, _ := strings.Cut(text, "\n- checks of the envelope: ")
	line, _, _ = strings.Cut(line, "\n")
	if got := slices.Sorted(slices.Values(strings.Split(strings.Trim(line, "`"), "`, `"))); !slices.Equal(got, slices.Sorted(maps.Keys(ids))) {
		t.Errorf("the page has the checks %v, the contracts have %v", got, slices.Sorted(maps.Keys(ids)))
	}
}
