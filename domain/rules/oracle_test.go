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

// ruleTables are the tables with the scene that each starts from.
func ruleTables() []ruleTable {
	confirmed, unconfirmed, asCorrection := domaintest.EffectRows()
	return []ruleTable{
		{"appeal", domaintest.Appeal, slices.Concat(domaintest.AppealStatusRows, domaintest.AppealStandingRows, domaintest.AppealPolicyRows, domaintest.AppealWithoutRecordRows,
			domaintest.AppealScopeRows, domaintest.AppealRequestRows, domaintest.NeutralReviewRows, domaintest.AppealPartyRows, appealEdgeRows)},
		{"correction", domaintest.Correction, slices.Concat(domaintest.ParentRows, domaintest.CorrectionRows, domaintest.CorrectionEffectRows, asCorrection,
			domaintest.AmendmentPolicyRows, domaintest.BundleRows, amendmentWithoutRecordRows, domaintest.AmendmentStateRows, domaintest.UnneededRows, domaintest.NeedingRows,
			domaintest.NeutralReviewRows)},
		{"material change", domaintest.MaterialChange, slices.Concat(materialRows, domaintest.UnconfirmableRows, confirmed, unconfirmed,
			domaintest.AmendmentPolicyRows, domaintest.AmendmentStateRows, domaintest.ConfirmationRows, domaintest.NeutralReviewRows, domaintest.AmendmentPartyRows, domaintest.StatedRows, materialEdgeRows)},
		{"pause", domaintest.Pause, domaintest.PauseRows},
		{"destination change", domaintest.DestinationChange, domaintest.DestinationRows},
	}
}

type ruleTable struct {
	name string
	from func() domaintest.Scene
	rows []domaintest.Row
}

// TestTheRowsOfTheRuleTablesStandInTheirFile holds the file to the tables. It has a line {"base", "question"} for each
// scene, and after it a line {"base", "name", "changes", "blockers"} for each row: how the sealed question differs from
// that of the scene, and the codes that hold then.
func TestTheRowsOfTheRuleTablesStandInTheirFile(t *testing.T) {
	var lines bytes.Buffer
	write := func(line map[string]any) { lines.Write(append(domaintest.Encoded(line), '\n')) }
	for _, table := range ruleTables() {
		base := domaintest.Parsed(string(table.from().Question(t)))
		write(map[string]any{"base": table.name, "question": base})
		for _, r := range table.rows {
			question := domaintest.Parsed(string(table.from().Question(t, r.Edits...)))
			write(map[string]any{"base": table.name, "name": r.Name, "blockers": r.Want,
				"changes": changesBetween(base, question, "")})
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
		t.Errorf("%s is not what the rule tables say; run `go test ./domain -run RowsOfTheRuleTables -update`", oracleFile)
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
