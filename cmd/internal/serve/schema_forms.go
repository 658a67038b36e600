package serve

import "slices"

// The forms of the specification.
func valueSchemas() object {
	text := func(description, pattern string) object {
		return object{{"description", description}, {"type", "string"}, {"pattern", pattern}}
	}
	return object{
		{schemaID, text("An opaque id.", `^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)},
		{schemaHash, text("A SHA-256 digest.", `^sha256:[0-9a-f]{64}$`)},
		{schemaTime, append(text("A time in UTC by RFC 3339.", `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$`),
			member{"format", "date-time"})},
		{schemaRecordID, text("A UUIDv7 in lower case.", `^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)},
		{schemaCount, object{{"type", "integer"}, {"minimum", 0}}},
		{schemaDocument, object{{"description", "A JSON object."}, {"type", "object"}}},
	}
}

// closed is an object that has all of the members, those of optional aside, and no other.
func closed(description string, properties object, optional ...string) object {
	required := []string{}
	for _, p := range properties {
		if !slices.Contains(optional, p.name) {
			required = append(required, p.name)
		}
	}
	schema := object{{"description", description}, {"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		schema = append(schema, member{"required", required})
	}
	return append(schema, member{"additionalProperties", false})
}

func listOf(items object) object { return object{{"type", "array"}, {"items", items}} }

func oneOf(words []string) object { return object{{"type", "string"}, {"enum", words}} }

func orNull(schema object) object {
	return object{{"anyOf", []object{schema, {{"type", "null"}}}}}
}

func described(description string, schema object) object {
	return append(object{{"description", description}}, schema...)
}

var anyText = object{{"type", "string"}}

func flag() object { return object{{"type", "boolean"}} }
