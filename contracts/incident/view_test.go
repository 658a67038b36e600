package incident_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/incident"
	"docket/domain/pages"
	"docket/domain/visible"
)

func TestHoursAreReadable(t *testing.T) {
	for hours, want := range map[float64]string{
		36: "1d 12h", 1: "1h", 24: "1d", 0.5: "30m", 0.25: "15m", 25.5: "1d 1h 30m", 720: "30d", 0.01: "36s", 1.0 / 3600: "1s",
		1.0 / 3: "20m", 0.00001: "<1s", 0.001: "~4s", 23.99999: "~1d", 47.99999999: "~2d", 9007199254740991: "375299968947541d 7h",
		0: "", -1: "",
	} {
		if got := incident.HoursText(hours); got != want {
			t.Errorf("%v is %q, want %q", hours, got, want)
		}
	}
	for _, hours := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := incident.HoursText(hours); got != "" {
			t.Errorf("%v is %q", hours, got)
		}
	}
}

// eachText visits every string of a value.
func eachText(value reflect.Value, visit func(string)) {
	switch value.Kind() {
	case reflect.String:
		visit(value.String())
	case reflect.Struct:
		for i := range value.NumField() {
			eachText(value.Field(i), visit)
		}
	case reflect.Slice:
		for i := range value.Len() {
			eachText(value.Index(i), visit)
		}
	case reflect.Pointer:
		if !value.IsNil() {
			eachText(value.Elem(), visit)
		}
	}
}

func checkView(t testing.TB, v pages.Page) {
	t.Helper()
	eachText(reflect.ValueOf(v), func(text string) {
		if !visible.Clean(text) {
			t.Errorf("%q is not safe to print", text)
		}
	})
}

func TestTheViewHasEveryTextOfTheProfile(t *testing.T) {
	profile, _ := incident.Read(files(t, "valid")["sample"])
	view := profile.Page()
	checkView(t, view)
	var all strings.Builder
	eachText(reflect.ValueOf(view), func(text string) { all.WriteString(text + "\n") })
	texts := 0
	eachText(reflect.ValueOf(profile), func(text string) {
		texts++
		if !strings.Contains(all.String(), text) {
			t.Errorf("%q is not in the view", text)
		}
	})
	if texts < 80 {
		t.Errorf("only %d texts were looked for", texts)
	}
	for _, hours := range []string{"30m", "1d", "4h", "1d 12h", "5d", "3d", "30d"} {
		if !strings.Contains(all.String(), hours+"\n") {
			t.Errorf("%s is not in the view", hours)
		}
	}
}

func TestTheViewSaysWhichPhaseServesWhichSeverity(t *testing.T) {
	profile, _ := incident.Read(files(t, "valid")["sample"])
	var served []string
	for _, section := range profile.Page().Parts {
		if section.Title == "Which phase serves which severity" {
			for _, phase := range section.Rows {
				served = append(served, phase.Value)
			}
		}
	}
	if len(served) != 5 || served[0] != "critical, high, moderate, low" || served[1] != "critical, high" || served[2] != "critical, high, moderate" {
		t.Errorf("%q", served)
	}
}

func TestHostileTextsAreVisibleEscapesInTheView(t *testing.T) {
	text := strings.Replace(string(minimal(t)), `"purpose": "p"`, `"purpose": "\u001b]0;title\u0007\u202e\u200b"`, 1)
	profile, problems := incident.Read([]byte(text))
	if !problems.OK() {
		t.Fatal(problems.List)
	}
	if shown := profile.Page().Parts[0].Rows[1].Value; shown == profile.Purpose || !visible.Clean(shown) {
		t.Errorf("%q", shown)
	}
}

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
