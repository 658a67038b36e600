package storelog

import (
	"context"

	"docket/domain"
	"docket/store/verify"
)

// notesAtOnce is how many records' notes are read in one go.
const notesAtOnce = 1024

// Notes are the private notes of a log, which are no part of it: each record vouches for the digest of its own.
type Notes struct {
	log     *Log
	end     int64 // of the stretch that was read
	digests map[int64]domain.Hash
}

// Notes returns the private notes of the log, to be asked in the order of the records.
func (l *Log) Notes() *Notes { return &Notes{log: l} }

// Fit tells whether the note that is kept on a record, or that there is none, is what the record vouches for. A record
// that cannot be read vouches for nothing.
func (n *Notes) Fit(ctx context.Context, c *verify.Checked) (bool, error) {
	sequence := c.Entry.Sequence
	if sequence >= n.end {
		var err error
		if n.digests, err = n.log.snapshot.NoteDigests(ctx, sequence, sequence+notesAtOnce); err != nil {
			return false, err
		}
		n.end = sequence + notesAtOnce
	}
	return c.Record.Document() == nil || n.log.snapshot.NoteFits(n.digests[sequence], c.Record.Members().NoteDigest), nil
}
