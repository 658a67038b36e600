package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/findings"
	queuescreen "docket/ui/screen/queue"
	"docket/ui/task"
	"docket/ui/theme"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
)

// The types of this package's callers that its screens use as well.
type (
	// A Workbench is what the console works on.
	Workbench = screen.Workbench
	// A SavedFilter is a filter of the config file, with the name under which the queue offers it.
	SavedFilter = queuescreen.SavedFilter
	// A Finding is a fault of the log that was found when it was opened.
	Finding = findings.Finding
	// A Note is an event outside the console, such as the answer of a witness of the log.
	Note = task.Note
)

// Options say how the console is run. The zero Options use standard input and output.
type Options struct {
	Input      io.Reader // nil: standard input
	Output     io.Writer // nil: standard output
	Notice     string    // shown on every screen, such as that nothing here is real
	Greeting   string    // for first-time readers, above the queue with three keys to try; "" for none
	Findings   []Finding // what is wrong with the log: shown first, and nothing can be recorded
	Unwritable string    // why the store can only be read, shown first; "" if it can be written
	Keyless    string    // why the signing key cannot be used, shown first; "" if it can
	Touch      bool      // a person touches the reviewer's security key for each signature
	// Prove checks every record of the log; nil: the log is taken as its opening found it. It runs
	// in the background, and returns soon after ctx has ended. After an error that store.Passes it
	// is called again.
	Prove func(ctx context.Context) error
	// Met lists all findings by now, Findings first: with more, nothing can be recorded. nil: no more.
	Met func() []Finding
	// Notes waits for the next event outside the console; nil: there are none. It is called again
	// after each, and returns false soon after ctx has ended.
	Notes func(ctx context.Context) (note Note, more bool)
	// BlindFirst holds back the advice on an appeal until the reviewer has given an outcome of their
	// own; the record holds both.
	BlindFirst bool
	// ExportFolder is the suggested folder of an export; "" for none.
	ExportFolder string
	Theme        theme.Name          // the zero one: dark
	Area         terms.Area          // the area that shows first; absent: appeals
	Order        queue.SortOrder     // of the queue at first; absent: by deadline
	Left         terms.Instant       // when the queue was last left, or the console first opened
	Saved        []SavedFilter       // that the queue offers by name
	Prepared     []decision.Prepared // texts of the reviewer's own for statements of reasons
	ASCII        bool                // no bars and blocks
	Mouse        bool                // the wheel scrolls; a click moves the cursor or opens its row
	Debug        *slog.Logger        // gets only kinds and durations of messages; nil: nothing
	Clock        func() time.Time    // nil: time.Now; how keys follow one another is measured by it
	Keys         action.Keymap       // the actions with the reviewer's keys
}

var errNoTerminal = errors.New("the console needs a terminal for input and output")

// A StoppedError says that a signal ended the console. The terminal is restored.
type StoppedError struct {
	Signal os.Signal
	Drafts bool // it ended a decision that is kept
	// Recording says how the recording of a decision ended; "" if none was under way.
	Recording string
}

func (e *StoppedError) Error() string {
	recording := e.Recording
	if recording == "" {
		recording = "a decision without a receipt is not recorded"
	}
	text := fmt.Sprintf("the console was stopped by the signal %q; %s", e.Signal, recording)
	if e.Drafts {
		text += ", a decision that was begun is kept as a draft"
	}
	return text
}

