package settings_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/cmd/internal/settings"
)

func TestTheSchemaTakesTheExampleAndRefusesWhatTheReaderRefuses(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config", bytes.NewReader(settings.Schema())); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file string
		want bool
	}{
		{settings.Example, true}, {"", true}, {"[keys]\nskip = \"x\"\n", true}, {"[keys]\nskip = [\"x\", \"X\"]\n", true},
		{"theme = \"pink\"\n", false}, {"theme = true\n", false}, {"thema = \"dark\"\n", false}, {"mouse = \"true\"\n", false},
		{"witness_max_age = \"7\"\n", false}, {"[keys]\nskipp = \"x\"\n", false}, {"[keys]\nskip = 1\n", false}, {"[filters]\nmine = 1\n", false},
	} {
		var read any
		if err := toml.Unmarshal([]byte(c.file), &read); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(read)
		if err == nil && string(text) == "null" {
			text = []byte("{}")
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.want {
			t.Errorf("%q: %v", c.file, err)
		}
	}
}
