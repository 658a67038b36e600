package serve

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/canonical"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A held document is openapi.json as it stands, for which the schemas of other packages are null. Each of the tests below
// fails where something is missing in it, and where it says something that does not hold.
type held struct {
	Servers []struct{ URL string }
	Tags    []struct{ Name string }
	Paths   map[string]map[string]heldOperation

	Components struct {
		Headers map[string]any
		Schemas map[string]map[string]any
	}
}

type heldOperation struct {
	OperationID, Summary, Description string
	Tags                              []string
	Security                          []map[string][]string
	Parameters                        []struct {
		Name, In string
		Required bool
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]string }
	}
	Responses map[string]heldResponse
}

type heldResponse struct {
	Description string
	Headers     map[string]map[string]string
	Content     map[string]struct{ Schema map[string]any }
}

func heldDocument(t *testing.T) (document held) {
	t.Helper()
	if err := json.Unmarshal(writtenDocument(t), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

func writtenDocument(t *testing.T) []byte {
	t.Helper()
	text, err := readOpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// same fails the test unless two lists hold the same, in any order.
func same[T cmp.Ordered](t *testing.T, what string, got, want []T) {
	t.Helper()
	if got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("%s: the document says %v, want %v", what, got, want)
	}
}

// equal fails the test unless two values are the same JSON.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	left, err := json.Marshal(got)
	right, failed := json.Marshal(want)
	if err != nil || failed != nil || string(left) != string(right) {
		t.Errorf("%s: the document says %s, want %s", what, left, right)
	}
}

// securities are what the document says of who may use a route, by access.
var securities = map[Access][]map[string][]string{Anybody: {}, Bearer: {{"token": {}}}, Operator: {{}, {"token": {}}}}

func TestTheDocumentHasTheRoutesOfTheTableAndNoOther(t *testing.T) {
	t.Parallel()
	document := heldDocument(t)
	var listed, want []string
	for path, operations := range document.Paths {
		for method := range operations {
			listed = append(listed, strings.ToUpper(method)+" "+path)
		}
	}
	names, tags := map[string]bool{}, map[string]bool{}
	for _, route := range Routes() {
		name := route.Method + " " + route.Path
		want = append(want, name)
		operation, found := document.Paths[route.Path][strings.ToLower(route.Method)]
		if !found {
			continue // told below
		}
		if operation.Summary == "" || operation.OperationID == "" || names[operation.OperationID] || len(operation.Tags) != 1 {
			t.Errorf("%s is not described: %+v", name, operation)
		}
		names[operation.OperationID] = true
		for _, tag := range operation.Tags {
			tags[tag] = true
		}
		equal(t, name+": security", operation.Security, securities[route.Access])
		parameters := []string{}
		for _, p := range operation.Parameters {
			parameters = append(parameters, fmt.Sprintf("%s in %s, required %t", p.Name, p.In, p.Required))
		}
		var takes []string
		for _, match := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(route.Path, -1) {
			takes = append(takes, match[1]+" in path, required true")
		}
		for _, parameter := range route.parameters {
			takes = append(takes, parameter+" in query, required false")
		}
		same(t, name+": parameters", parameters, takes)
		if (operation.RequestBody != nil) != route.reads {
			t.Errorf("%s: it is described with a body: %t", name, !route.reads)
		}
		if body := operation.RequestBody; body != nil && (!body.Required || len(body.Content) != 1 || body.Content[api.JSON].Schema["$ref"] == "") {
			t.Errorf("%s: its body is described as %+v", name, body)
		}
	}
	same(t, "routes", listed, want)
	var declared []string
	for _, tag := range document.Tags {
		declared = append(declared, tag.Name)
	}
	same(t, "tags", declared, slices.Collect(maps.Keys(tags)))
}

// The address is relative, so that it is right on another port, under TLS and behind a proxy.
func TestTheDocumentHasTheStatusesOfEachRouteAndNoOther(t *testing.T) {
	t.Parallel()
	document, answered := heldDocument(t), map[string]bool{}
	defer func() {
		for _, kind := range api.ProblemKinds() {
			if !answered[kind.Word()] {
				t.Errorf("no route answers with %s", kind.Word())
			}
		}
	}()
	for _, route := range Routes() {
		name := route.Method + " " + route.Path
		responses := document.Paths[route.Path][strings.ToLower(route.Method)].Responses
		var statuses []string
		for _, status := range route.answers {
			statuses = append(statuses, strconv.Itoa(status))
		}
		problems := map[int][]api.ProblemKind{}
		for _, kind := range route.Problems() {
			answered[kind.Word()] = true
			if problems[kind.Status()] == nil {
				statuses = append(statuses, strconv.Itoa(kind.Status()))
			}
			problems[kind.Status()] = append(problems[kind.Status()], kind)
		}
		same(t, name+": statuses", slices.Collect(maps.Keys(responses)), statuses)
		for status, kinds := range problems {
			refusedAs(t, name, responses[strconv.Itoa(status)], status, kinds)
		}
		isCached := slices.Contains(route.answers, http.StatusNotModified)
		for _, status := range route.answers {
			headers := []string{requestIDHeader}
			if isCached {
				headers = append(headers, "ETag", "Cache-Control")
			}
			same(t, fmt.Sprint(name, " ", status, ": headers"), slices.Collect(maps.Keys(responses[strconv.Itoa(status)].Headers)), headers)
		}
	}
}

// refusedAs holds the description of a status to the problems that have it.
func refusedAs(t *testing.T, name string, described heldResponse, status int, kinds []api.ProblemKind) {
	t.Helper()
	name += " " + strconv.Itoa(status)
	var uris, meanings []string
	for _, kind := range kinds {
		uris = append(uris, kind.URI())
		meanings = append(meanings, fmt.Sprintf("`%s`: %s", kind.Word(), kind.Title()))
	}
	equal(t, name, described.Description, strings.Join(meanings, " "))
	equal(t, name, described.Content, map[string]any{api.ProblemJSON: map[string]any{"Schema": map[string]any{
		"$ref":       "#/components/schemas/Problem",
		"properties": map[string]any{"type": map[string]any{"enum": uris}, "status": map[string]any{"const": status}}}}})
	headers := []string{requestIDHeader}
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case http.StatusMethodNotAllowed:
		headers = append(headers, "Allow")
	case http.StatusTooManyRequests:
		headers = append(headers, "Retry-After")
	case http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	}
	same(t, name+": headers", slices.Collect(maps.Keys(described.Headers)), headers)
}

