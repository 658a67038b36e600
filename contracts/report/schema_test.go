package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/report"
)

// schemaTexts are the published schemas by their file names.
func schemaTexts(t *testing.T) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{report.EnvelopeFile: report.GenerateEnvelopeSchema()}
	for _, kind := range report.Kinds() {
		texts[report.SchemaFile(kind)] = report.GenerateSchema(kind)
	}
	return texts
}

func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("it refers to something outside itself") }
	if err := compiler.AddResource("schema.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestEveryReportFitsItsSchemaAndTheEnvelopeAndNoOther(t *testing.T) {
	texts := schemaTexts(t)
	for _, kind := range report.Kinds() {
		var document any
		if err := json.Unmarshal(published(t, kind), &document); err != nil {
			t.Fatal(err)
		}
		for file, text := range texts {
			err := compiled(t, text).Validate(document)
			fits := file == report.EnvelopeFile || file == report.SchemaFile(kind)
			if (err == nil) != fits {
				t.Errorf("the report of %s against %s: %v", kind, file, err)
			}
		}
	}
}

// keywords are all that the schemas may use: the library passes over misspelt ones in silence.
var keywords = strings.Fields("$schema $id title description type properties required additionalProperties items enum const " +
	"oneOf pattern format minLength minItems maxItems")

func TestTheReportSchemasUseKnownKeywordsAreClosedAndSayTheirDialect(t *testing.T) {
	var look func(place string, v any)
	look = func(place string, v any) {
		schema, isSchema := v.(map[string]any)
		if !isSchema {
			return
		}
		for keyword := range schema {
			if !slices.Contains(keywords, keyword) {
				t.Errorf("%s: unknown keyword %s", place, keyword)
			}
		}
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		if (properties != nil) != (schema["type"] == "object") || properties != nil && schema["additionalProperties"] != false {
			t.Errorf("%s: an object that is not closed", place)
		}
		if missing := len(properties) - len(required); missing != 0 && !(place == "envelope.schema.json" || strings.HasSuffix(place, "/validation")) {
			t.Errorf("%s: %d members are not required", place, missing)
		}
		if words, there := schema["enum"].([]any); there && len(words) < 2 {
			t.Errorf("%s: an enum of %d words", place, len(words))
		}
		for name, inside := range properties {
			look(place+"/"+name, inside)
		}
		look(place+"/items", schema["items"])
		if branches, there := schema["oneOf"].([]any); there {
			for _, branch := range branches {
				look(place+"/oneOf", branch)
			}
		}
	}
	for file, text := range schemaTexts(t) {
		var schema map[string]any
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s does not say its dialect", file)
		}
		look(file, schema)
	}
}
