package merkle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"

	"golang.org/x/mod/sumdb/tlog"
)

// An Anchor keeps the newest checkpoint of a log, with the newest head of the tables,
// outside the folder of the store, so that this machine recognizes a store that was rolled
// back or replaced when it is opened.
//
// It is one file with two slots that are written in turn, in place: replacing a file on every
// record would cost three times as much as the record itself. A checkpoint is in the file, for
// every process to see, before the record's receipt is returned. It reaches the disk in the
// background moments later, and never before the record has. A power failure in between leaves an
// older checkpoint, which the log still extends. A write never touches the newest slot that is
// known to be on disk, so that a checkpoint remains even if the other slot is written only in part.
//
// Several processes may work on it: under a lock, contents are only replaced with later ones.
type Anchor struct {
	Path string
	key  *Key
	busy time.Duration // how long to wait for the lock

	mutex   sync.Mutex
	slots   slots    // as they were seen last
	content []byte   // room to read them into
	last    Anchored // written last by this process
	durable bool     // last is known to be on the disk
	syncing bool
	pending sync.WaitGroup
	fault   error // why the anchor could not be read or written the last time; nil if it could
}

const (
	anchorFile = "checkpoint"
	SlotSize   = 4096 // a block of the usual file systems

	// anchorPatience is the longest wait: a lock is held for a few system calls, and a person
	// learns of one that stays within two seconds.
	anchorPatience = 1500 * time.Millisecond

	// anchorPause is the time between two tries of a lock.
	anchorPause = 20 * time.Millisecond
)

var (
	ErrNoAnchor     = errors.New("there is no checkpoint outside the store")
	ErrAnchorForked = errors.New("the checkpoint outside the store is of another log of the same length")
)

// NewAnchor returns the anchor of a log in a folder with the anchors of many logs.
func NewAnchor(folder string, key *Key, busy time.Duration) *Anchor {
	return &Anchor{Path: filepath.Join(folder, FileName(key.Origin), anchorFile), key: key, busy: min(busy, anchorPatience)}
}

// Read returns the newest kept checkpoint. The error is ErrNoAnchor without a file, an
// *UnreadableAnchor without a checkpoint of this log, and wraps disk.ErrHeld if another program
// keeps it locked.
func (a *Anchor) Read(ctx context.Context) (Anchored, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	var newest Anchored
	opened, err := a.locked(ctx, os.O_RDONLY, disk.Shared, func(file *os.File) (err error) {
		newest, _, err = a.look(file)
		return err
	})
	if !opened {
		err = anchorFault(a.Path, err)
	}
	return newest, err
}

// locked runs do with the file, opened and locked, while the caller holds the mutex.
func (a *Anchor) locked(ctx context.Context, flag int, mode disk.LockMode, do func(*os.File) error) (opened bool, err error) {
	file, err := disk.OpenRegular(a.Path, flag)
	if err != nil {
		return false, err
	}
	if err = disk.Lock(ctx, file, mode, a.busy); err == nil {
		err = do(file)
	}
	return true, errors.Join(err, file.Close())
}

// anchorFault tells an anchor that cannot be read from a missing one and a lack of descriptors.
func anchorFault(path string, err error) error {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return err
	case !errors.Is(err, fs.ErrNotExist):
		return &UnreadableAnchor{disk.Reason(err)}
	}
	if _, err := os.Lstat(path); err == nil {
		return &UnreadableAnchor{errors.New("it is a link that leads nowhere")}
	}
	return ErrNoAnchor
}

// Await waits until no other program keeps the anchor locked. Read reports other faults.
func (a *Anchor) Await(ctx context.Context) error {
	for {
		file, err := disk.OpenRegular(a.Path, os.O_RDONLY)
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

func (a *Anchor) look(file *os.File) (newest Anchored, index int, err error) {
	if a.content == nil {
		a.content = make([]byte, 2*SlotSize)
	}
	content := a.content
	info, err := file.Stat()
	if err == nil && info.Size() > int64(len(content)) {
		err = fmt.Errorf("it has %d bytes, and docket writes %d", info.Size(), len(content))
	}
	if err != nil {
		return Anchored{}, 0, &UnreadableAnchor{disk.Reason(err)}
	}
	count, err := file.ReadAt(content, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Anchored{}, 0, &UnreadableAnchor{disk.Reason(err)}
	}
	return a.slots.read(a.key, content[:count])
}

// Keep writes the checkpoint and the heads unless the anchor holds them or later ones; a part
// without a note is left as it is. What they cover has to be durable.
func (a *Anchor) Keep(ctx context.Context, c Anchored) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	_, err := a.locked(ctx, os.O_RDWR, disk.Exclusive, func(file *os.File) error { return a.write(file, c) })
	return a.failed(err)
}

// failed returns the error or, if it is nil, the last fault, with the path.
func (a *Anchor) failed(err error) error {
	if err == nil {
		err = a.fault
	}
	if a.fault = nil; err != nil {
		err = fmt.Errorf("%s: %w", a.Path, err)
	}
	return err
}

// Begin makes the file, with its folders where they are missing; both slots are on disk when it
// returns. The file must not exist: it is made with its store, or when a person accepts the log.
func (a *Anchor) Begin(c Anchored) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	durable, err := disk.MakeFolder(filepath.Dir(a.Path))
	if err != nil {
		return err
	}
	file, err := os.OpenFile(a.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL, disk.FileMode)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(append(slotOf(c), slotOf(c)...), 0)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(a.Path))
	}
	a.last, a.durable = c, true
	return durable()
}

