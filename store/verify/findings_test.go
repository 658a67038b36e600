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
	for _, kind := range verify.Codes() {
		recording := "stops"
		if !kind.Stops() {
			recording = "goes on"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", kind, kind.Meaning(), kind.Cure(), recording)
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
	for _, kind := range verify.Codes() {
		if kind.String() == "" || codes[kind.String()] {
			t.Errorf("kind %d has the code %q", kind, kind)
		}
		codes[kind.String()] = true
		if !strings.HasSuffix(kind.Meaning(), ".") || !strings.HasSuffix(kind.Cure(), ".") {
			t.Errorf("%s: %q %q", kind, kind.Meaning(), kind.Cure())
		}
	}
}
