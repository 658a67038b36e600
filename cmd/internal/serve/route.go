package serve

import (
	"errors"
	"net/http"
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

// A Route is a row of the route table, which the mux, the metrics and the tests use. openapi.json
// describes each, with the answers that it may have.
type Route struct {
	Method string
	Path   string // a constant of package api; {id} is a path parameter
	Access Access

	reads     bool  // it reads a body
	unlimited bool  // no rate limit
	place     place // what its work needs
	handle    handler
}

// A handler answers a call; the error is one of the store, a problem, or internal.
type handler func(*Service, *call) (answer, error)

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

// requestIDHeader has the id of a request, which is also in the log; a caller's is ignored.
const requestIDHeader = "X-Request-Id"

// newMux returns the mux of the table, without methods so that a wrong one is answered with a
// problem; no path stands twice, and the index of a tile may have slashes.
func newMux(s *Service, routes []Route) *http.ServeMux {
	mux := http.NewServeMux()
	for i := range routes {
		route := &routes[i]
		allow := route.Method
		if route.Method == http.MethodGet { // HEAD is answered as GET, without the body
			allow += ", " + http.MethodHead
		}
		pattern := strings.Replace(route.Path, "{index}", "{index...}", 1)
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v := r.Context().Value(visitKey{}).(*visit)
			isHead := r.Method == http.MethodHead && route.Method == http.MethodGet
			if r.Method != route.Method && !isHead {
				w.Header().Set("Allow", allow)
				s.refuseUnrouted(w, r, v, route.unlimited, api.MethodNotAllowed.New(""))
				return
			}
			v.route = route
			s.serve(w, r, v)
		})
	}
	mux.HandleFunc("/", s.notFound)
	return mux
}

func (s *Service) notFound(w http.ResponseWriter, r *http.Request) {
	v := r.Context().Value(visitKey{}).(*visit)
	s.refuseUnrouted(w, r, v, false, api.NotFound.New(""))
}

// refuseUnrouted refuses a request without a route, which counts against the limit of its address.
func (s *Service) refuseUnrouted(w http.ResponseWriter, r *http.Request, v *visit, unlimited bool, problem *api.Problem) {
	var limited *api.Problem
	if errors.As(s.admitAddress(w, v, unlimited), &limited) {
		problem = limited
	}
	v.refuse(w, r, problem)
}
