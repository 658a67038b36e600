// Package postgres implements package engine over PostgreSQL 15 or newer: the schema with its roles
// and triggers, the connections to it and the flavor of its transactions. It holds no rules: those
// are in package store, once for every engine.
//
// A database holds one store, in the schema docket, which roles.sql and the files of migrations
// make as the role docket_owner. Names are never quoted, so that the server has them in lower case.
// Connections search pg_catalog and the schema docket, and temporary tables last: none takes the
// place of a table. A document is stored as the bytes that were signed: PostgreSQL's JSON types
// refuse U+0000. A trigger fills the columns for queries from the document.
//
// # Roles
//
// docket_owner owns the schema and migrates it, and no connection of a service has its rights.
// docket_writer reads and inserts; it deletes local state, and rows that a statement of the log
// says are erased; it updates local state and the head row. docket_reader reads; docket_auditor is
// a reader, for those who check. Triggers that always fire, and that only the owner can lift,
// refuse any other UPDATE, DELETE and TRUNCATE. Each new connection takes the role that it needs,
// independent of its login.
//
// # Isolation
//
// A View is a REPEATABLE READ transaction that only reads: one snapshot. An Update is a READ
// COMMITTED transaction whose first statement locks the one row of docket_head. Nothing is written
// without that lock, so that transactions that write are serial: each statement of one sees all
// that earlier ones committed, and nothing changes under it. No advisory lock, no notification and
// no extension is used. A database that uses SERIALIZABLE for either works as well: it may end a
// transaction in favour of another one, which is an error that is Passing.
//
// Start at DB in database.go and at migrations/1.sql.
package postgres
