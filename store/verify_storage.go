package store

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// VerifyStorage implements verify.StorageVerifier: it compares what only a store keeps with the
// leaves. It checks the structure of the file, the stored tree, the checkpoint of each size, the
// listed keys, the packets and the service's answers, and finds stray rows; it reads no record.
func (v *Snapshot) VerifyStorage(ctx context.Context, found func(verify.Finding), progress func(done, total int64)) error {
	db := v.db
	if db == nil {
		own, err := v.store.db.OpenReaders(ctx, 1)
		if err != nil {
			return v.store.explain("open the store once more", err)
		}
		defer func() { _ = own.Close() }() // it only read
		db = own
	}
	c := &storageCheck{store: v.store, db: db, size: v.size, tables: v.tables, tell: found, progress: progress}
	return v.store.explain("verify the store", c.run(ctx))
}

type storageCheck struct {
	store    *Store
	db       *engine.Readers
	size     int64
	key      *merkle.Key       // nil if it cannot be used
	keys     *logKeys          // it, and those of the logs before; nil likewise
	tables   *merkle.TableHead // that is kept outside the store; nil: none
	tell     func(verify.Finding)
	told     int
	progress func(done, total int64)
	tree     verify.Tree
	records  int64 // of the tree so far
}

func (c *storageCheck) add(list ...verify.Finding) {
	for _, f := range list {
		c.told++
		c.tell(f)
	}
}

// full reports whether enough was found: more findings would say nothing new about the store.
func (c *storageCheck) full() bool { return c.told >= mostFindings }

// run takes each step in its own snapshot, since a long one grows the WAL; damage ends that step.
func (c *storageCheck) run(ctx context.Context) error {
	view := func(work engine.Work) func(context.Context) error {
		return func(ctx context.Context) error { return c.db.View(ctx, work) }
	}
	for _, step := range []struct {
		of  string
		run func(context.Context) error
	}{
		{"the structure", view(c.verifyStructure)}, {"the key",
			view(c.verifyPlan)}, {"the reviewers' keys", view(c.verifySigners)}, {"the first checkpoint",
			view(c.verifyFirst)}, {"the tree", c.verifyTree},
		{"the records", view(c.verifyTables)}, {"when packets came in", view(c.verifyOpenings)}, {
			"the tables beside the log", view(c.verifyCovered)},
		{"to whom packets were assigned before", view(c.verifyFormer)},
		{"from which logs records came in", view(c.verifyReceived)}, {"the answers of the service", view(c.verifyAnswers)}, {
			"rows of no record", view(c.verifyStrays)},
	} {
		err := step.run(ctx)
		if err == nil {
			continue
		}
		if _, is := c.store.damaged(err); !is {
			return err
		}
		c.add(found(verify.StructureDamaged, "not read to the end: %s", step.of))
	}
	return nil
}

func (c *storageCheck) verifyStructure(ctx context.Context, tx engine.Tx) error {
	faults, err := tx.Structure().Faults(ctx)
	if err == nil && faults > 0 {
		c.add(found(verify.StructureDamaged, "in %d places", faults))
	}
	return err
}

// verifyPlan reads the key and the end of the log.
func (c *storageCheck) verifyPlan(ctx context.Context, tx engine.Tx) (err error) {
	var unusable *merkle.KeyError
	if c.key, err = c.store.loadKey(ctx, tx); err == nil {
		c.keys, err = readKeys(ctx, tx, c.key)
	}
	if errors.As(err, &unusable) { // VerifyHead, or the check of the statements, finds that
		c.key, c.keys, err = nil, nil, nil
	}
	if err != nil {
		return err
	}
	end, err := logSize(ctx, tx)
	switch {
	case errors.Is(err, ErrDamaged): // VerifyHead finds that, too
	case err != nil:
		return err
	default:
		c.size = min(c.size, end)
	}
	return nil
}

// verifySigners compares the listed keys with their fingerprints; the records tell their first use.
func (c *storageCheck) verifySigners(ctx context.Context, tx engine.Tx) error {
	signers, err := signersOf(ctx, tx)
	for _, s := range signers {
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(s.PublicKey))
		_, timed := terms.ParseInstant(s.Since)
		if err != nil || signed.AuthorizedKey(key) != s.PublicKey || ssh.FingerprintSHA256(key) != s.Fingerprint || !timed {
			c.add(found(verify.DerivedDiffers, "the listed key of %s", s.Reviewer))
		}
	}
	return err
}

