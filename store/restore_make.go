package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// Make makes the store with the statement that a person signed, and with those of Erasures, in
// their order. The store gets its name only once it is whole and verified, with its key file and
// its anchor: after an error or an interruption there is no store. The source is left as it is.
func (r *Restore) Make(ctx context.Context, kept signed.Statement, erasures ...signed.Statement) (err error) {
	if kept, err = r.countersigned(ctx, kept); err != nil {
		return err
	}
	if err := r.signErasures(kept, erasures); err != nil {
		return err
	}
	if r.target, err = freeTarget(r.target); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.target), disk.FolderMode); err != nil {
		return disk.FileError(r.target, err)
	}
	temporary, err := emptyBeside(r.target)
	if err != nil {
		return err
	}
	made := []string{temporary}
	defer func() {
		for _, name := range made {
			if err != nil {
				err = errors.Join(err, disk.Discard(name))
			}
		}
	}()
	first, began, err := r.write(ctx, temporary, kept)
	if err != nil {
		return err
	}
	if err := r.checkCopy(ctx, temporary, first); err != nil {
		return err
	}
	if err := merkle.MakeKeyFile(r.KeyFile(), r.keyText); err != nil {
		return disk.FileError(r.KeyFile(), err)
	}
	made = append(made, r.KeyFile())
	r.options.Progress(WritingKey, 1, 1)
	if r.options.AnchorFolder != "" {
		err := merkle.NewAnchor(r.options.AnchorFolder, r.key, defaultBusyTimeout).Begin(first)
		if err == nil {
			err = (&merkle.Restored{Statement: kept, Checkpoint: began}).Keep(r.options.AnchorFolder, r.old.Origin)
		}
		for _, stated := range r.erased {
			err = errors.Join(err, merkle.KeepErasure(r.options.AnchorFolder, r.key.Origin, stated))
		}
		if err != nil {
			return &Problem{Path: r.target, Kind: ErrNoAnchor, Cause: err,
				Advice: fmt.Sprintf("make sure that files can be made in %s (%v); no store was made", r.options.AnchorFolder, disk.Reason(err))}
		}
	}
	r.options.Progress(WritingAnchor, 1, 1)
	if err := (&backup{store: r.source, temporary: temporary, target: r.target}).publish(); err != nil {
		return err
	}
	made = nil
	r.options.Progress(NamingStore, 1, 1)
	return nil
}

func (r *Restore) signErasures(kept signed.Statement, erasures []signed.Statement) error {
	if len(erasures) != len(r.Erasures) {
		return fmt.Errorf("%w: %d statements about erasures, and %d are due", records.ErrRefused, len(erasures), len(r.Erasures))
	}
	restore, err := records.ReadLogStatement(kept.Text)
	if err != nil {
		return err
	}
	r.erased = nil
	for i, s := range erasures {
		s, err := r.key.Countersign(s)
		if err != nil {
			return err
		}
		statement, err := s.Open(r.key.Encoded)
		if err != nil {
			return fmt.Errorf("%w: %w", records.ErrRefused, err)
		}
		due := r.Erasures[i].Due
		due.At, due.By, due.KeyFingerprint = statement.At, restore.By, restore.KeyFingerprint
		if due.Text() != s.Text {
			return fmt.Errorf("%w: a statement is not the one of its erasure", records.ErrRefused)
		}
		r.erased = append(r.erased, s)
	}
	return nil
}

// countersigned checks that the statement is due; the log that ends signs it, if its key is here.
func (r *Restore) countersigned(ctx context.Context, kept signed.Statement) (signed.Statement, error) {
	statement, err := kept.Open(r.old.Encoded)
	if err != nil {
		return kept, fmt.Errorf("%w: %w", records.ErrRefused, err)
	}
	if !isDue(r.Statement, &statement) {
		return kept, fmt.Errorf("%w: the statement is not the one of this restore", records.ErrRefused)
	}
	if r.Operator != "" && r.Operator != statement.KeyFingerprint {
		return kept,
			fmt.Errorf("%w: the log names the key %s as its operator's, and the statement is signed with %s",
				records.ErrRefused, r.Operator, statement.KeyFingerprint)
	}
	signers, err := ask(ctx, r.source, "read the signers", signersOf)
	if err != nil {
		return kept, err
	}
	if !r.old.OfService() && len(signers) > 0 && !hasSigned(signers, statement.By) {
		return kept, fmt.Errorf("%w: %s has no record in this log; a reviewer who has one restores it", records.ErrRefused, statement.By)
	}
	if !r.OldKey {
		return kept, nil
	}
	return r.old.Countersign(kept)
}

