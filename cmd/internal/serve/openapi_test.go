package serve_test

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/contracts"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/records"
	"docket/domain/terms"
)

// openAPI is openapi.json with the schemas of other packages, for which it has null.
var openAPI = sync.OnceValues(func() ([]byte, error) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	schemas := at(document, "/components/schemas").(map[string]any)
	for name, schema := range publishedSchemas() {
		var read map[string]any
		local := strings.ReplaceAll(string(schema), `"$ref": "#/`,
			`"$ref": "#/components/schemas/`+name+`/`)
		err := json.Unmarshal([]byte(local), &read)
		if held, there := schemas[name]; err != nil || !there || held != nil ||
			read["$schema"] != dialect {
			return nil, fmt.Errorf("the schema of %s cannot be put into the OpenAPI document: %w",
				name, err)
		}
		delete(read, "$schema")
		delete(read, "$id")
		schemas[name] = read
	}
	return json.Marshal(document)
})

// dialect names JSON Schema 2020-12.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// publishedSchemas returns the schemas of other packages by their names in the document.
func publishedSchemas() map[string][]byte {
	all := map[string][]byte{
		"AppealRecord":    contracts.Schema(terms.AppealEnforcements),
		"AmendmentRecord": contracts.Schema(terms.AmendmentEnforcements),
		"IncidentProfile": incident.Schema(),
	}
	for _, table := range terms.PacketTables.Terms() {
		all[table.String()] = contracts.Schema(table)
		all[table.String()+"_redacted"] = contracts.StoredSchema(table)
	}
	for _, kind := range report.Kinds() {
		all["report_"+kind.String()] = report.Schema(kind)
	}
	return all
}

// described is what the document says of the routes, and its own schemas.
type described struct {
	Tags       []struct{ Name string }
	Paths      map[string]map[string]operation
	Components struct {
		Headers map[string]any
		Schemas map[string]map[string]any
	}
}

type operation struct {
	OperationID, Summary string
	Tags                 []string
	Security             []map[string][]string
	Parameters           []struct {
		Name, In string
		Required bool
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]string }
	}
	Responses map[string]response
}

type response struct {
	Description string
	Headers     map[string]any
	Content     map[string]struct{ Schema map[string]any }
}

// kinds are the problems that a response may be.
func (r response) kinds(t testing.TB) (kinds []api.ProblemKind) {
	t.Helper()
	listed := texts(at(r.Content[api.ProblemJSON].Schema, "/properties/type/enum"))
	for _, kind := range api.ProblemKinds() {
		if slices.Contains(listed, kind.URI()) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) != len(listed) {
		t.Errorf("not all of %v are problems", listed)
	}
	return kinds
}

// describedHere is the document without the schemas of other packages.
func describedHere(t testing.TB) (document described) {
	t.Helper()
	text, err := os.ReadFile("openapi.json")
	must(t, err)
	must(t, json.Unmarshal(text, &document))
	return document
}

// at is the value to which a pointer leads; nil if it leads nowhere.
func at(value any, pointer string) any {
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		default:
			return nil
		}
	}
	return value
}

func texts(value any) (list []string) {
	values, _ := value.([]any)
	for _, v := range values {
		list = append(list, v.(string))
	}
	return list
}

// listed fails the test unless two lists hold the same, in any order.
func listed(t testing.TB, what string, got, want []string) {
	t.Helper()
	if got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("%s: there are %v, want %v", what, got, want)
	}
}

// equal fails the test unless two values are the same JSON.
func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	left, err := json.Marshal(got)
	right, failed := json.Marshal(want)
	if err != nil || failed != nil || string(left) != string(right) {
		t.Errorf("%s: the document says %s, want %s", what, left, right)
	}
}

