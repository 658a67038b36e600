package serve_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/terms"
	"docket/store/disk/disktest"
)

// An answerBook is what the service's OpenAPI document says of its answers. It keeps which of them were seen.
type answerBook struct {
	routes   []serve.Route
	document described
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by place in the document
	seen    map[string]bool               // "POST /path 201", with the word of a problem
}

const openAPIURL = "https://docket.invalid/openapi.json"

// TestMain fails a run of all tests in which some status of a route was never seen.
func TestMain(m *testing.M) {
	disktest.InMemory()
	code := m.Run()
	for _, name := range []string{"test.run", "test.skip", "test.fuzz", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			os.Exit(code)
		}
	}
	if book, err := theBook(); err == nil && code == 0 {
		for _, name := range book.missing() {
			fmt.Println("no test has seen the answer", name)
			code = 1
		}
	}
	os.Exit(code)
}

// theBook is made once: compiling the schemas takes longer than most tests.
var theBook = sync.OnceValues(func() (*answerBook, error) {
	routes := serve.Routes()
	text, err := openAPI()
	if err != nil {
		return nil, err
	}
	b := &answerBook{routes: routes, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{},
		seen: map[string]bool{}}
	b.compiler.Draft, b.compiler.AssertFormat = jsonschema.Draft2020, true
	if err := b.compiler.AddResource(openAPIURL, strings.NewReader(string(text))); err != nil {
		return nil, err
	}
	return b, json.Unmarshal(text, &b.document)
})

// routeOf is the route of a request; nil if there is none for its path and method.
func (b *answerBook) routeOf(method, path string) *serve.Route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range b.routes {
		route := &b.routes[i]
		if route.Method == method && fits(route.Path, path) && !(route.Path == api.TilePath && fits(api.EntriesPath, path)) {
			return route
		}
	}
	return nil
}

func fits(pattern, path string) bool {
	here, there := strings.Split(pattern, "/"), strings.Split(path, "/")
	if here[len(here)-1] == "{index}" && len(there) > len(here) {
		there = there[:len(here)]
	}
	return slices.EqualFunc(here, there, func(p, s string) bool { return p == s || strings.HasPrefix(p, "{") && s != "" })
}

// check holds an answer to the document: a status that the route lists, of the media type and schema that it lists there.
// A problem is one that the route says it may answer with.
func (b *answerBook) check(t testing.TB, r *http.Request, a reply) {
	t.Helper()
	route := b.routeOf(r.Method, r.URL.Path)
	problem := api.Problem{}
	ownAnswer := a.status == http.StatusForbidden && a.header.Get("Content-Type") == api.JSON // the document has to list it
	if a.status >= http.StatusBadRequest && r.Method != http.MethodHead && !ownAnswer {
		read, err := readProblem(a.body)
		problem = *read
		if err != nil || problem.Status != a.status || a.header.Get("Content-Type") != api.ProblemJSON ||
			problem.Kind().URI() != problem.Type || problem.Title != problem.Kind().Title() {
			t.Errorf("%s %s: %d is no problem of the table: %s", r.Method, r.URL.Path, a.status, a.body)
			return
		}
	}
	if route == nil {
		if a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d where there is no route", r.Method, r.URL.Path, a.status)
		}
		for i := range b.routes {
			if a.status == http.StatusMethodNotAllowed && fits(b.routes[i].Path, r.URL.Path) && r.Method != http.MethodHead {
				b.checkOf(t, &b.routes[i], problem, a)
			}
		}
		return
	}
	b.checkOf(t, route, problem, a)
}

// checkOf holds an answer to what the document says of a route.
func (b *answerBook) checkOf(t testing.TB, route *serve.Route, problem api.Problem, a reply) {
	t.Helper()
	name := route.Method + " " + route.Path + " " + strconv.Itoa(a.status)
	b.mu.Lock()
	b.seen[name] = true
	if problem.Type != "" {
		b.seen[name+" "+problem.Kind().Word()] = true
	}
	b.mu.Unlock()
	response, listed := b.document.Paths[route.Path][strings.ToLower(route.Method)].Responses[strconv.Itoa(a.status)]
	if !listed {
		t.Errorf("%s: the document does not list the status", name)
		return
	}
	for _, header := range []string{"X-Request-Id", "ETag", "WWW-Authenticate", "Allow",
		"Retry-After"} {
		if (response.Headers[header] != nil) != (a.header.Get(header) != "") {
			t.Errorf("%s: the document lists the header %s: %t", name, header,
				response.Headers[header] != nil)
		}
	}
	if (response.Headers["Cache-Control"] != nil) != (a.header.Get("Cache-Control") != "no-store") {
		t.Errorf("%s: it is cached by %q, which the document does not say", name,
			a.header.Get("Cache-Control"))
	}
	media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if _, listed := response.Content[media]; !listed && (len(response.Content) > 0 ||
		len(a.body) > 0) {
		t.Errorf("%s: the document does not list the media type %q: %s", name, media, a.body)
		return
	}
	if !strings.HasSuffix(media, "json") || len(a.body) == 0 {
		return
	}
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	schema := b.schema(t, "/paths/"+escaped(route.Path)+"/"+strings.ToLower(route.Method)+"/responses/"+strconv.Itoa(a.status)+
		"/content/"+escaped(media)+"/schema")
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %#v\n%s", name, err, a.body)
	}
}

// schema compiles the schema at a place in the document.
func (b *answerBook) schema(t testing.TB, pointer string) *jsonschema.Schema {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.schemas[pointer] == nil {
		compiled, err := b.compiler.Compile(openAPIURL + "#" + pointer)
		must(t, err)
		b.schemas[pointer] = compiled
	}
	return b.schemas[pointer]
}

// escaped is a name as a step of a JSON Pointer in the fragment of an address.
func escaped(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

// missing lists the statuses and problems of the routes that no test saw yet.
func (b *answerBook) missing() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, route := range b.routes {
		described := b.document.Paths[route.Path][strings.ToLower(route.Method)]
		for status, response := range described.Responses {
			name := route.Method + " " + route.Path + " " + status
			due := []string{name}
			for _, uri := range texts(at(response.Content[api.ProblemJSON].Schema,
				"/properties/type/enum")) {
				due = append(due, name+" "+strings.TrimPrefix(uri, "urn:docket:problem:"))
			}
			names = append(names, slices.DeleteFunc(due,
				func(name string) bool { return b.seen[name] })...)
		}
	}
	slices.Sort(names)
	return names
}

// aRecordID has the form of the id of a record, and is of none.
const aRecordID = "01900000-0000-7000-8000-000000000000"

// pathOf is the path with which a test asks a route.
func pathOf(route *serve.Route, id terms.ID) string {
	if strings.HasPrefix(route.Path, api.RecordsPath) {
		id = aRecordID
	}
	return strings.NewReplacer("{id}", string(id), "{level}", "0", "{index}", "000.p/1").Replace(route.Path)
}
