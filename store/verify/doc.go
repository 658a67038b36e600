// Package verify checks a log of enforcement records, wherever it is kept: every record, signature and packet, the tree
// over them, and that each record follows from the packets it names.
//
// It trusts nothing that a source says of itself. The tree is computed from the records' own bytes and compared with
// the signed checkpoint; each record is judged again; what was computed and stored beside the records is only
// compared. What is not as it has to be is a Finding of a closed vocabulary of kinds. An error of Check means that the
// source could not be read to its end, so that nothing is known about the rest.
//
// Records stream through: reading, signatures and judging on all cores, what depends on order in one place. What is kept
// grows with the log only by the upper hashes of its tree, a quarter of a byte a record, and by what it takes to see
// duplicates and supersedes chains: the id of each record and the name of each revision, about 130 bytes a record.
package verify
