// Package plain is docket's console line by line, for screen readers and for terminals that can
// only print: the same work as package ui, on the same workbench, without a cursor that moves.
//
// A newcomer starts at session.go, which asks for a command, dispatches it and asks again, and at
// command.go, the table of commands. What can be read has a file by its name; decide.go and
// question.go ask the steps of package decision.
//
// # What is written
//
// Words only: a state is said ("blocked", "pass"), never drawn. There are no colours, boxes, bells,
// carriage returns or cursor movements; the only control character is the newline. Every text is
// made visible on the way out, so hostile characters are read as escapes.
//
// On a terminal, lines are wrapped between words at the terminal's width and continue indented by
// two blanks, because screen readers and Braille displays go over the screen row by row and the
// terminal itself cuts words in two. Where the output is no terminal nothing is wrapped, so that
// each statement is one line to search for.
//
// # Deciding
//
// What is chosen is saved as a draft after each answer (draft.go). In blind-first mode the advice
// is held back until the reader has given an outcome of their own (outcomeQuestion).
//
// # Recording
//
// A decision is recorded by a person at a terminal: input and output have to be terminals, and the
// last question takes the keys of its word one by one, after a moment in which no key counts (see
// package tty and takeWord).
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"docket/store"
	"docket/ui"
	"docket/ui/action"
	"docket/ui/tty"

	"github.com/charmbracelet/x/term"
)

// Run works line by line until its reader quits or the input ends, and then returns nil. Otherwise
// the error is a *ui.StoppedError for SIGHUP, SIGTERM and SIGINT, a *ui.CrashError for a mistake of
// the program itself, the context's error where that has ended, or an error of the terminal. A
// decision under way is saved as a draft after each answer. When Run returns, the terminal is
// restored, and nothing that Run has started uses the workbench.
//
// Unlike ui.Run it also works where input or output is no terminal; then it is for reading only.
func Run(ctx context.Context, workbench ui.Workbench, opts ui.Options) (err error) {
	if opts.Input == nil {
		opts.Input = os.Stdin
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	person := tty.IsTerminal(opts.Input) && tty.IsTerminal(opts.Output)
	keys, err := tty.Open(opts.Input, person)
	if err != nil {
		return fmt.Errorf("the input cannot be read: %w", err)
	}
	defer func() { err = errors.Join(err, keys.Close()) }()
	ctx, stop := context.WithCancelCause(ctx)
	b := background{ctx: ctx, stop: stop}
	signals := ui.StopOnSignal(ctx, stop, keys)
	defer func() {
		stop(nil)
		b.running.Wait()
		<-signals
	}()
	p := &printer{out: ui.UntilStopped(ctx, opts.Output), width: widthOf(opts.Output)}
	s := newSession(ctx, workbench, keys, p, opts)
	s.zone = time.Local
	s.proof = b.prove(opts.Prove)
	s.met, s.told = opts.Met, len(opts.Findings)
	s.notes = b.listen(opts.Notes)
	s.locked = opts.Unwritable
	if !person {
		s.locked = noPerson
	}
	return verdict(ctx, s, work(s, opts.Findings))
}

const noPerson = "recording needs a person at a terminal, and input or output is none here"

// work runs the session; a panic becomes an error, and the terminal is restored on the way.
func work(s *session, findings []ui.Finding) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = ui.NewCrash(fmt.Sprintf("at the %s", action.PlaceNames[s.place]), value)
		}
	}()
	return s.run(findings)
}

// signalDelay is how long the end of the input waits for the signal that may be its cause.
const signalDelay = 100 * time.Millisecond

// verdict says why the session ended, with the page left at the beginning of a line.
func verdict(ctx context.Context, s *session, err error) error {
	p := s.page
	p.fresh()
	var crashed *ui.CrashError
	if err == nil || errors.As(err, &crashed) {
		return err
	}
	// A terminal that is hung up also ends its input, and the signal can come a moment later.
	late := time.NewTimer(signalDelay)
	defer late.Stop()
	select {
	case <-ctx.Done():
		var stopped *ui.StoppedError
		if errors.As(context.Cause(ctx), &stopped) {
			return &ui.StoppedError{Signal: stopped.Signal, Drafts: s.interrupted, Recording: s.untold}
		}
		return context.Cause(ctx)
	case <-late.C:
	}
	if ended(err) {
		p.say("The input has ended, so docket has ended. A decision without a receipt is not recorded.")
		if s.interrupted {
			p.say("The decision that was begun is kept as a draft.")
		}
		return p.err
	}
	return err
}

// background ends with the context; a panic in it ends the session.
type background struct {
	ctx     context.Context
	stop    context.CancelCauseFunc
	running sync.WaitGroup
}

func (b *background) start(about string, work func()) {
	b.running.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				b.stop(ui.NewCrash(about, value))
			}
		}()
		work()
	})
}

// prove checks the log, again after an error that passes; the channel says why the log was not
// checked, nil once it was, and is closed after the check, or nil where nothing is to be checked.
func (b *background) prove(prove func(context.Context) error) <-chan error {
	if prove == nil {
		return nil
	}
	proof := make(chan error, 1)
	b.start("checking the log", func() {
		defer close(proof)
		err := prove(b.ctx)
		for ; err != nil && b.ctx.Err() == nil; err = prove(b.ctx) {
			select {
			case proof <- err:
			default: // one is still to be said
			}
			if !store.Passes(err) {
				return
			}
		}
		if err == nil {
			select {
			case proof <- nil:
			case <-b.ctx.Done():
			}
		}
	})
	return proof
}

// mostNotes is how many notes wait to be said; later ones stay in their source.
const mostNotes = 4

// listen waits for notes; the channel is nil where there are none.
func (b *background) listen(next func(context.Context) (ui.Note, bool)) <-chan ui.Note {
	if next == nil {
		return nil
	}
	notes := make(chan ui.Note, mostNotes)
	b.start("reading notes", func() {
		for note, more := next(b.ctx); more; note, more = next(b.ctx) {
			select {
			case notes <- note:
			case <-b.ctx.Done():
				return
			}
		}
	})
	return notes
}

// widthOf asks a terminal each time, because windows are resized: 80 if it is silent, 0 without
// one.
func widthOf(out io.Writer) func() int {
	file, is := out.(term.File)
	if !is || !term.IsTerminal(file.Fd()) {
		return func() int { return 0 }
	}
	return func() int {
		if width, _, err := term.GetSize(file.Fd()); err == nil && width > 0 {
			return width
		}
		return usualWidth
	}
}

const usualWidth = 80
