package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
)

// statsSchema compiles the published schema of the figures.
func statsSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/stats.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, errors.New("the schema reads " + url) }
	if err := compiler.AddResource("stats.schema.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("stats.schema.json")
}

// figures are those of no record, and of some of each kind.
func figures(t *testing.T) map[string]stats.Figures {
	t.Helper()
	now := terms.InstantOf(time.Date(2026, 11, 22, 10, 0, 0, 500, time.UTC))
	list := []stats.Record{
		{Members: &records.Members{Area: terms.Appeals, Outcome: terms.UpholdDecision, Trigger: terms.DuplicateProof, Gate: terms.Pass, OpenedAt: now,
			RecordedAt: now, Reviewer: records.Reviewer{ID: "rev-2"}}, FiledAt: now, Deadline: now, Against: true},
		{Members: &records.Members{Area: terms.Appeals, Outcome: terms.BlockReliance, RecordedAt: terms.InstantOf(now.Time().AddDate(-1, 0, 0)),
			Reviewer: records.Reviewer{ID: "rev-1"}}, Superseded: true},
		{Members: &records.Members{Area: terms.Amendments, Transition: terms.PostLockCorrection, RecordedAt: now, Reviewer: records.Reviewer{ID: "rev-1"}}},
		{Members: &records.Members{RecordedAt: now}, Rejected: true}, {Members: &records.Members{RecordedAt: now}, Revoked: true},
		{ID: records.NewRecordID(now, [10]byte{})},
	}
	made := map[string]stats.Figures{"nothing": stats.New(stats.Period{}).Figures()}
	for name, period := range map[string]stats.Period{"all": stats.PeriodOf(stats.All, now), "a quarter": stats.PeriodOf(stats.Quarter, now),
		"between": {From: now}} {
		tally := stats.New(period)
		for i := range list {
			tally.Add(&list[i])
		}
		made[name] = tally.Figures()
	}
	return made
}

func TestTheFiguresAreWhatTheirSchemaSays(t *testing.T) {
	schema := statsSchema(t)
	changed := 0
	for name, f := range figures(t) {
		var whole map[string]any
		if err := json.Unmarshal(f.Document(), &whole); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(whole); err != nil {
			t.Errorf("%s: %v\n%s", name, err, f.Document())
		}
		eachObject(whole, func(object map[string]any) {
			for member, value := range object {
				delete(object, member)
				if schema.Validate(whole) == nil {
					t.Errorf("%s: without %s it is valid, too", name, member)
				}
				object[member], changed = value, changed+1
			}
			object["stray"] = 1
			if schema.Validate(whole) == nil {
				t.Errorf("%s: with a stray member it is valid, too", name)
			}
			delete(object, "stray")
		})
	}
	if changed < 100 {
		t.Errorf("only %d members were tried", changed)
	}
}

// eachObject calls visit for every object in a value.
func eachObject(value any, visit func(map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(value)
		for _, member := range value {
			eachObject(member, visit)
		}
	case []any:
		for _, element := range value {
			eachObject(element, visit)
		}
	}
}

func TestTheFiguresAsCSVHaveThreeColumnsAndSayWhatTheDocumentSays(t *testing.T) {
	for name, f := range figures(t) {
		rows, err := csv.NewReader(strings.NewReader(f.CSV())).ReadAll()
		if err != nil || len(rows) < 20 || strings.Join(rows[0], ",") != "group,name,value" {
			t.Fatalf("%s: %v, %v", name, rows, err)
		}
		told := map[string]string{}
		for _, row := range rows {
			told[row[0]+"/"+row[1]] = row[2]
		}
		if len(told) != len(rows) {
			t.Errorf("%s: a row stands there twice: %v", name, rows)
		}
		var whole struct {
			Decisions int `json:"decisions"`
		}
		if err := json.Unmarshal(f.Document(), &whole); err != nil || strconv.Itoa(whole.Decisions) != told["decisions/all"] {
			t.Errorf("%s: %d decisions, and %s as CSV", name, whole.Decisions, told["decisions/all"])
		}
	}
}

func TestATerminalShowsBarsWhereItsLocaleIsOfUTF8(t *testing.T) {
	for _, row := range []struct {
		variables string
		ascii     bool
	}{{"", false}, {"LANG=en_US.UTF-8", false}, {"LANG=de_DE.utf8", false}, {"LANG=C", true}, {"LANG=en_US.UTF-8 LC_ALL=C", true},
		{"LANG=C LC_CTYPE=C.UTF-8", false}, {"LANG=de_DE.ISO-8859-1", true}, {"TERM=linux", true}, {"TERM=linux LANG=C.UTF-8", true}, {"TERM=xterm LANG=POSIX", true}} {
		variables := map[string]string{}
		for _, one := range strings.Fields(row.variables) {
			name, value, _ := strings.Cut(one, "=")
			variables[name] = value
		}
		s := System{Getenv: func(name string) string { return variables[name] }}
		if got := s.asciiOnly(); got != row.ascii {
			t.Errorf("%q: only ASCII %v", row.variables, got)
		}
	}
}