// The document is written to the file in DOCKET_OPENAPI, for other checks.
func TestTheOpenAPIDocumentRefersOnlyToWhatIsInIt(t *testing.T) {
	t.Parallel()
	text, err := openAPI()
	if path := os.Getenv("DOCKET_OPENAPI"); err == nil && path != "" {
		err = os.WriteFile(path, text, 0o644)
	}
	must(t, err)
	var document any
	must(t, json.Unmarshal(text, &document))
	references := map[string]bool{}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, inside := range value {
				if target, isText := inside.(string); name == "$ref" && isText {
					references[target] = true
					if pointer, local := strings.CutPrefix(target, "#"); !local || at(document, pointer) == nil {
						t.Errorf("%s leads nowhere", target)
					}
				}
				if name == "$id" || name == "$schema" {
					t.Errorf("a schema has an address or a dialect of its own: %v", inside)
				}
				walk(inside)
			}
		case []any:
			for _, inside := range value {
				walk(inside)
			}
		}
	}
	walk(document)
	here, published := describedHere(t).Components, publishedSchemas()
	for name, schema := range here.Schemas {
		if (schema == nil) != (published[name] != nil) ||
			!references["#/components/schemas/"+name] {
			t.Errorf("the schema %s: another package publishes it: %t, or nothing refers to it",
				name, published[name] != nil)
		}
	}
	for name := range here.Headers {
		if !references["#/components/headers/"+name] {
			t.Errorf("nothing refers to the header %s", name)
		}
	}
}

// securities are what the document says of who may use a route, by access.
var securities = map[serve.Access][]map[string][]string{serve.Anybody: {},
	serve.Bearer: {{"token": {}}}, serve.Operator: {{}, {"token": {}}}}

// That each answer is as the document says, and each that it lists is given, is held by the answer
// book.
func TestTheDocumentHasTheRoutesOfTheTableAndNoOther(t *testing.T) {
	s := serving(t)
	document := describedHere(t)
	var paths, want, declared []string
	for path, operations := range document.Paths {
		for method := range operations {
			paths = append(paths, strings.ToUpper(method)+" "+path)
		}
	}
	names, tags := map[string]bool{}, map[string]bool{}
	for _, route := range serve.Routes() {
		name := route.Method + " " + route.Path
		want = append(want, name)
		operation := document.Paths[route.Path][strings.ToLower(route.Method)]
		if operation.Summary == "" || operation.OperationID == "" || names[operation.OperationID] || len(operation.Tags) != 1 {
			t.Fatalf("%s is not described: %+v", name, operation)
		}
		names[operation.OperationID], tags[operation.Tags[0]] = true, true
		equal(t, name+": security", operation.Security, securities[route.Access])
		var parameters, takes, query []string
		for _, p := range operation.Parameters {
			parameters = append(parameters, fmt.Sprintf("%s in %s, required %t", p.Name, p.In, p.Required))
		}
		for _, match := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(route.Path, -1) {
			takes = append(takes, match[1]+" in path, required true")
		}
		r := s.requestOf(t, &route, Admin)
		r.URL.RawQuery = canary + "=1"
		if answered := s.send(t, r); answered.status == http.StatusBadRequest {
			_, list, _ := strings.Cut(answered.is(t, api.Malformed).Detail, "it may have ")
			query = strings.Split(list, ", ")
		}
		for _, parameter := range query {
			takes = append(takes, parameter+" in query, required false")
		}
		listed(t, name+": parameters", parameters, takes)
		body := operation.RequestBody
		if (body != nil) != (s.bodyFor(t, route.Path) != nil) ||
			body != nil && (!body.Required || len(body.Content) != 1 ||
				body.Content[api.JSON].Schema["$ref"] == "") {
			t.Errorf("%s: its body is described as %+v", name, body)
		}
		for status, response := range operation.Responses {
			var meanings []string
			kinds := response.kinds(t)
			for _, kind := range kinds {
				meanings = append(meanings, fmt.Sprintf("`%s`: %s", kind.Word(), kind.Title()))
				equal(t, name+": "+kind.Word(), kind.Status(), json.Number(status))
			}
			if kinds != nil {
				equal(t, name+" "+status, response.Description, strings.Join(meanings, " "))
			}
		}
	}
	listed(t, "routes", paths, want)
	for _, tag := range document.Tags {
		declared = append(declared, tag.Name)
	}
	listed(t, "tags", declared, slices.Collect(maps.Keys(tags)))
}

