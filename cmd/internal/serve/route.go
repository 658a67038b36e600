package serve

import (
	"net/http"

	"docket/cmd/internal/exchange"
	"docket/domain"
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

// A Route is one route: all that the mux, the OpenAPI document, the README's table and the tests know of it.
type Route struct {
	Method  string
	Path    string // as in exchange; {id} is a path parameter
	Access  Access
	Summary string // one line
	Source  string // where it stands in the source document: "seed 4.1"; "" for this project's choice

	request  *body                  // nil: none is read
	answers  []reply                // what it answers with besides problems
	problems []exchange.ProblemKind // besides those that any route with its access and body may answer with
	handle   func(*Service, *call) (answer, error)
}

// A body is what a route reads.
type body struct {
	schema string // name among the OpenAPI document's schemas
}

// A reply is one status with the schema of its body.
type reply struct {
	status int
	schema string // "" for no JSON body
	media  string // "" for exchange.JSON
	text   string // what the status means here
}

// A call is one request on its way through its route, after access, limits and body have been seen to.
type call struct {
	request   *http.Request
	principal Principal      // the zero Principal where the route asks for no token
	body      []byte         // nil where the route reads none
	at        domain.Instant // now
}

// An answer is what a handler gives when it grants the request.
type answer struct {
	status   int
	document []byte // JSON
	etag     string // of a document that may be cached; "" for one that must not be stored
}

// A handler returns an answer, or an error: an *exchange.Problem as it is to be sent; anything else is an internal
// problem whose text stays in the log.