// Run shows the console until its reader quits, and then returns nil. Otherwise the error says that
// there is no terminal, or is a *StoppedError for SIGHUP, SIGTERM and SIGINT, a *CrashError for a
// mistake of the program itself, the context's error where that has ended, or the error of the
// terminal. In every case the terminal is restored, and nothing that the console has started uses
// the workbench when Run returns. A decision under way is kept as a draft.
func Run(ctx context.Context, workbench screen.Workbench, opts Options) error {
	if opts.Input == nil {
		opts.Input = os.Stdin
	}
	if opts.Output == nil {
		opts.Output = os.Stdout
	}
	if !terminal(opts.Input) || !terminal(opts.Output) {
		return errNoTerminal
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w := &work{ctx: ctx, trace: trace{opts.Debug}}
	c := newConsole(workbench, w, opts)
	c.clock, c.scene.Ticking, c.scene.Zone, c.saveEvery = tickEvery, true, time.Local, saveEvery
	shown := newDisplay(ctx, opts.Output)
	settings := []tea.ProgramOption{tea.WithInput(opts.Input), tea.WithOutput(shown.stream()), tea.WithAltScreen(),
		tea.WithoutSignalHandler(), tea.WithFPS(1)} // of its frames, which are empty
	if opts.Mouse {
		settings = append(settings, tea.WithMouseCellMotion())
	}
	program := tea.NewProgram(displayed{c, shown}, settings...)
	done, sent := StopOnSignal(ctx, stop, program), shown.start(ctx, stop, program)
	_, err := program.Run()
	err = verdict(ctx, c, err)
	stop(nil)
	w.close()
	<-done
	<-sent
	failed := c.autosave.Flush()
	farewell := c.recording.Farewell()
	if told := c.recording.Untold(); told != "" {
		farewell, err = untold(err, told)
	}
	var stopped *StoppedError
	if errors.As(err, &stopped) {
		stopped.Drafts = failed == nil && keepsDraft(c)
	}
	if failed != nil {
		err = errors.Join(err, fmt.Errorf("the draft of the decision that was being made could not be kept: %w", failed))
	}
	if err == nil && farewell != "" {
		_, err = io.WriteString(opts.Output, line.Of(theme.Plain, wording.Capital(farewell)+".").String()+"\n")
	}
	return err
}

const (
	tickEvery = task.Clock(20 * time.Second) // how often the time left is redrawn
	saveEvery = 250 * time.Millisecond       // how long a change of a draft waits for others
)

// untold adds a result that came too late to be shown; without an error it becomes the farewell.
func untold(err error, told string) (farewell string, _ error) {
	var stopped *StoppedError
	switch {
	case errors.As(err, &stopped):
		stopped.Recording = told
		return "", err
	case err == nil:
		return told, nil
	}
	return "", fmt.Errorf("%w; %s", err, told)
}

func verdict(ctx context.Context, c *console, err error) error {
	var stopped *StoppedError
	switch {
	case c.failed != nil:
		return c.failed
	case errors.As(context.Cause(ctx), &stopped):
		return stopped
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, tea.ErrProgramPanic):
		return &CrashError{About: "in the terminal's own goroutines"}
	case err != nil:
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// terminal reports whether a stream is a terminal; one that is no file passes.
func terminal(stream any) bool {
	file, is := stream.(term.File)
	return !is || term.IsTerminal(file.Fd())
}

// A Quitter is a console that can be asked to end: Quit waits until it has heard, Kill does not.
type Quitter interface {
	Quit()
	Kill()
}

// StopOnSignal ends the program in an orderly way when the context ends or the process is told to
// stop, with the signal as the context's cause; a second signal does not wait for order. bubbletea
// itself does not handle SIGHUP, and treats SIGTERM as a request to quit. The channel closes when
// the goroutine has ended, which it does after the context.
func StopOnSignal(ctx context.Context, stop context.CancelCauseFunc, program Quitter) <-chan struct{} {
	signals, ended := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		defer close(ended)
		defer signal.Stop(signals)
		defer func() {
			if value := recover(); value != nil {
				stop(NewCrash("while waiting for signals", value))
				program.Kill()
			}
		}()
		select {
		case <-ctx.Done():
		case s := <-signals:
			stop(&StoppedError{Signal: s})
		}
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			defer func() { _ = recover() }() // it has ended, then
			program.Quit()
		}()
		select {
		case <-heard:
		case <-signals:
			program.Kill()
			<-heard
		}
	}()
	return ended
}
