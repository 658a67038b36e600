package incident_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/incident"
)

// compiled is the published schema as a validator that knows nothing of this package reads it.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("nothing is fetched") }
	must(t, compiler.AddResource("profile", bytes.NewReader(incident.Schema())))
	schema, err := compiler.Compile("profile")
	must(t, err)
	return schema
}

// eachSchema visits every schema within a schema.
func eachSchema(schema map[string]any, visit func(map[string]any)) {
	visit(schema)
	if properties, ok := schema["properties"].(map[string]any); ok {
		for _, property := range properties {
			eachSchema(property.(map[string]any), visit)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		eachSchema(items, visit)
	}
}

func TestTheSchemaIsExactlyTheSources(t *testing.T) {
	var schema map[string]any
	must(t, json.Unmarshal(incident.Schema(), &schema))
	if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("the dialect is %v", schema["$schema"])
	}
	counts := map[string]int{}
	eachSchema(schema, func(s map[string]any) {
		counts[s["type"].(string)]++
		switch s["type"] {
		case "object":
			properties := s["properties"].(map[string]any)
			var names []string
			for _, name := range s["required"].([]any) {
				names = append(names, name.(string))
			}
			if s["additionalProperties"] != false || len(names) != len(properties) ||
				slices.ContainsFunc(names, func(name string) bool { return properties[name] == nil }) {
				t.Errorf("%v: required %q", s["title"], names)
			}
		case "array":
			if s["minItems"] != 1.0 {
				t.Error("an array may be empty")
			}
		case "string":
			if s["minLength"] != 1.0 {
				t.Error("a text may be empty")
			}
		case "number":
			if s["exclusiveMinimum"] != 0.0 {
				t.Error("hours may be 0")
			}
		}
	})
	// Seed 2.2: a profile and six kinds of objects; eight arrays at the top and three inside; two numbers.
	if counts["object"] != 7 || counts["array"] != 11 || counts["number"] != 2 || counts["string"] != 26 || len(counts) != 4 {
		t.Errorf("%v", counts)
	}
}