// takeChain follows the restores of the same entries before this one.
func (r *Restore) takeChain(ctx context.Context, tx engine.Tx) error {
	log, err := r.grown(ctx, tx)
	if err != nil {
		return err
	}
	for {
		root, err := log.Root(log.Size)
		if err != nil {
			return err
		}
		r.Statement.Size, r.Statement.Root = log.Size, signed.FromTree(root)
		if r.options.AnchorFolder == "" {
			return nil
		}
		kept, err := merkle.ReadRestored(r.options.AnchorFolder, r.old.Origin)
		if err != nil || kept == nil {
			if err != nil {
				r.Statement.Found = append(r.Statement.Found, "earlier_restore_unreadable")
			}
			return nil
		}
		statement, err := kept.Statement.Open(r.old.Encoded)
		next, failed := merkle.ParseKey(statement.Restore.NewOrigin(), statement.Restore.NewKey)
		if err != nil || failed != nil || statement.Restore.OldKey != r.old.Encoded ||
			statement.Size != r.Statement.Size || statement.Root != r.Statement.Root {
			// A restore from another backup was made before; the log that it began is not followed.
			r.Statement.Found = append(r.Statement.Found, "earlier_restore_not_followed")
			return nil
		}
		r.chain = append(r.chain, *kept)
		if log, err = r.grown(ctx, tx); err != nil {
			return err
		}
		if root, err = log.Root(log.Size); err != nil {
			return err
		}
		if first, err := next.Open(kept.Checkpoint); err != nil || first.Size != log.Size || first.Root != root {
			r.Statement.Found, r.chain = append(r.Statement.Found, "earlier_restore_unreadable"), r.chain[:len(r.chain)-1]
			return nil
		}
		r.old = next
	}
}

// grown is the log of the source with the entries of the restores before this one.
func (r *Restore) grown(ctx context.Context, tx engine.Tx) (*merkle.Log, error) {
	log, err := logOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	at, err := tx.Log().LastAt(ctx, 0)
	for i := 0; i < len(r.chain) && err == nil; i++ {
		stated := &r.chain[i].Statement
		at = timeOfRestore(at, stated)
		_, err = log.Add(signed.LeafHash(records.StatementEntry, at, []byte(stated.Text)))
	}
	return log, err
}

// timeOfRestore is the time of the entry of a restore after another entry.
func timeOfRestore(last string, stated *signed.Statement) string {
	statement, _ := records.ReadLogStatement(stated.Text) // it was read before
	return max(last, records.LogTime(statement.At))
}

// write copies the source and adds the statements, and returns what the anchor keeps and the
// checkpoint of the log that ends with the statement of the restore.
func (r *Restore) write(ctx context.Context, path string, kept signed.Statement) (first merkle.Anchored, began []byte, err error) {
	look := func(ctx context.Context, tx engine.Tx) error {
		now, err := newestCheckpoint(ctx, tx)
		if err == nil && string(now) != string(r.note) {
			err = fmt.Errorf("%w: %s changed while it was looked at; nothing else may have it open", records.ErrRefused, r.source.Path())
		}
		return err
	}
	if err := r.source.copyTo(ctx, path, r.target, look, func(done, total int64) {
		r.options.Progress(CopyingSource, done, total)
	}); err != nil {
		return first, nil, err
	}
	s, err := Open(ctx, Options{Path: path, ReadOnly: true, alone: true})
	if err != nil {
		return first, nil, err
	}
	err = s.db.UpdateOnce(ctx, func(ctx context.Context, tx engine.Tx) (err error) {
		first, began, err = r.add(ctx, tx, kept)
		return err
	})
	if err == nil && r.scrub {
		err = s.db.Scrub(ctx)
	}
	return first, began, errors.Join(err, s.Close())
}

// add appends the statements of a restore.
func (r *Restore) add(ctx context.Context, tx engine.Tx, kept signed.Statement) (first merkle.Anchored, began []byte, err error) {
	log, err := logOf(ctx, tx)
	if err != nil {
		return first, nil, err
	}
	last, err := tx.Log().LastAt(ctx, 0)
	if err != nil {
		return first, nil, err
	}
	e, err := enter(tx, r.key, log, last)
	for i := 0; i < len(r.chain) && err == nil; i++ {
		e.at = timeOfRestore(e.at, &r.chain[i].Statement)
		if err = e.state(ctx, r.chain[i].Statement); err == nil {
			err = tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: log.Size, Note: r.chain[i].Checkpoint})
		}
	}
	if err != nil {
		return first, nil, err
	}
	e.at = timeOfRestore(e.at, &kept)
	if err = e.state(ctx, kept); err == nil {
		first.Checkpoint, err = e.sign(ctx)
	}
	began = first.Note
	for i := 0; i < len(r.erased) && err == nil; i++ {
		if err = e.state(ctx, r.erased[i]); err == nil {
			was, _ := r.Erasures[i].Was.Erasure()
			_, err = tx.Records().Erase(ctx, was, r.Erasures[i].Was.By, math.MaxInt64)
		}
	}
	if err == nil && len(r.erased) > 0 {
		first.Checkpoint, err = e.sign(ctx)
	}
	if err == nil {
		first.Tables, err = coverTables(ctx, tx, r.key, &merkle.TableHead{})
	}
	return first, began, err
}

// checkCopy verifies a copy with this newest checkpoint, without any file beside it.
func (r *Restore) checkCopy(ctx context.Context, path string, first merkle.Anchored) error {
	if _, err := os.Lstat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s: what was written is not in the file yet; nothing was kept, try again", r.target))
	}
	if err := disk.SyncFile(path); err != nil {
		return disk.FileError(r.target, err)
	}
	o := verify.Options{Depth: verify.Storage, Progress: func(done, total int64) { r.options.Progress(CheckingCopy, done, total) }}
	return checkCopy(ctx, path, first.Note, o, unkept{r.target, "the restored store was not kept",
		fmt.Sprintf("%s: the copy has another checkpoint than the restore; nothing was kept, try again", r.target)})
}
