package contracts

import (
	"slices"
	"strings"

	"docket/contracts/internal/dialect"
	"docket/domain"
	"docket/domain/private"
	"docket/domain/shape"
)

// GenerateStoredSchema writes the JSON Schema of the table's packets as they are stored and given out: redacted, with their
// digests, and with masks in the place of texts that held private details. It returns nil for what is no packet table.
func GenerateStoredSchema(table domain.Table) []byte {
	info, ok := domain.Info(table)
	if !ok {
		return nil
	}
	g := generator{shared: sharedShapes(&info.Shape), stored: true}
	properties := fields{
		{"digests", g.digests()},
		{"record", append(fields{{"description", tableTexts[table].description}}, g.object(&info.Shape, table.String())...)},
		{"redactions", g.redactions()},
		{"table", fields{{"const", table.String()}}},
	}
	return g.document(table.String()+":stored", tableTexts[table].title+", redacted",
		"A packet as docket keeps it: the private members are gone, their categories and counts are left.",
		fields{{"type", "object"}, {"properties", properties}, {"required", names(properties)}, {"additionalProperties", false}})
}

// document writes a schema with the definitions that it refers to.
func (g *generator) document(id, title, text string, object fields) []byte {
	schema := append(fields{{"$schema", dialect.URI}, {"$id", "urn:docket:schema:" + id}, {"title", title}, {"description", text}},
		object...)
	slices.SortFunc(g.defs, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return append(schema, field{"$defs", g.defs}).indented()
}

func (g *generator) digests() fields {
	hash := g.scalar(shape.FormHash, false)
	return fields{
		{"description", "Of the record as it came in, before anything was masked: of all of it, of it without its own hash, and of its scope."},
		{"type", "object"},
		{"properties", fields{{"content", hash}, {"record", hash}, {"scope", hash}}},
		{"required", []string{"content", "record"}},
		{"additionalProperties", false},
	}
}

func (g *generator) redactions() fields {
	properties := fields{
		{"category", wordValue(domain.PrivateCategories.Texts(), false)},
		{"count", g.scalar(shape.FormCount, false)},
	}
	return fields{
		{"description", "How many private values of which category were dropped."},
		{"type", "array"},
		{"items", fields{{"type", "object"}, {"properties", properties}, {"required", names(properties)}, {"additionalProperties", false}}},
	}
}

// maskDef is the name of the definition of a mask.
const maskDef = "mask"

// maskable is a text, or the mask of one.
func (g *generator) maskable(text fields) fields {
	if !slices.ContainsFunc(g.defs, func(f field) bool { return f.name == maskDef }) {
		var kinds []string
		for _, kind := range private.AllKinds.List() {
			kinds = append(kinds, kind.String())
		}
		g.defs = append(g.defs, field{maskDef, fields{
			{"description", "What stands in the place of a text that held private details: which kinds of them."},
			{"type", "object"},
			{"properties", fields{{"masked", fields{{"type", "array"}, {"minItems", 1},
				{"items", fields{{"type", "string"}, {"enum", kinds}}}}}}},
			{"required", []string{"masked"}}, {"additionalProperties", false},
		}})
	}
	return fields{{"anyOf", []fields{text, {{"$ref", "#/$defs/" + maskDef}}}}}
}

func names(properties fields) []string {
	var list []string
	for _, property := range properties {
		list = append(list, property.name)
	}
	return list
}
