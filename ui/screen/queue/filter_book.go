package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"docket/domain"
	"docket/domain/visible"
)

// A SavedFilter is a filter with the name under which the queue offers it.
type SavedFilter struct {
	Name, Text string
	Fixed      bool // it stands in the config file, which the console does not write
}

// mostFilterBytes is how long the name of a saved filter may be, in bytes.
const mostFilterBytes = 60

// Check says why it cannot be saved; nil if it can. The name and the text are not in the error.
func (f *SavedFilter) Check() error {
	if strings.TrimSpace(f.Name) != f.Name || f.Name == "" || len(f.Name) > mostFilterBytes {
		return fmt.Errorf("a saved filter has a name of at most %d bytes, without blanks around it", mostFilterBytes)
	}
	if !visible.Clean(f.Name) || !visible.Clean(f.Text) {
		return errors.New("a saved filter is made of characters that can be seen")
	}
	if _, err := domain.ParseFilter(f.Text); err != nil {
		return fmt.Errorf("the filter cannot be used: %w", err)
	}
	return nil
}

// A FilterKeeper keeps saved filters for the next time. Its methods return all that it then keeps, and may wait for a disk.
type FilterKeeper interface {
	// Save keeps a filter, in place of the one of that name if there is one.
	Save(filter SavedFilter) ([]SavedFilter, error)
	// Drop forgets the filter of that name; that there is none is no error.
	Drop(name string) ([]SavedFilter, error)
}

// A FilterBook is the saved filters that are offered: those of the config file, then those that the reader has saved. It
// does not change; Save and Drop return the next one. The zero FilterBook is empty and keeps nothing beyond the session.
type FilterBook struct {
	list   []SavedFilter
	keeper FilterKeeper
}

// NewFilterBook is a book of filters of which some were saved before; keeper keeps those that the reader saves, nil: they last
// as long as the session.
func NewFilterBook(saved []SavedFilter, keeper FilterKeeper) FilterBook {
	return FilterBook{saved, keeper}
}

// All lists the filters in the order in which they are offered. The slice is not to be written to.
func (b FilterBook) All() []SavedFilter { return b.list }

// HowLong says in half a sentence how long what is saved is kept.
func (b FilterBook) HowLong() string {
	if b.keeper == nil {
		return " until docket ends"
	}
	return ", on this machine, for every store"
}

// Find returns the filter of a name, in any case; false if there is none.
func (b FilterBook) Find(name string) (SavedFilter, bool) {
	at := slices.IndexFunc(b.list, func(f SavedFilter) bool { return strings.EqualFold(f.Name, name) })
	if at < 0 {
		return SavedFilter{}, false
	}
	return b.list[at], true
}

// errFixedFilter says that a filter is not the console's to change.
var errFixedFilter = errors.New("a filter of that name stands in the config file; change it there, or take another name")

// WhyNotDrop says why a filter cannot be deleted; "" if it can.
func (f *SavedFilter) WhyNotDrop() string {
	if f.Fixed {
		return "it stands in the config file; take it out there"
	}
	return ""
}

// Save keeps a filter, in place of the one of its name, if that is not one of the config file.
func (b FilterBook) Save(filter SavedFilter) (FilterBook, error) {
	filter.Fixed = false
	if err := filter.Check(); err != nil {
		return b, err
	}
	before, replaces := b.Find(filter.Name)
	if replaces && before.Fixed {
		return b, errFixedFilter
	}
	if replaces {
		filter.Name = before.Name // as it was written first
	}
	if b.keeper == nil {
		return b.with(append(b.without(filter.Name), filter)), nil
	}
	kept, err := b.keeper.Save(filter)
	return b.holding(kept, err)
}

// Drop forgets a filter that the reader has saved.
func (b FilterBook) Drop(name string) (FilterBook, error) {
	if before, found := b.Find(name); found && before.Fixed {
		return b, errFixedFilter
	}
	if b.keeper == nil {
		return b.with(b.without(name)), nil
	}
	kept, err := b.keeper.Drop(name)
	return b.holding(kept, err)
}

// holding is the book with what its keeper keeps by now.
func (b FilterBook) holding(kept []SavedFilter, err error) (FilterBook, error) {
	if err != nil {
		return b, err
	}
	fixed := slices.DeleteFunc(slices.Clone(b.list), func(f SavedFilter) bool { return !f.Fixed })
	return b.with(append(fixed, kept...)), nil
}

func (b FilterBook) without(name string) []SavedFilter {
	return slices.DeleteFunc(slices.Clone(b.list), func(f SavedFilter) bool { return !f.Fixed && f.Name == name })
}

func (b FilterBook) with(list []SavedFilter) FilterBook { return FilterBook{list, b.keeper} }