// verifyFirst verifies the checkpoint of the log without records.
func (c *storageCheck) verifyFirst(ctx context.Context, tx engine.Tx) error {
	notes, err := tx.Log().Checkpoints(ctx, 0, 0)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(0, nil)
	if err != nil {
		return err
	}
	signed := openedCheckpoint{note: notes[0]}
	c.open(&signed, 0)
	c.verifyCheckpoint(0, root, &signed)
	return nil
}

type openedCheckpoint struct {
	note   string // "" if there is none
	signed merkle.Checkpoint
	failed error
}

// open reads the checkpoint of a size with the key of the log that signed it.
func (c *storageCheck) open(o *openedCheckpoint, size int64) {
	if o.note != "" && c.keys != nil {
		o.signed, o.failed = c.keys.of(size).Open([]byte(o.note))
	}
}

// verifyCheckpoint compares the checkpoint of a size with the root that the records have there.
func (c *storageCheck) verifyCheckpoint(size int64, root tlog.Hash, o *openedCheckpoint) {
	switch {
	case o.note == "":
		c.add(found(verify.CheckpointUnusable, "there is none of %s", records.Count(size)))
	case c.key == nil: // what is wrong with it has been found
	case errors.Is(o.failed, merkle.ErrOtherOrigin):
		c.add(found(verify.CheckpointUnusable, "the one of %s belongs to another log", records.Count(size)))
	case o.failed != nil:
		c.add(found(verify.CheckpointUnusable, "the one of %s: %v", records.Count(size), o.failed))
	case o.signed.Size != size || o.signed.Root != root:
		c.add(found(verify.RootDiffers, "the checkpoint of %s", records.Count(size)))
	}
}

// A loggedLeaf is the leaf of an entry, and the checkpoint of the log that ends with it: each
// transaction signs one, and each record has one of its own.
type loggedLeaf struct {
	id         records.RecordID
	number     int64 // among the records; -1 for none
	leaf       tlog.Hash
	checkpoint openedCheckpoint
}

// verifyTree recomputes the tree from the leaves, and compares stored hashes and checkpoints.
func (c *storageCheck) verifyTree(ctx context.Context) error {
	for from := int64(0); from < c.size && !c.full(); from += entriesAtOnce {
		to := min(from+entriesAtOnce, c.size)
		err := c.db.View(ctx, func(ctx context.Context, tx engine.Tx) error { return c.verifyTreeOf(ctx, tx, from, to) })
		if err != nil {
			return err
		}
		if c.progress != nil {
			c.progress(to, c.size)
		}
	}
	return nil
}

// verifyTreeOf takes the leaves from one sequence up to but not including another.
func (c *storageCheck) verifyTreeOf(ctx context.Context, tx engine.Tx, from, to int64) error {
	first, end := tlog.StoredHashIndex(0, from), tlog.StoredHashCount(to)
	stored := make([]tlog.Hash, end-first) // the hashes that came with the entries
	err := tx.Log().HashesBetween(ctx, first, end, func(position int64, hash []byte) {
		if len(hash) == tlog.HashSize {
			stored[position-first] = tlog.Hash(hash)
		}
	})
	if err != nil {
		return err
	}
	notes, err := tx.Log().Checkpoints(ctx, from+1, to)
	if err != nil {
		return err
	}
	leaves, err := c.leaves(ctx, tx, from, to, stored)
	if err != nil {
		return err
	}
	err = inParallel(len(leaves), func(i int) {
		leaves[i].checkpoint.note = notes[from+int64(i)+1]
		c.open(&leaves[i].checkpoint, from+int64(i)+1)
	})
	if err != nil {
		return err
	}
	for i := range leaves {
		hashes, err := c.tree.Add(leaves[i].leaf)
		if err != nil {
			return err
		}
		sequence := from + int64(i)
		for j, hash := range hashes {
			if stored[tlog.StoredHashIndex(0, sequence)-first+int64(j)] != hash {
				c.add(verify.DerivedDiffers.OfEntry(sequence, leaves[i].id, "the stored tree"))
				break
			}
		}
		c.verifyNumber(sequence, &leaves[i])
		if leaves[i].checkpoint.note == "" && !leaves[i].id.Valid() && sequence+1 != c.size {
			continue
		}
		root, err := c.tree.Root()
		if err != nil {
			return err
		}
		c.verifyCheckpoint(sequence+1, root, &leaves[i].checkpoint)
	}
	return nil
}

