package store

import (
	"strings"

	"docket/domain"

	"modernc.org/sqlite"
)

// appendable are the tables into which rows may be inserted, in the main database only.
var appendable = func() map[string]bool {
	tables := map[string]bool{}
	for _, table := range domain.Tables.Texts() {
		tables[table] = true
	}
	for _, table := range localTables {
		tables[table.name] = true
	}
	return tables
}()

// mutable are the tables in which rows may be changed and deleted.
var mutable = func() map[string]bool {
	tables := map[string]bool{}
	for _, table := range localTables {
		tables[table.name] = table.mutable
	}
	return tables
}()

// telling are the pragmas that only tell something, if they are given no value.
var telling = map[string]bool{"application_id": true, "user_version": true, "data_version": true, "integrity_check": true}

// folding is the one pragma that does something: it brings what is in the write-ahead log to the disk.
const folding = "wal_checkpoint=full"

// authorize is asked by SQLite for every step of every statement that the program's own connections prepare. What is
// not listed is denied: changing or deleting rows, making, altering or dropping anything, temporary objects, other
// database files, pragmas that set something.
func authorize(action sqlite.AuthorizerActionCode, arg1, arg2, database, _ string) sqlite.AuthorizerReturnCode {
	allowed := false
	switch action {
	case sqlite.AuthSelect, sqlite.AuthTransaction, sqlite.AuthFunction, sqlite.AuthRecursive:
		allowed = true
	case sqlite.AuthRead:
		allowed = database == "main" || database == ""
	case sqlite.AuthPragma:
		allowed = arg2 == "" && telling[strings.ToLower(arg1)] || strings.EqualFold(arg1+"="+arg2, folding)
	case sqlite.AuthInsert:
		allowed = database == "main" && appendable[strings.ToLower(arg1)]
	case sqlite.AuthUpdate, sqlite.AuthDelete:
		allowed = database == "main" && mutable[strings.ToLower(arg1)]
	}
	if allowed {
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}
