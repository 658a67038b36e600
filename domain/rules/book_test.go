package rules_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/private"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

func codesOf(area terms.Area) []string {
	texts := []string{}
	for _, rule := range rules.Book(area) {
		texts = append(texts, rule.Code.String())
	}
	return texts
}

func TestRuleBooksAreTheSourcesListsInItsOrder(t *testing.T) {
	if got := codesOf(terms.Appeals); !slices.Equal(got, domaintest.AppealCodes) {
		t.Errorf("appeals: %q", got)
	}
	if got := codesOf(terms.Amendments); !slices.Equal(got, domaintest.AmendmentCodes) {
		t.Errorf("amendments: %q", got)
	}
	if got := rules.Book(0); len(got) != 0 {
		t.Errorf("no area has %d rules", len(got))
	}
	if a, b := rules.AllBlockers(terms.Appeals).Len(), rules.AllBlockers(terms.Amendments).Len(); a != 18 || b != 33 {
		t.Errorf("%d and %d blockers", a, b)
	}
}

func TestEveryRuleHasAMeaningAndACure(t *testing.T) {
	for _, area := range terms.Areas.All() {
		for _, rule := range rules.Book(area) {
			for _, sentence := range []string{rule.Meaning, rule.Cure} {
				if !strings.HasSuffix(sentence, ".") || strings.ToUpper(sentence[:1]) != sentence[:1] {
					t.Errorf("%s: %q is no sentence", rule.Code, sentence)
				}
			}
			if again, ok := rules.RuleFor(area, rule.Code); !ok || again != rule {
				t.Errorf("%s is not found by its code", rule.Code)
			}
		}
	}
	if _, ok := rules.RuleFor(terms.Appeals, terms.PolicyStale); ok {
		t.Error("a rule of the amendments is found among the appeals")
	}
}

// The tables of this package must show every rule both holding and not holding.
func TestEveryRuleIsInATable(t *testing.T) {
	held := map[string]map[string]bool{"appeal": {}, "amendment": {}}
	for _, table := range tables(t) {
		area := "amendment"
		if table.scene == "appeal" {
			area = "appeal"
		}
		for _, r := range table.rows {
			for code := range strings.FieldsSeq(r.want) {
				held[area][code] = true
			}
		}
	}
	for area, codes := range map[string][]string{"appeal": domaintest.AppealCodes, "amendment": domaintest.AmendmentCodes} {
		if got := slices.Sorted(maps.Keys(held[area])); !slices.Equal(got, slices.Sorted(slices.Values(codes))) {
			t.Errorf("the tables of an %s show %q", area, got)
		}
	}
}

