package witness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/verify"
)

// A CoveredLog is a Log that says how far it fulfils a policy.
type CoveredLog interface {
	Log
	Coverage(ctx context.Context, policy *verify.Policy) (verify.Coverage, error)
}

// A Background submits the checkpoint of a log in use once after each record, without retries. It
// works within Next, which a goroutine calls again and again. No other work waits for it.
type Background struct {
	o      BackgroundOptions
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wake   chan struct{}
	begun  bool
	mu     sync.Mutex // is held by Next
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
}

// NewBackground returns a Background, which ends with ctx or Close.
func NewBackground(ctx context.Context, o BackgroundOptions) *Background {
	o.Options.Log = o.Log
	b := &Background{o: o, wake: make(chan struct{}, 1)}
	b.ctx, b.cancel = context.WithCancel(ctx)
	return b
}

// Close ends the submissions and waits for their end.
func (b *Background) Close() {
	b.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
}

// Recorded says that the log has grown. It never waits.
func (b *Background) Recorded() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake, and reads the log after this
	}
}

// Next says first whether the policy is not met, then submits after each record, until there is a
// note. It returns false soon after ctx has ended, or after Close.
func (b *Background) Next(ctx context.Context) (note Note, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			note, more = Note{Text: fmt.Sprintf("the submission to the witnesses panicked: %T", r)}, true
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.ctx, cancel)()
	if !b.begun {
		b.begun = true
		note.Text = b.unmet(ctx)
	}
	for note.Text == "" {
		select {
		case <-ctx.Done():
			return Note{}, false
		case <-b.wake:
			note = b.once(ctx)
		}
	}
	return note, true
}

// unmet says that the policy is not met, or not any more; "" if it is.
func (b *Background) unmet(ctx context.Context) string {
	coverage, err := b.o.Log.Coverage(ctx, b.o.Policy)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return fmt.Sprintf("the log cannot be read for the witnesses: %s", visible.String(err.Error()))
	case coverage.Met && !coverage.IsOlder(b.o.MaxAge, terms.InstantOf(b.o.Now())):
		return ""
	}
	return coverage.Sentence()
}

// once submits the checkpoint and returns what failed.
func (b *Background) once(ctx context.Context) Note {
	results, err := Submit(ctx, b.o.Options)
	switch {
	case ctx.Err() != nil:
		return Note{}
	case err != nil:
		return Note{Text: fmt.Sprintf("the checkpoint cannot be submitted: %s", visible.String(err.Error()))}
	}
	failures := Failures(results)
	if unmet := b.unmet(ctx); unmet != "" {
		failures = append(failures, unmet)
	}
	return Note{Text: strings.Join(failures, "; "), Contradicts: Contradicted(results)}
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
		return fmt.Sprintf("%s cosigned %s", name, records.Count(r.Size))
	case r.State == SawMore:
		return fmt.Sprintf("%s says that THIS LOG WAS ROLLED BACK: %s", name, r.Why)
	case r.State == SawAnother:
		return fmt.Sprintf("%s says that THIS LOG IS FORKED: %s", name, r.Why)
	}
	return fmt.Sprintf("%s did not cosign: %s", name, visible.String(r.Why))
}
