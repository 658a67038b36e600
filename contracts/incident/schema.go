package incident

import (
	"bytes"
	_ "embed" // the schema is part of the program
	"encoding/json"
	"fmt"
	"strings"

	"docket/contracts/internal/dialect"
)

//go:embed schemas/incident_response_profile.schema.json
var schemaText []byte

// schemaID names the schema without saying where it could be fetched.
const schemaID = "urn:docket:schema:incident_response_profile"

// SchemaText returns the published JSON Schema of profiles, in the 2020-12 dialect (source 9). It asks for what source 2.2
// does, but for severity keys, which no schema can compare.
func SchemaText() []byte { return bytes.Clone(schemaText) }

// GenerateSchema writes the schema from the shape, the same bytes every time.
func GenerateSchema() []byte {
	var schema strings.Builder
	fmt.Fprintf(&schema, `{"$schema":%s,"$id":%s,"title":%s,"description":%s,%s}`,
		quoted(dialect.URI), quoted(schemaID), quoted("Incident response profile"),
		quoted("Intake channels, categories, severity levels with their time targets, response phases, disclosure rules, "+
			"readiness gates, public non-claims and tests."), objectSchema(ProfileShape()))
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(schema.String()), "", "  "); err != nil {
		return nil
	}
	return append(indented.Bytes(), '\n')
}

// objectSchema writes what holds of an object of the shape, without its braces.
func objectSchema(shape *Shape) string {
	var properties, required []string
	for _, m := range shape.Members {
		properties = append(properties, fmt.Sprintf(`%s:{"description":%s,%s}`, quoted(m.Name), quoted(sentence(m.Says)), valueSchema(m)))
		required = append(required, quoted(m.Name))
	}
	return fmt.Sprintf(`"type":"object","properties":{%s},"required":[%s],"additionalProperties":false`,
		strings.Join(properties, ","), strings.Join(required, ","))
}

const (
	textSchema  = `"type":"string","minLength":1`
	hoursSchema = `"type":"number","exclusiveMinimum":0`
)

func valueSchema(m MemberShape) string {
	switch m.Form {
	case FormTexts:
		return fmt.Sprintf(`"type":"array","minItems":1,"items":{%s}`, textSchema)
	case FormHours:
		return hoursSchema
	case FormList:
		return fmt.Sprintf(`"type":"array","minItems":1,"items":{"title":%s,%s}`, quoted(m.Of.Name), objectSchema(m.Of))
	}
	return textSchema
}

func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }

// quoted writes one of this package's own texts, which are plain ASCII, as JSON.
func quoted(text string) string { return `"` + text + `"` }
