// Package contracts reads the packet files of other programs and holds the JSON Schemas that
// describe them.
//
// # Packet files
//
// ReadPackets reads a file as a stream. A file is one JSON packet, an array of packets, or JSON
// Lines; its bytes show which. Framing, in this package, finds the end of each packet by strings,
// brackets and lines alone; packets.Reader reads the packet strictly. Memory is bounded for every
// input: one packet's text is at most MaxText bytes, a longer one is refused and skipped without
// being held.
//
// A packet that cannot be read is reported as a Refusal with file, line, JSON pointer and reason,
// never with a value or an unknown member name. The rest of the file is read:
//
//   - Once a text stood whole on one line, the file is JSON Lines, and each line stands for itself.
//   - Before that, a line that starts with "{" where the grammar has no place for an object ends
//     the text before it. If a text that spans lines cannot be read, and one of its lines is an
//     object of its own, reading goes on there.
//   - In an array an element that cannot be read loses only itself, as long as its brackets
//     match. Otherwise nothing more can be told apart, save from a line on that starts with "{".
//
// # Schemas
//
// schemas/ holds a JSON Schema (2020-12) for each packet table, for its packets as they are stored,
// and for the enforcement records. Reading does not use them: a test holds them and the readers to
// taking and refusing the same documents. After a packet is refused, ExplainPacket finds its other
// faults.
//
// # Contracts and profiles
//
// Package contracts/report publishes the three governance contracts and checks reports that others
// published; contracts/incident reads and lays out incident response profiles. docs/contracts.md
// lists every choice that this project made where the source is silent.
package contracts
