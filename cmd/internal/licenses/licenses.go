// Package licenses holds the notices of what is linked into docket: of Go and of every module, as they stand in the modules.
package licenses

import _ "embed"

//go:generate go run generate.go

// Notices is the text of all of them. The modules that one applies to stand above it.
//
//go:embed notices.txt
var Notices string
