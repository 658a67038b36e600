package daemon

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// update writes the page and the example anew.
var update = flag.Bool("update", false, "write the table of cmd/docs/service.md and cmd/docs/service.toml anew")

// docs is where both are.
var docs = filepath.Join("..", "..", "..", "docs")

// The lines around the table.
const (
	tableBegins = "<!-- The settings: written by `go test ./cmd/internal/serve/daemon -run Page -update`. -->\n\n"
	tableEnds   = "\n<!-- End of the settings. -->"
)

// pageTable is the table of the page.
func pageTable() string {
	var out strings.Builder
	out.WriteString("| setting | what it is | values | default | flag |\n|---|---|---|---|---|\n")
	for i := range table {
		s := &table[i]
		name, flag, standard := "`"+s.Name+"`", "–", "none"
		if s.Live {
			name += " *"
		}
		if s.Flag() != "" {
			flag = "`--" + s.Flag() + "`"
		}
		if s.Default() != "" {
			standard = "`" + s.literal(s.Default()) + "`"
		}
		out.WriteString("| " + strings.Join([]string{name, s.plain(), strings.TrimPrefix(s.takes(false), "it takes "), standard, flag}, " | ") + " |\n")
	}
	return out.String()
}

func TestThePageAndTheExampleHaveTheSettings(t *testing.T) {
	page := filepath.Join(docs, "service.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	held, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatal("the page has no place for the table")
	}
	example := filepath.Join(docs, "service.toml")
	if *update {
		if err := os.WriteFile(page, []byte(before+tableBegins+pageTable()+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(example, []byte(Example()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if held != pageTable() {
		t.Error("cmd/docs/service.md has other settings than the table")
	}
	if text, err := os.ReadFile(example); err != nil || string(text) != Example() {
		t.Errorf("cmd/docs/service.toml is not the example: %v", err)
	}
}

func TestTheExampleIsWhatCountsWithoutAFile(t *testing.T) {
	e, err := load(t, Example(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range e.Rows() {
		if row.Value != table[i].Default() || row.From != "file" && row.Value != "" {
			t.Errorf("%+v", row)
		}
	}
}
