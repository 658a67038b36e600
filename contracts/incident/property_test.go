package incident_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"docket/contracts/incident"
)

// A place is somewhere in a document that can be changed.
type place struct {
	pointer string
	set     func(any)
	remove  func() // nil for an array's items
	value   any
}

// placesIn lists every place below a value.
func placesIn(value any, at string, list []place) []place {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			here := at + "/" + name
			list = append(list, place{here, func(x any) { v[name] = x }, func() { delete(v, name) }, v[name]})
			list = placesIn(v[name], here, list)
		}
	case []any:
		for i := range v {
			list = append(list, place{at + "/" + string(rune('0'+i)), func(x any) { v[i] = x }, nil, v[i]})
			list = placesIn(v[i], at+"/"+string(rune('0'+i)), list)
		}
	}
	return list
}

func decoded(t testing.TB, text []byte) any {
	t.Helper()
	var value any
	must(t, json.Unmarshal(text, &value))
	return value
}

// structural reports whether all problems are such as the schema knows too.
func structural(problems incident.Problems) bool {
	beyond := []incident.Rule{incident.UnknownSeverity, incident.PrivateDetails}
	return slices.ContainsFunc(problems.List, func(p incident.Problem) bool { return !slices.Contains(beyond, p.Rule) })
}

func TestTheReaderAndTheSchemaAgreeOnEveryMutationOfEveryPlace(t *testing.T) {
	schema := compiled(t)
	original := minimal(t)
	count := len(placesIn(decoded(t, original), "", nil))
	values := []any{nil, true, 0, -1, 0.5, 1e300, "", "CANARY", []any{}, []any{"CANARY"}, []any{1}, map[string]any{}, map[string]any{"CANARY": 1}}
	for i := range count {
		for j := -1; j <= len(values); j++ {
			document := decoded(t, original)
			here := placesIn(document, "", nil)[i]
			switch {
			case j == -1 && here.remove == nil:
				continue
			case j == -1:
				here.remove()
			case j == len(values):
				object, ok := here.value.(map[string]any)
				if !ok {
					continue
				}
				object["CANARY"] = 1
			default:
				here.set(values[j])
			}
			text, err := json.Marshal(document)
			must(t, err)
			_, problems := incident.Read(text)
			if valid := schema.Validate(document) == nil; valid == structural(problems) && (j < 0 || j >= len(values) || values[j] != 1e300) {
				t.Errorf("%s with %d: schema says %t, the reader %v", here.pointer, j, valid, problems.List)
			}
			for _, problem := range problems.List {
				if strings.Contains(problem.Error(), "CANARY") {
					t.Errorf("%s with %d: a value is repeated: %s", here.pointer, j, problem.Error())
				}
			}
		}
	}
}

func TestTheOrderOfMembersDoesNotMatter(t *testing.T) {
	fields := decoded(t, files(t, "valid")["sample"]).(map[string]any)
	names := slices.Sorted(maps.Keys(fields))
	random := rand.New(rand.NewSource(1))
	for range 20 {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		var text bytes.Buffer
		text.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				text.WriteByte(',')
			}
			value, err := json.Marshal(fields[name])
			must(t, err)
			text.WriteString(`"` + name + `":`)
			text.Write(value)
		}
		text.WriteByte('}')
		if _, problems := incident.Read(text.Bytes()); !problems.OK() {
			t.Fatalf("%q: %v", names, problems.List)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, folder := range []string{"valid", "invalid", "odd"} {
		for _, text := range files(f, folder) {
			f.Add(text)
		}
	}
	schema := compiled(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		profile, problems := incident.Read(text)
		if problems.OK() && profile.Version == "" {
			t.Fatal("nothing is wrong, and nothing is there")
		}
		if profile.Version != "" {
			if err := schema.Validate(decoded(t, text)); err != nil {
				t.Fatalf("the schema objects: %v", err)
			}
			checkView(t, profile.Page())
		}
	})
}
