package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
)

// An answerBook is what the service's OpenAPI document says of its answers. It keeps which of them were seen.
type answerBook struct {
	routes   []serve.Route
	document openAPI
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by place in the document
	seen    map[string]bool               // "POST /path 201"
}

// openAPI is what of the document says which answer has which schema.
type openAPI struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]json.RawMessage
		}
	}
}

const openAPIURL = "https://docket.invalid/openapi.json"

// theBook is made once: compiling the schemas takes longer than most tests.
var theBook = sync.OnceValues(func() (*answerBook, error) {
	routes := serve.Routes()
	text, err := serve.OpenAPI(routes, "test")
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

func bookOf(t testing.TB) *answerBook {
	t.Helper()
	book, err := theBook()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// routeOf is the route of a request; nil if there is none for its path and method.
func (b *answerBook) routeOf(method, path string) *serve.Route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range b.routes {
		if b.routes[i].Method == method && fits(b.routes[i].Path, path) {
			return &b.routes[i]
		}
	}
	return nil
}

func fits(pattern, path string) bool {
	here, there := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(here, there, func(p, s string) bool { return p == s || p == "{id}" && s != "" })
}

// check holds an answer to the document: a status that the route lists, of the media type and schema that it lists there.
// A problem is one that the route says it may answer with.
func (b *answerBook) check(t testing.TB, r *http.Request, a reply) {
	t.Helper()
	route := b.routeOf(r.Method, r.URL.Path)
	problem := exchange.Problem{}
	if a.status >= http.StatusBadRequest && r.Method != http.MethodHead {
		if err := json.Unmarshal(a.body, &problem); err != nil || problem.Status != a.status || a.header.Get("Content-Type") != exchange.ProblemJSON ||
			problem.Kind().URI() != problem.Type || problem.Title != problem.Kind().Title() {
			t.Errorf("%s %s: %d is no problem of the table: %s", r.Method, r.URL.Path, a.status, a.body)
			return
		}
	}
	if route == nil {
		if a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d where there is no route", r.Method, r.URL.Path, a.status)
		}
		return
	}
	name := route.Method + " " + route.Path + " " + strconv.Itoa(a.status)
	b.mu.Lock()
	b.seen[name] = true
	b.mu.Unlock()
	if problem.Type != "" && !slices.Contains(route.Problems(), problem.Kind()) {
		t.Errorf("%s: the route does not say that it may answer with %s", name, problem.Kind().Word())
	}
	b.checkBody(t, name, route, a)
}

func (b *answerBook) checkBody(t testing.TB, name string, route *serve.Route, a reply) {
	t.Helper()
	response, listed := b.document.Paths[route.Path][strings.ToLower(route.Method)].Responses[strconv.Itoa(a.status)]
	if !listed {
		t.Errorf("%s: the document does not list the status", name)
		return
	}
	media := a.header.Get("Content-Type")
	if len(response.Content) == 0 {
		if len(a.body) > 0 {
			t.Errorf("%s: a body where the document lists none: %s", name, a.body)
		}
		return
	}
	if _, listed := response.Content[media]; !listed {
		t.Errorf("%s: the document does not list the media type %q", name, media)
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
		if err != nil {
			t.Fatal(err)
		}
		b.schemas[pointer] = compiled
	}
	return b.schemas[pointer]
}

// escaped is a name as a step of a JSON Pointer in the fragment of an address.
func escaped(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

// missing lists the statuses of the routes that no test saw yet.
func (b *answerBook) missing(paths ...string) (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, path := range paths {
		for method, operation := range b.document.Paths[path] {
			for status := range operation.Responses {
				if name := strings.ToUpper(method) + " " + path + " " + status; !b.seen[name] {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// pathOf is the path with which a test asks a route.
func pathOf(route *serve.Route, id domain.ID) string {
	return strings.Replace(route.Path, "{id}", string(id), 1)
}
