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

var update = flag.Bool("update", false, "write the list of findings into its page")

// findingsPage holds the list of findings, those with one cure together, between two lines.
var findingsPage = filepath.Join("..", "docs", "trust.md")

const listBegins, listEnds = "<!-- the list of findings -->\n", "<!-- end of the list -->\n"

func TestThePageOfFindingsHoldsTheTable(t *testing.T) {
	text := need(os.ReadFile(findingsPage))(t)
	before, rest, begins := strings.Cut(string(text), listBegins)
	_, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s has no list of findings", findingsPage)
	}
	under := map[string][]string{}
	for _, code := range verify.Codes() {
		line := fmt.Sprintf("- `%s`: %s", code, code.Meaning())
		if !code.Stops() {
			line += " *Recording goes on.*"
		}
		under[code.Cure()] = append(under[code.Cure()], line)
	}
	var shared, single strings.Builder
	for _, code := range verify.Codes() {
		switch lines := under[code.Cure()]; len(lines) {
		case 0:
		case 1:
			fmt.Fprintf(&single, "%s %s\n", lines[0], code.Cure())
		default:
			fmt.Fprintf(&shared, "%s\n\n%s\n\n", code.Cure(), strings.Join(lines, "\n"))
		}
		delete(under, code.Cure())
	}
	lists := "\n" + shared.String() + "Each of these has its own answer:\n\n" + single.String() + "\n"
	want := before + listBegins + lists + listEnds + after
	if *update {
		must(t, os.WriteFile(findingsPage, []byte(want), 0o644))
	} else if want != string(text) {
		t.Errorf("%s does not hold the list of findings; go test ./store/verify -run Page -update writes it", findingsPage)
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