// write writes the parts that are newer than those in the file.
func (a *Anchor) write(file *os.File, c Anchored) error {
	newest, index, err := a.look(file)
	if err != nil {
		return err
	}
	c, err = newest.with(&c)
	if err != nil || c.text() == newest.text() {
		return err
	}
	target := 1 - index
	if newest.text() != a.last.text() {
		// Another process or an earlier one wrote it: it may not be on disk yet.
		if err := disk.SyncContent(file); err != nil {
			return err
		}
	} else if !a.durable {
		target = index // then the other slot is on the disk
	}
	slot := slotOf(c)
	if _, err := file.WriteAt(slot, int64(target)*SlotSize); err != nil {
		return err
	}
	a.slots.held[target], a.slots.content[target] = c, slot
	a.last, a.durable = c, false
	a.syncSoon()
	return nil
}

// Knows reports whether this process wrote the checkpoint, or found the log to extend it.
func (a *Anchor) Knows(c Anchored) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.last.Note != nil && a.last.text() == c.text()
}

// slots are the contents of an anchor's file as last read; the zero value is an empty file.
type slots struct {
	held    [2]Anchored // by slot; without a note where there is none
	content [2][]byte   // of the slots as they were read last, padding and all
}

// An UnreadableAnchor says that the anchor's file holds no checkpoint of the log.
type UnreadableAnchor struct{ Cause error }

func (e *UnreadableAnchor) Error() string {
	return fmt.Sprintf("the checkpoint outside the store: %v", e.Cause)
}
func (e *UnreadableAnchor) Unwrap() error { return e.Cause }

func slotOf(c Anchored) []byte {
	slot := bytes.Repeat([]byte{'\n'}, SlotSize)
	copy(slot, c.text())
	return slot
}

// read returns the newest checkpoint with its slot; it ignores a slot that a power failure spoiled
// if the other has a checkpoint, and does not verify unchanged slots again.
func (s *slots) read(key *Key, content []byte) (newest Anchored, index int, err error) {
	err = ErrNoAnchor
	for i := range s.held {
		failed := s.readSlot(key, slotIn(content, i), i)
		switch {
		case failed != nil:
			s.held[i], s.content[i] = Anchored{}, nil
			if errors.Is(err, ErrNoAnchor) && !errors.Is(failed, ErrNoAnchor) {
				err = &UnreadableAnchor{failed}
			}
		case newest.Note == nil || s.held[i].newerThan(&newest):
			newest, index = s.held[i], i
		}
	}
	if newest.Note != nil {
		newest.Older = s.held[1-index].Note
		return newest, index, nil
	}
	if errors.Is(err, ErrNoAnchor) {
		err = &UnreadableAnchor{errors.New("it is empty")}
	}
	return Anchored{}, 0, err
}

// readSlot verifies the checkpoint in a slot unless the slot is unchanged.
func (s *slots) readSlot(key *Key, slot []byte, index int) error {
	if len(slot) > 0 && bytes.Equal(slot, s.content[index]) {
		return nil
	}
	signed, err := inSlot(slot)
	if err != nil {
		return err
	}
	if s.held[index], err = openAnchored(key, signed); err != nil {
		return err
	}
	s.content[index] = bytes.Clone(slot)
	return nil
}

func slotIn(content []byte, index int) []byte {
	return content[min(index*SlotSize, len(content)):min((index+1)*SlotSize, len(content))]
}

// inSlot removes the padding; ErrNoAnchor if the slot was never written.
func inSlot(slot []byte) ([]byte, error) {
	text := bytes.TrimRight(slot, "\n\x00")
	switch len(text) {
	case 0:
		return nil, ErrNoAnchor
	case len(slot):
		return nil, errNoCheckpoint
	}
	return bytes.Clone(slot[:len(text)+1]), nil
}

// syncSoon syncs the file in the background, one goroutine at a time; Close waits for it.
func (a *Anchor) syncSoon() {
	if a.syncing {
		return
	}
	a.syncing = true
	a.pending.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				a.synced(Anchored{}, fmt.Errorf("a panic: %T", r))
			}
		}()
		for {
			a.mutex.Lock()
			writing := a.last
			a.mutex.Unlock()
			if a.synced(writing, disk.SyncFile(a.Path)) {
				return
			}
		}
	})
}

// synced reports whether there is nothing more to sync.
func (a *Anchor) synced(written Anchored, err error) (done bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.durable = err == nil && a.last.text() == written.text()
	if err != nil {
		a.fault = err
	}
	a.syncing = err == nil && !a.durable
	return !a.syncing
}

// Close waits until all writes are on disk.
func (a *Anchor) Close() error {
	a.pending.Wait()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.failed(nil)
}

// Renew sets the old anchor aside and makes a new one.
func (a *Anchor) Renew(c Anchored, at terms.Instant) error {
	aside := a.Path + ".set-aside-" + strings.ReplaceAll(at.String(), ":", "")
	if err := os.Rename(a.Path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return a.Begin(c)
}

// Claims returns the heads of this log in the file, signed or not; none if it cannot be read.
func (a *Anchor) Claims() (heads []records.LogHead) {
	content, err := disk.ReadRegular(a.Path, 2*SlotSize)
	if err != nil {
		return nil
	}
	for i := range 2 {
		if claimed, ok := readCheckpoint(slotIn(content, i)); ok && claimed.Origin == a.key.Origin {
			heads = append(heads, records.LogHead{Origin: claimed.Origin, Size: int64(claimed.Size),
				Root: signed.FromTree(tlog.Hash(claimed.Hash))})
		}
	}
	return heads
}
