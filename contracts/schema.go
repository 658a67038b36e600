package contracts

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/domain"
	"docket/domain/canonical"
)

//go:generate go run ./internal/schemas schemas

//go:embed schemas/*.schema.json
var schemaFiles embed.FS

// ErrNoSchema is returned for a table that is no packet table.
var ErrNoSchema = errors.New("no schema: not a packet table")

// SchemaFile is the name of the file under schemas/ that holds the table's schema.
func SchemaFile(table domain.Table) string { return table.String() + ".schema.json" }

// SchemaText returns the published JSON Schema of the table's records; ErrNoSchema if there is none.
func SchemaText(table domain.Table) ([]byte, error) {
	if _, ok := domain.Info(table); !ok {
		return nil, ErrNoSchema
	}
	return schemaFiles.ReadFile("schemas/" + SchemaFile(table))
}

// A Schema checks records against the published JSON Schema of one table. It may be used by several goroutines at once.
type Schema struct {
	compiled *jsonschema.Schema
	shape    *domain.Shape
}

// Compile compiles the published schema of a packet table; ErrNoSchema for any other table. It takes about 2 ms.
func Compile(table domain.Table) (*Schema, error) {
	text, err := SchemaText(table)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("a schema may refer to nothing outside itself")
	}
	if err := compiler.AddResource(schemaID(table), bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", table, err)
	}
	compiled, err := compiler.Compile(schemaID(table))
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", table, err)
	}
	info, _ := domain.Info(table)
	return &Schema{compiled: compiled, shape: &info.Shape}, nil
}

// maxRecord is the length in bytes from which on a record is refused.
const maxRecord = 1 << 20

// Check returns in what the record does not fit the schema, at most 100 faults, in the order of the pointers, which lead from
// the record down; nil if it fits. What is no strict JSON (a duplicate member, invalid UTF-8, a number beyond 2^53 and
// so on) is one fault and is not checked further. No fault holds a value or an unknown member name.
func (s *Schema) Check(record []byte) []domain.Fault {
	var doc canonical.Document
	if fault := doc.Parse(record, canonical.Limits{Bytes: maxRecord}); fault != nil {
		return []domain.Fault{{Reason: fault.Reason, Offset: fault.Offset}}
	}
	err := s.compiled.Validate(plain(doc.Root()))
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []domain.Fault{{Reason: "could not be checked against the schema"}}
	}
	return s.faults(invalid, doc.Root())
}

// plain turns a value into what the schema library takes. Numbers become doubles, which strict reading has made sure
// they are, so that no exponent can make the library's exact arithmetic large.
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
