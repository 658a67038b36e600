package doctor

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"time"
)

// OfBackups says how old the last backup is: what changed last of the file at the path or, if it is
// a folder, of what is directly in it. "" is no path.
func OfBackups(path string, most time.Duration, now time.Time) Result {
	const advice = "make one, and see to the schedule that makes them"
	if path == "" {
		return Note("the settings name no backups, so that nothing tells how old the last one is").
			Do("`docket config --path` prints the config file: name the folder of the backups, or a file that each of them writes, as `backups`")
	}
	newest, err := newestChange(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Wrong("no backup is at %s", path).Do(advice)
	case err != nil:
		return Wrong("the backups cannot be looked at: %v", err).Do("make sure that %s can be read", path)
	case now.Sub(newest) > most:
		return Wrong("the last backup at %s was made at %s, longer ago than the settings allow", path,
			newest.UTC().Format(time.RFC3339)).Do(advice)
	}
	return OK("the last backup at %s was made at %s", path, newest.UTC().Format(time.RFC3339))
}

// ofReaders are the files that SQLite leaves beside a backup when it is read.
var ofReaders = regexp.MustCompile(`-(wal|shm|journal)$`)

// newestChange is of the file, or of what changed last in the folder; fs.ErrNotExist if empty.
func newestChange(path string) (newest time.Time, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return newest, err
	}
	if !info.IsDir() {
		return info.ModTime(), nil
	}
	entries, err := os.ReadDir(path)
	for _, entry := range entries {
		info, failed := entry.Info()
		if failed == nil && !ofReaders.MatchString(entry.Name()) && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	if err == nil && newest.IsZero() {
		err = fs.ErrNotExist
	}
	return newest, err
}
