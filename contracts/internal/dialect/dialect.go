// Package dialect sets how this program uses JSON Schema: the 2020-12 dialect with formats asserted, schemas without references
// to other files, and values that were read strictly. It returns faults without the library's own texts, which repeat values and
// unknown names.
package dialect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/domain/canonical"
)

// URI names the dialect.
const URI = "https://json-schema.org/draft/2020-12/schema"

// TimePattern is the form of a time, in every field RFC 3339 and in UTC. It is written for any dialect of regular
// expressions; the calendar (no 30 February) is left to the format date-time.
const TimePattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$`

// Compile compiles a schema. It takes about 2 ms.
func Compile(id string, text []byte) (*jsonschema.Schema, error) {
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

// Validate returns what the library found at the value, each as an error without causes, in the order of where in the
// value and then of where in the schema it is; none if the value fits. Where the library failed otherwise there is one error without a place.
func Validate(schema *jsonschema.Schema, value canonical.Value) []*jsonschema.ValidationError {
	err := schema.Validate(plain(value))
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []*jsonschema.ValidationError{{}}
	}
	found := leavesOf(invalid, nil)
	slices.SortFunc(found, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(strings.Compare(a.InstanceLocation, b.InstanceLocation),
			strings.Compare(a.KeywordLocation, b.KeywordLocation))
	})
	return found
}

// leavesOf collects the errors that have no causes below them.
func leavesOf(e *jsonschema.ValidationError, leaves []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return append(leaves, e)
	}
	for _, cause := range e.Causes {
		leaves = leavesOf(cause, leaves)
	}
	return leaves
}

// plain converts a value for the schema library. Numbers become doubles, as strict reading has checked, so that no exponent can
// make the library's exact arithmetic large.
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

// Steps are those of a pointer as the library writes it, with ~0 and ~1 decoded.
func Steps(pointer string) []string {
	steps := strings.Split(pointer, "/")[1:]
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

// Child gives the member or element to which a step of a pointer leads.
func Child(v canonical.Value, step string) canonical.Value {
	if v.Kind() == canonical.Object {
		return v.Member(step)
	}
	index, err := strconv.Atoi(step)
	element := v.First()
	for ; err == nil && index > 0; index-- {
		element = element.Next()
	}
	return element
}
