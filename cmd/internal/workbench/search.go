package workbench

import (
	"context"
	"sync"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
)

// A Search answers what filters look for in the texts and ids of one store. It keeps an index of each area that was asked for, in
// memory alone: nothing of a text is written anywhere, and what was erased is gone from it with the next answer. Several goroutines may
// use it; the zero Search has read nothing yet.
type Search struct {
	// Begin is told that all packets of an area are about to be read, and the function that it returns when that has ended; nil: nobody is.
	Begin func() (end func())

	mutex sync.Mutex
	areas [terms.Amendments + 1]areaIndex
}

// An areaIndex is the index of an area, and how far the store had grown when it was brought up to date.
type areaIndex struct {
	index queue.Index
	mark  queue.Watermark
}

// entriesAtOnce is how many packets are read in one snapshot.
const entriesAtOnce = 1024

// Find looks up what is sought in an area of the store. The first time it reads every packet of the area, later what has changed since.
func (s *Search) Find(ctx context.Context, in *store.Store, area terms.Area, sought []queue.Sought) (queue.Found, error) {
	if len(sought) == 0 {
		return nil, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.areas[area].update(ctx, in, area, s.Begin); err != nil {
		return nil, err
	}
	return s.areas[area].index.Find(sought), nil
}

// prepare reads what Find would read first.
func (s *Search) prepare(ctx context.Context, in *store.Store, area terms.Area) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.areas[area].update(ctx, in, area, s.Begin)
}

// update brings the index up to date. After an error it is as it was, or empty.
func (a *areaIndex) update(ctx context.Context, s *store.Store, area terms.Area, begin func() (end func())) error {
	news, err := s.QueueChanges(ctx, area, a.mark)
	if err != nil {
		return err
	}
	if news.Everything {
		*a = areaIndex{}
		if begin != nil {
			defer begin()()
		}
		if err := a.readAll(ctx, s, area); err != nil {
			*a = areaIndex{}
			return err
		}
	} else {
		entries, err := s.EntriesOf(ctx, area, news.IDs)
		if err != nil {
			return err
		}
		for i := range entries {
			a.index.Put(entries[i])
		}
	}
	a.mark = news.Watermark
	return nil
}

func (a *areaIndex) readAll(ctx context.Context, s *store.Store, area terms.Area) error {
	last := terms.ID("")
	for {
		entries, err := s.EntriesAfter(ctx, area, last, entriesAtOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		for i := range entries {
			a.index.Put(entries[i])
		}
		last = entries[len(entries)-1].ID()
	}
}
