package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/merkle"
	"docket/store/sqlite"

	"golang.org/x/mod/sumdb/tlog"
)

// ProveBesides is the part of Prove for somebody who checks the records and their signatures themselves: it holds the
// rest of the store to the leaves that were logged. It looks at the tree, the checkpoint of each size, the listed keys,
// what the service answered, and for rows and notes that no record asks for; it reads no record. What it finds it returns and adds to Findings.
func (s *Store) ProveBesides(ctx context.Context, progress func(done, total int64)) ([]Finding, error) {
	db, err := s.db.OpenReader(ctx)
	if err != nil {
		return nil, s.explain("open the store once more", err)
	}
	p := &proving{store: s, q: db, progress: progress}
	err = p.runBesides(ctx)
	list := p.found.all()
	s.findings.add(list...)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, s.explain("prove the log", err)
	}
	return list, nil
}

func (p *proving) runBesides(ctx context.Context) (err error) {
	var unusable *merkle.KeyError
	if p.key, err = p.store.loadKey(ctx, p.q); errors.As(err, &unusable) {
		return nil // every opening finds that
	}
	if err != nil {
		return err
	}
	if p.size, err = logSize(ctx, p.q); errors.Is(err, ErrDamaged) {
		return nil // likewise
	}
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{p.proveSigners, p.proveFirst} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for from := int64(0); from < p.size && !p.found.full(); from += entriesAtOnce {
		to := min(from+entriesAtOnce, p.size)
		if err := p.proveTree(ctx, from, to); err != nil {
			return err
		}
		if p.progress != nil {
			p.progress(to, p.size)
		}
	}
	if err := p.proveTwins(ctx); err != nil {
		return err
	}
	faults, err := sqlite.StructureFaults(ctx, p.q)
	if err != nil {
		return err
	}
	if faults > 0 {
		p.add(found(StructureDamaged, faults))
	}
	if err := errors.Join(p.provePackets(ctx), p.proveHandIns(ctx)); err != nil {
		return err
	}
	return p.proveCounts(ctx)
}

// A loggedLeaf is what the log says of a record: its leaf, and the checkpoint of the log with it.
type loggedLeaf struct {
	id     domain.RecordID
	leaf   tlog.Hash
	signed merkle.Checkpoint
	failed error
}

// proveTree recomputes the tree over a stretch of leaves and holds what is stored of it, and the checkpoints, to it.
func (p *proving) proveTree(ctx context.Context, from, to int64) error {
	stored, err := hashesOf(ctx, p.q, from, to)
	if err != nil {
		return err
	}
	notes, err := checkpointsOf(ctx, p.q, from+1, to)
	if err != nil {
		return err
	}
	entries, err := p.leaves(ctx, from, to, stored)
	if err != nil {
		return err
	}
	err = inParallel(len(entries), func(i int) {
		entries[i].signed, entries[i].failed = p.key.Open([]byte(notes[from+int64(i)+1]))
	})
	if err != nil {
		return err
	}
	first := tlog.StoredHashIndex(0, from)
	for i := range entries {
		hashes, root, err := p.tree.add(entries[i].leaf)
		if err != nil {
			return err
		}
		sequence := from + int64(i)
		for j, hash := range hashes {
			if stored[tlog.StoredHashIndex(0, sequence)-first+int64(j)] != hash {
				p.add(foundIn(sequence, entries[i].id, LeafAltered, "The tree"))
				break
			}
		}
		p.judgeCheckpoint(sequence+1, root, notes[sequence+1], entries[i].signed, entries[i].failed)
	}
	return nil
}

// leaves are those of a stretch; where the log has none, the stored one of the tree stands for it.
func (p *proving) leaves(ctx context.Context, from, to int64, stored []tlog.Hash) ([]loggedLeaf, error) {
	entries := make([]loggedLeaf, to-from)
	for i := range entries {
		entries[i].leaf = stored[tlog.StoredHashIndex(0, from+int64(i))-tlog.StoredHashIndex(0, from)]
	}
	const query = "SELECT sequence, recordId, leafHash FROM main." + logTable + " WHERE sequence >= ? AND sequence < ?"
	err := eachRow(ctx, p.q, query, func(scan func(...any) error) error {
		var sequence int64
		var id string
		var leaf []byte
		if err := scan(&sequence, &id, &leaf); err != nil {
			return err
		}
		entries[sequence-from].id = domain.RecordID(id)
		if len(leaf) == tlog.HashSize {
			entries[sequence-from].leaf = tlog.Hash(leaf)
		}
		return nil
	}, from, to)
	return entries, err
}

// proveTwins looks for records of both tables at the same place in the log, of which only one can have been logged.
func (p *proving) proveTwins(ctx context.Context) error {
	query := fmt.Sprintf("SELECT log.sequence, log.recordId FROM main.%s AS log WHERE log.sequence IN (SELECT sequence FROM main.%s) "+
		"AND log.sequence IN (SELECT sequence FROM main.%s) ORDER BY log.sequence LIMIT %d",
		logTable, domain.AppealEnforcements, domain.AmendmentEnforcements, mostFindings)
	return eachRow(ctx, p.q, query, func(scan func(...any) error) error {
		var sequence int64
		var id string
		err := scan(&sequence, &id)
		p.add(foundIn(sequence, domain.RecordID(id), RecordWithoutLeaf, "the table of records"))
		return err
	})
}

// NoteFits tells whether the note that is kept on a record, by its digest, or that none is, is what the record vouches
// for. A service keeps none.
func (v *Snapshot) NoteFits(held, vouched domain.Hash) bool {
	return noteFits(v.handedIn, held, vouched)
}

// NoteDigests are the digests of the private notes on the records from one sequence up to, and not with, another. A
// record vouches for that of its own.
func (v *Snapshot) NoteDigests(ctx context.Context, from, to int64) (map[int64]domain.Hash, error) {
	digests := map[int64]domain.Hash{}
	err := v.store.reading(ctx, "read the notes", func(ctx context.Context, tx *sql.Tx) error {
		notes, err := notesOf(ctx, tx, from, to)
		for sequence, note := range notes {
			digests[sequence] = note.Digest()
		}
		return err
	})
	return digests, err
}

// NoteFinding says that the private note on a record is not the one that the record vouches for.
func NoteFinding(sequence int64, id domain.RecordID) Finding {
	return foundIn(sequence, id, NoteAltered)
}
