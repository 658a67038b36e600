// Package store keeps a docket in one database: the packets that were imported and the enforcement records that reviewers made,
// append-only. Every record is a leaf of one RFC 6962 log.
//
// The tables and their columns are in sqlite/schema.sql:
//
//   - the six tables of the source under their own names. A row is one canonical document; each member is a column that is generated
//     from it, so that no column can contradict the document. A record is stored at its sequence in the log;
//   - docket_log and docket_log_hashes: the order of the records and the hashes of the tree over them (log.go);
//   - docket_checkpoints: a signed C2SP tlog-checkpoint for each size that the log has had (log.go);
//   - docket_packet_heads: a signed head over the packets for each import (import.go); docket_log_statements: what persons
//     accepted of the log (accept.go); docket_cosignatures: the checkpoints that witnesses cosigned (cosignatures.go);
//   - docket_signatures, docket_statements, docket_packet_salts and docket_notes: what is stored with a record but is no part of the
//     signed bytes (append.go, records.go);
//   - docket_signers: the reviewers' public keys, from the first record on that each of them signed (signers.go);
//   - docket_meta: the version of the schema, the log's random origin and the public half of the key that signs its checkpoints
//     (store.go; the private half is in the key file in the store's folder, key_file.go), and when the store was made;
//   - docket_service_…: the state of a service: tokens by their SHA-256 and keys of principals, with their revocations
//     (service.go), and when records came in (handin.go). In a console's store they are empty;
//   - docket_handin_service, docket_handin_statements, docket_handin_acceptances, docket_handin_rejections: the service that a console's store is bound to
//     (local.go), and what that service answered and signed (answers.go). A record that the service rejected is not in force; the
//     rejection names the record that is;
//   - docket_handin_pull, docket_skips and docket_drafts: local state, the only tables whose rows are changed and deleted
//     (local.go).
//
// Three things keep the other tables append-only, each on its own: triggers, which hold for every program that opens the file; an
// authorizer on the program's own connections (sqlite/authorizer.go); and the log, against which other changes are found. A person
// who has the file can remove the first two, and a part of the log. That does not go unnoticed: the newest checkpoint is also kept
// elsewhere on the machine (merkle/anchor.go), and each export and receipt holds another one.
//
// Every opening proves in a moment that the log extends the anchor. Verifying the whole log recomputes it from the records. A store
// with findings can be read and takes nothing. Not covered are the times at which packets were imported and the store was made,
// skips and drafts.
//
// A store is a console's or a service's: the origin of its log says which (service.go). Append records decisions in a console's store.
// HandIn takes records into a service's store; Page and Packet return packets to the principals that they are assigned to. Tokens
// and keys are append-only as well, but no checkpoint covers them.
//
// One connection writes, in short immediate transactions; others read. Several programs may work on one store. Records that wait for
// the write lock in one program share a transaction, each with its own checks, receipt and checkpoint.
//
// # Rooms
//
// This folder holds the rules, once, and no SQL. Package engine says what they need of a database: typed operations of a transaction.
// Package sqlite is the one engine: the connections, the transaction with the lock, the schema with its triggers, every SQL statement,
// the classification of errors and the copying of a database. Package merkle holds the tree, the checkpoints, their keys and the anchor.
// Package disk holds the files, locks and volumes, package turn says who writes when. Package verify is the verifier, which reads a Snapshot as it reads an export.
//
// Start at Open in store.go, Append in append.go and Queue in queue.go.
package store
