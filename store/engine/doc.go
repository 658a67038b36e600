// Package engine asks a store's database, whichever it is: Database opens, makes, copies and cleans
// it, and a transaction, Tx, has typed operations in families, one for each part of the store.
//
// Queries are written once, in queries.sql: most are blocks that a person can paste into sqlite3 or
// psql, and those of documents have words in braces. A Flavor is what differs between the engines:
// how a free text is stored, what an error means, and its Dialect, the few words of its own
// queries.sql. A Base holds the connections of a Database and runs work on them, over the Driver of
// the engine. The flavors and drivers, with the schema of each engine, are in store/sqlite and
// store/postgres.
//
// Where reading a whole table has to fail, a query names its index. A document that is no longer
// JSON would end a query that reads a column derived from it: queries ask {isJSON} first, or find
// the row by its index alone.
//
// The operations return stored values and verify nothing: in an edited database a row may hold
// anything, and package store and the verifier judge it. Rows come back as they were added, byte
// for byte. An operation that adds a row fails unless exactly that row was added, at once or at the
// latest when its part of the transaction ends. Every table except those of local state refuses to
// change or delete a row.
//
// Two terms of the operations mean the same in every engine. An enforcement record is in force
// unless the service rejected it or a revoked key signed it. An acceptance is lost if a restore
// that the console followed ended its log below its tree.
//
// Start at Database in database.go, Tx in transaction.go, queries.sql and queries.go.
package engine
