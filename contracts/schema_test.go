package contracts_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts"
	"docket/domain/json"
	"docket/domain/private"
	"docket/domain/terms"
)

// keywords are all that the schemas may use: the library passes over misspelt ones in silence.
var keywords = strings.Fields("$schema $id $defs $ref title description type properties required additionalProperties " +
	"items uniqueItems enum pattern format minimum maximum minLength maxLength")

// eachSchema calls visit for every schema within a schema, with what leads there.
func eachSchema(schema map[string]any, place string, visit func(place string, schema map[string]any)) {
	visit(place, schema)
	for keyword, value := range schema {
		members, _ := value.(map[string]any)
		switch keyword {
		case "properties", "$defs":
			for name, nested := range members {
				eachSchema(nested.(map[string]any), place+"/"+keyword+"/"+name, visit)
			}
		case "items":
			eachSchema(members, place+"/items", visit)
		}
	}
}

func decodedSchema(t *testing.T, table terms.Table) map[string]any {
	t.Helper()
	text := contracts.Schema(table)
	var schema map[string]any
	must(t, stdjson.Unmarshal(text, &schema))
	return schema
}

func TestTheSchemasUseKnownKeywordsAreClosedAndDescribeEveryMember(t *testing.T) {
	tables := append(terms.PacketTables.Terms(), terms.AppealEnforcements, terms.AmendmentEnforcements)
	for _, table := range tables {
		eachSchema(decodedSchema(t, table), table.String(), func(place string, schema map[string]any) {
			for keyword, value := range schema {
				if !slices.Contains(keywords, keyword) {
					t.Errorf("%s: unknown keyword %s", place, keyword)
				}
				if list, ok := value.([]any); ok && len(list) == 0 {
					t.Errorf("%s: %s is empty, which allows everything", place, keyword)
				}
			}
			if schema["type"] == "object" && schema["additionalProperties"] != false {
				t.Errorf("%s: takes members that are not known", place)
			}
			if strings.HasPrefix(fmt.Sprint(schema["$id"]), "http") || len(schema) == 0 {
				t.Errorf("%s: names a host or is empty", place)
			}
			members, _ := schema["properties"].(map[string]any)
			for name, member := range members {
				if text, _ := member.(map[string]any)["description"].(string); len(text) < 10 {
					t.Errorf("%s: %s has no description", place, name)
				}
			}
		})
	}
}

// wordPlaces lists, for every word of a shape, where it may stand: the member's pattern of names and the word.
func wordPlaces(described *json.Shape, within string, visit func(place, word string)) {
	for _, member := range described.Members {
		place := within + "/" + member.Name
		for _, word := range member.Form.Words {
			visit(place, word)
		}
		if member.Form.Shape != nil {
			wordPlaces(member.Form.Shape, place, visit)
		}
	}
}

func TestEveryWordOfAVocabularyStandsInTheSchemaAndNoOther(t *testing.T) {
	for table, described := range tables() {
		want, got := map[string]bool{}, map[string]bool{}
		wordPlaces(described, "", func(place, word string) {
			want[place[strings.LastIndex(place, "/"):]+" "+word] = true
		})
		eachSchema(decodedSchema(t, table), "", func(place string, schema map[string]any) {
			words, _ := schema["enum"].([]any)
			place = strings.TrimSuffix(place, "/items")
			for _, word := range words {
				if word != nil {
					got[fmt.Sprint(place[strings.LastIndex(place, "/"):], " ", word)] = true
				}
			}
		})
		for word := range want {
			if !got[word] {
				t.Errorf("%s: %s is missing", table, word)
			}
		}
		if len(got) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d words in the schema, want %d", table, len(got), len(want))
		}
	}
}

// A checker is the published schema of one table, as a library that knows nothing of the readers holds it.
type checker struct{ *jsonschema.Schema }

func compiled(t testing.TB, name string, text []byte) checker {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.Draft, compiler.AssertFormat = jsonschema.Draft2020, true
	compiler.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("a schema refers to nothing outside itself")
	}
	must(t, compiler.AddResource(name, bytes.NewReader(text)))
	schema, err := compiler.Compile(name)
	must(t, err)
	return checker{schema}
}

// fits reports whether a text is strict JSON and fits. What no schema can see is refused as the readers refuse it:
// members that stand twice, broken UTF-8, half surrogates, numbers that no double holds, nesting and size.
func (c checker) fits(text []byte) bool {
	var doc json.Document
	return doc.Parse(text, json.Limits{Bytes: 1 << 20}) == nil && c.Validate(plain(doc.Root())) == nil
}

// plain converts a value for the library. Numbers become doubles, so that no exponent makes its exact arithmetic large.
func plain(v json.Value) any {
	switch v.Kind() {
	case json.KindFalse, json.KindTrue:
		return v.Kind() == json.KindTrue
	case json.KindNumber:
		number, _ := v.Float()
		return number
	case json.KindString:
		return v.Text()
	case json.KindArray:
		list := make([]any, 0, v.Len())
		for element := v.First(); element.Exists(); element = element.Next() {
			list = append(list, plain(element))
		}
		return list
	case json.KindObject:
		members := make(map[string]any, v.Len())
		for member := v.First(); member.Exists(); member = member.Next() {
			members[member.Name()] = plain(member)
		}
		return members
	}
	return nil
}

func TestTheStoredSchemasNameEveryKindOfMaskAndNoOther(t *testing.T) {
	var want []any
	for _, kind := range private.AllKinds.All() {
		want = append(want, kind.String())
	}
	for _, table := range terms.PacketTables.Terms() {
		var schema map[string]any
		must(t, stdjson.Unmarshal(contracts.StoredSchema(table), &schema))
		masks := 0
		eachSchema(schema, table.String(), func(place string, schema map[string]any) {
			if words, there := schema["enum"].([]any); there && strings.HasSuffix(place, "/masked/items") {
				masks++
				if !slices.Equal(words, want) {
					t.Errorf("%s: %v, want %v", place, words, want)
				}
			}
		})
		if masks == 0 {
			t.Errorf("%s: no mask is described", table)
		}
	}
}
