package rules_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
)

// The rows of the rule tables are also kept as a file, for use with other implementations of the rules.
const oracleFile = "../../testdata/oracle/questions.jsonl"

var update = flag.Bool("update", false, "write the file of the rule tables' rows again")

// TestTheRowsOfTheRuleTablesStandInTheirFile holds the file to the tables. It has a line {"base", "question"} for each
// scene, and after it a line {"base", "name", "changes", "blockers"} for each row: how the sealed question differs from
// that of the scene, and the codes that hold then.
func TestTheRowsOfTheRuleTablesStandInTheirFile(t *testing.T) {
	var lines bytes.Buffer
	write := func(line map[string]any) { lines.Write(append(domaintest.Encoded(line), '\n')) }
	for _, scene := range scenes {
		base := domaintest.Parsed(string(scene.from().Question(t)))
		write(map[string]any{"base": scene.name, "question": base})
		for _, table := range tables(t) {
			for _, r := range table.rows {
				if table.scene == scene.name {
					question := domaintest.Parsed(string(scene.from().Question(t, r.edits...)))
					write(map[string]any{"base": scene.name, "name": r.name, "blockers": r.want,
						"changes": changesBetween(base, question, "")})
				}
			}
		}
	}
	if *update {
		if err := os.WriteFile(oracleFile, lines.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(oracleFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, lines.Bytes()) {
		t.Errorf("%s is not what the rule tables say; run `go test ./domain/rules -run RowsOfTheRuleTables -update`", oracleFile)
	}
}

// changesBetween lists what has to be set, and what taken out, to make the one object of the other. Arrays are set as a
// whole.
func changesBetween(from, to map[string]any, at string) []any {
	changes := []any{}
	names := maps.Clone(from)
	maps.Copy(names, to)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, was := from[name]
		after, is := to[name]
		pointer := at + "/" + name
		switch {
		case !is:
			changes = append(changes, map[string]any{"at": pointer, "gone": true})
		case was && reflect.DeepEqual(before, after):
		default:
			inner, outer := asObject(before), asObject(after)
			if inner != nil && outer != nil {
				changes = append(changes, changesBetween(inner, outer, pointer)...)
			} else {
				changes = append(changes, map[string]any{"at": pointer, "to": after})
			}
		}
	}
	return changes
}

func asObject(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}
