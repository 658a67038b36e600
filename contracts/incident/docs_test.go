package incident_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"docket/contracts/incident"
)

const docsFile = "../docs/incident.md"

// forms says what a member holds.
var forms = map[incident.Form]string{incident.FormText: "text", incident.FormTexts: "list of texts", incident.FormHours: "hours"}

func shapeTable() string {
	var table strings.Builder
	table.WriteString("| object | member | holds | what |\n|---|---|---|---|\n")
	var write func(*incident.Shape)
	write = func(shape *incident.Shape) {
		for _, m := range shape.Members {
			form := forms[m.Form]
			if m.Of != nil {
				form = "list of " + m.Of.Name
			}
			fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", shape.Name, m.Name, form, m.Says)
		}
		for _, m := range shape.Members {
			if m.Of != nil {
				write(m.Of)
			}
		}
	}
	write(incident.ProfileShape())
	return table.String()
}

func ruleTable() string {
	var table strings.Builder
	table.WriteString("| rule | asks for | from | broken |\n|---|---|---|---|\n")
	for _, info := range incident.RuleInfos() {
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
	want := withTable(t, withTable(t, string(text), "the shape", shapeTable()), "the rules", ruleTable())
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
