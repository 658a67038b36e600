package workbench

import (
	"cmp"
	"context"
	"sync"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
)

// A Search finds the terms of filters in the texts and ids of one store. It keeps an index of each
// searched area, in memory only: no text is written anywhere, and erased texts are gone from the
// index with the next answer. Several goroutines may use it; the zero Search is ready to use.
type Search struct {
	// AtOnce is how many packets Find reads, in one snapshot, before it answers; 0: packetsAtOnce.
	AtOnce int

	mutex sync.Mutex
	areas [terms.Amendments + 1]areaIndex
}

// An areaIndex is the index of an area, with the size of the store when it was updated.
type areaIndex struct {
	index queue.Index
	mark  queue.Watermark
	last  terms.ID // the packets up to it have been read
	whole bool     // all of them have
}

const packetsAtOnce = 2048

// Find looks up terms in an area of the store: in the packets that were read before, in those that
// have changed since, and in the next AtOnce of those that were not read yet.
func (s *Search) Find(ctx context.Context, in *store.Store, area terms.Area, sought []queue.Sought) (queue.Found, error) {
	if len(sought) == 0 {
		return queue.Found{}, nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	index := &s.areas[area]
	if err := s.advance(ctx, in, area); err != nil {
		return queue.Found{}, err
	}
	found := index.index.Find(sought)
	found.More = !index.whole
	return found, nil
}

// Prepare reads all packets that Find would read. Calls of Find are answered meanwhile.
func (s *Search) Prepare(ctx context.Context, in *store.Store, area terms.Area) error {
	for whole := false; !whole; {
		s.mutex.Lock()
		err := s.advance(ctx, in, area)
		whole = s.areas[area].whole
		s.mutex.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// advance brings the index up to date as far as packets have been read, and reads the next ones.
func (s *Search) advance(ctx context.Context, in *store.Store, area terms.Area) error {
	a := &s.areas[area]
	news, err := in.QueueChanges(ctx, area, a.mark)
	if err != nil {
		return err
	}
	if news.Everything {
		*a = areaIndex{}
	} else if err := a.put(in.EntriesOf(ctx, area, news.IDs)); err != nil {
		return err
	}
	a.mark = news.Watermark
	if a.whole {
		return nil
	}
	most := cmp.Or(s.AtOnce, packetsAtOnce)
	entries, err := in.EntriesAfter(ctx, area, a.last, most)
	if err := a.put(entries, err); err != nil {
		return err
	}
	if a.whole = len(entries) < most; !a.whole {
		a.last = entries[len(entries)-1].ID()
	}
	return nil
}

func (a *areaIndex) put(entries []queue.Entry, err error) error {
	for i := range entries {
		a.index.Put(entries[i])
	}
	return err
}

// Queues calls use for the queue of each area, with what the filter refers to.
func (s *Search) Queues(ctx context.Context, in *store.Store, filter queue.Filter, reviewer terms.ID, now terms.Instant,
	use func(docket *queue.Queue, of *queue.FilterContext)) error {
	left, err := in.LeftQueue(ctx, reviewer)
	if err != nil {
		return err
	}
	for _, area := range terms.Areas.All() {
		of := &queue.FilterContext{Reviewer: reviewer, Now: now, Left: left}
		if len(filter.Sought()) > 0 {
			if err := s.Prepare(ctx, in, area); err != nil {
				return err
			}
		}
		if of.Found, err = s.Find(ctx, in, area, filter.Sought()); err != nil {
			return err
		}
		var docket *queue.Queue
		if ids, bounded := filter.Within(of.Found); bounded && len(ids) <= mostAlone {
			var rows []queue.Row
			rows, err = in.QueueRows(ctx, area, ids, now, reviewer)
			docket = queue.New(area, rows)
		} else {
			docket, _, err = in.Queue(ctx, area, now, reviewer, nil)
		}
		if err != nil {
			return err
		}
		use(docket, of)
	}
	return nil
}

// mostAlone is how many rows are read one by one rather than all of the queue.
const mostAlone = 10000
