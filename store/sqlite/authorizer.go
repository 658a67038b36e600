package sqlite

import (
	"strings"

	"docket/store/engine"

	"modernc.org/sqlite"
)

// telling lists the pragmas that only return a value if they are given none.
var telling = map[string]bool{"application_id": true, "user_version": true, "data_version": true, "integrity_check": true}

// folding is the one pragma that does something: it brings the write-ahead log into the file.
const folding = "wal_checkpoint=full"

// SQLite calls Authorize for every step of every statement that the program's own connections
// prepare. A step that is not listed is denied: changing or deleting rows, making, altering or
// dropping anything, temporary objects, other database files, pragmas that set something.
func Authorize(action sqlite.AuthorizerActionCode, arg1, arg2, database, _ string) sqlite.AuthorizerReturnCode {
	allowed := false
	switch action {
	case sqlite.AuthSelect, sqlite.AuthTransaction, sqlite.AuthFunction, sqlite.AuthRecursive:
		allowed = true
	case sqlite.AuthSavepoint:
		allowed = arg2 == engine.Savepoint
	case sqlite.AuthRead:
		allowed = database == "main" || database == ""
	case sqlite.AuthPragma:
		allowed = arg2 == "" && telling[strings.ToLower(arg1)] || strings.EqualFold(arg1+"="+arg2, folding)
	case sqlite.AuthInsert:
		_, ours := tables[strings.ToLower(arg1)]
		allowed = database == "main" && ours
	case sqlite.AuthUpdate:
		allowed = database == "main" && tables[strings.ToLower(arg1)]
	case sqlite.AuthDelete:
		table := strings.ToLower(arg1)
		allowed = database == "main" && (tables[table] || erasable[table])
	}
	if allowed {
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}
