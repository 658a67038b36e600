package contracts

import (
	"slices"
	"strings"

	"docket/contracts/internal/dialect"
	"docket/domain"
	"docket/domain/shape"
)

// The formats of the specification, of which that of a time is dialect.TimePattern.
const (
	idPattern     = `^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`
	hashPattern   = `^sha256:[0-9a-f]{64}$`
	maxTextLength = 2000
	maxInteger    = 1<<53 - 1
)

// GenerateSchema writes the JSON Schema of the table's records, from the shape by which package domain reads them:
// pretty-printed, the same bytes every time, with a line feed at the end. It returns nil for what is no packet table.
func GenerateSchema(table domain.Table) []byte {
	info, ok := domain.Info(table)
	if !ok {
		return nil
	}
	g := generator{shared: sharedShapes(&info.Shape)}
	schema := fields{
		{"$schema", dialect.URI},
		{"$id", schemaID(table)},
		{"title", tableTexts[table].title},
		{"description", tableTexts[table].description},
	}
	schema = append(schema, g.object(&info.Shape, table.String())...)
	slices.SortFunc(g.defs, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return append(schema, field{"$defs", g.defs}).indented()
}

// schemaID names a schema without saying where it could be fetched.
func schemaID(table domain.Table) string { return "urn:docket:schema:" + table.String() }

// A generator writes one schema and collects what is defined once and used in several places.
type generator struct {
	shared map[*shape.Shape]string
	stored bool // a mask may stand in the place of a text
	defs   fields
}

// object writes an object's members. path is the name it has in descriptions.
func (g *generator) object(described *shape.Shape, path string) fields {
	var properties fields
	required := []string{}
	for _, member := range described.Members {
		value := fields{{"description", description(path, member.Name)}}
		properties = append(properties, field{member.Name, append(value, g.value(&member, path)...)})
		if member.Required {
			required = append(required, member.Name)
		}
	}
	object := fields{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		object = append(object, field{"required", required})
	}
	return append(object, field{"additionalProperties", false})
}

// value writes what a member may hold.
func (g *generator) value(member *shape.MemberShape, path string) fields {
	form := &member.Form
	switch form.Kind {
	case shape.FormWord:
		return wordValue(form.Words, member.Nullable)
	case shape.FormWords:
		return fields{{"type", "array"}, {"items", wordValue(form.Words, false)}}
	case shape.FormIDs:
		return fields{{"type", "array"}, {"items", g.scalar(shape.FormID, false)}}
	case shape.FormList:
		return fields{{"type", "array"}, {"items", g.nested(form.Shape, member.Name, path)}}
	case shape.FormObject:
		return g.nested(form.Shape, member.Name, path)
	default:
		return g.scalar(form.Kind, member.Nullable)
	}
}

// nested writes an object within an object, as a reference if several members hold the same.
func (g *generator) nested(described *shape.Shape, name, path string) fields {
	def, shared := g.shared[described]
	if !shared {
		return g.object(described, name)
	}
	if def == "" {
		def = path + "Entry"
		g.shared[described] = def
		g.defs = append(g.defs, field{def, g.object(described, def)})
	}
	return fields{{"$ref", "#/$defs/" + def}}
}

// sharedShapes finds the shapes that several members hold.
func sharedShapes(described *shape.Shape) map[*shape.Shape]string {
	seen, shared := map[*shape.Shape]bool{}, map[*shape.Shape]string{}
	var walk func(*shape.Shape)
	walk = func(described *shape.Shape) {
		for _, member := range described.Members {
			nested := member.Form.Shape
			if nested == nil {
				continue
			}
			if seen[nested] {
				shared[nested] = ""
				continue
			}
			seen[nested] = true
			walk(nested)
		}
	}
	walk(described)
	return shared
}

// wordValue writes a word of a vocabulary, or null where that is allowed.
func wordValue(words []string, nullable bool) fields {
	allowed := make([]any, 0, len(words)+1)
	for _, word := range words {
		allowed = append(allowed, word)
	}
	if nullable {
		allowed = append(allowed, nil)
	}
	return fields{{"type", typeName("string", nullable)}, {"enum", allowed}}
}

// typeName writes the type keyword.
func typeName(name string, nullable bool) any {
	if nullable {
		return []string{name, "null"}
	}
	return name
}

// scalarDefs are the kinds of values that are defined once in a schema.
var scalarDefs = map[shape.FormKind]struct {
	name string
	def  fields
}{
	shape.FormID: {"id", fields{
		{"description", "An opaque id: a letter or digit, then up to 127 letters, digits or . _ : -"},
		{"type", "string"}, {"pattern", idPattern},
	}},
	shape.FormHash: {"hash", fields{
		{"description", "A SHA-256 digest: sha256: and 64 lower-case hex digits."},
		{"type", "string"}, {"pattern", hashPattern},
	}},
	shape.FormTime: {"time", fields{
		{"description", "A time in UTC by RFC 3339: upper-case T and Z, at most nine decimals, no leap second."},
		{"type", "string"}, {"pattern", dialect.TimePattern}, {"format", "date-time"},
	}},
	shape.FormText: {"text", fields{
		{"description", "Free text of 1 to 2,000 characters. It may hold no private details: they belong to the packet's " +
			"member private, of which only categories and counts are kept."},
		{"type", "string"}, {"minLength", 1}, {"maxLength", maxTextLength},
	}},
	shape.FormVersion: {"version", fields{
		{"description", "A version or revision: an integer of 1 or more, below 2^53."},
		{"type", "integer"}, {"minimum", 1}, {"maximum", maxInteger},
	}},
	shape.FormCount: {"count", fields{
		{"description", "An integer of 0 or more, below 2^53."},
		{"type", "integer"}, {"minimum", 0}, {"maximum", maxInteger},
	}},
	shape.FormString: {"", fields{{"type", "string"}}},
	shape.FormFlag:   {"", fields{{"type", "boolean"}}},
}

// scalar writes a value that is neither word, list nor object, as a reference where it has a definition. A value that
// may be null is written out: its definition does not allow it.
func (g *generator) scalar(kind shape.FormKind, nullable bool) fields {
	scalar := scalarDefs[kind]
	if g.stored && !nullable && (kind == shape.FormText || kind == shape.FormString) {
		return g.maskable(scalar.def)
	}
	if nullable {
		var written fields
		for _, f := range scalar.def {
			switch f.name {
			case "description":
			case "type":
				written = append(written, field{"type", []any{f.value, "null"}})
			default:
				written = append(written, f)
			}
		}
		return written
	}
	if scalar.name == "" {
		return scalar.def
	}
	if !slices.ContainsFunc(g.defs, func(f field) bool { return f.name == scalar.name }) {
		g.defs = append(g.defs, field{scalar.name, scalar.def})
	}
	return fields{{"$ref", "#/$defs/" + scalar.name}}
}
