// Package schemagen writes JSON Schemas (2020-12). It generates every schema that this program publishes. Those of packets, of
// stored packets and of enforcement records come from the shapes by which they are read ([Of]); those of contract reports are
// composed from the parts in this file. Schemas are the same bytes every time.
package schemagen

import (
	"strings"

	"docket/contracts/internal/dialect"
	"docket/domain/ordered"
)

// ID names a schema by a URN, which is no address to fetch it from.
func ID(name string) string { return "urn:docket:schema:" + name }

// Document is a schema as it is published: its head, its constraints and the definitions that they refer to, indented, with a
// line feed at its end. An empty description and empty definitions are left out.
func Document(name, title, description string, asks, defs ordered.Object) []byte {
	schema := ordered.Of("$schema", dialect.URI, "$id", ID(name), "title", title)
	if description != "" {
		schema = schema.With("description", description)
	}
	schema = append(schema, asks...)
	if len(defs) > 0 {
		ordered.Sort(defs, func(a, b ordered.Member) int { return strings.Compare(a.Name, b.Name) })
		schema = schema.With("$defs", defs)
	}
	return schema.Indented()
}

// Closed is an object with these properties and no others.
func Closed(properties ordered.Object, required []string) ordered.Object {
	closed := ordered.Of("type", "object", "properties", properties)
	if len(required) > 0 {
		closed = closed.With("required", required)
	}
	return closed.With("additionalProperties", false)
}

// List is an array of items.
func List(items ordered.Object) ordered.Object { return ordered.Of("type", "array", "items", items) }

// OneOf allows these texts and nothing else.
func OneOf(texts []string) ordered.Object {
	if len(texts) == 1 {
		return ordered.Of("const", texts[0])
	}
	return ordered.Of("enum", texts)
}

// Sentence is a string of at least one character.
func Sentence() ordered.Object { return ordered.Of("type", "string", "minLength", 1) }

// Pattern is a string that a regular expression matches.
func Pattern(pattern string) ordered.Object {
	return ordered.Of("type", "string", "pattern", pattern)
}

// Described puts a description before the schema of a member.
func Described(description string, schema ordered.Object) ordered.Object {
	return append(ordered.Of("description", description), schema...)
}
