package contracts

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"docket/contracts/internal/dialect"
	"docket/contracts/internal/schemagen"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// maxExplained is the largest number of values of a text for which all faults are looked for. A larger text is refused for the
// first fault.
const maxExplained = 1 << 14

// ExplainPacket finds the faults of a packet that was refused for one, by the published JSON Schemas: at most 100 for each
// object, in the order of the text, with pointers from the packet down. The given fault is always among them, and no fault holds
// a value or an unknown member name. The schemas are compiled on first use.
func ExplainPacket(text []byte, fault *shape.Fault) []shape.Fault {
	return explain(text, fault, packetEnvelope, func(root canonical.Value) []part {
		table, _ := terms.Tables.Parse(root.Member("table").Text())
		return []part{{"record", table}}
	})
}

// ExplainInput is ExplainPacket for the input of `docket evaluate`; see rules.ReadInput.
func ExplainInput(text []byte, fault *shape.Fault) []shape.Fault {
	return explain(text, fault, questionEnvelope, func(root canonical.Value) []part {
		table, err := terms.Tables.Parse(root.Member("table").Text())
		if err != nil {
			return nil
		}
		return []part{{"policy", terms.PolicyTable(terms.AreaOf(table))}, {"record", table}}
	})
}

// Foremost is the fault to name first: the one at which the reader stopped, or the only one.
func Foremost(fault *shape.Fault, all []shape.Fault) shape.Fault {
	if len(all) == 1 {
		return all[0]
	}
	return *fault
}

// A part is a member of an envelope that a table's schema describes.
type part struct {
	name  string
	table terms.Table
}

func explain(text []byte, fault *shape.Fault, envelope func() (*Schema, error), parts func(canonical.Value) []part) []shape.Fault {
	refused := []shape.Fault{*fault}
	var doc canonical.Document
	if doc.Parse(text, canonical.Limits{Depth: packets.MaxDepth, Values: maxExplained}) != nil {
		return refused
	}
	schema, err := envelope()
	if err != nil {
		return refused
	}
	found := schema.check(doc.Root())
	for _, part := range parts(doc.Root()) {
		record := doc.Root().Member(part.name)
		schema, err := compiledOf(part.table)
		if err != nil || record.Kind() != canonical.Object || record.End()-record.Offset() > maxRecord {
			continue
		}
		for _, inside := range schema.check(record) {
			inside.Pointer = "/" + part.name + inside.Pointer
			found = append(found, inside)
		}
	}
	if !slices.ContainsFunc(found, func(f shape.Fault) bool { return f.Pointer == fault.Pointer }) {
		found = append(found, *fault)
	}
	ordered.Sort(found, func(a, b shape.Fault) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), strings.Compare(a.Pointer, b.Pointer))
	})
	return found
}

// compiledOf is the schema of a packet table, compiled once.
func compiledOf(table terms.Table) (*Schema, error) {
	compile, there := compiledSchemas[table]
	if !there {
		return nil, ErrNoSchema
	}
	return compile()
}

var compiledSchemas = func() map[terms.Table]func() (*Schema, error) {
	all := map[terms.Table]func() (*Schema, error){}
	for _, table := range terms.PacketTables.Terms() {
		all[table] = sync.OnceValues(func() (*Schema, error) { return Compile(table) })
	}
	return all
}()

// The envelopes around records. Here a record is any object; the schema of its table describes it.
var (
	packetEnvelope = sync.OnceValues(func() (*Schema, error) {
		return compileEnvelope("packet", &shape.Shape{Members: []shape.MemberShape{
			{Name: "table", Required: true, Form: shape.Form{Kind: shape.FormWord, Words: terms.PacketTables.Texts()}},
			{Name: "record", Required: true, Form: shape.Form{Kind: shape.FormObject}},
			{Name: "private", Form: shape.Form{Kind: shape.FormObject}},
		}})
	})
	questionEnvelope = sync.OnceValues(func() (*Schema, error) {
		records := []string{terms.RecordTable(terms.Appeals).String(), terms.RecordTable(terms.Amendments).String()}
		return compileEnvelope("question", &shape.Shape{Members: []shape.MemberShape{
			{Name: "table", Required: true, Form: shape.Form{Kind: shape.FormWord, Words: records}},
			{Name: "at", Required: true, Form: shape.Form{Kind: shape.FormTime}},
			{Name: "policy", Nullable: true, Form: shape.Form{Kind: shape.FormObject}},
			{Name: "record", Nullable: true, Form: shape.Form{Kind: shape.FormObject}},
			{Name: "latestPolicyVersion", Form: shape.Form{Kind: shape.FormCount}},
			{Name: "latestRevision", Form: shape.Form{Kind: shape.FormCount}},
		}})
	})
)

// compileEnvelope compiles the schema of a shape without nested shapes.
func compileEnvelope(name string, described *shape.Shape) (*Schema, error) {
	g := schemagen.Of(described, nil)
	compiled, err := dialect.Compile(schemagen.ID(name), document(g, name, name, "", g.Object(described, name)))
	return &Schema{compiled: compiled, shape: described}, err
}
