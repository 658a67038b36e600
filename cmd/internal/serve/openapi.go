package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"docket/cmd/internal/exchange"
)

// OpenAPI describes the routes in OpenAPI 3.1, whose schemas are JSON Schema 2020-12. version is the program's.
func OpenAPI(routes []Route, version string) ([]byte, error) {
	if version == "" {
		version = "unreleased"
	}
	schemas, err := componentSchemas()
	if err != nil {
		return nil, err
	}
	document := object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "docket service"},
			{"version", version},
			{"summary", "Governance contracts, evaluation, and an append-only log of enforcement records"},
			{"description", "The only routes that write to the log are the two that append an enforcement record, and they do nothing " +
				"else. HEAD is answered wherever GET is. Every refusal is a problem document (RFC 9457) whose `type` is stable."},
		}},
		{"jsonSchemaDialect", dialectURI},
		{"servers", []object{{{"url", "http://127.0.0.1:8417"}, {"description", "Where `docket serve` listens unless told otherwise"}}}},
		{"tags", tagList()},
		{"paths", pathsOf(routes)},
		{"components", object{
			{"securitySchemes", object{{"token", object{{"type", "http"}, {"scheme", "bearer"},
				{"description", "A token of `docket serve token add`."}}}}},
			{"headers", headerComponents()},
			{"schemas", schemas},
		}},
	}
	return plainJSON(document)
}

// The headers that answers may have, besides those of every answer.
func headerComponents() object {
	text := func(description string) object {
		return object{{"description", description}, {"schema", object{{"type", "string"}}}}
	}
	return object{
		{"Request", object{{"description", "Names the request in the service's log."}, {"required", true},
			{"schema", object{{"type", "string"}, {"minLength", 1}}}}},
		{"ETag", text("The document's tag, for If-None-Match.")},
		{"CacheControl", text("How long the document may be cached.")},
		{"Challenge", text("How to authenticate (RFC 6750).")},
		{"Allow", text("The methods that the path takes.")},
		{"RetryAfter", object{{"description", "After how many seconds to come again."},
			{"schema", object{{"type", "integer"}, {"minimum", 1}}}}},
	}
}

func headerRef(name string) object { return object{{"$ref", "#/components/headers/" + name}} }

// pathsOf groups the routes by path, in the order of the table.
func pathsOf(routes []Route) object {
	var paths object
	for i := range routes {
		path := routes[i].Path
		if slices.ContainsFunc(paths, func(m member) bool { return m.name == path }) {
			continue
		}
		var item object
		for j := range routes {
			if routes[j].Path == path {
				item = append(item, member{strings.ToLower(routes[j].Method), operation(&routes[j])})
			}
		}
		paths = append(paths, member{path, item})
	}
	return paths
}

// accesses say who may use a route, and how it is written in the document.
var accesses = [...]struct {
	words    string
	security []object
}{
	Nobody:   {"Nobody may use it.", []object{{{"token", []string{}}}}},
	Anybody:  {"No token is asked for.", []object{}},
	Bearer:   {"", []object{{{"token", []string{}}}}},
	Operator: {"For callers on the service's own machine, and for a token of a safety admin.", []object{{}, {{"token", []string{}}}}},
}

func operation(r *Route) object {
	described := object{{"operationId", r.name()}, {"tags", []string{r.tag().name}}, {"summary", r.Summary}}
	description := accesses[r.Access].words
	if r.Source != "" {
		description = strings.TrimSpace(description + " In the source document: " + strings.TrimPrefix(r.Source, "seed ") + ".")
	}
	if description != "" {
		described = append(described, member{"description", description})
	}
	described = append(described, member{"security", accesses[r.Access].security})
	if parameters := r.parameters(); len(parameters) > 0 {
		described = append(described, member{"parameters", parameters})
	}
	if r.request != nil {
		described = append(described, member{"requestBody", object{{"required", true},
			{"content", object{{exchange.JSON, object{{"schema", schemaRef(r.request.schema)}}}}}}})
	}
	return append(described, member{"responses", r.responses()})
}

// name is the operation's: the method and the path's last steps.
func (r *Route) name() string {
	steps := strings.Split(strings.Trim(strings.NewReplacer("{", "", "}", "", ".json", "").Replace(r.Path), "/"), "/")
	name := strings.ToLower(r.Method)
	for _, step := range steps[max(0, len(steps)-2):] {
		for _, word := range strings.Split(step, "-") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return name
}

func (r *Route) parameters() []object {
	var list []object
	if strings.Contains(r.Path, "{id}") {
		list = append(list, object{{"name", "id"}, {"in", "path"}, {"required", true},
			{"description", "The id of a case or an amendment."}, {"schema", schemaRef(schemaID)}})
	}
	for _, p := range r.query {
		list = append(list, object{{"name", p.name}, {"in", "query"}, {"required", false}, {"description", p.text},
			{"schema", object{{"type", "string"}, {"maxLength", largestCursor}}}})
	}
	return list
}

// responses are the route's own answers and its problems, by status.
func (r *Route) responses() object {
	byStatus := map[int]object{}
	for _, answer := range r.answers {
		byStatus[answer.status] = answer.described()
	}
	problems := map[int][]exchange.ProblemKind{}
	for _, kind := range r.Problems() {
		problems[kind.Status()] = append(problems[kind.Status()], kind)
	}
	for status, kinds := range problems {
		byStatus[status] = refused(status, kinds)
	}
	var statuses []int
	for status := range byStatus {
		statuses = append(statuses, status)
	}
	slices.Sort(statuses)
	var all object
	for _, status := range statuses {
		all = append(all, member{strconv.Itoa(status), byStatus[status]})
	}
	return all
}

func (a *reply) described() object {
	headers := object{{requestIDHeader, headerRef("Request")}}
	if a.cached {
		headers = append(headers, member{"ETag", headerRef("ETag")}, member{"Cache-Control", headerRef("CacheControl")})
	}
	described := object{{"description", a.text}, {"headers", headers}}
	switch {
	case a.schema != "":
		return append(described, member{"content", object{{exchange.JSON, object{{"schema", schemaRef(a.schema)}}}}})
	case a.media != "":
		media, _, _ := strings.Cut(a.media, ";")
		return append(described, member{"content", object{{media, object{{"schema", object{{"type", "string"}}}}}}})
	}
	return described
}

// refused describes the problems of one status.
func refused(status int, kinds []exchange.ProblemKind) object {
	headers := object{{requestIDHeader, headerRef("Request")}}
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, member{"WWW-Authenticate", headerRef("Challenge")})
	case http.StatusMethodNotAllowed:
		headers = append(headers, member{"Allow", headerRef("Allow")})
	case http.StatusTooManyRequests:
		headers = append(headers, member{"Retry-After", headerRef("RetryAfter")})
	}
	var uris, meanings []string
	for _, kind := range kinds {
		uris = append(uris, kind.URI())
		meanings = append(meanings, fmt.Sprintf("`%s`: %s", kind.Word(), kind.Title()))
	}
	schema := append(schemaRef(schemaProblem), member{"properties", object{
		{"type", object{{"enum", uris}}}, {"status", object{{"const", status}}}}})
	return object{{"description", strings.Join(meanings, " ")}, {"headers", headers},
		{"content", object{{exchange.ProblemJSON, object{{"schema", schema}}}}}}
}

// handleOpenAPI is the route of the description.
func handleOpenAPI(s *Service, _ *call) (answer, error) { return s.openapi.answer(), nil }
