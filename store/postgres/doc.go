// Package postgres implements package engine over PostgreSQL 15 or newer: the schema with its roles and triggers, the connections to it and
// every SQL statement. It holds no rule of its own: those are in package store, once for every engine.
//
// A database holds one store, in the schema docket, which roles.sql and the files of migrations make as the role docket_owner. Names are in
// lower case and never quoted; every name in a statement is qualified, and connections search pg_catalog alone. A document is stored as the
// bytes that were signed: PostgreSQL's JSON types refuse U+0000. A trigger fills the columns that queries look for, from the document.
//
// # Roles
//
// docket_owner owns the schema and migrates it, and no connection of a service has its rights. docket_writer reads and inserts; it deletes
// local state, and what a statement of the log says is erased; it updates local state and the head row. docket_reader reads; docket_auditor
// is a reader, for those who check. Triggers that always fire, and that only the owner can lift, refuse any other UPDATE, DELETE and TRUNCATE.
// Each connection takes the role that it needs when it is made, whatever login it comes from.
//
// # Isolation
//
// A View is a REPEATABLE READ transaction that only reads: one snapshot. An Update is a READ COMMITTED transaction whose first statement
// locks the one row of docket_head. Nothing is written without that lock, so that transactions that write are serial: each statement of one sees
// all that earlier ones committed, and nothing changes under it. No advisory lock, no notification and no extension is used. A database that
// gives SERIALIZABLE for either is as good: it may end a transaction for another one, which is an error that is Passing.
//
// # Pipelines
//
// What a transaction writes is sent with the next query, at the end of a part of it (Nested) or with the COMMIT, in one pipeline. So the error of an
// operation that writes may be returned by a later one, at the latest by the end of the part or of the transaction.
//
// Start at DB in database.go and at migrations/1.sql.
package postgres
