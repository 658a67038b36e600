package settings_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/cmd/internal/settings"
	"docket/ui/action"
)

func TestTheSchemaTakesTheExampleAndRefusesWhatTheReaderRefuses(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("config", bytes.NewReader(settings.Schema())))
	schema, err := compiler.Compile("config")
	must(t, err)
	for _, c := range []struct {
		file string
		want bool
	}{
		{settings.Example, true}, {"", true}, {"[keys]\nskip = \"x\"\n", true}, {"[keys]\nskip = [\"x\", \"X\"]\n", true},
		{"theme = \"pink\"\n", false}, {"theme = true\n", false}, {"thema = \"dark\"\n", false}, {"mouse = \"true\"\n", false},
		{"witness_max_age = \"7\"\n", false}, {"[keys]\nskipp = \"x\"\n", false}, {"[keys]\nskip = 1\n", false}, {"[filters]\nmine = 1\n", false},
	} {
		var read any
		must(t, toml.Unmarshal([]byte(c.file), &read))
		text, err := json.Marshal(read)
		if err == nil && string(text) == "null" {
			text = []byte("{}")
		}
		var value any
		must(t, json.Unmarshal(text, &value))
		if err := schema.Validate(value); (err == nil) != c.want {
			t.Errorf("%q: %v", c.file, err)
		}
	}
}

func TestTheSchemaHasEverySettingWithItsWordsAndDefault(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Description   string
			Enum          []string
			Default       any
			PropertyNames struct{ Enum []string }
		}
	}
	must(t, json.Unmarshal(settings.Schema(), &schema))
	for _, s := range settings.Table(settings.Console) {
		of, known := schema.Properties[s.Name]
		standard, isText := of.Default.(string)
		if !known || of.Description != s.Meaning+"." || !slices.Equal(of.Enum, s.Words) || isText && standard != s.Value() {
			t.Errorf("config.schema.json says of %s: %+v", s.Name, of)
		}
	}
	if len(schema.Properties) != len(settings.Table(settings.Console)) {
		t.Errorf("it has %q", slices.Sorted(maps.Keys(schema.Properties)))
	}
	if names := schema.Properties["keys"].PropertyNames.Enum; len(names) != len(action.OwnKeys()) {
		t.Errorf("its keys are of the actions %q", names)
	}
}
