// Package store keeps a docket in one SQLite file: the packets that came in and the enforcement records that reviewers
// left, append-only, with every record a leaf of one RFC 6962 log.
//
// What is in the file:
//
//   - the six tables of the source under their own names (schema.go). A row is one canonical document; each member is a
//     column generated from it, so that no column can say anything else than the document;
//   - docket_log and docket_log_hashes: the order of the records and the hashes of the tree over them (log.go);
//   - docket_signatures and docket_notes: what goes with a record but is no part of the signed bytes;
//   - docket_meta: the version of this schema, the log's random origin, when the store was made;
//   - docket_skips: the only table in which anything is ever changed or deleted.
//
// Three things keep the rest append-only, each on its own: triggers, which hold for whoever opens the file with
// whatever program; an authorizer on the program's own connections (authorizer.go); and the log, against which what
// was done to the file by other means can be found.
//
// One connection writes, in short immediate transactions; others read. Two programs may work on one store. The file
// is never opened in this process but through SQLite, because closing any other descriptor of it would drop SQLite's
// locks.
//
// Start at Open in store.go, Append in append.go and Queue in queue.go.
package store
