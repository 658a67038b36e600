package serve_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/cmd/internal/serve"
)

var update = flag.Bool("update", false, "write the page's routes")

// The routes stand between these lines of the page on reading records.
const (
	routesBegin = "<!-- The routes: written by `go test ./cmd/internal/serve -run RouteTable -update`. -->\n"
	routesEnd   = "<!-- End of the routes. -->\n"
)

// whoMay are the accesses as the page says them, in its order.
var whoMay = []struct {
	access serve.Access
	who    string
}{
	{serve.Bearer, "With a token:"},
	{serve.Anybody, "For anybody:"},
	{serve.Operator, "For this machine, or with a token of a safety admin or for the metrics:"},
}

// routeLists are the routes in Markdown, a list for each access.
func routeLists(t *testing.T) string {
	t.Helper()
	_, document := described(t)
	var lists strings.Builder
	listed := 0
	for _, may := range whoMay {
		lists.WriteString("\n" + may.who + "\n\n")
		for _, route := range serve.Routes() {
			if route.Access == may.access {
				summary, _ := at(operationOf(document, &route), "/summary").(string)
				lists.WriteString("- `" + route.Method + " " + route.Path + "`: " + summary + "\n")
				listed++
			}
		}
	}
	if listed != len(serve.Routes()) {
		t.Errorf("%d of %d routes are listed", listed, len(serve.Routes()))
	}
	return lists.String() + "\n"
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
	if want := routeLists(t); held != want {
		if !*update {
			t.Fatalf("the routes of %s are not those of the table; go test -update writes them", file)
		}
		if err := os.WriteFile(file, []byte(before+routesBegin+want+routesEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
