package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"
)

// A BackupStage is a part of making a backup.
type BackupStage uint8

const (
	Copying   BackupStage = iota // done and total are pages of the file
	Verifying                    // done and total are records
)

// Backup writes a copy of the store as it is at this moment to a new file, and verifies it, each
// record evaluated again, before the file gets its name: where Backup returns an error there is no
// file. What others write meanwhile is not in it. The copy is whole without any file beside it, and
// it holds the private notes: it is readable for its owner only. It does not hold the log's private
// key, which is in the KeyFile. A file that exists is never replaced. progress may be nil.
//
// The error is a *Problem with the path of the copy if that is at fault, and wraps ErrExists if a
// file of that name exists. A store with findings is not backed up: ErrTampered.
func (s *Store) Backup(ctx context.Context, path string, progress func(stage BackupStage, done, total int64)) error {
	if err := s.checkNoFindings(); err != nil {
		return err
	}
	if progress == nil {
		progress = func(BackupStage, int64, int64) {}
	}
	target, exists, err := disk.Locate(path)
	if err != nil {
		return err
	}
	if exists {
		return errExists(target)
	}
	if s.db.Unscrubbed() {
		if err := s.Scrub(ctx); err != nil {
			return fmt.Errorf("what was erased is not gone from the store's file yet, and would be in a backup: %w", err)
		}
	}
	temporary, err := emptyBeside(target)
	if err != nil {
		return err
	}
	b := backup{store: s, temporary: temporary, target: target, progress: progress}
	if err := b.make(ctx); err != nil {
		return errors.Join(err, disk.Discard(b.temporary))
	}
	return nil
}

// A Rotation is what BackupInto did in a folder.
type Rotation struct {
	Path    string   // of the new backup
	Removed []string // paths of older ones
	Left    []LeftFile
}

// A LeftFile has the name of a backup of this log, finished or not; BackupInto does not remove it.
type LeftFile struct{ Path, Reason string }

// backupTime is the layout of the UTC time in the name of a backup, fine enough to tell two apart.
const backupTime = "20060102T150405.000000Z"

// BackupInto writes a Backup into a folder that exists, under a name with the time and the log, so
// that names sort by time, and removes the oldest backups of this log there, so that keep of them
// remain, the new one included. A file is removed only after the new backup has its name, and only
// if it has such a name, no program has it open as a store, its log has the key of this one, and
// this log extends it. All other files stay, and those that look like backups are listed. The error
// is that of Backup, or says which file could not be removed: then the new one is there.
func (s *Store) BackupInto(ctx context.Context, folder string, keep int,
	progress func(stage BackupStage, done, total int64)) (r Rotation, err error) {
	s.handles.RLock()
	key := s.key
	s.handles.RUnlock()
	if key == nil || keep < 1 {
		return r, fmt.Errorf("%w: a log without a usable key, or none to keep", ErrDamaged)
	}
	suffix := "-" + merkle.FileName(key.Origin)[:16] + ".db"
	path := filepath.Join(folder, "docket-"+s.now().UTC().Format(backupTime)+suffix)
	if err := s.Backup(ctx, path, progress); err != nil {
		return Rotation{}, err
	}
	r.Path = path
	kept := 1 // backups of this log that the folder has now
	entries, err := os.ReadDir(folder)
	if err != nil {
		return r, disk.FileError(folder, err)
	}
	// The newest comes first.
	json.Sort(entries, func(a, b fs.DirEntry) int { return strings.Compare(b.Name(), a.Name()) })
	for _, entry := range entries {
		older := filepath.Join(folder, entry.Name())
		if strings.HasPrefix(entry.Name(), temporaryBackup) {
			r.Left = append(r.Left, LeftFile{older, "a backup that was not finished, or is being made now"})
		}
		made, named := strings.CutSuffix(strings.TrimPrefix(entry.Name(), "docket-"), suffix)
		if _, err := time.Parse(backupTime, made); !named || err != nil || older == path {
			continue
		}
		removed, reason, err := s.retire(ctx, key, older, kept >= keep)
		switch {
		case err != nil:
			return r, err
		case reason != "":
			r.Left = append(r.Left, LeftFile{older, reason})
		case removed:
			r.Removed = append(r.Removed, older)
		default:
			kept++
		}
	}
	if len(r.Removed) > 0 {
		err = disk.SyncFolder(folder)
	}
	return r, err
}

