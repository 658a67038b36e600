package decision

import (
	"context"
	"sync"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// Drafts store decisions that were begun: this reviewer's, local and in no log. A case file comes
// with its draft, and a row of the queue says that there is one.
type Drafts interface {
	// SaveDraft replaces the revision's stored draft. When it returns nil, the draft is durable.
	SaveDraft(ctx context.Context, table terms.Table, key packets.Key, draft records.Draft) error
	// DropDraft deletes the drafts of the revision and of earlier ones, if any. Recording does so too.
	DropDraft(ctx context.Context, table terms.Table, key packets.Key) error
}

// FlushTimeout is how long the end of the program waits for a draft to be saved.
const FlushTimeout = 5 * time.Second

// An Autosave stores each change of a decision as a version of its draft. Save, Ending.Run and the
// function of Drop may run in other goroutines and in any order: the workbench is asked under a
// mutex and never for a version older than one that it has, and no draft comes back once its record
// is durable or it was discarded. The other methods belong to the goroutine of the console.
type Autosave struct {
	Drafts Drafts
	newest Version
	count  int  // of versions so far
	open   bool // newest is of the decision under way
	due    bool // newest has not been taken to be saved

	mutex sync.Mutex // guards those below, and is held while the workbench is asked
	saved int        // the newest version that the workbench has stored
	ended int        // the newest version that is recorded or was discarded
}

// A Version is a draft as it was at one moment.
type Version struct {
	Table  terms.Table
	Key    packets.Key
	draft  records.Draft
	number int
}

// Note makes a draft the newest version, and reports whether it differs from the one before.
func (a *Autosave) Note(table terms.Table, key packets.Key, draft records.Draft) bool {
	if a.Of(table, key) && a.newest.draft == draft {
		return false
	}
	a.open, a.due = true, true
	a.count++
	a.newest = Version{table, key, draft, a.count}
	return true
}

// Newest is the newest version; the zero Version if there is none.
func (a *Autosave) Newest() Version { return a.newest }

// Take returns the newest version, to be saved, if it has not been taken before.
func (a *Autosave) Take() (v Version, due bool) {
	due, a.due = a.due, false
	return a.newest, due
}

// Due reports whether there is a version to take.
func (a *Autosave) Due() bool { return a.due }

// Of reports whether the newest version is of the decision under way on a revision.
func (a *Autosave) Of(table terms.Table, key packets.Key) bool {
	return a.open && a.newest.Table == table && a.newest.Key == key
}

// Close says that the decision under way has ended: the next draft noted starts a new one.
func (a *Autosave) Close() { a.open, a.due = false, false }

// Save stores a version, unless the workbench has it or a newer one, or its decision has ended.
func (a *Autosave) Save(ctx context.Context, v Version) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if v.number <= max(a.saved, a.ended) {
		return nil
	}
	if err := a.Drafts.SaveDraft(ctx, v.Table, v.Key, v.draft); err != nil {
		return err
	}
	a.saved = v.number
	return nil
}

// Flush saves the newest version at the end of the program, also where its context has ended.
func (a *Autosave) Flush() error {
	ctx, cancel := context.WithTimeout(context.Background(), FlushTimeout)
	defer cancel()
	return a.Save(ctx, a.newest)
}

// An Ending ends the decision under way with all of its versions so far.
type Ending struct {
	autosave *Autosave
	version  int
}

// Ending is taken when a decision is sent to be recorded; later changes belong to another one.
func (a *Autosave) Ending() Ending { return Ending{a, a.count} }

// Run ends the decision by a function; if that returns nil, no version is saved afterwards.
func (e Ending) Run(end func() error) error {
	a := e.autosave
	a.mutex.Lock()
	defer a.mutex.Unlock()
	err := end()
	if err == nil {
		a.ended = max(a.ended, e.version)
	}
	return err
}

// Drop returns the function that deletes the drafts of a revision and of earlier ones.
func (a *Autosave) Drop(table terms.Table, key packets.Key) func(context.Context) error {
	a.Close()
	a.count++
	ending := a.Ending()
	return func(ctx context.Context) error {
		return ending.Run(func() error { return a.Drafts.DropDraft(ctx, table, key) })
	}
}
