// Package engine says what a store needs of its database: Database, which opens, makes, copies and cleans it, and a transaction, Tx, with
// typed operations in families, one for each part of the store. Implementations are in folders of their own beside this one: store/sqlite
// and store/postgres.
//
// The operations return what is stored and check nothing: in an edited database a row may hold anything, and the rules of package
// store and the verifier say what it is worth. Rows come back as they went in, byte for byte. An operation that adds a row fails unless
// exactly that row was added, there and then or at the latest where its part of the transaction ends, and every table but those of local state refuses to change or delete a row.
//
// Two terms of the operations mean the same in every engine. An enforcement record is in force unless the service rejected it or a revoked key
// signed it. An acceptance is lost if a restore that the console followed ended its log below its tree.
//
// Start at Database in database.go and Tx in transaction.go.
package engine
