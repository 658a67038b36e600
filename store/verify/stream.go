package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// batchSize is how many entries are passed on together; one query reads their packets.
const batchSize = 64

// A batch goes from the reader to a worker and, in the order of the log, to the check.
type batch struct {
	entries []entryResult
	err     error
	done    chan struct{} // closed by the worker
}

var errStopped = errors.New("the check was stopped")

// stream has one goroutine read the log and one for each worker examine it, takes the batches in
// order, and returns the first error that is not errStopped once all have ended.
func (c *check) stream() error {
	keys := newKeyring(c.head.Signers)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	s := &stream{ctx: ctx, work: make(chan *batch), order: make(chan *batch, 2*c.options.Workers)}
	var running sync.WaitGroup
	running.Go(func() {
		defer close(s.order)
		defer close(s.work)
		s.readErr = guarded(func() error { return s.read(c.log) })
	})
	for range c.options.Workers {
		running.Go(func() {
			entryChecker := entryChecker{log: c.log, head: &c.head, depth: c.options.Depth, keys: keys, erased: c.erased}
			for b := range s.work {
				b.err = guarded(func() error { return entryChecker.examine(ctx, b.entries) })
				close(b.done)
			}
		})
	}
	err := c.takeAll(s)
	cancel()
	running.Wait()
	if err == nil || errors.Is(err, errStopped) {
		err = s.readErr
	}
	if err == nil && c.tree.Size() != c.head.Size {
		err = fmt.Errorf("the log gave %d of its %d entries", c.tree.Size(), c.head.Size)
	}
	return err
}

type stream struct {
	ctx     context.Context
	work    chan *batch
	order   chan *batch
	readErr error // of the reader, once order is closed
}

func (s *stream) read(log Source) error {
	next := make([]entryResult, 0, batchSize)
	err := log.Entries(s.ctx, 0, func(e Entry) error {
		next = append(next, entryResult{entry: e})
		if len(next) < batchSize {
			return nil
		}
		full := next
		next = make([]entryResult, 0, batchSize)
		return s.send(full)
	})
	if err != nil {
		return err
	}
	if len(next) > 0 {
		return s.send(next)
	}
	return nil
}

// send queues a batch for the check before a worker gets it: the check waits for every worker.
func (s *stream) send(entries []entryResult) error {
	b := &batch{entries: entries, done: make(chan struct{})}
	select {
	case s.order <- b:
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	select {
	case s.work <- b:
		return nil
	case <-s.ctx.Done():
		b.err = errStopped
		close(b.done)
		return s.ctx.Err()
	}
}

func (c *check) takeAll(s *stream) error {
	for b := range s.order {
		<-b.done
		if b.err != nil {
			return b.err
		}
		for i := range b.entries {
			if err := c.take(&b.entries[i]); err != nil {
				return err
			}
		}
		if c.options.Progress != nil {
			c.options.Progress(c.tree.Size(), c.head.Size)
		}
	}
	return nil
}

// guarded turns a panic into an error, so that damaged input cannot end the program; the text of
// the panic may hold a value of a packet.
func guarded(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the check came to a stop at an unforeseen place: a panic: %T", p)
		}
	}()
	return work()
}
