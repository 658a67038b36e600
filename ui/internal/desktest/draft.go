package desktest

import (
	"context"

	"docket/domain"
)

// Keep puts a draft on the desk as if it had been kept there at that time.
func (d *Desk) Keep(key domain.Key, draft domain.Draft) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.drafts[key] = domain.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
}

// KeepUnreadable puts a draft of a revision there that cannot be read.
func (d *Desk) KeepUnreadable(key domain.Key, why string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.drafts[key] = domain.KeptDraft{Revision: key.Number, SavedAt: d.now(), Unreadable: why}
}

// Draft is what is kept of a revision; it is not Present if nothing is.
func (d *Desk) Draft(key domain.Key) domain.KeptDraft {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.drafts[key]
}

// draft is the one of the revision or, failing that, of the latest earlier one.
func (d *Desk) draft(key domain.Key) domain.KeptDraft {
	found := domain.KeptDraft{}
	for held, kept := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number && held.Number > found.Revision {
			found = kept
		}
	}
	return found
}

// SaveDraft keeps a draft in memory.
func (d *Desk) SaveDraft(_ context.Context, _ domain.Table, key domain.Key, draft domain.Draft) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return d.Failing
	}
	d.drafts[key] = domain.KeptDraft{Draft: draft, Revision: key.Number, SavedAt: d.now()}
	return nil
}

// DropDraft forgets drafts.
func (d *Desk) DropDraft(_ context.Context, _ domain.Table, key domain.Key) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.Failing != nil {
		return d.Failing
	}
	d.dropDraft(key)
	return nil
}

func (d *Desk) dropDraft(key domain.Key) {
	for held := range d.drafts {
		if held.ID == key.ID && held.Number <= key.Number {
			delete(d.drafts, held)
		}
	}
}
