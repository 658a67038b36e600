package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/terms"
)

// readOpenAPI reads openapi.json without its spaces: the OpenAPI document with null in place of the schemas that other
// packages publish.
func readOpenAPI() ([]byte, error) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Bytes(), err
}

// OpenAPI is openapi.json with the schemas of other packages.
func OpenAPI() ([]byte, error) {
	text, err := readOpenAPI()
	if err != nil {
		return nil, err
	}
	for name, schema := range publishedSchemas() {
		schema, err := embedded(name, schema)
		if err != nil {
			return nil, err
		}
		if text, err = filled(text, `"`+name+`":`, "null", schema); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// filled replaces the placeholder of a member that occurs once.
func filled(text []byte, member, placeholder string, value []byte) ([]byte, error) {
	if bytes.Count(text, []byte(member+placeholder)) != 1 {
		return nil, fmt.Errorf("the OpenAPI document has no place for %s", member)
	}
	return bytes.Replace(text, []byte(member+placeholder), append([]byte(member), value...), 1), nil
}

// publishedSchemas returns the schemas of other packages by their names in the document.
func publishedSchemas() map[string][]byte {
	all := map[string][]byte{
		"AppealRecord":    contracts.Schema(terms.AppealEnforcements),
		"AmendmentRecord": contracts.Schema(terms.AmendmentEnforcements),
		"IncidentProfile": incident.Schema(),
	}
	for _, table := range terms.PacketTables.Terms() {
		all[table.String()] = contracts.Schema(table)
		all[table.String()+"_redacted"] = contracts.StoredSchema(table)
	}
	for _, kind := range report.Kinds() {
		all["report_"+kind.String()] = report.Schema(kind)
	}
	return all
}

// dialect names JSON Schema 2020-12.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// embedded turns a published schema into a part of the document: it removes its dialect and address, and makes its
// references point into the document.
func embedded(name string, text []byte) ([]byte, error) {
	var read struct {
		Dialect string `json:"$schema"`
		ID      string `json:"$id"`
	}
	if err := json.Unmarshal(text, &read); err != nil || read.Dialect != dialect {
		return nil, fmt.Errorf("the schema of %s cannot be embedded in the OpenAPI document: %w", name, err)
	}
	for _, lead := range []string{read.Dialect, read.ID} {
		_, rest, found := bytes.Cut(text, []byte(`"`+lead+`",`))
		if !found {
			return nil, fmt.Errorf("the schema of %s does not begin with its dialect and its address", name)
		}
		text = append([]byte("{"), rest...)
	}
	text = bytes.ReplaceAll(text, []byte(`"$ref": "#/`), []byte(`"$ref": "#/components/schemas/`+name+`/`))
	var compact bytes.Buffer
	err := json.Compact(&compact, text)
	return compact.Bytes(), err
}
