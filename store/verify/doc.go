// Package verify is the one verifier of docket: it checks a log of enforcement records, kept in a
// store or in a bundle. It checks every record, signature and packet, the tree over the records,
// the chains of records that supersede one another, and that each record follows from the packets
// that it names.
//
// Start with Check, which reads a Source. A store and a bundle implement Source. A source that
// keeps more than the records also implements StorageVerifier, which Check runs before and after. A
// Depth says how much is checked: opening a store checks HeadOnly (head.go), in a time that does
// not depend on the size of the log.
//
// The verifier does not trust the source. It computes the tree from the bytes of the records and
// compares it with the signed checkpoint; it evaluates each record again; derived data that is
// stored beside the records is only compared. Each defect is a Finding with a Code of a closed list
// (finding.go, store/docs/trust.md). An error of Check means that the source could not be read to
// its end, so that nothing is known about the rest.
//
// Records are streamed: reading, signatures and evaluation run on all cores (stream.go, entry.go),
// and the checks that depend on the order of the records run in one goroutine (check.go, chain.go).
// Memory grows with the log by the upper hashes of its tree, a quarter of a byte a record, and by
// the id of each record and the name of each revision, about 130 bytes a record.
package verify
