package rules_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/rules"
)

// A row is one line of a rule table: edits of a scene, and every blocker that holds then, in order.
type row struct {
	name, want string
	edits      []domaintest.Edit
}

// A ruleTable has the rows of one table for one of its scenes.
type ruleTable struct {
	name, scene string
	rows        []row
}

var scenes = []struct {
	name string
	from func() domaintest.Scene
}{
	{"appeal", domaintest.Appeal}, {"correction", domaintest.Correction},
	{"material change", domaintest.MaterialChange}, {"pause", pause},
	{"destination change", domaintest.DestinationChange},
}

// tables reads the rule tables, which say themselves how they are written.
func tables(t testing.TB) []ruleTable {
	t.Helper()
	text, err := os.ReadFile("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, of := []ruleTable{}, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if heading, is := strings.CutPrefix(line, "== "); is {
			of = len(all)
			name, names, _ := strings.Cut(heading, ": ")
			for _, scene := range strings.Split(names, ", ") {
				all = append(all, ruleTable{name: name, scene: scene})
			}
		} else if line != "" && !strings.HasPrefix(line, "#") {
			fields := append(strings.Split(line, " | "), "")
			r := row{fields[0], strings.TrimPrefix(fields[1], "pass"), edits(fields[2])}
			for i := range all[of:] {
				all[of+i].rows = append(all[of+i].rows, r)
			}
		}
	}
	return all
}

// edits reads the edits of a row.
func edits(text string) (list []domaintest.Edit) {
	for edit := range strings.SplitSeq(text, ";") {
		if edit = strings.TrimSpace(edit); edit != "" {
			list = append(list, editOf(edit))
		}
	}
	return list
}

func editOf(text string) domaintest.Edit {
	set, del := domaintest.Set, domaintest.Del
	if how, rest, worded := strings.Cut(text, " "); worded && how[0] != '/' {
		text = rest
		switch how {
		case "late":
			set, del = domaintest.LateSet, domaintest.LateDel
		case "raw":
			set, del = domaintest.RawSet, domaintest.RawDel
		case "text":
			set = domaintest.SetText
		default:
			panic("no edit is " + how)
		}
	}
	if pointer, is := strings.CutPrefix(text, "-"); is {
		return del(pointer)
	}
	pointer, written, _ := strings.Cut(text, " = ")
	var value any
	if err := json.Unmarshal([]byte(written), &value); err != nil {
		panic(text)
	}
	return set(pointer, meant(value))
}

// longNow is now, written as long as a time may be.
const longNow = "2026-06-15T12:00:00.000000000Z"

var named = map[string]string{"$now": domaintest.Now, "$longNow": longNow, "$justAfter": domaintest.JustAfter,
	"$justPast": domaintest.JustPast, "$longAgo": domaintest.LongAgo, "$farAhead": domaintest.FarAhead,
	"$beforeTerms": domaintest.BeforeTerms, "$afterTerms": domaintest.AfterTerms, "$otherHash": domaintest.OtherHash,
	"$mail": domaintest.MailInText}

// meant puts in what the rows only name.
func meant(value any) any {
	switch value := value.(type) {
	case string:
		if text, is := named[value]; is {
			return text
		}
	case []any:
		for i := range value {
			value[i] = meant(value[i])
		}
	case map[string]any:
		all := map[string]any{}
		if party, is := value["of"].(string); is {
			all = domaintest.ConfirmationOf(party)
			delete(value, "of")
		}
		for name, below := range value {
			all[name] = meant(below)
		}
		return all
	}
	return value
}

func TestRules(t *testing.T) {
	for _, table := range tables(t) {
		t.Run(table.name+"/"+table.scene, table.check)
	}
}

// An appeal is about its one subject, and what reaches beyond it blocks.
func TestChallengeAppealScopeSmoke(t *testing.T) {
	for _, table := range tables(t) {
		if strings.HasPrefix(table.name, "scope and evidence") || strings.HasPrefix(table.name, "effects asked for") {
			table.check(t)
		}
	}
}

func TestOtherTransitionsNeedNoDestinationReview(t *testing.T) {
	ruleTable{scene: "material change", rows: []row{
		{name: "absent"},
		{name: "not completed", edits: edits(`/record/destinationReview = {"completed": false}`)},
	}}.check(t)
}

// from is the scene that the rows start from.
func (table ruleTable) from() domaintest.Scene {
	for _, scene := range scenes {
		if scene.name == table.scene {
			return scene.from()
		}
	}
	panic("no scene is " + table.scene)
}

// check judges every row.
func (table ruleTable) check(t *testing.T) {
	for _, r := range table.rows {
		t.Run(r.name, func(t *testing.T) {
			if got := strings.Join(domaintest.Codes(judged(t, table.from(), r.edits...)), " "); got != r.want {
				t.Errorf("blockers:\n got %q\nwant %q", got, r.want)
			}
		})
	}
}

func pause() domaintest.Scene {
	s := domaintest.MaterialChange()
	s.Record()["transition"], s.Record()["amendmentType"] = "pause_or_early_termination", "pause"
	for _, c := range s.Record()["confirmations"].([]any) {
		c.(map[string]any)["covers"] = append(c.(map[string]any)["covers"].([]any), "cancellationRightsNarrowed")
	}
	return s
}

// judged judges a scene twice, as a question of one line and as packets that were stored in between, and makes sure
// that both ways lead to the same.
func judged(t domaintest.TB, s domaintest.Scene, edits ...domaintest.Edit) rules.Evaluation {
	t.Helper()
	input, asked := domaintest.Evaluated(t, s, edits...)
	if s["record"] == nil {
		return asked
	}
	view := s.Look(t, input.At())
	stored := view.Evaluation()
	if strings.Join(domaintest.Codes(stored), " ") != strings.Join(domaintest.Codes(asked), " ") || stored.Gate() != asked.Gate() {
		t.Fatalf("as a question %q, as stored packets %q", domaintest.Codes(asked), domaintest.Codes(stored))
	}
	return asked
}

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
