// Package merkle is the log of a store without its database: the RFC 6962 tree over the records, the C2SP tlog-checkpoints that are
// signed of it, the keys that sign them, and the anchor, a file outside the store that keeps the newest checkpoint.
//
// A Log reads the hashes of the tree through a Source, which the store implements over a table, and returns what has to be stored.
// Start at Log in tree.go, Key in key.go and Anchor in anchor.go.
package merkle
