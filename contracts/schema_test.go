package contracts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/contracts"
	"docket/domain/shape"
	"docket/domain/terms"
)

func TestThereIsNoSchemaForATableThatIsNoPacketTable(t *testing.T) {
	for _, table := range []terms.Table{0, terms.AppealEnforcements, terms.AmendmentEnforcements, 99} {
		if _, err := contracts.Compile(table); !errors.Is(err, contracts.ErrNoSchema) {
			t.Errorf("table %d: got %v, want ErrNoSchema", table, err)
		}
		if contracts.GenerateSchema(table) != nil {
			t.Errorf("table %d: a schema was generated", table)
		}
	}
}

// keywords are all that the schemas may use: the library passes over misspelt ones in silence.
var keywords = strings.Fields("$schema $id $defs $ref title description type properties required additionalProperties " +
	"items uniqueItems enum pattern format minimum maximum minLength maxLength")

// eachSchema calls visit for every schema within a schema, with what leads there.
func eachSchema(schema map[string]any, place string, visit func(place string, schema map[string]any)) {
	visit(place, schema)
	for keyword, value := range schema {
		members, _ := value.(map[string]any)
		switch keyword {
		case "properties", "$defs":
			for name, nested := range members {
				eachSchema(nested.(map[string]any), place+"/"+keyword+"/"+name, visit)
			}
		case "items":
			eachSchema(members, place+"/items", visit)
		}
	}
}

func decodedSchema(t *testing.T, table terms.Table) map[string]any {
	t.Helper()
	text := contracts.GenerateSchema(table)
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestTheSchemasUseKnownKeywordsAndAreClosed(t *testing.T) {
	for _, table := range terms.PacketTables.Terms() {
		eachSchema(decodedSchema(t, table), table.String(), func(place string, schema map[string]any) {
			for keyword, value := range schema {
				if !slices.Contains(keywords, keyword) {
					t.Errorf("%s: unknown keyword %s", place, keyword)
				}
				if list, ok := value.([]any); ok && len(list) == 0 {
					t.Errorf("%s: %s is empty, which allows everything", place, keyword)
				}
			}
			if schema["type"] == "object" && schema["additionalProperties"] != false {
				t.Errorf("%s: takes members that are not known", place)
			}
			if strings.HasPrefix(fmt.Sprint(schema["$id"]), "http") || len(schema) == 0 {
				t.Errorf("%s: names a host or is empty", place)
			}
		})
	}
}

func TestEveryMemberIsDescribed(t *testing.T) {
	for _, table := range terms.PacketTables.Terms() {
		eachSchema(decodedSchema(t, table), table.String(), func(place string, schema map[string]any) {
			members, _ := schema["properties"].(map[string]any)
			for name, member := range members {
				if text, _ := member.(map[string]any)["description"].(string); len(text) < 10 {
					t.Errorf("%s: %s has no description", place, name)
				}
			}
		})
	}
}

// wordPlaces lists, for every word of a shape, where it may stand: the member's pattern of names and the word.
func wordPlaces(described *shape.Shape, within string, visit func(place, word string)) {
	for _, member := range described.Members {
		place := within + "/" + member.Name
		for _, word := range member.Form.Words {
			visit(place, word)
		}
		if member.Form.Shape != nil {
			wordPlaces(member.Form.Shape, place, visit)
		}
	}
}

func TestEveryWordOfAVocabularyStandsInTheSchemaAndNoOther(t *testing.T) {
	for table, described := range tables() {
		want, got := map[string]bool{}, map[string]bool{}
		wordPlaces(described, "", func(place, word string) {
			want[place[strings.LastIndex(place, "/"):]+" "+word] = true
		})
		eachSchema(decodedSchema(t, table), "", func(place string, schema map[string]any) {
			words, _ := schema["enum"].([]any)
			place = strings.TrimSuffix(place, "/items")
			for _, word := range words {
				if word != nil {
					got[fmt.Sprint(place[strings.LastIndex(place, "/"):], " ", word)] = true
				}
			}
		})
		for word := range want {
			if !got[word] {
				t.Errorf("%s: %s is missing", table, word)
			}
		}
		if len(got) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d words in the schema, want %d", table, len(got), len(want))
		}
	}
}

