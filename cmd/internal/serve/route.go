package serve

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain/terms"
	"docket/store"
)

// An Access says who may use a route. The zero value permits no one.
type Access uint8

// The accesses.
const (
	Nobody   Access = iota
	Anybody         // no token is needed
	Bearer          // a token, "Authorization: Bearer …"
	Operator        // a caller on this machine, or a token of a safety admin or for the metrics
)

// A Route is a row of the route table, which the mux, the metrics and the tests use. openapi.json describes each, with the
// answers that it may have.
type Route struct {
	Method string
	Path   string // a constant of package api; {id} is a path parameter
	Access Access

	reads     bool  // it reads a body
	rest      bool  // the last parameter of the path may have slashes
	unlimited bool  // no rate limit, because monitoring asks often
	place     place // what its work needs
	handle    func(*Service, *call) (answer, error)
}

// A call is a request after access, limits and body were checked.
type call struct {
	request *http.Request
	caller  store.Token   // the zero Token if the route needs none
	body    []byte        // nil if the route reads none
	at      terms.Instant // now
}

// An answer is the response to a request that is granted.
type answer struct {
	status   int
	document []byte
	media    string // of the document; "" for api.JSON
	etag     string // of a document that may be cached; "" for none
	cache    string // its Cache-Control; "" for cacheControl
}

// requestIDHeader is the header with the id of a request, which is also in the log. The service makes the id and ignores one
// that a caller sends.
const requestIDHeader = "X-Request-Id"

// newMux returns the mux of the table. The patterns have no methods, so that a wrong method is answered with a problem.
func newMux(s *Service, routes []Route) *http.ServeMux {
	byPath := map[string][]*Route{}
	var paths []string
	for i := range routes {
		route := &routes[i]
		if byPath[route.Path] == nil {
			paths = append(paths, route.Path)
		}
		byPath[route.Path] = append(byPath[route.Path], route)
	}
	mux := http.NewServeMux()
	for _, pattern := range paths {
		here := byPath[pattern]
		allow := strings.Join(methods(here), ", ")
		if here[0].rest {
			pattern = strings.TrimSuffix(pattern, "}") + "...}"
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v := r.Context().Value(visitKey{}).(*visit)
			if v.route = routeOf(here, r.Method); v.route == nil {
				w.Header().Set("Allow", allow)
				s.refuseUnrouted(w, r, v, &Route{unlimited: here[0].unlimited}, api.MethodNotAllowed.New(""))
				return
			}
			s.serve(w, r, v)
		})
	}
	mux.HandleFunc("/", s.notFound)
	return mux
}

func (s *Service) notFound(w http.ResponseWriter, r *http.Request) {
	v := r.Context().Value(visitKey{}).(*visit)
	s.refuseUnrouted(w, r, v, &Route{}, api.NotFound.New(""))
}

// refuseUnrouted refuses a request without a route, which counts against the limit of its address.
func (s *Service) refuseUnrouted(w http.ResponseWriter, r *http.Request, v *visit, route *Route, problem *api.Problem) {
	var limited *api.Problem
	if errors.As(s.admitAddress(w, v, route), &limited) {
		problem = limited
	}
	v.refuse(w, r, problem)
}

// methods returns the methods of a path's routes, as in Allow.
func methods(routes []*Route) []string {
	var list []string
	for _, route := range routes {
		list = append(list, route.Method)
		if route.Method == http.MethodGet {
			list = append(list, http.MethodHead)
		}
	}
	slices.Sort(list)
	return list
}

// routeOf returns the route for a method; nil if there is none. HEAD is answered as GET, without the body.
func routeOf(routes []*Route, method string) *Route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, route := range routes {
		if route.Method == method {
			return route
		}
	}
	return nil
}
