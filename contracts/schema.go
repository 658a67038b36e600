package contracts

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// ErrNoSchema is returned for a table that is no packet table.
var ErrNoSchema = errors.New("no schema: not a packet table")

// SchemaFile is the name of the file under schemas/ that holds the table's schema.
func SchemaFile(table terms.Table) string { return table.String() + ".schema.json" }

// A Schema checks records against the published JSON Schema of one table. It may be used by several goroutines at once.
type Schema struct {
	compiled *jsonschema.Schema
	shape    *shape.Shape
}

// Compile compiles the published schema of a packet table; ErrNoSchema for any other table. It takes about 2 ms.
func Compile(table terms.Table) (*Schema, error) {
	text := GenerateSchema(table)
	if text == nil {
		return nil, ErrNoSchema
	}
	compiled, err := dialect.Compile(schemagen.ID(table.String()), text)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", table, err)
	}
	info, _ := packets.Info(table)
	return &Schema{compiled: compiled, shape: &info.Shape}, nil
}

// maxRecord is the length in bytes from which on a record is refused.
const maxRecord = 1 << 20

// Check returns the faults of the record by the schema, at most 100, in the order of their pointers, which lead from the record
// down; nil if it fits. A text that is not strict JSON (a duplicate member, invalid UTF-8, a number beyond 2^53 and so on) has
// that one fault. No fault holds a value or an unknown member name.
func (s *Schema) Check(record []byte) []shape.Fault {
	var doc canonical.Document
	if fault := doc.Parse(record, canonical.Limits{Bytes: maxRecord}); fault != nil {
		return []shape.Fault{{Reason: fault.Reason, Offset: fault.Offset}}
	}
	return s.check(doc.Root())
}

// check is Check of a value that was read strictly.
func (s *Schema) check(value canonical.Value) []shape.Fault {
	return s.faults(dialect.Validate(s.compiled, value), value)
}
