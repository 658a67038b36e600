package serve

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/store"
)

// An Access says who may use a route. The zero value lets nobody in.
type Access uint8

// The accesses.
const (
	Nobody   Access = iota
	Anybody         // no token is asked for
	Bearer          // a token, "Authorization: Bearer …"
	Operator        // a caller on loopback, or a token of a safety admin
)

// A Route is one route: all that the mux, the metrics and the tests know of it. What it is for, and the shapes of its bodies,
// are told in openapi.json.
type Route struct {
	Method string
	Path   string // as in package exchange; {id} is a path parameter
	Access Access

	parameters []string          // of the query, all of them optional
	reads      bool              // it reads a body
	answers    []int             // the statuses besides those of problems
	problems   []api.ProblemKind // besides those that any route with its access and body may answer with
	tally      tally             // what is counted besides the request
	unlimited  bool              // no rate limit: it costs nothing, and whoever watches the process asks often
	handle     func(*Service, *call) (answer, error)
}

// A tally is what a route's answers are counted as besides requests. The zero value is nothing.
type tally uint8

const (
	tallyNothing     tally = iota
	tallyRecords           // records that were handed in
	tallyCheckpoints       // checkpoints that consoles submitted
)

// Problems are all kinds that the route may answer with, in the order of exchange's table.
func (r *Route) Problems() []api.ProblemKind {
	may := map[api.ProblemKind]bool{api.Internal: true, api.MethodNotAllowed: true}
	for _, kind := range r.problems {
		may[kind] = true
	}
	if !r.unlimited {
		may[api.RateLimited] = true
	}
	if r.Access != Anybody {
		may[api.Unauthenticated], may[api.Unavailable] = true, true
	}
	if r.Access == Operator {
		may[api.Forbidden] = true
	}
	if r.reads {
		may[api.Malformed], may[api.BodyTooLarge], may[api.UnsupportedMediaType] = true, true, true
	}
	var kinds []api.ProblemKind
	for _, kind := range api.ProblemKinds() {
		if may[kind] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// A call is one request on its way through its route, after access, limits and body have been seen to.
type call struct {
	request *http.Request
	caller  store.Token    // the zero Token where the route asks for no token
	body    []byte         // nil where the route reads none
	at      domain.Instant // now
}

// An answer is what a handler gives when it grants the request.
type answer struct {
	status   int
	document []byte
	media    string // of the document; "" for api.JSON
	etag     string // of a document that may be cached; "" for one that must not be stored
}

// A handler returns an answer, or an error: an *api.Problem as it is to be sent; anything else is an internal
// problem whose text stays in the log.

// requestIDHeader names a request in its answer and in the log. It is drawn here; what a caller sends is not taken over.
const requestIDHeader = "X-Request-Id"

// newMux makes the mux of the table. Methods are told apart here and not by the patterns, so that a wrong one is answered
// with a problem.
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
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v := r.Context().Value(visitKey{}).(*visit)
			if v.route = routeOf(here, r.Method); v.route == nil {
				w.Header().Set("Allow", allow)
				s.refuseUnrouted(w, r, v, here[0], api.MethodNotAllowed.New(""))
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
	s.refuseUnrouted(w, r, v, &Route{}, api.NotFound.New("GET "+api.OpenAPIPath+" lists the routes."))
}

// refuseUnrouted refuses what no route is for, whoever asks. It counts against the address, as every request by nobody does.
func (s *Service) refuseUnrouted(w http.ResponseWriter, r *http.Request, v *visit, route *Route, problem *api.Problem) {
	var limited *api.Problem
	if errors.As(s.limitPeer(w, r, route), &limited) {
		problem = limited
	}
	v.refuse(w, r, problem)
}

// methods lists the methods of one path's routes, as Allow does.
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

// routeOf finds the route for a method; HEAD is answered as GET, without the body. nil if there is none.
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
