package bundle

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of parts into the docs")

const partsDoc = "../docs/bundle.md"

// partRows are the rows of the table of parts in the docs.
func partRows() (rows []string) {
	for _, p := range Parts() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", p.Path(), p.Content(), p.Origin(), p.Checked()))
	}
	return rows
}

func TestTheDocsListTheParts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.FromSlash(partsDoc))
	if err != nil {
		t.Fatal(err)
	}
	var before, there, after []string
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "| `"):
			there = append(there, strings.TrimSuffix(line, "\n"))
		case there == nil:
			before = append(before, line)
		default:
			after = append(after, line)
		}
	}
	rows := partRows()
	if *update {
		page := strings.Join(before, "") + strings.Join(rows, "\n") + "\n" + strings.Join(after, "")
		if err := os.WriteFile(filepath.FromSlash(partsDoc), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !slices.Equal(there, rows) {
		t.Errorf("%s does not list the parts; `go test ./store/bundle -run TheDocsListTheParts -update` writes its table", partsDoc)
	}
}

func TestEachPartSaysWhatItIsAndHowItIsChecked(t *testing.T) {
	t.Parallel()
	for i := range parts {
		p := &parts[i]
		first := partNamed(p.name) == p
		switch {
		case p.name == "" || p.content == "" || p.checked == "" || p.origin == 0:
			t.Errorf("%s: %+v", p.name, p)
		case (p.files == "" || !first) && p.survey != nil:
			t.Errorf("%s is surveyed twice, or is a file that is", p.Path())
		case p.files != "" && first && p.survey == nil && p.name != packetsFolder: // the packets are surveyed once it is known which were judged
			t.Errorf("%s is not surveyed", p.Path())
		case p.origin == following && p.write != nil:
			t.Errorf("%s follows from the log and has a writer of its own", p.Path())
		}
	}
}
