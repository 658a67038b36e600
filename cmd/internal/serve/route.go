package serve

import (
	"net/http"

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
