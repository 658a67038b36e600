// Package intake stores packets while the next ones are read.
package intake

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store"
)

// Counts count packets by result, and masked texts, one for each text and kind.
type Counts struct{ Imported, Unchanged, Refused, Masked int }

// chunkSize is the number of packets stored at once, in one transaction unless others wait.
const chunkSize = 1000

// An Intake stores packets in chunks and counts them: its goroutine stores a chunk while the owner
// reads the next one, and Close ends it. Refusals are reported at once, and the store is asked for
// when there is a packet that it may take.
type Intake struct {
	open   func() (*store.Store, error) // nil: there is a store
	store  *store.Store                 // nil before the first chunk
	chunk  chunk
	chunks chan chunk
	ended  chan struct{} // closed when nothing is stored any more
	stored error         // nil if everything was stored; read once it has ended

	Counts // Imported and Unchanged are of the storing goroutine until Close
	Listed bool
	IDs    []terms.ID // of the imported packets if they are listed, which takes memory

	mu           sync.Mutex // guards what both goroutines report, and count of it
	report       func(contracts.Refusal) error
	ReportMasked func(contracts.Masked) error // nil: not reported
	reportErr    error
}

// A chunk holds packets of one file, with the lines on which they start.
type chunk struct {
	file    string
	packets []packets.Packet
	lines   []int
}

// New starts the storing goroutine. The caller must call Close before it reads the counts.
func New(ctx context.Context, s *store.Store, report func(contracts.Refusal) error) *Intake {
	in := NewWithout(ctx, nil, report)
	in.store = s
	return in
}

// NewWithout is New without a store: open makes it, once. Its error ends the reading.
func NewWithout(ctx context.Context, open func() (*store.Store, error), report func(contracts.Refusal) error) *Intake {
	in := &Intake{open: open, report: report, chunks: make(chan chunk, 1), ended: make(chan struct{})}
	go func() {
		defer close(in.ended)
		in.stored = in.storeAll(ctx)
	}()
	return in
}

// storeAll stores and counts chunks until the channel is closed or one cannot be stored.
func (in *Intake) storeAll(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("storing packets panicked: %T", cause) // its text may quote a packet
		}
	}()
	for c := range in.chunks {
		results, err := in.store.Import(ctx, c.packets)
		if err != nil {
			return err
		}
		for i, result := range results {
			switch result {
			case store.Imported:
				if in.Imported++; in.Listed {
					in.IDs = append(in.IDs, c.packets[i].Key().ID)
				}
			case store.Unchanged:
				in.Unchanged++
			default:
				in.Refuse(contracts.Refusal{File: c.file, Line: c.lines[i], Pointer: "/record",
					Reason: "is stored already with other content; packets do not change, so a correction needs a new number"})
			}
		}
	}
	return nil
}

// Open starts a file: the following packets belong to it.
func (in *Intake) Open(file string) { in.chunk.file = file }

// Packet adds a packet. It returns an error if storing has ended; Close returns the cause.
func (in *Intake) Packet(line int, packet packets.Packet) error {
	in.chunk.packets, in.chunk.lines = append(in.chunk.packets, packet), append(in.chunk.lines, line)
	if len(in.chunk.packets) < chunkSize {
		return nil
	}
	return in.Flush()
}

var errStoringEnded = errors.New("storing has failed")

// Flush passes the chunk on to be stored. The next chunk may be of another file.
func (in *Intake) Flush() error {
	if in.store == nil {
		in.chunk.refuseErased(in.Refuse)
	}
	if len(in.chunk.packets) == 0 {
		return nil
	}
	if in.store == nil {
		s, err := in.open()
		if err != nil {
			return err
		}
		in.store = s
	}
	select {
	case in.chunks <- in.chunk:
		in.chunk = chunk{file: in.chunk.file}
		return nil
	case <-in.ended:
		return errStoringEnded
	}
}

// refuseErased refuses the packets whose texts were erased: a store without statements takes none.
func (c *chunk) refuseErased(refuse func(contracts.Refusal)) {
	kept := chunk{file: c.file}
	for i, packet := range c.packets {
		if packet.Erased() {
			refuse(contracts.Refusal{File: c.file, Line: c.lines[i], Pointer: "/record", Reason: reasonErased})
			continue
		}
		kept.packets, kept.lines = append(kept.packets, packet), append(kept.lines, c.lines[i])
	}
	*c = kept
}

const reasonErased = "holds no texts, which were erased, and no statement here says so; nothing of it is taken in"

// Refuse counts and reports a refusal, from either goroutine.
func (in *Intake) Refuse(refusal contracts.Refusal) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.Refused++
	for _, fault := range refusal.All() {
		in.reportErr = errors.Join(in.reportErr, in.report(fault))
	}
}

// Mask counts and reports a masked text.
func (in *Intake) Mask(m contracts.Masked) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.Masked++
	if in.ReportMasked != nil {
		in.reportErr = errors.Join(in.reportErr, in.ReportMasked(m))
	}
}

// Close stores the rest, waits, and returns the errors of reading and storing.
func (in *Intake) Close(reading error) error {
	if reading == nil {
		reading = in.Flush()
	}
	close(in.chunks)
	<-in.ended
	if errors.Is(reading, errStoringEnded) {
		reading = nil
	}
	return errors.Join(reading, in.stored, in.reportErr)
}