func TestAFaultGivesTheReasonWithoutAnyValue(t *testing.T) {
	const start = `{"caseId":"c1","revision":1,"contractVersion":"v","status":"filed"`
	triggers := strings.Join(terms.Triggers.Texts(), ", ")
	for name, c := range map[string]struct{ record, want string }{
		"nothing wrong":     {start + `}`, ""},
		"null allowed":      {start + `,"requestedOutcome":null}`, ""},
		"null not allowed":  {start + `,"deadline":null}`, "/deadline: may not be null; leave it out if there is none"},
		"null in a list":    {start + `,"evidenceScope":{"items":[null]}}`, "/evidenceScope/items/0: may not be null; leave it out if there is none"},
		"absent":            {`{"status":"filed","revision":1}`, "/caseId: is required and absent /contractVersion: is required and absent"},
		"unknown":           {start + `,"Kanarienvogel":1}`, "has a member that is not known; it is not shown, because it may be private"},
		"unknown, nested":   {start + `,"notice":{"Kanarienvogel":{"a":1}}}`, "/notice: has a member that is not known; it is not shown, because it may be private"},
		"no id":             {start + `,"subjectId":"Kanarien vogel"}`, "/subjectId: must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"},
		"no word":           {start + `,"trigger":"Kanarienvogel"}`, "/trigger: is not in the vocabulary: " + triggers},
		"no word in a list": {start + `,"requestedEffects":["show_private_details","Kanarienvogel"]}`, "/requestedEffects/1: is not in the vocabulary: waive_safety_blocker, reopen_settled_obligation, change_parent_record, show_private_details"},
		"a word twice":      {start + `,"requestedEffects":["show_private_details","show_private_details"]}`, "/requestedEffects: holds one value twice"},
		"an id twice":       {start + `,"partyIds":["p-1","p-2","p-1"]}`, "/partyIds: holds one value twice"},
		"no list":           {start + `,"requestedEffects":{}}`, "/requestedEffects: must be an array"},
		"no object":         {start + `,"standing":[]}`, "/standing: must be an object"},
		"no flag":           {start + `,"standing":{"accepted":0}}`, "/standing/accepted: must be true or false"},
		"no time":           {start + `,"filedAt":"2026-02-30T00:00:00Z"}`, "/filedAt: must be a time in UTC such as 2026-01-31T09:00:00Z"},
		"no hash":           {start + `,"caseHash":"sha256:Kanarienvogel"}`, "/caseHash: must be sha256: and 64 lower-case hex digits"},
		"no version":        {start + `,"policyVersion":1.5}`, "/policyVersion: must be an integer of 1 or more, below 2^53"},
		"no text":           {start + `,"remedyGap":""}`, "/remedyGap: must have 1 to 2,000 characters"},
		"no record":         {`[]`, "must be an object"},
		"several":           {start + `,"trigger":"x","filedAt":1}`, "/filedAt: must be a time in UTC such as 2026-01-31T09:00:00Z /trigger: is not in the vocabulary: " + triggers},
		"no JSON":           {`{"Kanarienvogel":`, "the JSON stops early; it may be cut off"},
		"twice":             {`{"Kanarienvogel":1,"Kanarienvogel":1}`, "duplicate member name"},
		"a giant exponent":  {start + `,"policyVersion":1e10000000}`, "a number of 2^53 or more"},
		"many exponents":    {`[` + strings.Repeat("1e1000000,", 100) + `1]`, "a number of 2^53 or more"},
		"too large":         {`"` + strings.Repeat("x", 1<<20) + `"`, "input too large"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fault := range compiled(t, terms.AppealCases).Check([]byte(c.record)) {
				got = append(got, fault.Error())
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

func TestARecordWithManyFaultsIsAnsweredWithTheFirstOfThem(t *testing.T) {
	list := `{"evidenceScope":{"items":[` + strings.Repeat("0,", 50_000) + `0]}}`
	if got := len(compiled(t, terms.AppealCases).Check([]byte(list))); got < 50 || got > 110 {
		t.Errorf("got %d faults, want about 100", got)
	}
}

func compiled(t testing.TB, table terms.Table) *contracts.Schema {
	t.Helper()
	schema, err := contracts.Compile(table)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSchemasOfPublishedDocumentsDescribeEveryMember(t *testing.T) {
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
