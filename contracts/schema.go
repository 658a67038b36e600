package contracts

import (
	"embed"
	"fmt"

	"docket/domain/terms"
)

// schemas/ holds the published JSON Schemas (2020-12), which take and refuse what the readers do.
//
//go:embed schemas/*.json
var schemas embed.FS

// Schema is the JSON Schema of the records of a packet or enforcement table.
func Schema(table terms.Table) []byte { return read(table.String()) }

// StoredSchema is that of the packets of a table as they are stored and given out: redacted, with
// hashesMatched, and with masks in the place of texts that held private details.
func StoredSchema(table terms.Table) []byte { return read(table.String() + ".stored") }

func read(name string) []byte {
	text, err := schemas.ReadFile("schemas/" + name + ".schema.json")
	if err != nil {
		panic(fmt.Sprintf("contracts: %v", err))
	}
	return text
}
