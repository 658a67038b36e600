// Package engine says what a store needs of its database: Database, which opens, makes, copies and cleans it, and a transaction, Tx, with
// typed operations in families, one for each part of the store. Implementations are in folders of their own beside this one: store/sqlite
// and store/postgres.
//
// The operations return stored values and verify nothing: in an edited database a row may hold anything, and package
// store and the verifier judge it. Rows come back as they were added, byte for byte. An operation that adds a row fails
// unless exactly that row was added, at once or at the latest when its part of the transaction ends. Every table except
// those of local state refuses to change or delete a row.
//
// Two terms of the operations mean the same in every engine. An enforcement record is in force unless the service rejected it or a revoked key
// signed it. An acceptance is lost if a restore that the console followed ended its log below its tree.
//
// Start at Database in database.go and Tx in transaction.go.
package engine
