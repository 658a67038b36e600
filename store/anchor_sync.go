package store

import (
	"fmt"

	"docket/store/disk"
)

// syncSoon brings what was written to the disk in the background; one goroutine at a time does that, and close waits
// for it.
func (a *anchor) syncSoon() {
	if a.syncing {
		return
	}
	a.syncing = true
	a.pending.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				a.synced(checkpoint{}, fmt.Errorf("panic: %v", r))
			}
		}()
		for {
			a.mutex.Lock()
			writing := a.last
			a.mutex.Unlock()
			if a.synced(writing, disk.SyncFile(a.path)) {
				return
			}
		}
	})
}

// synced notes what syncing came to, and tells whether there is nothing more to sync.
func (a *anchor) synced(written checkpoint, err error) (done bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.durable = err == nil && string(a.last.note) == string(written.note)
	if err != nil {
		a.fault = err
	}
	a.syncing = err == nil && !a.durable
	return !a.syncing
}

// close waits until what was written is on the disk.
func (a *anchor) close() error {
	a.pending.Wait()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	failed := a.fault
	a.fault = nil
	if failed != nil {
		return fmt.Errorf("%s: %w", a.path, failed)
	}
	return nil
}
