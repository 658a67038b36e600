package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docket/store/disk"
	"docket/store/engine"
	"docket/store/verify"
)

// A BackupStage is a part of making a backup.
type BackupStage uint8

const (
	Copying   BackupStage = iota // done and total are pages of the file
	Verifying                    // done and total are records
)

// Backup writes a copy of the store as it is at this moment to a new file, and verifies it, each record evaluated again, before the file
// gets its name: where Backup returns an error there is no file. Others may write meanwhile; what they write is not in
// the copy. The copy is whole without any file beside it, and it holds the private notes: it is readable for its owner
// only. It does not hold the log's private key, which is in the KeyFile. A file that exists is never replaced. progress may be nil.
//
// The error is a *Problem with the path of the copy where that is at fault; ErrExists wraps into it if there is
// something under that name. A store with findings is not backed up: ErrTampered.
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

func errExists(path string) error {
	return &Problem{Path: path, Kind: ErrExists, Advice: "name another file; a backup replaces nothing"}
}

// emptyBeside makes an empty file in the folder of the target, readable for nobody else.
func emptyBeside(target string) (string, error) {
	file, err := os.CreateTemp(filepath.Dir(target), ".docket-backup-*")
	if err != nil {
		return "", disk.FileError(target, err)
	}
	if err := errors.Join(file.Chmod(disk.FileMode), file.Close()); err != nil {
		return "", errors.Join(disk.FileError(target, err), os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// backup is one call of Backup.
type backup struct {
	store             *Store
	temporary, target string
	progress          func(stage BackupStage, done, total int64)
	source            string // the newest checkpoint of what is copied
}

func (b *backup) make(ctx context.Context) error {
	if err := b.copy(ctx); err != nil {
		return err
	}
	if err := disk.SyncFile(b.temporary); err != nil {
		return disk.FileError(b.target, err)
	}
	if err := b.verify(ctx); err != nil {
		return err
	}
	return b.publish()
}

// copy copies one snapshot.
func (b *backup) copy(ctx context.Context) error {
	look := func(ctx context.Context, tx engine.Tx) error {
		signed, err := newestCheckpoint(ctx, tx)
		b.source = string(signed)
		return err
	}
	return b.store.db.Copy(ctx, b.temporary, b.target, look, func(done, total int64) { b.progress(Copying, done, total) })
}

// verify reads the copy as nobody else will touch it, without any file beside it.
func (b *backup) verify(ctx context.Context) (err error) {
	s, err := Open(ctx, Options{Path: b.temporary, ReadOnly: true, alone: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	signed, err := s.Checkpoint(ctx)
	if err != nil {
		return err
	}
	if string(signed) != b.source {
		return fmt.Errorf("%s: the copy has another checkpoint than the store; nothing was kept, try again", b.target)
	}
	if _, err := s.Verify(ctx, verify.Options{Progress: func(done, total int64) { b.progress(Verifying, done, total) }}); err != nil {
		return err
	}
	if list := s.Findings(); len(list) > 0 {
		return &Problem{Path: b.store.path, Kind: ErrTampered, Advice: "its copy was not kept; verify the store: " + list[0].Sentence()}
	}
	return nil
}

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