func TestRulesVersionNamesTheValidatorAndTheRevisionOfTheBook(t *testing.T) {
	for area, want := range map[terms.Area]string{
		terms.Appeals:    "trade-challenge-appeal-validator-v0.1+docket.2",
		terms.Amendments: "trade-agreement-amendments-validator-v0.1+docket.2",
		0:                "",
	} {
		if got := rules.Version(area); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What the rule book answers, pinned to its revision. A record names the revision (rulesVersion) and is judged again by it,
// so an answer may change only with a new one: raise rules.Revision, then set all three constants to what the
// tests below print. Before the first release revision 1 may still be filled: set the digest that is printed, and say in
// the commit which rule changed. A text that joins a corpus of the private scan changes pinnedScan alone; a member that
// joins a packet changes the questions.
const (
	pinnedRevision = 2
	pinnedAnswers  = "d4dc0d63ed16569554932abd2e61b0dd67d45c06c3349c802559dd473e84f105"
	pinnedScan     = "b70f31606c7ee52acbde697319da9aa1f5fb29819190b4362ccb24044fd43267"
)

// pinnedQuestions is how many questions are generated.
const pinnedQuestions = 10000

func TestAnswersChangeOnlyWithTheRevisionOfTheRuleBook(t *testing.T) {
	answers, held, passed := sha256.New(), map[string]int{}, map[string]int{}
	asked := 0
	for _, line := range pinnedLines() {
		var reader packets.Reader
		question, fault := rules.ReadInput(&reader, line)
		if fault != nil {
			continue // what is refused is no question
		}
		asked++
		judgment := rules.Evaluate(&question)
		answer := domaintest.Parsed(string(views.AppendAnswer(nil, &question, judgment)))
		delete(answer, "protectedBoundary") // sentences say no more than the words do
		if decision, there := answer["decision"].(map[string]any); there {
			for _, sentences := range []string{"requiredArtifacts", "privacyActions", "appealScopeStatement"} {
				delete(decision, sentences)
			}
		}
		answers.Write(append(domaintest.CanonicalForm(answer), '\n'))
		area := question.Area()
		for _, rule := range rules.Book(area) {
			name := area.String() + " " + rule.Code.String()
			if judgment.BlockerSet().Has(rule.Code) {
				held[name]++
			} else {
				passed[name]++
			}
		}
		if judgment.Gate() == terms.Pass {
			passed[area.String()]++
		}
	}
	if asked < pinnedQuestions*3/4 {
		t.Errorf("only %d questions are asked", asked)
	}
	for _, area := range terms.Areas.All() {
		if passed[area.String()] < 200 {
			t.Errorf("%s: only %d questions pass", area, passed[area.String()])
		}
		for _, rule := range rules.Book(area) {
			if name := area.String() + " " + rule.Code.String(); held[name] < 10 || passed[name] < 10 {
				t.Errorf("%s holds %d times and does not %d times", name, held[name], passed[name])
			}
		}
	}
	pin(t, "pinnedAnswers", pinnedAnswers, answers.Sum(nil))
}

func TestTheScanOfTheHeldTextsChangesOnlyWithTheRevisionOfTheRuleBook(t *testing.T) {
	files, err := filepath.Glob("../private/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("the texts that are held: %q, %v", files, err)
	}
	found := sha256.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for lines.Scan() {
			var sample struct {
				Text string `json:"text"`
			}
			if err := json.Unmarshal(lines.Bytes(), &sample); err != nil || sample.Text == "" {
				t.Fatalf("%s: a line has no text: %v", file, err)
			}
			kinds := []byte{} // by their places from 0
			for _, kind := range private.ScanString(sample.Text).Terms() {
				kinds = append(kinds, byte(kind-1))
			}
			fmt.Fprintf(found, "%q %q\n", sample.Text, kinds)
		}
	}
	pin(t, "pinnedScan", pinnedScan, found.Sum(nil))
}

func pin(t *testing.T, name, pinned string, digest []byte) {
	t.Helper()
	if rules.Revision != pinnedRevision {
		t.Errorf("the rule book has revision %d: set pinnedRevision to it", rules.Revision)
	}
	if got := fmt.Sprintf("%x", digest); got != pinned {
		t.Errorf("answers have changed: if that is meant, give the rule book a new revision and set %s to %q", name, got)
	}
}

// pinnedLines are generated questions: always the same ones.
var pinnedLines = sync.OnceValue(func() (lines [][]byte) {
	samples := domaintest.Passing()
	samples["pause"] = pause()
	appeals, amendments := []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		if samples[name]["table"] == "trade_appeal_cases" {
			appeals = append(appeals, name)
		} else {
			amendments = append(amendments, name)
		}
	}
	d := domaintest.Draws(1)
	for range pinnedQuestions {
		s := samples[domaintest.PickOf(&d, domaintest.PickOf(&d, appeals, amendments)...)].Copy()
		for range d.Below(5) {
			domaintest.Change(&d, s)
		}
		line := s.SealedByHand()
		if d.Below(8) == 0 { // one member other than it was sealed
			sealed := domaintest.Scene(domaintest.Parsed(string(line)))
			domaintest.Change(&d, sealed)
			line = domaintest.Encoded(sealed)
		}
		lines = append(lines, line)
	}
	return lines
})

func TestACureOffersNothingThatTheRulesRefuse(t *testing.T) {
	text, err := os.ReadFile("testdata/cures.txt")
	if err != nil {
		t.Fatal(err)
	}
	cures := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) != 5 {
			continue
		}
		cures++
		code, err := terms.Blockers.Parse(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		input, evaluation := domaintest.Evaluated(t, ruleTable{scene: fields[0]}.from(), edits(fields[4])...)
		rule := input.Rule(code)
		if !evaluation.BlockerSet().Has(code) || rule.Code != code || rule.Meaning == "" {
			t.Fatalf("%s: %q, %+v", line, evaluation.BlockerSet().Texts(), rule)
		}
		if !strings.Contains(rule.Cure, fields[2]) || fields[3] != "-" && strings.Contains(rule.Cure, fields[3]) {
			t.Errorf("%s: %s", line, rule.Cure)
		}
	}
	if cures != 15 {
		t.Errorf("%d cures", cures)
	}
}

func TestOfNoRecordTheCureIsThatOfTheBook(t *testing.T) {
	input, _ := domaintest.Evaluated(t, domaintest.Appeal(), domaintest.Del("/record"))
	for _, rule := range rules.Book(terms.Appeals) {
		if got := input.Rule(rule.Code); got != rule {
			t.Errorf("%+v", got)
		}
	}
	if got := input.Rule(terms.PolicyStale); got != (rules.Rule{}) {
		t.Errorf("of the other area: %+v", got)
	}
}
