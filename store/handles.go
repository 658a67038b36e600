package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// readingPurpose is unwritten where SQLite could not make the files that readers and writers share: then nobody can
// be writing either, if the last writer left nothing behind.
func (s *Store) readingPurpose() purpose {
	if !s.options.ReadOnly {
		return reading
	}
	if s.options.alone {
		return unwritten
	}
	if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > 0 {
		return reading
	}
	if _, err := os.Stat(s.path + "-shm"); err == nil || folderWritable(s.path) {
		return reading
	}
	return unwritten
}

// openHandles opens both pools and looks at what is behind them; it leaves none open if anything is wrong. A store
// with findings keeps its readers only.
func (s *Store) openHandles(ctx context.Context) error {
	err := s.openPools(ctx)
	if err == nil && s.write != nil {
		err = s.checkWritable(ctx)
	}
	var newest checkpoint
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
func (s *Store) settleHandles(ctx context.Context, newest checkpoint) error {
	switch {
	case s.write == nil:
		return nil
	case len(s.findings.all()) > 0:
		err := s.write.Close()
		s.write = nil
		return s.explain("close what writes", err)
	case s.anchor != nil:
		_ = s.anchor.keep(ctx, newest) // Append tries again, and reports it
	}
	return nil
}

// openPools opens the writer first, because only it can make the files that both share.
func (s *Store) openPools(ctx context.Context) (err error) {
	if !s.options.ReadOnly {
		if s.write, err = openPool(ctx, s.connect(writing), 1); err != nil {
			return err
		}
	}
	s.read, err = openPool(ctx, s.connect(s.readingPurpose()), readers)
	return err
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
