// Package audit checks a log of enforcement records, wherever it is kept: every record, signature and packet, the tree
// over them, and that each record follows from the packets it names.
//
// It trusts nothing that a source says of itself. The tree is computed from the records' own bytes and compared with
// the signed checkpoint; each record is judged again; what was computed and stored beside the records is only
// compared. What is not as it has to be is a Finding of a closed vocabulary of kinds. An error of Check means that the
// source could not be read to its end, so that nothing is known about the rest.
//
// Records stream through: reading, signatures and judging on all cores, what depends on order in one place. Memory does
// not grow with the log but for the upper hashes of its tree, a quarter of a byte a record. What duplicates and
// supersedes chains take to be seen, two fingerprints of 12 bytes a record, is in memory up to 65,536 records, and
// beyond that in two files in the folder for temporary ones: 36 bytes a record, without a name where the system allows
// that.
package audit
