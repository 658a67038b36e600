package contracts

import (
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
)

func TestEveryDescriptionIsOfAMemberThatThereIs(t *testing.T) {
	used := map[string]bool{}
	var walk func(described *shape.Shape, within string)
	walk = func(described *shape.Shape, within string) {
		for _, member := range described.Members {
			used[descriptions().Key(within, member.Name)] = true
			if member.Form.Shape != nil {
				walk(member.Form.Shape, member.Name)
			}
		}
	}
	for _, table := range terms.PacketTables.Terms() {
		info, _ := packets.Info(table)
		walk(&info.Shape, table.String())
		used[table.String()], used[descriptions().Key("title", table.String())] = true, true
	}
	for _, area := range terms.Areas.All() {
		described := records.EnforcementShape(area)
		walk(&described, terms.EnforcementTable(area).String())
	}
	for key, text := range descriptions() {
		if !used[key] {
			t.Errorf("%s is described and there is none", key)
		}
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s has an empty description", key)
		}
	}
}