func TestTheSchemasOfBodiesHaveTheMembersOfTheirTypes(t *testing.T) {
	t.Parallel()
	document := describedHere(t)
	for pointer, body := range map[string]any{
		"Problem": api.Problem{}, "Problem/properties/faults/items": api.Fault{},
		"Receipt":  records.Receipt{},
		"Enforced": api.Enforced{}, "Page": api.Page{}, "Health": serve.Health{},
		"Health/properties/store": serve.StoreHealth{},
		"OverlapAnswer":           overlap.Answer{}, "Record": api.Record{}, "RecordFeed": api.RecordFeed{},
		"RecordProof": api.RecordProof{}, "Reliance": api.Reliance{},
		"AppealEnforce":    api.Enforce{},
		"AmendmentEnforce": api.Enforce{}, "Statement": records.Statement{}, "State": struct {
			Status string `json:"status"`
		}{},
	} {
		name, _, _ := strings.Cut(pointer, "/")
		schema, _ := at(document.Components.Schemas[name],
			strings.TrimPrefix(pointer, name)).(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		var members, required []string
		for i := range reflect.TypeOf(body).NumField() {
			member, option, _ := strings.Cut(reflect.TypeOf(body).Field(i).Tag.Get("json"), ",")
			if members = append(members, member); option == "" {
				required = append(required, member)
			}
		}
		listed(t, pointer+": members", slices.Collect(maps.Keys(properties)), members)
		listed(t, pointer+": required", texts(schema["required"]), required)
		equal(t, pointer+": additionalProperties", schema["additionalProperties"], false)
	}
}

// The members are those that a route reads and writes.
func TestTheEvaluationSchemasHaveTheMembersThatAreReadAndWritten(t *testing.T) {
	s := serving(t)
	schemas := describedHere(t).Components.Schemas
	members := func(schema any) []string {
		properties, _ := at(schema, "/properties").(map[string]any)
		return slices.Collect(maps.Keys(properties))
	}
	for _, area := range []string{"Appeal", "Amendment"} {
		input, result := any(schemas[area+"EvaluationInput"]), any(schemas[area+"EvaluationResult"])
		path, table := api.AppealEvaluatePath, terms.AppealCases
		if area == "Amendment" {
			path, table = api.AmendmentEvaluatePath, terms.AmendmentRecords
		}
		whole := map[string]any{"table": table, "at": "2026-06-15T12:00:00Z", "policy": nil,
			"record":              nil,
			"latestPolicyVersion": 1, "latestRevision": 1}
		ask := func() reply {
			text, err := json.Marshal(whole)
			must(t, err)
			return s.post(t, path, Reviewer, text)
		}
		listed(t, area+": members", members(input), slices.Collect(maps.Keys(whole)))
		written := read[map[string]any](t, ask(), http.StatusOK)
		for member, value := range whole {
			delete(whole, member)
			if required := slices.Contains(texts(at(input, "/required")),
				member); (ask().status != http.StatusOK) != required {
				t.Errorf("%s: %s is described as required: %t", area, member, required)
			}
			whole[member] = value
		}
		objects := map[string]any{"": written}
		if written["decision"] != nil {
			objects["/properties/decision"] = written["decision"]
		}
		for pointer, object := range objects {
			names := slices.Collect(maps.Keys(object.(map[string]any)))
			schema := at(result, pointer)
			listed(t, area+pointer+": members", members(schema), names)
			listed(t, area+pointer+": required", texts(at(schema, "/required")), names)
		}
	}
}

// TestTheVocabulariesAndLimitsOfTheDocumentAreTheCodes lists all enums, constants and sizes that schemas state.
func TestTheVocabulariesAndLimitsOfTheDocumentAreTheCodes(t *testing.T) {
	var uris []string
	for _, kind := range api.ProblemKinds() {
		uris = append(uris, kind.URI())
	}
	blockers := terms.Blockers.Texts()
	var overlapBlockers []string
	for _, rule := range overlap.BlockerRules() {
		overlapBlockers = append(overlapBlockers, string(rule.Code))
	}
	want := map[string]any{
		"Problem/properties/type enum":                 uris,
		"Problem/properties/stated/items enum":         blockers,
		"Problem/properties/found/items enum":          blockers,
		"Problem/properties/blockers/items enum":       blockers,
		"Health/properties/contractStatus enum":        terms.Gates(),
		"OverlapAnswer/properties/result_bucket enum":  []string{overlap.NotEvaluated},
		"OverlapAnswer/properties/blockers/items enum": overlapBlockers,
		"OverlapAnswer/properties/receipt_id pattern":  fmt.Sprintf("^[A-Z2-7]{%d}$", len(rand.Text())),
		"Reassigned/properties/table enum":             []string{terms.AppealCases.String(), terms.AmendmentRecords.String()},
		"State/properties/status enum": []string{"live",
			"ready"},
		"Statement/properties/statement maxLength":                           2000,
		"Statement/properties/statement minLength":                           1,
		"Reliance/properties/gate enum":                                      terms.Gates(),
		"Reliance/properties/relianceGate enum":                              terms.Gates(),
		"Reliance/properties/table enum":                                     []string{terms.AppealCases.String(), terms.AmendmentRecords.String()},
		"AmendmentEvaluationResult/properties/transition/anyOf/0 enum":       terms.Transitions.Texts(),
		"AmendmentEvaluationResult/properties/blockedTransitions/items enum": terms.GuardedActions.Texts(),
	}
	for name, area := range map[string]terms.Area{"Appeal": terms.Appeals, "Amendment": terms.Amendments} {
		want[name+"Enforce/properties/signature maxLength"] = 16 << 10
		want[name+"EvaluationInput/properties/table const"] = terms.RecordTable(area).String()
		want[name+"EvaluationResult/properties/table const"] = terms.RecordTable(area).String()
		want[name+"EvaluationResult/properties/gate enum"] = terms.Gates()
		want[name+"EvaluationResult/properties/blockers/items enum"] = blockers
	}
	for member, value := range map[string]any{"status enum": terms.DecisionStatuses.Texts(), "outcome enum": terms.Outcomes.Texts(),
		"factorCodes/items enum": terms.FactorCodes.Texts(), "humanReviewRequired const": true, "stateMutation const": false,
		"reviewScope/items enum": terms.Subjects.Texts(), "blockers/items enum": blockers} {
		want["AppealEvaluationResult/properties/decision/properties/"+member] = value
	}
	found := map[string]any{}
	for name, schema := range describedHere(t).Components.Schemas {
		collect(name, schema, found)
	}
	listed(t, "vocabularies and limits", slices.Collect(maps.Keys(found)),
		slices.Collect(maps.Keys(want)))
	for place, value := range want {
		equal(t, place, found[place], value)
	}
}

// collect finds the keywords whose values the code knows.
func collect(place string, value any, found map[string]any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inside := range value {
			isPattern := name == "pattern" && strings.HasSuffix(place, "receipt_id")
			if slices.Contains([]string{"enum", "const", "maxLength", "minLength", "maxItems"}, name) || isPattern {
				found[place+" "+name] = inside
			}
			collect(place+"/"+name, inside, found)
		}
	case []any:
		for i, inside := range value {
			collect(place+"/"+strconv.Itoa(i), inside, found)
		}
	}
}

