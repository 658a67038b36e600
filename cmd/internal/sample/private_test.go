package sample

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/domain/visible"
)

// hostileCase is the one case with hostile texts.
const hostileCase = terms.ID("case-004144")

func TestHostileTextPassesAndIsShownEscaped(t *testing.T) {
	h := open(t)
	view := h.look(h.find(t, hostileCase), start)
	if view.Evaluation().Gate() != terms.Pass {
		t.Errorf("blocked by %v; it should look like routine", view.Evaluation().Blockers())
	}
	c := view.Record().AppealCase().Record()
	text := c.EvidenceScope.Statement.String() + c.Standing.PrivacySafeSummary.String()
	for name, part := range map[string]string{
		"title": "\x1b]0;", "clipboard": "\x1b]52;", "CSI": "\x1b[2J", "C1 CSI": "\u009b", "C1 OSC": "\u009d",
		"bidi override": "\u202e", "bidi isolate": "\u2066", "zero-width space": "\u200b", "newline": "\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the texts have no %s", name)
		}
	}
}

func TestNoRowOfAnyViewHoldsAControl(t *testing.T) {
	h := open(t)
	escaped := map[terms.ID]bool{}
	for _, record := range h.records {
		view := h.look(record, start)
		for _, section := range view.Sections() {
			for _, row := range section.Rows {
				if !visible.Clean(strings.ReplaceAll(row.Value, "\n", "")) || !visible.Clean(row.Label) {
					t.Errorf("%s: %s is shown as %q", record.Key().ID, row.Label, row.Value)
				}
				if strings.Contains(row.Value, `\u`) || strings.Contains(row.Value, `\x`) {
					escaped[record.Key().ID] = true
				}
			}
		}
	}
	if len(escaped) != 1 || !escaped[hostileCase] {
		t.Errorf("texts of %v are escaped, want those of %s only", escaped, hostileCase)
	}
}

func TestOnlyTheSlippedDetailsAreMasked(t *testing.T) {
	h := open(t)
	for _, record := range h.records {
		masked := bytes.Contains(record.Document(), []byte(`"masked":`))
		if slipped := record.Key().ID == "case-004189"; masked != (slipped || record.Key().ID == pendingCase) {
			t.Errorf("%s: masked is %v", record.Key().ID, masked)
		}
		if bytes.Contains(record.Document(), []byte("example.org")) {
			t.Errorf("%s still holds an address", record.Key().ID)
		}
	}
	view := h.look(h.find(t, "case-004189"), start)
	if blockers := view.Evaluation().Blockers(); !slices.Equal(blockers, []terms.Blocker{terms.StandingMissing, terms.PrivateDetailsUnredacted}) {
		t.Errorf("blocked by %v", blockers)
	}
}

// pendingCase is not redacted yet.
const pendingCase = "case-004186"

func TestTheTextsOfTheCaseThatIsNotRedactedAreWithheld(t *testing.T) {
	h := open(t)
	view := h.look(h.find(t, pendingCase), start)
	shown := view.Document()
	if bytes.Count(shown, []byte("[withheld until redacted]")) != 2 || bytes.Contains(shown, []byte("Hives near the turbine")) ||
		bytes.Contains(shown, []byte("Keeps bees")) {
		t.Errorf("%s", shown)
	}
}

func TestNothingPrivateIsLeftInADocumentOrAView(t *testing.T) {
	texts, err := Packets(start)
	if err != nil {
		t.Fatal(err)
	}
	var canaries []string
	for _, text := range texts {
		var p packet
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		canaries = append(canaries, leaves(p.Private)...)
	}
	if len(canaries) < 30 {
		t.Fatalf("only %d private values", len(canaries))
	}
	h := hold(t, texts)
	for _, record := range h.records {
		view := h.look(record, start)
		for _, canary := range canaries {
			if len(canary) < 8 {
				t.Fatalf("%q is too short to be told from other text", canary)
			}
			if bytes.Contains(record.Document(), []byte(canary)) || bytes.Contains(view.Document(), []byte(canary)) {
				t.Errorf("%s still holds %q", record.Key().ID, canary)
			}
		}
	}
}

// leaves lists the values within a private member as text.
func leaves(value any) []string {
	var list []string
	switch value := value.(type) {
	case object:
		for _, inner := range value {
			list = append(list, leaves(inner)...)
		}
	case []any:
		for _, inner := range value {
			list = append(list, leaves(inner)...)
		}
	case string:
		list = append(list, value)
	default:
		text, _ := json.Marshal(value)
		list = append(list, string(text))
	}
	return list
}
