package verify_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/store/verify"
)

var update = flag.Bool("update", false, "write the table of findings into its page anew")

// findingsPage holds the table of findings between two lines.
var findingsPage = filepath.Join("..", "docs", "findings.md")

const tableBegins, tableEnds = "<!-- the table of findings -->\n", "<!-- end of the table -->\n"

func TestThePageOfFindingsHoldsTheTable(t *testing.T) {
	text, err := os.ReadFile(findingsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatalf("%s has no table", findingsPage)
	}
	var table strings.Builder
	table.WriteString("| code | what was found | what to do | recording |\n|---|---|---|---|\n")
	for _, code := range verify.Codes() {
		recording := "stops"
		if !code.Stops() {
			recording = "goes on"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", code, code.Meaning(), code.Cure(), recording)
	}
	want := before + tableBegins + table.String() + tableEnds + after
	if *update {
		if err := os.WriteFile(findingsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s does not hold the table of findings; go test ./store/verify -run Page -update writes it", findingsPage)
	}
}

func TestEveryFindingHasItsOwnCodeAMeaningAndACure(t *testing.T) {
	codes := map[string]bool{}
	for _, code := range verify.Codes() {
		if code.String() == "" || codes[code.String()] {
			t.Errorf("code %d has the word %q", code, code)
		}
		codes[code.String()] = true
		if !strings.HasSuffix(code.Meaning(), ".") || !strings.HasSuffix(code.Cure(), ".") {
			t.Errorf("%s: %q %q", code, code.Meaning(), code.Cure())
		}
	}
}
