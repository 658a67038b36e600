package contracts_test

import (
	"bytes"
	"testing"

	"docket/contracts"
	"docket/domain"
)

func TestSchemasOfWhatIsGivenOutDescribeEveryMember(t *testing.T) {
	schemas := map[string][]byte{}
	for _, table := range domain.PacketTables.Words() {
		schemas[table.String()] = contracts.GenerateStoredSchema(table)
	}
	for _, area := range domain.Areas.All() {
		schemas[area.String()] = contracts.GenerateEnforcementSchema(area)
	}
	for name, text := range schemas {
		if len(text) < 1000 || bytes.Contains(text, []byte(`"description": ""`)) {
			t.Errorf("%s: a member has no description in %s", name, text)
		}
	}
	if contracts.GenerateStoredSchema(domain.AppealEnforcements) != nil || contracts.GenerateEnforcementSchema(0) != nil {
		t.Error("there is a schema of nothing")
	}
}
