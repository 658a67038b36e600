package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"docket/contracts"
	"docket/domain"
	"docket/store"
)

// importChunk is how many packets go into one transaction: enough to be fast, few enough to let other consoles in.
const importChunk = 1000

// An intake takes packets into the store, chunk by chunk, and keeps count. What is refused is reported at once. One
// goroutine stores a chunk while its owner reads the next; close ends it.
type intake struct {
	chunk  chunk
	chunks chan chunk
	stored chan error // one value: why storing ended; nil if all was stored
	failed chan struct{}

	mu                           sync.Mutex // guards the report and the counts
	report                       func(contracts.Refusal) error
	reportMasked                 func(contracts.Masked) error // nil: nobody is told
	imported, unchanged, refused int
	masked                       int // texts and kinds
	reportErr                    error
}

// A chunk is a part of one file: packets and the lines they start on.
type chunk struct {
	file    string
	packets []domain.Packet
	lines   []int
}

// newIntake starts the goroutine that stores. The caller must call close, and only then read the counts.
func newIntake(ctx context.Context, s *store.Store, report func(contracts.Refusal) error) *intake {
	in := &intake{report: report, chunks: make(chan chunk, 1), stored: make(chan error, 1), failed: make(chan struct{})}
	go func() {
		defer close(in.failed)
		in.stored <- in.storeAll(ctx, s)
	}()
	return in
}

// storeAll stores chunk after chunk until there are no more or one cannot be stored.
func (in *intake) storeAll(ctx context.Context, s *store.Store) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("storing packets broke off: %v", cause)
		}
	}()
	for c := range in.chunks {
		results, err := s.Import(ctx, c.packets)
		if err != nil {
			return err
		}
		in.count(c, results)
	}
	return nil
}

func (in *intake) count(c chunk, results []store.ImportResult) {
	for i, result := range results {
		switch result {
		case store.Imported:
			in.imported++
		case store.Unchanged:
			in.unchanged++
		default:
			in.refuse(contracts.Refusal{File: c.file, Line: c.lines[i], Pointer: "/record",
				Reason: "is held already with other content; what is frozen does not change, so a correction needs a new number"})
		}
	}
}

// open starts a file: the packets that follow are its.
func (in *intake) open(file string) { in.chunk.file = file }

// packet hands a packet over. It returns an error if storing has ended; close says why.
func (in *intake) packet(line int, packet domain.Packet) error {
	in.chunk.packets, in.chunk.lines = append(in.chunk.packets, packet), append(in.chunk.lines, line)
	if len(in.chunk.packets) < importChunk {
		return nil
	}
	return in.flush()
}

// errStoringEnded stops the reading of a file when nothing can be stored any more.
var errStoringEnded = errors.New("nothing can be stored any more")

// flush hands the chunk over to be stored. The next chunk may be of another file.
func (in *intake) flush() error {
	if len(in.chunk.packets) == 0 {
		return nil
	}
	select {
	case in.chunks <- in.chunk:
		in.chunk = chunk{file: in.chunk.file}
		return nil
	case <-in.failed:
		return errStoringEnded
	}
}

// refuse counts and reports a refusal, from either goroutine.
func (in *intake) refuse(refusal contracts.Refusal) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.refused++
	for _, fault := range refusal.All() {
		in.reportErr = errors.Join(in.reportErr, in.report(fault))
	}
}

// mask counts and reports a text that is masked.
func (in *intake) mask(m contracts.Masked) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.masked++
	if in.reportMasked != nil {
		in.reportErr = errors.Join(in.reportErr, in.reportMasked(m))
	}
}

// close stores what is left, waits for it, and returns why reading or storing failed.
func (in *intake) close(reading error) error {
	if reading == nil {
		reading = in.flush()
	}
	close(in.chunks)
	storing := <-in.stored
	if errors.Is(reading, errStoringEnded) {
		reading = nil
	}
	return errors.Join(reading, storing, in.reportErr)
}