func TestEverySchemaAndHeaderOfTheDocumentIsReferredTo(t *testing.T) {
	t.Parallel()
	document, described := heldDocument(t), string(writtenDocument(t))
	for name, schema := range document.Components.Schemas {
		if !strings.Contains(described, `"#/components/schemas/`+name+`"`) {
			t.Errorf("nothing refers to the schema %s", name)
		}
		_, published := publishedSchemas()[name]
		if published != (schema == nil) {
			t.Errorf("the schema %s: another package publishes it: %t", name, published)
		}
	}
	for name := range publishedSchemas() {
		if _, there := document.Components.Schemas[name]; !there {
			t.Errorf("the schema %s has no place", name)
		}
	}
	for name := range document.Components.Headers {
		if !strings.Contains(described, `"#/components/headers/`+name+`"`) {
			t.Errorf("nothing refers to the header %s", name)
		}
	}
}

// find is what a pointer below the schemas leads to.
func find(t *testing.T, document held, pointer string) (found map[string]any) {
	t.Helper()
	var value any
	for i, step := range strings.Split(pointer, "/") {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[step]
		case []any:
			index, _ := strconv.Atoi(step)
			value = parent[index]
		default:
			if i > 0 {
				t.Fatalf("%s leads nowhere", pointer)
			}
			value = document.Components.Schemas[step]
		}
	}
	found, ok := value.(map[string]any)
	if !ok {
		t.Fatalf("%s leads nowhere", pointer)
	}
	return found
}

// bodies are the types of the bodies, by where their schemas are.
var bodies = map[string]any{
	"Problem":                         api.Problem{},
	"Problem/properties/faults/items": api.Fault{},
	"Receipt":                         records.Receipt{},
	"Enforced":                        api.Enforced{},
	"Page":                            api.Page{},
	"Health":                          Health{},
	"Health/properties/store":         StoreHealth{},
	"OverlapAnswer":                   overlap.Answer{},
	"State":                           state{},
	"Record":                          api.Record{},
	"RecordFeed":                      api.RecordFeed{},
	"RecordProof":                     api.RecordProof{},
	"Reliance":                        api.Reliance{},
	"AppealEnforce":                   api.Enforce{},
	"AmendmentEnforce":                api.Enforce{},
	"Statement":                       records.Statement{},
}

func TestTheSchemasOfBodiesHaveTheMembersOfTheirTypes(t *testing.T) {
	t.Parallel()
	document := heldDocument(t)
	for pointer, body := range bodies {
		schema := find(t, document, pointer)
		var members, required []string
		for i := range reflect.TypeOf(body).NumField() {
			field := reflect.TypeOf(body).Field(i)
			name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
			members = append(members, name)
			if option == "" {
				required = append(required, name)
			}
			if property, ok := schema["properties"].(map[string]any)[name].(map[string]any); ok {
				typed(t, document, pointer+"/"+name, property, field.Type)
			}
		}
		same(t, pointer+": members", slices.Collect(maps.Keys(schema["properties"].(map[string]any))), members)
		same(t, pointer+": required", texts(schema["required"]), required)
		equal(t, pointer+": additionalProperties", schema["additionalProperties"], false)
	}
}

