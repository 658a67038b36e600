package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docket/store/disk"
)

// Rows that are deleted for good leave bytes in the file until Scrub has rewritten it. A program
// that is killed in between leaves a note: an empty file beside the store's, made while the write
// lock is held. Each erasure makes its own note, and Scrub removes those that were there before it
// began, so that it does not remove one that another program has just made.

// erasingMark stands between the name of the store's file and the random part of a note's name.
const erasingMark = "-erasing-"

// Erasing implements engine.Database.
func (d *DB) Erasing() error {
	folder, name := filepath.Split(d.options.Path)
	file, err := os.CreateTemp(folder, name+erasingMark+"*")
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = disk.SyncFolder(folder)
	}
	if err != nil {
		return disk.FileError(d.options.Path, err)
	}
	return nil
}

// Unscrubbed implements engine.Database.
func (d *DB) Unscrubbed() bool { return len(d.erasing()) > 0 }

func (d *DB) erasing() (notes []string) {
	folder, name := filepath.Split(d.options.Path)
	entries, _ := os.ReadDir(filepath.Clean(folder)) // one that cannot be read has no store to open
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name+erasingMark) {
			notes = append(notes, filepath.Join(folder, entry.Name()))
		}
	}
	return notes
}

// scrubInMemory is the size of a file, in bytes, up to which Scrub copies it in memory; a larger
// one goes through a nameless file in the folder for temporary files.
const scrubInMemory = 1 << 30

// Scrub rewrites the file, so that no byte of a deleted row is left in a page, and empties the
// write-ahead log. Others may not read meanwhile.
func (d *DB) Scrub(ctx context.Context) error {
	notes := d.erasing()
	if err := d.scrub(ctx); err != nil {
		return err
	}
	for _, note := range notes {
		if err := os.Remove(note); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return disk.FileError(note, err)
		}
	}
	return nil
}

func (d *DB) scrub(ctx context.Context) error {
	info, err := os.Stat(d.options.Path)
	if err != nil {
		return d.Explain("rewrite the store", err)
	}
	db, err := openPool(ctx, d.connect(Scrubbing), 1)
	if err != nil {
		return d.Explain("rewrite the store", err)
	}
	rewrite := "PRAGMA temp_store = 1; VACUUM"
	if info.Size() <= scrubInMemory {
		rewrite = "PRAGMA temp_store = 2; VACUUM"
	}
	_, err = db.ExecContext(ctx, rewrite)
	if err == nil {
		err = d.checkpoint(ctx, db, "TRUNCATE")
	}
	return d.Explain("rewrite the store", errors.Join(err, db.Close()))
}
