package serve

import (
	"bytes"
	"encoding/json"
	"fmt"

	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain"
)

// dialectURI names JSON Schema 2020-12.
const dialectURI = "https://json-schema.org/draft/2020-12/schema"

// componentSchemas are all schemas: those of small values, those of bodies, and those that other packages publish.
func componentSchemas() (object, error) {
	all := append(valueSchemas(), bodySchemas()...)
	for _, area := range domain.Areas.All() {
		all = append(all, member{schemaEnforce(area), enforceSchema(area)}, member{schemaQuestion(area), questionSchema(area)},
			member{schemaEvaluation(area), evaluationSchema(area)})
		published, err := embedded(schemaRecord(area), contracts.GenerateEnforcementSchema(area))
		if err != nil {
			return nil, err
		}
		all = append(all, published)
	}
	for _, table := range domain.PacketTables.Words() {
		input, err := embedded(schemaInput(table), contracts.GenerateSchema(table))
		if err != nil {
			return nil, err
		}
		stored, err := embedded(schemaStored(table), contracts.GenerateStoredSchema(table))
		if err != nil {
			return nil, err
		}
		all = append(all, input, stored)
	}
	for _, kind := range report.Kinds() {
		text, err := report.SchemaText(kind)
		if err != nil {
			return nil, err
		}
		published, err := embedded(schemaReport(kind), text)
		if err != nil {
			return nil, err
		}
		all = append(all, published)
	}
	published, err := embedded(schemaProfile, incident.SchemaText())
	return append(all, published), err
}

// embedded takes a published schema in. Its own references lead into itself; as a part of the document it has no address of
// its own, so that they have to lead there through the document.
func embedded(name string, text []byte) (member, error) {
	var read struct {
		Dialect string `json:"$schema"`
		ID      string `json:"$id"`
	}
	if err := json.Unmarshal(text, &read); err != nil || read.Dialect != dialectURI {
		return member{}, fmt.Errorf("the schema of %s cannot be taken into the description: %w", name, err)
	}
	for _, lead := range []string{read.Dialect, read.ID} {
		_, rest, found := bytes.Cut(text, []byte(`"`+lead+`",`))
		if !found {
			return member{}, fmt.Errorf("the schema of %s does not begin with its dialect and its address", name)
		}
		text = append([]byte("{"), rest...)
	}
	text = bytes.ReplaceAll(text, []byte(`"$ref": "#/`), []byte(`"$ref": "#/components/schemas/`+name+`/`))
	return member{name, json.RawMessage(text)}, nil
}
