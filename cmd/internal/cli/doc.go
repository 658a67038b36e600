// Package cli is docket's command line: one file a command, and the wiring between the store, the contracts, the
// identity and the console.
//
// Data goes to standard output, messages to standard error. With --json nothing but JSON goes to standard output. The
// exit status is one of Status: done, refused, wrong usage, or an environment that failed.
package cli
