package domain_test

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
	"strconv"
	"testing"

	"docket/domain"
	"docket/domain/private"
	"docket/domain/shape"
)

// What the rule book answers, pinned to its revision. A record names the revision (rulesVersion) and is judged again by it,
// so an answer may change only with a new one: raise domain.RuleBookRevision, then set all three constants to what the
// tests below print. Before the first release revision 1 may still be filled: set the digest that is printed, and say in
// the commit which rule changed. A text that joins a corpus of the private scan changes pinnedScan alone; a member that
// joins a packet changes the questions.
const (
	pinnedRevision = 1
	pinnedAnswers  = "d1799bb1c2b65afedfe6fe6f5ce7cf4fc731f1296eb3e7da7f0ffc8bb64d678a"
	pinnedScan     = "a351837aa7d00d905de4f15783daff469375ad01607125b100637a59b714e0f2"
)

// pinnedQuestions is how many questions are generated.
const pinnedQuestions = 10000

func TestAnswersChangeOnlyWithTheRevisionOfTheRuleBook(t *testing.T) {
	answers, held, passed := sha256.New(), map[string]int{}, map[string]int{}
	asked := 0
	for _, line := range pinnedLines() {
		var reader domain.Reader
		question, fault := domain.ReadQuestion(&reader, line)
		if fault != nil {
			continue // what is refused is no question
		}
		asked++
		judgment := domain.Judge(&question)
		answer := parsed(string(domain.AppendAnswer(nil, &question, judgment)))
		delete(answer, "protectedBoundary") // sentences say no more than the words do
		if decision, there := answer["decision"].(map[string]any); there {
			for _, sentences := range []string{"requiredArtifacts", "privacyActions", "appealScopeStatement"} {
				delete(decision, sentences)
			}
		}
		answers.Write(append(canonicalForm(t, answer), '\n'))
		area := question.Area()
		for _, rule := range domain.RuleBook(area) {
			name := area.String() + " " + rule.Code.String()
			if judgment.BlockerSet().Has(rule.Code) {
				held[name]++
			} else {
				passed[name]++
			}
		}
		if judgment.Gate() == domain.Pass {
			passed[area.String()]++
		}
	}
	if asked < pinnedQuestions*3/4 {
		t.Errorf("only %d questions are asked", asked)
	}
	for _, area := range domain.Areas.All() {
		if passed[area.String()] < 200 {
			t.Errorf("%s: only %d questions pass", area, passed[area.String()])
		}
		for _, rule := range domain.RuleBook(area) {
			if name := area.String() + " " + rule.Code.String(); held[name] < 10 || passed[name] < 10 {
				t.Errorf("%s holds %d times and does not %d times", name, held[name], passed[name])
			}
		}
	}
	pin(t, "pinnedAnswers", pinnedAnswers, answers.Sum(nil))
}

func TestTheScanOfTheHeldTextsChangesOnlyWithTheRevisionOfTheRuleBook(t *testing.T) {
	files, err := filepath.Glob("private/testdata/*.jsonl")
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
			fmt.Fprintf(found, "%q %q\n", sample.Text, private.ScanString(sample.Text).List())
		}
	}
	pin(t, "pinnedScan", pinnedScan, found.Sum(nil))
}

func pin(t *testing.T, name, pinned string, digest []byte) {
	t.Helper()
	if domain.RuleBookRevision != pinnedRevision {
		t.Errorf("the rule book has revision %d: set pinnedRevision to it", domain.RuleBookRevision)
	}
	if got := fmt.Sprintf("%x", digest); got != pinned {
		t.Errorf("answers have changed: if that is meant, give the rule book a new revision and set %s to %q", name, got)
	}
}

