package sqlite

import (
	"slices"
	"strings"
	"testing"

	"docket/store/engine"
)

func TestACopyOfTheRowsTakesEveryColumnOfEveryTableThatIsStored(t *testing.T) {
	t.Parallel()
	kinds := map[engine.StoredKind]string{engine.StoredText: "TEXT", engine.StoredBytes: "BLOB", engine.StoredNumber: "INTEGER"}
	copied := map[string][]string{}
	for _, table := range engine.StoredTables {
		for _, column := range table.Columns {
			copied[table.Name] = append(copied[table.Name], column.Name+" "+kinds[column.Kind])
		}
		slices.Sort(copied[table.Name])
	}
	tables := 0
	for _, o := range schema {
		if o.Kind != "table" {
			continue
		}
		tables++
		var stored []string
		for line := range strings.SplitSeq(o.SQL, "\n  ") {
			words := strings.Fields(line)
			if words[0] != strings.ToUpper(words[0]) && !strings.Contains(line, "GENERATED ALWAYS") {
				stored = append(stored, words[0]+" "+strings.Trim(words[1], ","))
			}
		}
		slices.Sort(stored)
		if !slices.Equal(stored, copied[o.Name]) {
			t.Errorf("%s stores %v, and a copy takes %v", o.Name, stored, copied[o.Name])
		}
	}
	if tables != len(engine.StoredTables) || tables < 16 {
		t.Errorf("there are %d tables, and a copy takes %d", tables, len(engine.StoredTables))
	}
}
