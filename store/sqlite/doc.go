// Package sqlite implements package engine over SQLite: one file, its schema, the connections to it and the flavor of its transactions.
//
// DB opens the connections that read and the one that writes, and runs work in a snapshot (View) or in the transaction
// that holds the lock (Update); it makes the schema (Create, Inspect, schema.sql with its triggers), explains errors
// (Explain, Broken), makes committed data durable after a failure (Fold), copies one snapshot (Copy) and removes erased
// bytes (Scrub). The operations that SQLite has in its own words are in packets.go, arrivals.go, records.go, queue.go, answers.go and
// structure.go; tables, columns, indexes and the conditions that several queries share are in tables.go.
//
// These queries name their index where reading a whole table has to fail. No temporary table can take the place of one: the authorizer
// refuses to make or to read it. A document that is no longer JSON would end a query that reads a column derived from it: queries ask
// json_valid first, or find the row by its index alone.
//
// In this process the file is opened only through SQLite: closing any other descriptor of it would drop SQLite's locks.
//
// Start at DB in database.go and schema.sql.
package sqlite
