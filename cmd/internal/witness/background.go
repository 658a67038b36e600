package witness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/verify"
)

// A CoveredLog is a Log that says how far it fulfils a policy.
type CoveredLog interface {
	Log
	Coverage(ctx context.Context, policy *verify.Policy) (verify.Coverage, error)
}

// A Background submits the checkpoint of a log in use: when it starts, after each record, and again after a failure. It
// has one goroutine, which ends with Close. No other work waits for it.
type Background struct {
	o       BackgroundOptions
	cancel  context.CancelFunc
	ended   chan struct{}
	wake    chan struct{}
	failing bool // the last submission failed; of the goroutine
	mutex   sync.Mutex
	notes   []Note        // to be told, oldest first
	more    chan struct{} // closed and made anew when there is one
}

// A Note is a message to the reviewer.
type Note struct {
	Text        string // safe to print, without a full stop
	Contradicts bool   // a witness says that the log was rolled back or forked
}

// BackgroundOptions configure a Background.
type BackgroundOptions struct {
	Options
	Log    CoveredLog
	MaxAge time.Duration // how long ago the quorum may have cosigned
	Now    func() time.Time
	// Wait waits for the duration, or until ctx ends or wake delivers; nil: with a timer.
	Wait func(ctx context.Context, wake <-chan struct{}, d time.Duration)
}

// The wait after a failed submission; it doubles up to the longest wait.
const (
	firstWait   = time.Minute
	longestWait = 30 * time.Minute
	mostNotes   = 8 // that nobody took; older ones are dropped
)

// Start starts the submissions. They end with ctx or Close.
func Start(ctx context.Context, o BackgroundOptions) *Background {
	o.Options.Log = o.Log
	if o.Wait == nil {
		o.Wait = wait
	}
	ctx, cancel := context.WithCancel(ctx)
	b := &Background{o: o, cancel: cancel, ended: make(chan struct{}), wake: make(chan struct{}, 1), more: make(chan struct{})}
	go func() {
		defer close(b.ended)
		defer func() {
			if r := recover(); r != nil {
				b.tell(Note{Text: fmt.Sprintf("the submission to the witnesses panicked: %T", r)})
			}
		}()
		b.run(ctx)
	}()
	return b
}

// Close ends the submissions and waits for their end.
func (b *Background) Close() {
	b.cancel()
	<-b.ended
}

// Recorded says that the log has grown. It never waits.
func (b *Background) Recorded() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake, and reads the log after this
	}
}

// Next waits for a note. It returns false once ctx has ended.
func (b *Background) Next(ctx context.Context) (note Note, more bool) {
	for {
		b.mutex.Lock()
		coming := b.more
		if len(b.notes) > 0 {
			note, b.notes = b.notes[0], b.notes[1:]
		}
		b.mutex.Unlock()
		if note.Text != "" {
			return note, true
		}
		select {
		case <-ctx.Done():
			return Note{}, false
		case <-coming:
		}
	}
}

// tell adds a note.
func (b *Background) tell(note Note) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.notes = append(b.notes, note)
	b.notes = b.notes[max(0, len(b.notes)-mostNotes):]
	close(b.more)
	b.more = make(chan struct{})
}

func wait(ctx context.Context, wake <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
}

func (b *Background) run(ctx context.Context) {
	var last Note
	failedWait := firstWait
	for first := true; ctx.Err() == nil; first = false {
		note, failed := b.once(ctx, first)
		if ctx.Err() != nil {
			return
		}
		if note.Text != "" && note != last {
			b.tell(note)
		}
		last = note
		pause := longestWait
		if failed {
			pause, failedWait = failedWait, min(2*failedWait, longestWait)
		} else {
			failedWait = firstWait
		}
		b.o.Wait(ctx, b.wake, pause)
	}
}

// once submits the checkpoint if that is due, and returns the note: failures, and the state of the policy if it is
// unmet or old. failed says that it should be tried again soon.
func (b *Background) once(ctx context.Context, first bool) (note Note, failed bool) {
	coverage, err := b.o.Log.Coverage(ctx, b.o.Policy)
	if err != nil {
		return Note{Text: fmt.Sprintf("the log cannot be read for the witnesses: %s", visible.String(err.Error()))}, true
	}
	now := terms.InstantOf(b.o.Now())
	if first && (!coverage.Met || coverage.IsOlder(b.o.MaxAge, now)) {
		b.tell(Note{Text: fmt.Sprintf("%s; its checkpoint is being submitted", coverage.Sentence())})
	}
	if coverage.Met && coverage.Uncovered == 0 && !coverage.IsOlder(b.o.MaxAge/2, now) {
		return Note{}, false
	}
	results, err := Submit(ctx, b.o.Options)
	if err != nil {
		return Note{Text: fmt.Sprintf("the checkpoint cannot be submitted: %s", visible.String(err.Error()))}, true
	}
	failures := Failures(results)
	if coverage, err = b.o.Log.Coverage(ctx, b.o.Policy); err == nil && (!coverage.Met || coverage.IsOlder(b.o.MaxAge, now)) {
		failures = append(failures, coverage.Sentence())
	}
	if len(failures) == 0 && (first || b.failing) {
		b.failing = false
		return Note{Text: coverage.Sentence()}, false
	}
	b.failing = len(failures) > 0
	return Note{Text: strings.Join(failures, "; "), Contradicts: Contradicted(results)}, b.failing
}

// Contradicted reports whether a witness says that the log was rolled back or forked.
func Contradicted(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.State.Contradicts() })
}

// Failures returns why each witness did not cosign, those that contradict the log first.
func Failures(results []Result) (failures []string) {
	for _, contradicting := range []bool{true, false} {
		for i := range results {
			r := &results[i]
			if r.State == Cosigned || r.State == NotAsked || r.State.Contradicts() != contradicting {
				continue
			}
			failures = append(failures, r.Sentence())
		}
	}
	return failures
}

// Sentence returns the result in words, safe to print, without a full stop.
func (r *Result) Sentence() string {
	name := visible.String(r.Witness)
	switch {
	case r.State == Cosigned:
		return fmt.Sprintf("%s cosigned %d records", name, r.Size)
	case r.State == SawMore:
		return fmt.Sprintf("%s says that THIS LOG WAS ROLLED BACK: %s", name, r.Why)
	case r.State == SawAnother:
		return fmt.Sprintf("%s says that THIS LOG IS FORKED: %s", name, r.Why)
	}
	return fmt.Sprintf("%s did not cosign: %s", name, visible.String(r.Why))
}
