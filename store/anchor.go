package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
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
)

// What may be wrong with an anchor besides what its file says.
var (
	errNoAnchor     = errors.New("there is no checkpoint outside the store")
	errAnchorForked = errors.New("the checkpoint outside the store is of another log of the same length")
)

// newAnchor returns the anchor of a log in a folder that holds those of many.
func newAnchor(folder string, key *logKey, busy time.Duration) *anchor {
	name := sha256.Sum256([]byte(key.origin))
	return &anchor{path: filepath.Join(folder, hex.EncodeToString(name[:]), anchorFile), key: key, busy: busy}
}

// read returns the newest checkpoint that is kept; errNoAnchor if none is, an *unreadableAnchor if what is there is
// none of this log.
func (a *anchor) read(ctx context.Context) (checkpoint, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	file, err := os.Open(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return checkpoint{}, errNoAnchor
	}
	if err != nil {
		return checkpoint{}, err
	}
	c, err := a.readFrom(ctx, file)
	return c, errors.Join(err, file.Close())
}

func (a *anchor) readFrom(ctx context.Context, file *os.File) (checkpoint, error) {
	if err := lockFile(ctx, file, shared, a.busy); err != nil {
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
	count, err := file.ReadAt(content, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return checkpoint{}, 0, err
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
	file, err := a.openToWrite()
	if err != nil {
		return err
	}
	err = lockFile(ctx, file, exclusive, a.busy)
	if err == nil {
		err = a.write(file, c)
	}
	return errors.Join(err, file.Close())
}

// openToWrite makes the file and its folders where they are missing.
func (a *anchor) openToWrite() (*os.File, error) {
	file, err := os.OpenFile(a.path, os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	folder := filepath.Dir(a.path)
	missing := missingFolders(folder)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return nil, err
	}
	if file, err = os.OpenFile(a.path, os.O_RDWR|os.O_CREATE, fileMode); err != nil {
		return nil, err
	}
	for _, made := range append(missing, folder) {
		if err := syncFolder(made); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// write puts the checkpoint into the file unless what is there is as good.
func (a *anchor) write(file *os.File, c checkpoint) error {
	newest, index, err := a.look(file)
	switch {
	case errors.Is(err, errNoAnchor):
		return a.begin(file, c)
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
		if err := syncContent(file); err != nil {
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

// begin fills a new file; both slots are on the disk before anything else happens to it.
func (a *anchor) begin(file *os.File, c checkpoint) error {
	if _, err := file.WriteAt(append(slotOf(c), slotOf(c)...), 0); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	a.last, a.durable = c, true
	return nil
}

// knows tells whether this process wrote the checkpoint, or found the log to extend it.
func (a *anchor) knows(c checkpoint) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.last.note != nil && string(a.last.note) == string(c.note)
}
