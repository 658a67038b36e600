package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// asked is where a query is named in the code.
var asked = regexp.MustCompile(`(?:\.named\(|\.(?:get|add|run)\(ctx, |(?:value|first|all)\[[\w.\[\]]+\]\(ctx, q\.Tx, )"(\w+)"`)

func TestEveryQueryThatIsAskedIsThereInBothEnginesAndNoOther(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range asked.FindAllSubmatch(text, -1) {
			names[string(found[1])] = true
		}
	}
	for _, name := range []string{"sqlite", "postgres"} {
		text, err := os.ReadFile(filepath.Join("..", name, "queries.sql"))
		if err != nil {
			t.Fatal(err)
		}
		own := Queries(string(text))
		if len(own) > 12 {
			t.Errorf("%s has %d queries of its own", name, len(own))
		}
		for query := range names {
			if (queries[query] != "") == (own[query] != "") {
				t.Errorf("%s: %s is in neither file or in both", name, query)
			}
		}
		for query := range own {
			if !names[query] {
				t.Errorf("%s: nothing asks %s", name, query)
			}
		}
	}
	for query := range queries {
		if !names[query] {
			t.Errorf("nothing asks %s", query)
		}
	}
}
