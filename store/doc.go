// Package store keeps a docket in one SQLite file: the packets that came in and the enforcement records that reviewers
// left, append-only, with every record a leaf of one RFC 6962 log.
//
// What is in the file:
//
//   - the six tables of the source under their own names (schema.go). A row is one canonical document; each member is a
//     column generated from it, so that no column can say anything else than the document. A record stands at its
//     sequence in the log;
//   - docket_log and docket_log_hashes: the order of the records and the hashes of the tree over them (log.go, tree.go);
//   - docket_checkpoints: a signed C2SP tlog-checkpoint for each size that the log has had (checkpoint.go);
//   - docket_packet_heads: a signed head over the packets for each import (packet_head.go); docket_log_statements: what persons
//     accepted of the log (log_statements.go, accept.go);
//   - docket_signatures, docket_statements, docket_packet_salts and docket_notes: what goes with a record but is no part of the
//     signed bytes;
//   - docket_signers: the reviewers' public keys, from the first record on that each of them signed;
//   - docket_meta: the version of this schema, the log's random origin and the public half of the key that signs its checkpoints
//     (key.go; the private half is in the key file beside the store), when the store was made;
//   - docket_service_…: what a service knows besides its packets and records: tokens by their SHA-256, keys of principals,
//     what was revoked, and the checkpoints of consoles' logs that it cosigned or refused (service_schema.go). In a
//     console's store they are empty;
//   - docket_handin_service, docket_handin_acceptances, docket_handin_rejections, docket_handin_cosignatures: which service the
//     store is bound to, and what that answered and signed (service_link.go, handin.go, lodging.go). A record that the service
//     turned away is not in force; what the rejection names is;
//   - docket_handin_pull: where pulling packets goes on;
//   - docket_skips and docket_drafts: with the one before, the only tables in which anything is ever changed or deleted.
//
// Three things keep the rest append-only, each on its own: triggers, which hold for whoever opens the file with
// whatever program; an authorizer on the program's own connections (authorizer.go); and the log, against which what
// was done to the file by other means is found. The first two can be removed by somebody who has the file. So can a
// part of the log: but not unnoticed, because the newest checkpoint is also kept elsewhere on the machine (anchor.go),
// and whoever has an export or a receipt holds another.
//
// Every opening proves in a moment that the log extends what is kept elsewhere (proof.go), and Prove recomputes all of
// it from the records (prove.go). What they find is listed in finding.go. A store with a finding can be read, and
// takes nothing. What is not covered: the time at which a packet came in or the store was made, skips and drafts; packets
// vouch for themselves, and the records for the packets that they judged.
//
// A store is a console's or a service's, which its log's origin says (service.go). Reviewers' records are appended to the
// one, by Append, and handed in to the other, by HandIn; a service gives packets out by Page and Packet to whom they are
// assigned, and cosigns the consoles' checkpoints by Cosign. Tokens, keys and cosigned checkpoints are append-only like all
// the rest, but stand beside the log: no checkpoint vouches for them.
//
// One connection writes, in short immediate transactions; others read. Two programs may work on one store. The file
// is never opened in this process but through SQLite, because closing any other descriptor of it would drop SQLite's
// locks.
//
// Start at Open in store.go, Append in append.go and Queue in queue.go.
package store