// retire removes a backup of this log if remove is set; the reason says why it is none.
func (s *Store) retire(ctx context.Context, key *merkle.Key, path string, remove bool) (removed bool, reason string, err error) {
	before, err := os.Lstat(path)
	if err != nil || !before.Mode().IsRegular() {
		return false, "it is not a regular file", nil
	}
	if own, err := os.Stat(s.path); err == nil && os.SameFile(own, before) {
		return false, "it is the store itself", nil
	}
	for _, suffix := range []string{"-journal", "-wal"} {
		if _, err := os.Lstat(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Sprintf("there is a file %s%s beside it: it is in use as a store, or was", filepath.Base(path), suffix), nil
		}
	}
	if reason, err = s.notABackup(ctx, key, path); err != nil || reason != "" || !remove {
		return false, reason, err
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(before, now) {
		return false, "it was replaced just now", nil
	}
	if err := os.Remove(path); err != nil {
		return false, "", disk.FileError(path, err)
	}
	return true, "", nil
}

// notABackup says why a file is not a backup of this log; "" if it is one.
func (s *Store) notABackup(ctx context.Context, key *merkle.Key, path string) (reason string, err error) {
	copied, err := Open(ctx, Options{Path: path, ReadOnly: true, alone: true})
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "it cannot be read as a store", nil
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	encoded, err := copied.Verifier(ctx)
	if err != nil || encoded != key.Encoded {
		return "it is of another log", nil
	}
	head, err := copied.Head(ctx)
	if err != nil || len(copied.Findings()) > 0 {
		return "it has findings; `docket verify` on it says which", nil
	}
	extends, err := ask(ctx, s, "read the log", func(ctx context.Context, tx engine.Tx) (bool, error) {
		l, err := logOf(ctx, tx)
		if err != nil {
			return false, err
		}
		return l.Extends(head)
	})
	if err == nil && !extends {
		reason = "this log does not go on from it: it has records that this one does not have"
	}
	return reason, err
}

func errExists(path string) error {
	return &Problem{Path: path, Kind: ErrExists, Advice: "name another file; a backup replaces nothing"}
}

// temporaryBackup begins the name of a backup that has none yet.
const temporaryBackup = ".docket-backup-"

// emptyBeside makes an empty file in the folder of the target, readable for its owner only.
func emptyBeside(target string) (string, error) {
	file, err := os.CreateTemp(filepath.Dir(target), temporaryBackup+"*")
	if err != nil {
		return "", disk.FileError(target, err)
	}
	if err := errors.Join(file.Chmod(disk.FileMode), file.Close()); err != nil {
		return "", errors.Join(disk.FileError(target, err), os.Remove(file.Name()))
	}
	return file.Name(), nil
}

type backup struct {
	store             *Store
	temporary, target string
	progress          func(stage BackupStage, done, total int64)
}

func (b *backup) make(ctx context.Context) error {
	var source []byte // the newest checkpoint of what is copied
	look := func(ctx context.Context, tx engine.Tx) (err error) {
		source, err = newestCheckpoint(ctx, tx)
		return err
	}
	err := b.store.copyTo(ctx, b.temporary, b.target, look, func(done, total int64) { b.progress(Copying, done, total) })
	if err != nil {
		return err
	}
	if err := disk.SyncFile(b.temporary); err != nil {
		return disk.FileError(b.target, err)
	}
	o := verify.Options{Progress: func(done, total int64) { b.progress(Verifying, done, total) }}
	if err := checkCopy(ctx, b.temporary, source, o, unkept{b.store.path, "its copy was not kept; verify the store",
		fmt.Sprintf("%s: the copy has another checkpoint than the store; nothing was kept, try again", b.target)}); err != nil {
		return err
	}
	return b.publish()
}

// An unkept names a copy that is not kept, and why.
type unkept struct{ path, found, differs string }

// checkCopy verifies a copy with this newest checkpoint, without any file beside it.
func checkCopy(ctx context.Context, path string, checkpoint []byte, o verify.Options, of unkept) (err error) {
	s, err := Open(ctx, Options{Path: path, ReadOnly: true, alone: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	signed, err := s.Checkpoint(ctx)
	if err == nil && !bytes.Equal(signed, checkpoint) {
		err = errors.New(of.differs)
	}
	if err == nil {
		_, err = s.Verify(ctx, o)
	}
	if list := s.Findings(); err == nil && len(list) > 0 {
		err = &Problem{Path: of.path, Kind: ErrTampered, Advice: fmt.Sprintf("%s: %s", of.found, list[0].Sentence())}
	}
	return err
}

// copyRows copies all rows to a store of another kind, whose schema has the version.
func copyRows(ctx context.Context, from, to engine.Tx, schema int, progress func(done, total int64)) error {
	var done, total int64
	for i := range engine.StoredTables {
		count, err := from.Rows().Count(ctx, &engine.StoredTables[i])
		if err != nil {
			return err
		}
		total += count
	}
	for i := range engine.StoredTables {
		table := &engine.StoredTables[i]
		err := from.Rows().Each(ctx, table, func(values []any) error {
			if done++; done%rowsAtOnce == 0 || done == total {
				progress(done, total)
			}
			if table.Name == metaRows && string(values[0].([]byte)) == metaSchemaVersion {
				values[1] = []byte(fmt.Sprint(schema))
			}
			return to.Rows().Put(ctx, table, values)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsAtOnce is after how many rows a copy reports its progress.
const rowsAtOnce = 1024

// MoveTo copies the service's store, with its log, tokens, keys and receipts, to an empty database,
// verifies both to the same root, and then marks this store as moved, for good: it takes nothing
// again, in any process. The database has the mark from the beginning, and does not obey it, as a
// store whose log a restore began does not; so the anchor, the same for both, covers it. Nothing is
// written here meanwhile. The key of the log is in the folder of to afterwards. After an
// interruption it is called again: a database that holds all of the store is not copied to.
func (s *Store) MoveTo(ctx context.Context, to Options, progress func(stage BackupStage, done,
	total int64)) (head records.LogHead, err error) {
	if _, err := s.Verify(ctx, verify.Options{Depth: verify.Storage}); err != nil {
		return head, err
	}
	to.Service, to.Existing, to.ReadOnly, to.AnchorFolder = true, true, true, s.options.AnchorFolder
	err = s.serving(ctx, "move the store", func(inner context.Context, tx engine.Tx) error {
		if head, err = headOf(inner, tx); err != nil {
			return err
		}
		err := repeated(ctx, to.Database, func() error {
			found, err := to.Database.Inspect(ctx)
			if err != nil || found != engine.Empty {
				return err
			}
			_, err = to.Database.Create(ctx, func(ctx context.Context, made engine.Tx) error {
				err := copyRows(ctx, tx, made, to.Database.Schema(), func(done, total int64) { progress(Copying, done, total) })
				if err == nil {
					err = made.Service().AddMove(ctx, head.Origin, terms.InstantOf(s.now()))
				}
				return err
			})
			return err
		})
		if err != nil {
			return to.Database.Explain("copy the store", err)
		}
		if err := s.copyKey(to.KeyFolder); err != nil {
			return err
		}
		at, err := s.checkMovedTo(ctx, tx, to, head, progress)
		if err != nil {
			return err
		}
		return tx.Service().AddMove(inner, head.Origin, at)
	})
	return head, err
}

func (s *Store) copyKey(folder string) error {
	own, other := s.key.File(s.keyFolder()), s.key.File(folder)
	if own == other {
		return nil
	}
	text, err := disk.ReadRegular(own, merkle.KeyFileBound)
	if err == nil {
		err = os.MkdirAll(folder, disk.FolderMode)
	}
	if err == nil {
		err = merkle.MakeKeyFile(other, string(text))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return disk.FileError(other, err)
	}
	return nil
}

// checkMovedTo verifies that the copy has every row, and returns when it says it was made.
func (s *Store) checkMovedTo(ctx context.Context, tx engine.Tx, to Options, head records.LogHead,
	progress func(BackupStage, int64, int64)) (at terms.Instant, err error) {
	moved, err := Open(ctx, to)
	if err != nil {
		return at, err
	}
	defer func() { err = errors.Join(err, moved.Close()) }()
	there, err := moved.Head(ctx)
	if err != nil {
		return at, err
	}
	if there != head {
		return at, &Problem{Path: to.Path, Kind: ErrExists, Advice: fmt.Sprintf(
			"it holds another log, or another part of this one: %d records, and this store has %d; name an empty database",
			there.Size, head.Size)}
	}
	if _, err := moved.Verify(ctx, verify.Options{Depth: verify.Storage, Progress: func(done, total int64) {
		progress(Verifying, done, total)
	}}); err != nil {
		return at, err
	}
	if list := moved.Findings(); len(list) > 0 {
		return at, &Problem{Path: to.Path, Kind: ErrTampered,
			Advice: fmt.Sprintf("this store was not marked as moved: %s", list[0].Sentence())}
	}
	err = moved.reading(ctx, "count the rows", func(ctx context.Context, copied engine.Tx) error {
		text, err := copied.Service().MovedAt(ctx, head.Origin)
		var timed bool
		if at, timed = terms.ParseInstant(text); errors.Is(err, engine.ErrNoRow) || err == nil && !timed {
			return &Problem{Path: to.Path, Kind: ErrExists,
				Advice: "it holds this log and does not say that it came from a file; name an empty database"}
		}
		if err != nil {
			return err
		}
		for i := range engine.StoredTables {
			table := &engine.StoredTables[i]
			due, failed := tx.Rows().Count(ctx, table)
			count, err := copied.Rows().Count(ctx, table)
			if err = errors.Join(failed, err); err != nil {
				return err
			}
			if table.Name == movesTable {
				due++ // the mark is not here yet
			}
			if due != count {
				return &Problem{Path: to.Path, Kind: ErrExists, Advice: fmt.Sprintf(
					"%s has %d rows there, and %d here; name an empty database", table.Name, count, due)}
			}
		}
		return nil
	})
	return at, err
}

const movesTable = "docket_service_moves"

// publish gives the copy its name, unless that is taken by now.
func (b *backup) publish() error {
	err := os.Link(b.temporary, b.target)
	switch {
	case errors.Is(err, fs.ErrExist):
		return errExists(b.target)
	case err == nil:
		err = os.Remove(b.temporary)
	default: // no hard links on this file system
		if _, there, err := disk.Locate(b.target); err != nil || there {
			return errors.Join(err, errExists(b.target))
		}
		err = os.Rename(b.temporary, b.target)
	}
	if err == nil {
		err = disk.SyncFolder(filepath.Dir(b.target))
	}
	if err != nil {
		return disk.FileError(b.target, err)
	}
	return nil
}
