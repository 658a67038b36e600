package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"docket/domain"
	"docket/store/merkle"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"
)

// A stretch of the log is looked at as one.
type stretch struct {
	from, to    int64
	entries     []Entry
	hashes      []tlog.Hash // stored ones, of the whole stretch, zero where missing
	checkpoints map[int64]string
	notes       map[int64]domain.Note
}

// proveStretch looks at the entries from one sequence up to, and not with, another.
func (p *proving) proveStretch(ctx context.Context, from, to int64) (err error) {
	t := stretch{from: from, to: to}
	if t.entries, err = entriesOf(ctx, p.q, from, to); err != nil {
		return err
	}
	if t.hashes, err = hashesOf(ctx, p.q, from, to); err != nil {
		return err
	}
	if t.checkpoints, err = checkpointsOf(ctx, p.q, from+1, to); err != nil {
		return err
	}
	if t.notes, err = notesOf(ctx, p.q, from, to); err != nil {
		return err
	}
	looks := make([]sighting, len(t.entries))
	if err := inParallel(len(looks), func(i int) { looks[i] = p.lookAt(&t, &t.entries[i]) }); err != nil {
		return err
	}
	for i := range looks {
		p.add(looks[i].found...)
		if err := p.grow(ctx, &t, &t.entries[i], &looks[i]); err != nil {
			return err
		}
	}
	return nil
}

// A sighting is what one entry on its own came to.
type sighting struct {
	found []Finding
	leaf  tlog.Hash // the leaf that was logged
	head  domain.LogHead
	read  bool // head is known, and of this log

	signer   signerName // none if the signature is not the one it has to be
	recorded domain.Instant
}

func (l *sighting) add(e *Entry, kind FindingKind, args ...any) {
	l.found = append(l.found, foundIn(e.Sequence, e.RecordID, kind, args...))
}

// lookAt looks at one entry on its own.
func (p *proving) lookAt(t *stretch, e *Entry) (l sighting) {
	stored := t.hashes[tlog.StoredHashIndex(0, e.Sequence)-tlog.StoredHashIndex(0, t.from)]
	logged := len(e.LeafHash) == tlog.HashSize && e.Table != 0
	l.leaf = stored
	if logged {
		l.leaf = tlog.Hash(e.LeafHash)
	}
	if e.stray != nil || !logged && e.Document != nil {
		l.add(e, RecordWithoutLeaf, "the table of records")
	}
	if e.Document == nil {
		l.add(e, LeafWithoutRecord)
	}
	if e.Document == nil || !logged {
		return l
	}
	actual := tlog.RecordHash(e.Document)
	switch {
	case actual == l.leaf:
	case actual == stored:
		l.leaf = stored
		l.add(e, LeafAltered, "The row of the log")
	default:
		l.add(e, RecordAltered)
		return l
	}
	p.lookInto(t, e, &l)
	return l
}

// lookInto looks at what the record says. It is the one that was logged.
func (p *proving) lookInto(t *stretch, e *Entry, l *sighting) {
	record, err := domain.ReadEnforcement(&domain.Reader{}, domain.AreaOf(e.Table), e.Document)
	if err != nil {
		l.add(e, RecordUnreadable)
		return
	}
	m := record.Members()
	l.head, l.read = m.LogHead, !p.handedIn
	if m.RecordID != e.RecordID {
		l.add(e, LeafAltered, "The row of the log")
	}
	if !noteFits(p.handedIn, t.notes[e.Sequence].Digest(), m.NoteDigest) {
		l.add(e, NoteAltered)
	}
	if e.Statement.Digest() != m.StatementDigest {
		l.add(e, ReasonsAltered)
	}
	if !e.PacketSalt.Valid() {
		l.add(e, SaltAltered)
	}
	if e.Signature == nil {
		l.add(e, SignatureMissing)
		return
	}
	signature, err := sshsig.Unarmor(e.Signature)
	if err != nil || !bytes.Equal(sshsig.Armor(signature), e.Signature) ||
		ssh.FingerprintSHA256(signature.PublicKey) != m.Reviewer.KeyFingerprint ||
		verifySignature(e.Document, signature) != nil {
		l.add(e, SignatureAltered)
		return
	}
	l.signer, l.recorded = signerName{m.Reviewer.ID, m.Reviewer.KeyFingerprint}, m.RecordedAt
}

// noteFits tells whether the note that is kept on a record, by its digest, is the one that the record vouches for. With a
// service none is kept.
func noteFits(handedIn bool, held, vouched domain.Hash) bool {
	if handedIn {
		return !held.Present()
	}
	return held == vouched
}

// grow adds the leaf to the recomputed tree and holds the stored tree, the checkpoint and the head that the reviewer
// signed to it.
func (p *proving) grow(ctx context.Context, t *stretch, e *Entry, l *sighting) error {
	if l.read {
		root, err := p.rootAt(ctx, l.head.Size)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return err
		}
		if err != nil || root != merkle.ToTree(l.head.Root) || p.key != nil && l.head.Origin != p.key.Origin {
			p.add(foundIn(e.Sequence, e.RecordID, HeadDiffers))
		}
	}
	p.proveSigner(l)
	hashes, root, err := p.tree.add(l.leaf)
	if err != nil {
		return err
	}
	first := tlog.StoredHashIndex(0, e.Sequence) - tlog.StoredHashIndex(0, t.from)
	for i, hash := range hashes {
		if t.hashes[first+int64(i)] != hash {
			p.add(foundIn(e.Sequence, e.RecordID, LeafAltered, "The tree"))
			break
		}
	}
	p.proveCheckpoint(e.Sequence+1, root, t.checkpoints[e.Sequence+1])
	return nil
}

// proveSigner holds the list of signers to naming the one of a record, since the first that they signed.
func (p *proving) proveSigner(l *sighting) {
	if l.signer == (signerName{}) || p.seen[l.signer] {
		return
	}
	p.seen[l.signer] = true
	if since, listed := p.signers[l.signer]; !listed || since != l.recorded {
		p.add(found(SignerAltered, l.signer.reviewer))
	}
}

// rootAt is the root of the log when it had the size; a reviewer usually saw the log as it was just before.
func (p *proving) rootAt(ctx context.Context, size int64) (tlog.Hash, error) {
	switch {
	case size == p.tree.size:
		return p.tree.root()
	case size < 0 || size > p.tree.size:
		return tlog.Hash{}, fmt.Errorf("a log of %d records: %w", size, ErrDamaged)
	}
	return rootOf(ctx, p.q, size)
}

// ProveRecord looks at one record on its own, as Prove does: that it is the one that was logged, and its signature. What it finds it
// adds to Findings.
func (s *Store) ProveRecord(ctx context.Context, sequence int64) (list []Finding, err error) {
	err = s.reading(ctx, "prove the record", func(ctx context.Context, tx *sql.Tx) error {
		p, t := &proving{store: s, q: tx}, stretch{from: sequence, to: sequence + 1}
		var err error
		if p.handedIn, err = sayOfService(ctx, tx); err != nil {
			return err
		}
		if t.entries, err = entriesOf(ctx, tx, t.from, t.to); err != nil || len(t.entries) != 1 {
			return err
		}
		if t.hashes, err = hashesOf(ctx, tx, t.from, t.to); err != nil {
			return err
		}
		if t.notes, err = notesOf(ctx, tx, t.from, t.to); err != nil {
			return err
		}
		list = p.lookAt(&t, &t.entries[0]).found
		return nil
	})
	s.findings.add(list...)
	return list, err
}
