// Package sqlite implements package engine over SQLite: one file, its schema, the connections to it
// and the flavor of its transactions.
//
// DB opens the connections that read and the one that writes, and runs work in a snapshot (View) or
// in the transaction that holds the lock (Update); it makes the schema (Create, Inspect, schema.sql
// with its triggers), explains errors (Explain, Broken), makes committed data durable after a
// failure (Fold), copies one snapshot (Copy) and removes erased bytes (Scrub). What SQLite has in
// its own words is in queries.sql and structure.go. No temporary table can take the place of one
// that a query names: the authorizer refuses to make or to read it.
//
// In this process the file is opened only through SQLite: closing any other descriptor of it would
// drop SQLite's locks.
//
// Start at DB in database.go and schema.sql.
package sqlite
