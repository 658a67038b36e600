package contracts

import (
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/shape"
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
	for _, table := range domain.PacketTables.Words() {
		info, _ := domain.Info(table)
		walk(&info.Shape, table.String())
		used[table.String()], used[descriptions().Key("title", table.String())] = true, true
	}
	for _, area := range domain.Areas.All() {
		described := domain.EnforcementShape(area)
		walk(&described, domain.EnforcementTable(area).String())
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
