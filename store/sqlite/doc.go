// Package sqlite implements package engine over SQLite: one file, its schema, the connections to it and every SQL statement.
//
// DB opens the connections that read and the one that writes, and runs work in a snapshot (View) or in the transaction
// that holds the lock (Update); it makes the schema (Create, Inspect, schema.sql with its triggers), explains errors
// (Explain, Broken), makes committed data durable after a failure (Fold), copies one snapshot (Copy) and removes erased
// bytes (Scrub). The operations of a transaction, an engine.Tx, are in a file for each family: structure.go, log.go,
// statements.go, records.go and erasure.go, packets.go and arrivals.go, queue.go, keys.go, answers.go, local.go,
// service.go and rows.go. Tables, columns, indexes and the conditions that several queries share are in tables.go.
//
// Queries name their index where reading a whole table has to fail, and write main. before each table, so that a
// temporary table cannot replace it. A document that is no longer JSON would end a query that reads a column derived
// from it: queries ask json_valid first, or find the row by its index alone.
//
// In this process the file is opened only through SQLite: closing any other descriptor of it would drop SQLite's locks.
//
// Start at DB in database.go and schema.sql.
package sqlite
