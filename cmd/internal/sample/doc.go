// Package sample is the docket that can be worked without any source of packets: a few dozen cases and amendments
// that read like a day's work on a platform that brokers donation offsets and pledge swaps, and any number of
// synthetic ones for load tests.
//
// Packets writes the docket for a moment: every date in it is relative to that moment, so it never expires. Nobody in
// it is named: reviewers, owners and parties have opaque ids, and what looks private was made up to be dropped. Between
// them the packets show every word and every blocker of both areas, and at least a third of them pass, when the docket
// is opened and for five days after; then deadlines run out one by one.
//
// # Templates
//
// The docket is data: the files under packets/, one for each packet table, each holding
//
//	{"table": "<table name>", "like": {…}, "packets": [ … ]}
//
// "like" is a record that every packet of the file starts from. A packet is
//
//	{"record": {…}, "slipped": {…}, "tampered": {…}, "private": {…}}
//
// of which only "record" must be there. It states what differs from "like", as a JSON merge patch (RFC 7396): objects
// are merged member by member, arrays and all else replace what was there, and null takes a member out. Hashes are not
// written down: the record is sealed once it is complete, so policies come before what names them. The other three say
// what happened to it besides:
//
//   - "slipped" is a merge patch with texts that hold private details, which the source nevertheless sealed (cases only)
//   - "tampered" is a merge patch made after the sealing, so that the hashes no longer match
//   - "private" is the packet's private member, taken as it is
//
// Two kinds of string stand for something else wherever they are in the first three:
//
//	"@-3d4h"        a time: weeks (w), days (d), hours (h), minutes (m) before (-) or after (+) the start
//	"#terms after"  a hash: of the record's id and the words, so that they give the same one within a record
//
// Any other string that starts with @ or #, a member that is not described here and one that stands twice are errors.
package sample
