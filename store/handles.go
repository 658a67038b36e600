package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"

	"docket/store/disk"
	"docket/store/merkle"
)

// emptyIndex is the size to which SQLite cuts a -shm file that nobody uses before it fills it: with no room for more, it stays so.
const emptyIndex = 3

// readingPurpose is how to read with nobody writing in this process. Where SQLite could not make the file that readers and
// writers share, nobody can be writing either, unless that file is there.
func (s *Store) readingPurpose() purpose {
	if s.options.alone {
		return unwritten
	}
	if shared, err := os.Stat(s.path + "-shm"); err == nil && shared.Size() > 0 || disk.FolderWritable(s.path) {
		return reading
	}
	return s.asideOfWriters()
}

// asideOfWriters is how to read where nothing can be written. What the last writer left in the write-ahead log counts.
func (s *Store) asideOfWriters() purpose {
	if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > 0 {
		return unshared
	}
	return unwritten
}

// cannotWrite tells whether the error says that nothing can be written here, which keeps nobody from reading.
func cannotWrite(err error) bool {
	return errors.Is(err, ErrReadOnly) || errors.Is(err, ErrDiskFull)
}

// openReaders opens a pool of readers in the way that works here, and notes the way.
func (s *Store) openReaders(ctx context.Context, size int) (*sql.DB, error) {
	s.reads = reading
	if s.options.ReadOnly || s.obstacle != nil {
		s.reads = s.readingPurpose()
	}
	db, err := openPool(ctx, s.connect(s.reads), size)
	if err == nil || s.reads != reading || !cannotWrite(explain(s.path, "open the store", err)) {
		return db, err
	}
	if shared, there := os.Stat(s.path + "-shm"); !errors.Is(there, fs.ErrNotExist) && (there != nil || shared.Size() > emptyIndex) {
		return nil, err // somebody has the store open, or it cannot be told
	}
	s.reads = s.asideOfWriters()
	return openPool(ctx, s.connect(s.reads), size)
}

// openHandles opens both pools and looks at what is behind them; it leaves none open if anything is wrong. A store
// with findings, or one that cannot be written, keeps its readers only.
func (s *Store) openHandles(ctx context.Context) error {
	err := s.openPools(ctx)
	var newest merkle.Checkpoint
	if err == nil {
		newest, err = s.prove(ctx)
	}
	if err == nil {
		return s.settleHandles(ctx, newest)
	}
	if errors.Is(err, ErrAltered) {
		err = &Problem{Path: s.path, Kind: ErrAltered,
			Advice: "somebody changed its schema; keep a copy, then restore a backup"}
	}
	return errors.Join(s.explain("open the store", err), s.closeHandles())
}

// settleHandles acts on what the proof came to. That the anchor cannot be written does not keep anybody from reading;
// it is said with the first record.
func (s *Store) settleHandles(ctx context.Context, newest merkle.Checkpoint) error {
	switch {
	case s.write == nil:
		return nil
	case len(s.findings.all()) > 0 || s.obstacle != nil:
		err := s.write.Close()
		s.write = nil
		return s.explain("close what writes", err)
	case s.anchor != nil && s.anchored.Load():
		_ = s.anchor.Keep(ctx, newest) // Append tries again, and reports it
	}
	return nil
}

// openPools opens the writer first, because only it can make the files that both share.
func (s *Store) openPools(ctx context.Context) (err error) {
	if !s.options.ReadOnly {
		if err := s.openWriter(ctx); err != nil {
			return err
		}
	}
	if s.read, err = s.openReaders(ctx, readers); err != nil {
		return err
	}
	return s.remember()
}

// openWriter opens what writes. Where the system says that nothing can be written, that is the store's obstacle and no error.
func (s *Store) openWriter(ctx context.Context) (err error) {
	s.obstacle = nil
	if s.write, err = openPool(ctx, s.connect(writing), 1); err == nil {
		err = s.checkWritable(ctx)
	}
	explained := explain(s.path, "open the store", err)
	if !cannotWrite(explained) {
		return err
	}
	s.obstacle = explained
	if s.write != nil {
		_ = s.write.Close() // it could not write: what closing it reports is of no use
		s.write = nil
	}
	return nil
}

// checkWritable starts to write and leaves it at that: SQLite opens a file that it may not write without a word, and
// takes a mere read lock on it when asked for a write lock.
func (s *Store) checkWritable(ctx context.Context) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM main."+skipsTable+" WHERE false")
	return errors.Join(err, tx.Rollback())
}

// remember notes which files are open, so that it is noticed when others take their names. A store that is opened again after an
// error has to be the same one.
func (s *Store) remember() error {
	file, err := os.Stat(s.path)
	if err != nil || s.file != nil && !os.SameFile(file, s.file) {
		return s.replaced(err)
	}
	s.file, s.wal = file, nil
	if s.write == nil {
		return nil
	}
	if log, err := os.Stat(s.path + "-wal"); err == nil {
		s.wal = log
	}
	return nil
}

// checkNamed refuses to write to a file that no longer lies at the store's path, or whose write-ahead log does not: what would be
// written there would be gone with the last program that has it open.
func (s *Store) checkNamed() error {
	file, err := os.Stat(s.path)
	if err != nil || !os.SameFile(file, s.file) {
		return s.replaced(err)
	}
	if s.wal == nil {
		return nil
	}
	if log, err := os.Stat(s.path + "-wal"); err != nil || !os.SameFile(log, s.wal) {
		return s.replaced(err)
	}
	return nil
}

func (s *Store) replaced(cause error) error {
	return &Problem{Path: s.path, Kind: ErrReplaced, Cause: cause,
		Advice: "nothing was written; leave docket, put the file back or find out which one is meant, and open it again"}
}

// closeHandles closes the writer last, because only it can tidy up.
func (s *Store) closeHandles() error {
	var failed []error
	for _, pool := range []**sql.DB{&s.read, &s.write} {
		if *pool != nil {
			failed = append(failed, (*pool).Close())
			*pool = nil
		}
	}
	if err := errors.Join(failed...); err != nil {
		return explain(s.path, "close the store", err)
	}
	return nil
}
