package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"docket/cmd/internal/api"
	"docket/domain"
	"docket/store"
)

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
				s.refuseAnybody(w, r, v, here[0], api.MethodNotAllowed.New(""))
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
	s.refuseAnybody(w, r, v, &Route{}, api.NotFound.New("GET "+api.OpenAPIPath+" lists the routes."))
}

// refuseAnybody refuses what no route is for, whoever asks. It counts against the address, as every request by nobody does.
func (s *Service) refuseAnybody(w http.ResponseWriter, r *http.Request, v *visit, route *Route, problem *api.Problem) {
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

// visitKey is under what a request's context holds its visit.
type visitKey struct{}

// A visit is what becomes of one request: what is counted and logged of it.
type visit struct {
	id      string
	route   *Route      // nil while none is found
	caller  store.Token // the zero Token while nobody is authenticated
	status  int
	refused bool // with the problem
	problem api.ProblemKind
	cause   error // of an internal problem; for the log only
	begun   time.Time
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{id: rand.Text(), begun: s.now()}
	s.metrics.inFlight.Inc()
	defer s.finish(v)
	defer s.recover(w, r, v)
	header := w.Header()
	header.Set(requestIDHeader, v.id)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
	if !strings.HasPrefix(r.URL.Path, "/") || path.Clean(r.URL.Path) != r.URL.Path {
		s.notFound(w, r) // the mux would redirect
		return
	}
	s.mux.ServeHTTP(w, r)
}

// serve sees to access, limits and body, asks the route's handler, and sends what it says.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, v *visit) {
	answer, err := s.handle(w, r, v)
	var problem *api.Problem
	switch {
	case err == nil:
		v.send(w, r, answer)
	case errors.As(err, &problem):
		v.refuse(w, r, problem)
	default:
		v.cause = err
		v.refuse(w, r, api.Internal.New(""))
	}
}

func (s *Service) handle(w http.ResponseWriter, r *http.Request, v *visit) (answer, error) {
	var err error
	if v.caller, err = s.admit(w, r, v.route); err != nil {
		return answer{}, err
	}
	c := call{caller: v.caller}
	// A caller that has closed its half of the connection still waits for the answer, and net/http cannot tell it from one
	// that is gone; so what was begun is brought to its end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), s.limits.Handler)
	defer cancel()
	if v.route.reads {
		leave, err := s.placeForBody(ctx)
		if err != nil {
			return answer{}, problemOf(err)
		}
		defer leave()
		if c.body, err = readRequest(w, r); err != nil {
			return answer{}, err
		}
	}
	c.request, c.at = r.WithContext(ctx), domain.InstantOf(s.now())
	given, err := v.route.handle(s, &c)
	if err != nil {
		return answer{}, problemOf(err)
	}
	return given, nil
}
