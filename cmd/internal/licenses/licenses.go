// Package licenses holds the notices of the code that is linked into docket: of Go and of every
// module, unchanged.
package licenses

import _ "embed"

// Notices holds all notices. Above each notice stand the modules to which it applies.
//
//go:embed notices.txt
var Notices string
