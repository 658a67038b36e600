package settings

import (
	"strconv"

	"docket/domain/ordered"
	"docket/ui/action"
)

// agePattern is the pattern of the texts that ParseAge reads.
const agePattern = "^[0-9]{1,5}[dh]$"

// Schema is the JSON Schema of the config file, for editors that read TOML.
func Schema() []byte {
	var properties ordered.Object
	for i := range table {
		s := &table[i]
		properties = append(properties, ordered.Of(s.Name, s.schema())...)
	}
	return ordered.Of(
		"$schema", "https://json-schema.org/draft/2020-12/schema",
		"title", "docket's config file",
		"description", "The settings of docket, in TOML. A flag takes precedence over the environment, and the environment over the file.",
		"type", "object",
		"properties", properties,
		"additionalProperties", false,
	).Indented()
}

// schema returns the schema of the setting in the file.
func (s *Setting) schema() ordered.Object {
	of := ordered.Of("description", s.Meaning+".")
	switch s.Kind {
	case Choice:
		return append(of, ordered.Of("type", "string", "enum", s.Words, "default", s.Default)...)
	case Switch:
		standard, _ := strconv.ParseBool(s.Default) // the table holds one of its words
		return append(of, ordered.Of("type", "boolean", "default", standard)...)
	case Age:
		return append(of, ordered.Of("type", "string", "pattern", agePattern, "default", s.Default)...)
	case Filters:
		return append(of, ordered.Of("type", "object", "additionalProperties", ordered.Of("type", "string"))...)
	case Keys:
		var actions ordered.Object
		key := ordered.Of("type", "string", "minLength", int64(1))
		for _, own := range action.OwnKeys() {
			actions = append(actions, ordered.Of(own.Action, ordered.Of("anyOf", []ordered.Object{key,
				ordered.Of("type", "array", "items", key, "default", own.Keys)}))...)
		}
		return append(of, ordered.Of("type", "object", "properties", actions, "additionalProperties", false)...)
	}
	return append(of, ordered.Of("type", "string")...)
}
