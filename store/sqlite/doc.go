// Package sqlite is the database of a store: one SQLite file, its schema and the connections to it.
//
// What differs from one database to another stands here, behind the methods of DB and a few functions: opening the connections that
// read and the one that writes (Open, Reader, Writer), the transaction that holds the lock (Begin), making and comparing the schema
// (Create, Inspect, Altered, schema.sql with its triggers), what an error means (Explain, Broken), what is durable after a failure
// (Fold), a copy of one moment (Copy), and the check of the file's structure (StructureFaults). The rules of a store stand above it.
//
// The file is never opened in this process but through SQLite: closing any other descriptor of it would drop SQLite's locks.
//
// Start at DB in database.go and schema.sql.
package sqlite
