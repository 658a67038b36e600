package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"docket/store/disk"
)

// An anchor keeps the newest checkpoint of a log outside the folder of the store, so that a store that was rolled back
// or replaced is recognized by whoever opens it on this machine.
//
// It is one file with two slots that are written in turn, in place: replacing a file on every record would cost three
// times as much as the record itself. A checkpoint is in the file, for every process to see and however this one ends,
// before the record's receipt is given out. It reaches the disk in the background moments later, and never before the
// record has. A power failure in between leaves an older checkpoint, which the log still extends. What is written
// never touches the newest slot that is known to be on the disk; so, whatever of the other one gets there, a checkpoint
// that vouches for the log remains.
//
// Several processes may work on it: what is in it only grows, under a lock on the file.
type anchor struct {
	path string
	key  *logKey
	busy time.Duration // how long to wait for the lock

	mutex   sync.Mutex
	slots   slots      // as they were seen last
	content []byte     // room to read them into
	last    checkpoint // written last by this process
	durable bool       // last is known to be on the disk
	syncing bool
	pending sync.WaitGroup
	fault   error // why the anchor could not be read or written the last time; nil if it could
}

const (
	anchorFile = "checkpoint"
	slotSize   = 4096 // a block of the usual file systems

	// anchorPatience is how long a lock on an anchor is waited for at most: it is held for the time of a few system calls, and a
	// person is told of one that stays within two seconds.
	anchorPatience = 1500 * time.Millisecond

	// anchorPause is how long to wait before a lock that stays is tried again.
	anchorPause = 20 * time.Millisecond
)

// What may be wrong with an anchor besides what its file says.
var (
	errNoAnchor     = errors.New("there is no checkpoint outside the store")
	errAnchorForked = errors.New("the checkpoint outside the store is of another log of the same length")
)

// newAnchor returns the anchor of a log in a folder that holds those of many.
func newAnchor(folder string, key *logKey, busy time.Duration) *anchor {
	return &anchor{path: filepath.Join(folder, nameOf(key.origin), anchorFile), key: key, busy: min(busy, anchorPatience)}
}

// read returns the newest checkpoint that is kept. The error is errNoAnchor if nothing is there, an *unreadableAnchor if what is
// there is none of this log, whatever it is, and wraps errHeld if another program keeps it locked.
func (a *anchor) read(ctx context.Context) (checkpoint, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	file, err := disk.OpenRegular(a.path, os.O_RDONLY)
	if err != nil {
		return checkpoint{}, anchorFault(a.path, err)
	}
	c, err := a.readFrom(ctx, file)
	return c, errors.Join(err, file.Close())
}

// anchorFault sorts an error of opening or reading an anchor. "It cannot be read" is not "it is not there", and neither is a reason to
// go on without it; what is this process's own trouble stays as it is.
func anchorFault(path string, err error) error {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return err
	case !errors.Is(err, fs.ErrNotExist):
		return &unreadableAnchor{reasonOf(err)}
	}
	if _, err := os.Lstat(path); err == nil {
		return &unreadableAnchor{errors.New("it is a link that leads nowhere")}
	}
	return errNoAnchor
}

// await waits until no other program keeps the anchor locked. Anything else that is wrong with it is for reading it to find.
func (a *anchor) await(ctx context.Context) error {
	for {
		file, err := disk.OpenRegular(a.path, os.O_RDONLY)
		if err != nil {
			return nil
		}
		if err = errors.Join(disk.TryLock(file, disk.Shared), file.Close()); !errors.Is(err, disk.ErrHeld) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(anchorPause):
		}
	}
}

func (a *anchor) readFrom(ctx context.Context, file *os.File) (checkpoint, error) {
	if err := disk.Lock(ctx, file, disk.Shared, a.busy); err != nil {
		return checkpoint{}, err
	}
	newest, _, err := a.look(file)
	return newest, err
}

// look reads both slots, and returns the newest checkpoint with its slot.
func (a *anchor) look(file *os.File) (newest checkpoint, index int, err error) {
	if a.content == nil {
		a.content = make([]byte, 2*slotSize)
	}
	content := a.content
	info, err := file.Stat()
	if err == nil && info.Size() > int64(len(content)) {
		err = fmt.Errorf("it has %d bytes, and docket writes %d", info.Size(), len(content))
	}
	if err != nil {
		return checkpoint{}, 0, &unreadableAnchor{reasonOf(err)}
	}
	count, err := file.ReadAt(content, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return checkpoint{}, 0, &unreadableAnchor{reasonOf(err)}
	}
	return a.slots.read(a.key, content[:count])
}

// keep sees to it that the anchor holds the checkpoint or one of a longer log. The record it belongs to has to be
// durable by then.
func (a *anchor) keep(ctx context.Context, c checkpoint) (err error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	failed := a.fault
	if err = a.keepLocked(ctx, c); err == nil {
		err = failed
	}
	a.fault = nil
	if err != nil {
		err = fmt.Errorf("%s: %w", a.path, err)
	}
	return err
}

func (a *anchor) keepLocked(ctx context.Context, c checkpoint) error {
	file, err := disk.OpenRegular(a.path, os.O_RDWR)
	if err != nil {
		return err
	}
	err = disk.Lock(ctx, file, disk.Exclusive, a.busy)
	if err == nil {
		err = a.write(file, c)
	}
	return errors.Join(err, file.Close())
}

// begin makes the file, with its folders where they are missing; both slots are on the disk when it returns. There must be none
// yet: an anchor is made with its store, or when a person accepts the log as it is.
func (a *anchor) begin(c checkpoint) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	folder := filepath.Dir(a.path)
	missing := disk.MissingFolders(folder)
	if err := os.MkdirAll(folder, disk.FolderMode); err != nil {
		return err
	}
	file, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, disk.FileMode)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(append(slotOf(c), slotOf(c)...), 0)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(a.path))
	}
	a.last, a.durable = c, true
	for _, made := range append(missing, folder) {
		if err := disk.SyncFolder(made); err != nil {
			return err
		}
	}
	return nil
}

// write puts the checkpoint into the file unless what is there is as good.
func (a *anchor) write(file *os.File, c checkpoint) error {
	newest, index, err := a.look(file)
	switch {
	case err != nil:
		return err
	case newest.size > c.size:
		return nil
	case newest.size == c.size && newest.root != c.root:
		return errAnchorForked
	case newest.size == c.size:
		return nil
	}
	target := 1 - index
	if string(newest.note) != string(a.last.note) {
		// Another process wrote it, or an earlier one of this store: it may not be on the disk yet.
		if err := disk.SyncContent(file); err != nil {
			return err
		}
	} else if !a.durable {
		target = index // then the other slot is on the disk
	}
	slot := slotOf(c)
	if _, err := file.WriteAt(slot, int64(target)*slotSize); err != nil {
		return err
	}
	a.slots.held[target], a.slots.content[target] = c, slot
	a.last, a.durable = c, false
	a.syncSoon()
	return nil
}

// knows tells whether this process wrote the checkpoint, or found the log to extend it.
func (a *anchor) knows(c checkpoint) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.last.note != nil && string(a.last.note) == string(c.note)
}
