package serve_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

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
