package contracts_test

import (
	"bytes"
	"testing"

	"docket/contracts"
	"docket/domain/terms"
)

func TestSchemasOfWhatIsGivenOutDescribeEveryMember(t *testing.T) {
	schemas := map[string][]byte{}
	for _, table := range terms.PacketTables.Terms() {
		schemas[table.String()] = contracts.GenerateStoredSchema(table)
	}
	for _, area := range terms.Areas.All() {
		schemas[area.String()] = contracts.GenerateEnforcementSchema(area)
	}
	for name, text := range schemas {
		if len(text) < 1000 || bytes.Contains(text, []byte(`"description": ""`)) {
			t.Errorf("%s: a member has no description in %s", name, text)
		}
	}
	if contracts.GenerateStoredSchema(terms.AppealEnforcements) != nil || contracts.GenerateEnforcementSchema(0) != nil {
		t.Error("there is a schema of nothing")
	}
}
