package workbench

import (
	"context"
	"sync"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
)

// A Search finds the terms of filters in the texts and ids of one store. It keeps an index of each searched area, in
// memory only: no text is written anywhere, and erased texts are gone from the index with the next answer. Several
// goroutines may use it; the zero Search is ready to use.
type Search struct {
	// Begin is called before all packets of an area are read, and the function that it returns after that; it may be nil.
	Begin func() (end func())

	mutex sync.Mutex
	areas [terms.Amendments + 1]areaIndex
}

// An areaIndex is the index of an area, with the size of the store when it was updated.
type areaIndex struct {
	index queue.Index
	mark  queue.Watermark
}

// entriesAtOnce is how many packets are read in one snapshot.
const entriesAtOnce = 1024

// Find looks up terms in an area of the store. The first call reads every packet of the area, later ones the changes
// since.
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

// update brings the index up to date. After an error it is unchanged or empty.
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