// pinnedLines are generated questions: always the same ones.
func pinnedLines() [][]byte {
	var lines [][]byte
	samples := passing()
	samples["pause"] = pause()
	appeals, amendments := []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		if samples[name]["table"] == "trade_appeal_cases" {
			appeals = append(appeals, name)
		} else {
			amendments = append(amendments, name)
		}
	}
	d := draws(1)
	for range pinnedQuestions {
		s := scene(parsed(string(encoded(samples[pickOf(&d, pickOf(&d, appeals, amendments)...)]))))
		for range d.below(5) {
			d.change(s)
		}
		line := s.sealedByHand()
		if d.below(8) == 0 { // one member other than it was sealed
			sealed := scene(parsed(string(line)))
			d.change(sealed)
			line = encoded(sealed)
		}
		lines = append(lines, line)
	}
	return lines
}

// draws is a source of choices that are the same with every version of Go and of what the other tests use (splitmix64).
type draws uint64

func (d *draws) below(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}

func pickOf[T any](d *draws, from ...T) T { return from[d.below(len(from))] }

// change changes one value of the scene: it is left out or becomes any other that its form allows.
func (d *draws) change(s scene) {
	switch d.below(12) {
	case 0:
		s["at"] = pickOf(d, moments...)
	case 1:
		latest := pickOf(d, "latestPolicyVersion", "latestRevision")
		if delete(s, latest); d.below(3) > 0 {
			s[latest] = json.Number(strconv.Itoa(d.below(7)))
		}
	case 2:
		if d.below(4) == 0 {
			delete(s, pickOf(d, "policy", "record"))
		}
	case 3: // effects are many members deep down, of which each has a rule
		record, _ := s["record"].(map[string]any)
		if effects, there := record["effects"].(map[string]any); there {
			effects[pickOf(d, domain.Effects.Texts()...)] = true
		}
	default:
		part := pickOf(d, "record", "record", "record", "policy")
		document, there := s[part].(map[string]any)
		table, err := domain.Tables.Parse(s.tableOf(part))
		if info, known := domain.Info(table); there && known && err == nil {
			d.changeMember(document, &info.Shape)
		}
	}
}

func (d *draws) changeMember(object map[string]any, described *shape.Shape) {
	m := &described.Members[d.below(len(described.Members))]
	switch below := object[m.Name].(type) {
	case map[string]any:
		if d.below(10) > 0 {
			d.changeMember(below, m.Form.Shape)
			return
		}
	case []any:
		if m.Form.Kind == shape.FormList && len(below) > 0 && d.below(10) > 0 {
			d.changeMember(below[d.below(len(below))].(map[string]any), m.Form.Shape)
			return
		}
	}
	if delete(object, m.Name); m.Required || d.below(4) > 0 {
		object[m.Name] = d.value(&m.Form)
	}
}

func (d *draws) value(form *shape.Form) any {
	list := func(longest int, element func() any) any {
		all := []any{}
		for range d.below(longest + 1) {
			all = append(all, element())
		}
		return all
	}
	switch form.Kind {
	case shape.FormID:
		return pickOf(d, append(persons, "appeal-policy", "amendment-policy", "agreement_amendment")...)
	case shape.FormTime:
		return pickOf(d, moments...)
	case shape.FormHash:
		return pickOf(d, hashes...)
	case shape.FormText:
		return pickOf(d, append(proses, " ", "\u200b\u2800")...)
	case shape.FormString:
		return pickOf(d, "", "x", domain.AppealContract.Version, domain.AmendmentContract.Version)
	case shape.FormVersion:
		return json.Number(strconv.Itoa(1 + d.below(6)))
	case shape.FormFlag:
		return d.below(2) == 0
	case shape.FormWord:
		return pickOf(d, form.Words...)
	case shape.FormWords:
		return list(4, func() any { return pickOf(d, form.Words...) })
	case shape.FormIDs:
		return list(3, func() any { return pickOf(d, persons...) })
	case shape.FormObject:
		return d.object(form.Shape)
	case shape.FormList:
		return list(4, func() any { return d.object(form.Shape) })
	}
	panic("a form that this test does not know")
}

func (d *draws) object(described *shape.Shape) any {
	object := map[string]any{}
	for i := range described.Members {
		if d.below(5) > 0 {
			object[described.Members[i].Name] = d.value(&described.Members[i].Form)
		}
	}
	return object
}