// verifyNumber compares the number of a record with that of the one before it.
func (c *storageCheck) verifyNumber(sequence int64, l *loggedLeaf) {
	due := int64(-1)
	if l.id.Valid() {
		due = c.records
	}
	if l.number != due {
		c.add(verify.DerivedDiffers.OfEntry(sequence, l.id, "its number among the records"))
	}
	c.records = max(c.records, l.number+1)
}

// leaves returns the logged leaves, or those of the stored tree where the log has none.
func (c *storageCheck) leaves(ctx context.Context, tx engine.Tx, from, to int64, stored []tlog.Hash) ([]loggedLeaf, error) {
	leaves := make([]loggedLeaf, to-from)
	for i := range leaves {
		leaves[i].number, leaves[i].leaf = -1, stored[tlog.StoredHashIndex(0, from+int64(i))-tlog.StoredHashIndex(0, from)]
	}
	err := tx.Log().Leaves(ctx, from, to, func(stored *engine.NumberedLeaf) error {
		l := &leaves[stored.Sequence-from]
		l.id, l.number = stored.RecordID, stored.Number
		if len(stored.Hash) == tlog.HashSize {
			l.leaf = tlog.Hash(stored.Hash)
		}
		return nil
	})
	return leaves, err
}

func (c *storageCheck) verifyTables(ctx context.Context, tx engine.Tx) error {
	tables := append(terms.PacketTables.Terms(), terms.AppealEnforcements, terms.AmendmentEnforcements)
	for _, table := range tables {
		leaves, err := tx.Structure().InOtherTable(ctx, table, mostFindings)
		if err != nil {
			return err
		}
		for _, l := range leaves {
			c.add(verify.RowUnexpected.OfEntry(l.Sequence, l.RecordID, table.String()))
		}
	}
	return nil
}

// verifyOpenings finds records opened before their packet came in, which a service does not know.
func (c *storageCheck) verifyOpenings(ctx context.Context, tx engine.Tx) error {
	if c.key == nil || c.key.OfService() {
		return nil
	}
	statements, err := openedStatements(ctx, tx, c.key)
	for _, area := range terms.Areas.All() {
		if err != nil {
			return err
		}
		err = tx.Structure().OpenedEarly(ctx, terms.EnforcementTable(area), func(o *engine.Opened) error {
			opened, _ := terms.ParseInstant(o.OpenedAt)
			came, timed := terms.ParseInstant(o.ImportedAt)
			if o.Sequence < c.size && timed && opened.Before(arrivalBy(statements, o.Sequence, came)) {
				c.add(verify.TimeBackwards.OfRecord(o.Sequence, o.RecordID,
					fmt.Sprintf("it was opened at %s, and its packet came in at %s", opened, came)))
			}
			return nil
		})
	}
	return err
}

// verifyReceived compares the table of where a service's records came from with the records.
func (c *storageCheck) verifyReceived(ctx context.Context, tx engine.Tx) (err error) {
	if c.key == nil || !c.key.OfService() {
		return nil
	}
	var reader packets.Reader
	for _, area := range terms.Areas.All() {
		if err != nil {
			return err
		}
		err = tx.Service().Received(ctx, terms.EnforcementTable(area), func(kept *engine.KeptReceived) error {
			record, err := records.ReadEnforcement(&reader, area, kept.Document)
			if err != nil || kept.Sequence >= c.size { // the check of the entries finds that
				return nil
			}
			m := record.Members()
			if kept.Origin != m.LogHead.Origin || kept.RecordID != m.RecordID || kept.Size != m.LogHead.Size {
				c.add(verify.DerivedDiffers.OfRecord(kept.Sequence, m.RecordID, "the console's log that it came from"))
			}
			return nil
		})
	}
	return err
}

