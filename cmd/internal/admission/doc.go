// Package admission decides which requests an overloaded service accepts, so that no caller stops the others. It does
// not know the routes and the store.
//
// Start at the table of limits (limits.go).
package admission
