// Package serve is the service as HTTP: the source's routes (seed 4), what pulling and pushing consoles need, and what
// an operator asks of a running service. It is an http.Handler over a *store.Store (store.go).
//
// All routes stand in one table (routes.go): the mux, the OpenAPI document, the table of cmd/docs/service.md and the tests derive from it.
package serve
