// Package admission decides what a service takes on when more is asked of it than it can do, so that no caller stops the others.
// It knows nothing of routes and of the store.
//
// Start at the table of limits (limits.go).
package admission