// typed holds the type that a schema states to the one of the Go type.
func typed(t *testing.T, document held, pointer string, schema map[string]any, of reflect.Type) {
	t.Helper()
	if name, isReference := strings.CutPrefix(fmt.Sprint(schema["$ref"]), "#/components/schemas/"); isReference {
		if schema = document.Components.Schemas[name]; schema == nil {
			return // published elsewhere
		}
	}
	stated, isText := schema["type"].(string)
	want := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer",
		reflect.Slice: "array", reflect.Struct: "object"}[of.Kind()]
	if isText && want != "" && stated != want && stated != "string" {
		t.Errorf("%s is described as %s, and is %s", pointer, stated, of)
	}
}

func texts(value any) (list []string) {
	values, _ := value.([]any)
	for _, v := range values {
		list = append(list, v.(string))
	}
	return list
}

// TestTheEvaluationSchemasHaveTheMembersThatAreReadAndWritten compares them with what the reader takes and the writer writes.
func TestTheEvaluationSchemasHaveTheMembersThatAreReadAndWritten(t *testing.T) {
	t.Parallel()
	document := heldDocument(t)
	for name, area := range map[string]terms.Area{"Appeal": terms.Appeals, "Amendment": terms.Amendments} {
		input := find(t, document, name+"EvaluationInput")
		required := texts(input["required"])
		whole := map[string]any{"table": terms.RecordTable(area).String(), "at": "2026-06-15T12:00:00Z", "policy": nil, "record": nil,
			"latestPolicyVersion": 1, "latestRevision": 1}
		same(t, name+": members", slices.Collect(maps.Keys(input["properties"].(map[string]any))), slices.Collect(maps.Keys(whole)))
		for member, value := range whole {
			delete(whole, member)
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			if _, fault := rules.ReadInput(&packets.Reader{}, text); (fault == nil) == slices.Contains(required, member) {
				t.Errorf("%s is described as required: %t", member, slices.Contains(required, member))
			}
			whole[member] = value
		}
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		question, fault := rules.ReadInput(&packets.Reader{}, text)
		if fault != nil {
			t.Fatal(fault)
		}
		var written canonical.Document
		if fault := written.Parse(views.AppendAnswer(nil, &question, rules.Evaluate(&question)), canonical.Limits{}); fault != nil {
			t.Fatal(fault)
		}
		objects := map[string]canonical.Value{name + "EvaluationResult": written.Root()}
		if decision := written.Root().Member("decision"); decision.Exists() {
			objects[name+"EvaluationResult/properties/decision"] = decision
		}
		for pointer, object := range objects {
			var members []string
			for m := object.First(); m.Exists(); m = m.Next() {
				members = append(members, m.Name())
			}
			schema := find(t, document, pointer)
			same(t, pointer+": members", slices.Collect(maps.Keys(schema["properties"].(map[string]any))), members)
			same(t, pointer+": required", texts(schema["required"]), members)
		}
	}
}

// TestTheVocabulariesAndLimitsOfTheDocumentAreTheCodes lists all enums, constants and sizes that schemas state.
func TestTheVocabulariesAndLimitsOfTheDocumentAreTheCodes(t *testing.T) {
	t.Parallel()
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
		"Problem/properties/type enum":                                       uris,
		"Problem/properties/stated/items enum":                               blockers,
		"Problem/properties/found/items enum":                                blockers,
		"Problem/properties/blockers/items enum":                             blockers,
		"Health/properties/contractStatus enum":                              terms.Gates(),
		"OverlapAnswer/properties/result_bucket enum":                        []string{overlap.NotEvaluated},
		"OverlapAnswer/properties/blockers/items enum":                       overlapBlockers,
		"OverlapAnswer/properties/receipt_id pattern":                        fmt.Sprintf("^[A-Z2-7]{%d}$", len(rand.Text())),
		"Reassigned/properties/table enum":                                   []string{terms.AppealCases.String(), terms.AmendmentRecords.String()},
		"State/properties/status enum":                                       []string{stateLive, stateReady},
		"Statement/properties/statement maxLength":                           2000,
		"Statement/properties/statement minLength":                           1,
		"Reliance/properties/gate enum":                                      terms.Gates(),
		"Reliance/properties/relianceGate enum":                              terms.Gates(),
		"Reliance/properties/table enum":                                     []string{terms.AppealCases.String(), terms.AmendmentRecords.String()},
		"AmendmentEvaluationResult/properties/transition/anyOf/0 enum":       terms.Transitions.Texts(),
		"AmendmentEvaluationResult/properties/blockedTransitions/items enum": terms.GuardedActions.Texts(),
	}
	for name, area := range map[string]terms.Area{"Appeal": terms.Appeals, "Amendment": terms.Amendments} {
		want[name+"Enforce/properties/signature maxLength"] = maxSignature
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
	for name, schema := range heldDocument(t).Components.Schemas {
		collect(name, schema, found)
	}
	same(t, "vocabularies and limits", slices.Collect(maps.Keys(found)), slices.Collect(maps.Keys(want)))
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
