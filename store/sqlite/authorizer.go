package sqlite

import (
	"strings"

	"modernc.org/sqlite"
)

// telling are the pragmas that only tell something, if they are given no value.
var telling = map[string]bool{"application_id": true, "user_version": true, "data_version": true, "integrity_check": true}

// folding is the one pragma that does something: it brings what is in the write-ahead log to the disk.
const folding = "wal_checkpoint=full"

// partOfTransaction is the name of the one savepoint that there is.
const partOfTransaction = "part"

// Authorize is asked by SQLite for every step of every statement that the program's own connections prepare. What is
// not listed is denied: changing or deleting rows, making, altering or dropping anything, temporary objects, other
// database files, pragmas that set something.
func Authorize(action sqlite.AuthorizerActionCode, arg1, arg2, database, _ string) sqlite.AuthorizerReturnCode {
	allowed := false
	switch action {
	case sqlite.AuthSelect, sqlite.AuthTransaction, sqlite.AuthFunction, sqlite.AuthRecursive:
		allowed = true
	case sqlite.AuthSavepoint:
		allowed = arg2 == partOfTransaction
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
