package packets_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// Only the members that identify a record have to be there; all other absences are for the rules to judge.
func TestRequiredMembersAreThoseOfTheSpecification(t *testing.T) {
	for table, required := range requiredMembers {
		word, err := terms.Tables.Parse(table)
		info, ok := packets.Info(word)
		if err != nil || !ok {
			t.Fatalf("%s: %v", table, err)
		}
		members := domaintest.Parsed("{" + required + "}")
		for _, m := range info.Shape.Members {
			if _, wanted := members[m.Name]; m.Required != wanted {
				t.Errorf("%s of %s is required: %v", m.Name, table, m.Required)
			}
			if nullable := slices.Contains([]string{"effectiveUntil", "requestedOutcome"}, m.Name); m.Nullable != nullable {
				t.Errorf("%s of %s may be null: %v", m.Name, table, m.Nullable)
			}
			strict := func(n json.MemberShape) bool { return n.Required || n.Nullable }
			if m.Form.Shape != nil && slices.ContainsFunc(m.Form.Shape.Members, strict) {
				t.Errorf("a member of %s of %s is required or may be null", m.Name, table)
			}
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet(table, "")); fault != nil {
			t.Errorf("%s: %v", table, fault)
		}
		for name := range members {
			_, fault := reader.Read(domaintest.Encoded(map[string]any{"table": table, "record": domaintest.Without(members, name)}))
			expectFault(t, fault, "/record/"+name, "is required and absent")
			spoiled := strings.Replace(string(packet(table, "")), `"`+name+`"`, `"`+strings.ToUpper(name)+`"`, 1)
			if _, fault := reader.Read([]byte(spoiled)); fault == nil {
				t.Errorf("%s in capitals is accepted", name)
			}
		}
		if _, ok := packets.Info(0); ok {
			t.Error("no table is described")
		}
	}
}
