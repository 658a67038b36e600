package serve_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/serve"
)

var update = flag.Bool("update", false, "write the page's table of routes anew")

// The table of routes stands between these lines of the page on reading records.
const (
	routesBegin = "<!-- The routes: written by `go test ./cmd/internal/serve -run RouteTable -update`. -->\n"
	routesEnd   = "<!-- End of the routes. -->\n"
)

// whoMay are the accesses as the page says them.
var whoMay = map[serve.Access]string{serve.Anybody: "anybody", serve.Bearer: "token",
	serve.Operator: "this machine, or a token of a safety admin or for the metrics"}

// routeTable is the table of routes in Markdown.
func routeTable(t *testing.T) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("| method and path | who | what |\n|---|---|---|\n")
	_, document := described(t)
	for _, route := range serve.Routes() {
		summary, _ := at(operationOf(document, &route), "/summary").(string)
		who, known := whoMay[route.Access]
		if !known {
			t.Errorf("%s: nobody may use it", route.Path)
		}
		table.WriteString("| `" + route.Method + " " + route.Path + "` | " + who + " | " + strings.ReplaceAll(summary, "|", "\\|") + " |\n")
	}
	return table.String()
}

func TestTheRouteTableListsEveryRoute(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "docs", "records.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), routesBegin)
	held, after, ended := strings.Cut(rest, routesEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the routes", file)
	}
	if want := "\n" + routeTable(t) + "\n"; held != want {
		if !*update {
			t.Fatalf("the routes of %s are not those of the table; go test -update writes them anew", file)
		}
		if err := os.WriteFile(file, []byte(before+routesBegin+want+routesEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
