// Package serve is the service as HTTP: the source's routes (seed 4), what pulling and pushing consoles need, and what
// an operator asks of a running service. It is an http.Handler over interfaces that it declares itself (backing.go), so
// that what lies behind them can be this program's own store or another one.
//
// All routes stand in one table (routes.go): the mux, the OpenAPI document, the table of cmd/docs/service.md and the tests derive from it.
package serve