// verifyCovered compares the tables that grow with the log with what is kept outside the store.
func (c *storageCheck) verifyCovered(ctx context.Context, tx engine.Tx) error {
	list, err := verifyCovered(ctx, tx, c.tables, true)
	c.add(list...)
	return err
}

func (c *storageCheck) verifyStrays(ctx context.Context, tx engine.Tx) error {
	tables, err := tx.Structure().Strays(ctx)
	for _, table := range tables {
		c.add(found(verify.RowUnexpected, "%s", table))
	}
	return err
}

// verifyAnswers compares the kept answers with what the service signed, and with the records.
func (c *storageCheck) verifyAnswers(ctx context.Context, tx engine.Tx) error {
	bound, err := boundServiceOf(ctx, tx)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, engine.Tx,
		boundService) error{c.verifyShown, c.verifyRejections, c.verifyAcceptances, c.verifyServiceRecords} {
		if err := step(ctx, tx, bound); err != nil {
			return err
		}
	}
	return nil
}

// answeredLeaf reads the leaf to which an answer belongs; none if the log has no such row.
func answeredLeaf(stored *engine.Leaf) leaf {
	l := leaf{sequence: stored.Sequence, id: stored.RecordID}
	if len(stored.Hash) == tlog.HashSize {
		l.hash = tlog.Hash(stored.Hash)
	}
	l.table, _ = terms.Tables.Parse(stored.Table)
	return l
}

// verifyRejections compares the columns of each rejection with its note, not the note.
func (c *storageCheck) verifyRejections(ctx context.Context, tx engine.Tx, bound boundService) error {
	next, missing := int64(0), int64(0)
	err := tx.Answers().Rejections(ctx, math.MinInt64, math.MaxInt64, math.MaxInt, func(kept *engine.Rejection) error {
		missing += max(0, min(kept.Position, math.MaxInt64-1)-next)
		next = max(next, min(kept.Position, math.MaxInt64-1)+1)
		l := answeredLeaf(&kept.Leaf)
		key, _ := bound.keyOf(kept.Signed) // the zero key verifies nothing
		r, err := key.OpenRejection(kept.Signed)
		_, readable := readWords([]byte(kept.Changes))
		if err == nil && rejects(&r, l.id, kept.Document) && (r.InForce != kept.InForce || !readable) {
			c.add(verify.EvidenceAltered.OfRecord(kept.Sequence, l.id, "the rejection"))
		}
		return nil
	})
	if missing > 0 {
		c.add(found(verify.EvidenceAltered, "%d rejections are missing", missing))
	}
	return err
}

// verifyAcceptances compares each receipt with its checkpoint of the service and with its record.
func (c *storageCheck) verifyAcceptances(ctx context.Context, tx engine.Tx, bound boundService) error {
	return tx.Answers().Acceptances(ctx, func(kept *engine.Acceptance) error {
		key, _ := bound.keyOf(kept.Checkpoint)
		l := answeredLeaf(&kept.Leaf)
		receipt, err := key.OpenAcceptance(kept.Acceptance(), l.id, kept.Document)
		if err != nil || kept.Rejected || receipt.TreeSize != kept.TreeSize || key.Origin() != kept.Origin {
			c.add(verify.EvidenceAltered.OfRecord(kept.Sequence, l.id, "the receipt"))
		}
		return nil
	})
}

// verifyRows finds rows in tables that this kind leaves empty, and of a service if there is none.
func verifyRows(ctx context.Context, tx engine.Tx) (list []verify.Finding, err error) {
	origin, err := tx.Meta().Value(ctx, metaOrigin)
	if err != nil && !errors.Is(err, engine.ErrNoRow) {
		return nil, err
	}
	tables, err := tx.Structure().OfOtherKind(ctx, records.OfService(origin))
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		list = append(list, found(verify.RowUnexpected, "%s", table))
	}
	stray, err := tx.Local().Stray(ctx)
	if err != nil {
		return nil, err
	}
	_, completed, err := tx.Local().Pull(ctx)
	if _, timed := terms.ParseInstant(completed); stray || !timed && completed != "" {
		list = append(list, found(verify.RowUnexpected, "docket_local"))
	}
	return list, unlessNoRow(err)
}
