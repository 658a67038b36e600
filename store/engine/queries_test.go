package engine

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"unicode"

	"docket/domain/terms"
)

var (
	// asked is where a query is named in the code, and used where a word is named in a query or in the code.
	asked = regexp.MustCompile(`(?:\.named\(|\.(?:get|add|run|entries|hashes)\(ctx, |(?:one|all|each|pairs)(?:\[[\w.\[\], ]+\])?\(ctx, q\.(?:Tx|on\([^"\n]*(?:\("[^\n]*"\))?[^"\n]*(?:"\w+", \w+)?\)), )"(\w+)"`)
	used  = regexp.MustCompile(`(?:\{|\{of \w+ )(\w+)`)
	in    = regexp.MustCompile(`\{either (\w+)`)
)

func TestEveryQueryThatIsAskedIsThereInBothEnginesAndNoOther(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	names := map[string]bool{}
	add := func(text string, from *regexp.Regexp) {
		for _, found := range from.FindAllStringSubmatch(text, -1) {
			names[found[1]] = true
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(string(text), asked)
		add(string(text), regexp.MustCompile(`"\{(\w+)`))
	}
	add(shared, used)
	add(shared, in)
	params := map[string]bool{}
	for name := range scopeOf(1) {
		params[name] = true
	}
	for _, word := range []string{"of", "which", "latest", "order", "came"} { // what the code says, or a parameter of one of its words
		params[word] = true
	}
	engines := map[string]map[string]block{}
	for _, name := range []string{"sqlite", "postgres"} {
		text, err := os.ReadFile(filepath.Join("..", name, "queries.sql"))
		if err != nil {
			t.Fatal(err)
		}
		own := parseBlocks(string(text))
		if len(own) > 12 {
			t.Errorf("%s has %d queries of its own", name, len(own))
		}
		engines[name] = own
	}
	for _, b := range slices.Collect(maps.Values(blocks)) {
		for _, param := range b.params {
			params[param] = true
		}
	}
	for query := range names {
		if params[query] {
			continue
		}
		for name, own := range engines {
			_, here := blocks[query]
			_, ofTable := blocks[query+" of "+terms.AppealCases.String()]
			if _, there := own[query]; (here || ofTable) == there {
				t.Errorf("%s: %s is in neither file or in both", name, query)
			}
		}
	}
	first := regexp.MustCompile(`^\w+`)
	for _, all := range []map[string]block{blocks, engines["sqlite"], engines["postgres"]} {
		for name := range all {
			if !names[first.FindString(name)] {
				t.Errorf("nothing asks %s", name)
			}
		}
	}
	for name := range names {
		if unicode.IsUpper(rune(name[0])) && params[name] {
			t.Errorf("%s is a query and a word", name)
		}
	}
}
