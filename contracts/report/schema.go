package report

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/domain"
	"docket/domain/canonical"
)

//go:generate go run ./internal/publish schemas ../docs

//go:embed schemas/*.schema.json
var schemaFiles embed.FS

// SchemaText returns the published JSON Schema of a kind of report.
func SchemaText(kind Kind) ([]byte, error) {
	return schemaFiles.ReadFile("schemas/" + SchemaFile(kind))
}

// EnvelopeSchemaText returns the published JSON Schema of any contract report.
func EnvelopeSchemaText() ([]byte, error) { return schemaFiles.ReadFile("schemas/" + EnvelopeFile) }

// compileSchema compiles a published schema. It takes about 2 ms.
func compileSchema(id string, text []byte) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("a schema may refer to nothing outside itself")
	}
	if err := compiler.AddResource(id, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("schema %s: %w", id, err)
	}
	compiled, err := compiler.Compile(id)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", id, err)
	}
	return compiled, nil
}

// maxFaults is how many faults against a schema are worded.
const maxFaults = 100

// faults says in what a report does not fit the schema of its kind, in the order of the text. No fault holds a value or a
// member name that the schema does not know.
func (x *examined) faults(root canonical.Value) []domain.Fault {
	var invalid *jsonschema.ValidationError
	switch err := x.compiled.Validate(plain(root)); {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []domain.Fault{{Reason: "could not be checked against the schema"}}
	}
	var faults []domain.Fault
	for _, leaf := range leavesOf(invalid, nil) {
		if len(faults) < maxFaults {
			faults = append(faults, worded(leaf, x.schema, root)...)
		}
	}
	slices.SortStableFunc(faults, func(a, b domain.Fault) int { return cmp.Compare(a.Offset, b.Offset) })
	return slices.Compact(faults)
}

// leavesOf collects the errors that have no causes below them, in a fixed order.
func leavesOf(e *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return append(leaves, e)
	}
	causes := slices.Clone(e.Causes)
	slices.SortFunc(causes, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(strings.Compare(a.InstanceLocation, b.InstanceLocation), strings.Compare(a.KeywordLocation, b.KeywordLocation))
	})
	for _, cause := range causes {
		leaves = leavesOf(cause, leaves)
	}
	return leaves
}

// worded says in this package's own words what the library found; the library's repeat values and unknown names. Every
// name on the way is a known one: the library goes down into no others.
func worded(e *jsonschema.ValidationError, schema, root canonical.Value) []domain.Fault {
	value := pointed(root, e.InstanceLocation)
	fault := domain.Fault{Pointer: e.InstanceLocation, Offset: value.Offset()}
	_, location, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	keyword := pointed(schema, location)
	switch path.Base(location) {
	case "required":
		var faults []domain.Fault
		for _, name := range listTexts(keyword) {
			if !value.Member(name).Exists() {
				faults = append(faults, domain.Fault{Pointer: fault.Pointer + "/" + name, Reason: "is required and absent",
					Offset: fault.Offset})
			}
		}
		return faults
	case "additionalProperties":
		fault.Reason = "has a member that is not known; it is not shown, because it may be private"
	case "const":
		fault.Reason = "must be " + string(keyword.AppendCanonical(nil, ""))
	case "enum":
		fault.Reason = "must be one of " + strings.Join(listTexts(keyword), ", ")
	case "type":
		fault.Reason = "must be " + article(keyword.Text())
	case "minItems", "maxItems":
		n, _ := keyword.Integer()
		fault.Reason = map[string]string{"minItems": "must have at least ", "maxItems": "must have at most "}[path.Base(location)] +
			entryCount(int(n))
	case "minLength":
		fault.Reason = "may not be empty"
	default:
		fault.Reason = "must be a time in UTC such as 2026-01-31T09:00:00Z"
	}
	return []domain.Fault{fault}
}

// article puts an article before the name of a type.
func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

// pointed gives the value to which a pointer leads.
func pointed(v canonical.Value, pointer string) canonical.Value {
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		if v.Kind() == canonical.Object {
			v = v.Member(step)
			continue
		}
		index, err := strconv.Atoi(step)
		v = v.First()
		for ; err == nil && index > 0; index-- {
			v = v.Next()
		}
	}
	return v
}

// plain turns a value into what the schema library takes. Numbers become doubles, so that no exponent can make the
// library's exact arithmetic large.
func plain(v canonical.Value) any {
	switch v.Kind() {
	case canonical.False, canonical.True:
		return v.Kind() == canonical.True
	case canonical.Number:
		number, _ := v.Float()
		return number
	case canonical.String:
		return v.Text()
	case canonical.Array:
		list := make([]any, 0, v.Len())
		for element := v.First(); element.Exists(); element = element.Next() {
			list = append(list, plain(element))
		}
		return list
	case canonical.Object:
		members := make(map[string]any, v.Len())
		for member := v.First(); member.Exists(); member = member.Next() {
			members[member.Name()] = plain(member)
		}
		return members
	}
	return nil
}
