package sqlite

import (
	"os"
	"path/filepath"
	"strings"

	"docket/store/disk"
)

// Rows that are deleted for good leave bytes in the file until Scrub has written it anew. A program that is killed in between leaves a note
// of that: an empty file beside the store's, made while the write lock is held. Each erasure makes one of its own, and Scrub removes those
// that were there before it began, so that no note goes that another program has just made.

// erasingMark is between the name of the store's file and what tells notes apart.
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

// erasing are the notes that are there.
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
