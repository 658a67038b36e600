package serve_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
)

// described returns the OpenAPI document. It writes it to the file in DOCKET_OPENAPI, for other checks.
func described(t *testing.T) ([]byte, map[string]any) {
	t.Helper()
	text, err := serve.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("DOCKET_OPENAPI"); path != "" {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return text, document
}

// at is the value to which a pointer leads; nil if it leads nowhere.
func at(value any, pointer string) any {
	for _, step := range strings.Split(pointer, "/")[1:] {
		members, _ := value.(map[string]any)
		value = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return value
}

// operationOf is what the document says of a route.
func operationOf(document map[string]any, route *serve.Route) any {
	return at(document, "/paths/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(route.Path)+"/"+strings.ToLower(route.Method))
}

func TestTheOpenAPIDocumentRefersOnlyToWhatIsInIt(t *testing.T) {
	t.Parallel()
	_, document := described(t)
	references := 0
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, inside := range value {
				if target, isText := inside.(string); name == "$ref" && isText {
					references++
					if pointer, local := strings.CutPrefix(target, "#"); !local || at(document, pointer) == nil {
						t.Errorf("%s leads nowhere", target)
					}
				}
				if name == "$id" || name == "$schema" {
					t.Errorf("a schema has an address or a dialect of its own: %v", inside)
				}
				walk(inside)
			}
		case []any:
			for _, inside := range value {
				walk(inside)
			}
		}
	}
	walk(document)
	if references < 100 {
		t.Errorf("only %d references", references)
	}
}

func TestTheOpenAPIDocumentListsEveryRouteWithItsProblems(t *testing.T) {
	t.Parallel()
	text, document := described(t)
	names, kinds := map[any]bool{}, map[string]bool{}
	for _, route := range serve.Routes() {
		operation := operationOf(document, &route)
		name := at(operation, "/operationId")
		if name == nil || names[name] {
			t.Errorf("%s %s: the operation is called %v", route.Method, route.Path, name)
		}
		names[name] = true
		security, _ := at(operation, "/security").([]any)
		if (len(security) == 0) != (route.Access == serve.Anybody) {
			t.Errorf("%s %s: %v", route.Method, route.Path, security)
		}
		responses, err := json.Marshal(at(operation, "/responses"))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range route.Problems() {
			kinds[kind.Word()] = true
			if !bytes.Contains(responses, []byte(`"`+kind.URI()+`"`)) || !bytes.Contains(responses, []byte("`"+kind.Word()+"`")) {
				t.Errorf("%s %s: %s is not told", route.Method, route.Path, kind.Word())
			}
		}
	}
	for _, kind := range api.ProblemKinds() {
		if !kinds[kind.Word()] {
			t.Errorf("no route answers with %s", kind.Word())
		}
	}
	again, err := serve.OpenAPI()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("made twice it is not the same: %v", err)
	}
}