var update = flag.Bool("update", false, "write the page's routes")

// The routes stand between these lines of the page on reading records.
const (
	routesBegin = "<!-- The routes: written by `go test ./cmd/internal/serve -run RouteTable -update`. -->\n"
	routesEnd   = "<!-- End of the routes. -->\n"
)

// whoMay are the accesses as the page says them, in its order.
var whoMay = []struct {
	access serve.Access
	who    string
}{
	{serve.Bearer, "With a token:"},
	{serve.Anybody, "For anybody:"},
	{serve.Operator, "For this machine, or with a token of a safety admin or for the metrics:"},
}

// routeLists are the routes in Markdown, a list for each access.
func routeLists(t *testing.T) string {
	t.Helper()
	document := describedHere(t)
	var lists strings.Builder
	listed := 0
	for _, may := range whoMay {
		lists.WriteString("\n" + may.who + "\n\n")
		for _, route := range serve.Routes() {
			if route.Access == may.access {
				summary := document.Paths[route.Path][strings.ToLower(route.Method)].Summary
				lists.WriteString("- `" + route.Method + " " + route.Path + "`: " + summary + "\n")
				listed++
			}
		}
	}
	if listed != len(serve.Routes()) {
		t.Errorf("%d of %d routes are listed", listed, len(serve.Routes()))
	}
	return lists.String() + "\n"
}

func TestTheRouteTableListsEveryRoute(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "docs", "records.md")
	text, err := os.ReadFile(file)
	must(t, err)
	before, rest, found := strings.Cut(string(text), routesBegin)
	held, after, ended := strings.Cut(rest, routesEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the routes", file)
	}
	if want := routeLists(t); held != want {
		if !*update {
			t.Fatalf("the routes of %s are not those of the table; go test -update writes them", file)
		}
		must(t, os.WriteFile(file, []byte(before+routesBegin+want+routesEnd+after), 0o644))
	}
}
