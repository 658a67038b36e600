package incident_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/contracts/incident"
	"docket/contracts/internal/schemagen"
	"docket/domain/shape"
)

const docsFile = "../docs/incident.md"

// forms says what a member holds.
var forms = map[shape.FormKind]string{shape.FormSentence: "text", shape.FormSentences: "list of texts", shape.FormPositive: "hours"}

// clause is a description as a table has it.
func clause(sentence string) string {
	return strings.ToLower(sentence[:1]) + strings.TrimSuffix(sentence[1:], ".")
}

func shapeTable(t *testing.T) string {
	file, err := os.ReadFile("descriptions.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := schemagen.ReadTexts(file)
	var table strings.Builder
	table.WriteString("| object | member | holds | what |\n|---|---|---|---|\n")
	var write func(*shape.Shape, string)
	write = func(object *shape.Shape, within string) {
		for _, m := range object.Members {
			form := forms[m.Form.Kind]
			if m.Form.Shape != nil {
				form = "list of " + m.Form.Shape.Name
			}
			text := texts.Of(within, m.Name)
			if text == "" {
				t.Fatalf("%s.%s has no description", within, m.Name)
			}
			fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", object.Name, m.Name, form, clause(text))
		}
		for _, m := range object.Members {
			if m.Form.Shape != nil {
				write(m.Form.Shape, m.Name)
			}
		}
	}
	write(incident.ProfileShape(), "profile")
	return table.String()
}

func ruleTable() string {
	var table strings.Builder
	table.WriteString("| rule | asks for | from | broken |\n|---|---|---|---|\n")
	for _, info := range incident.RuleInfos {
		from := "this project's choice"
		if info.Source != "" {
			from = "the source, " + info.Source
		}
		broken := "a problem"
		if info.Warns {
			broken = "a warning"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", info.Rule, info.Asks, from, broken)
	}
	return table.String()
}

// withTable puts a table between its mark and the next end.
func withTable(t *testing.T, page, mark, table string) string {
	t.Helper()
	start := strings.Index(page, "<!-- "+mark)
	if start < 0 {
		t.Fatalf("%s has no mark %q", docsFile, mark)
	}
	begin := start + strings.Index(page[start:], "\n") + 1
	end := strings.Index(page[begin:], "<!-- end -->")
	if end < 0 {
		t.Fatalf("%s: %q has no end", docsFile, mark)
	}
	return page[:begin] + "\n" + table + "\n" + page[begin+end:]
}

func TestTheDocsPageHasTheTables(t *testing.T) {
	text, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	want := withTable(t, withTable(t, string(text), "the shape", shapeTable(t)), "the rules", ruleTable())
	if *update {
		if err := os.WriteFile(docsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s does not repeat the tables; run go test ./contracts/incident -update", docsFile)
	}
}
