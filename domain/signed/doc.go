// Package signed opens what a service signs with the key of its log: the checkpoints of the log, and the rejections of
// records. Both are notes in the form of golang.org/x/mod/sumdb/note, and their first lines keep them apart: a rejection is
// never taken for a checkpoint, nor the other way round.
//
// Start at ParseKey: whoever has a Key has the service's word, and nothing is read here that was not verified with one, but
// for what Unverified says in its name.
package signed
