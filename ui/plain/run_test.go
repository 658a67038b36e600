//go:build unix

package plain

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/ui"
	"docket/ui/internal/workbenchtest"
)

func TestWithoutATerminalNoInputRecords(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	script := strings.Join(lines("appeals", "open AC-2041", "all", toReview("correct record"), "record", "record", "skip x", "quit"), "\n")
	var output strings.Builder
	must(t, Run(context.Background(), workbench, ui.Options{Input: strings.NewReader(script), Output: &output}))
	says(t, output.String(), "Read-only: recording needs a person at a terminal", "Case AC-2041", "docket has ended.")
	onlyText(t, output.String())
	if len(workbench.Choices()) != 0 || strings.Contains(output.String(), "Skipped; ") {
		t.Error("something was written")
	}
}

func TestTheEndOfTheInputIsAWayToLeave(t *testing.T) {
	var output strings.Builder
	must(t, Run(context.Background(), workbenchtest.Sample(t), ui.Options{Input: strings.NewReader("appeals"), Output: &output}))
	says(t, output.String(), "1 to 14 of 14", "The input has ended, so docket has ended. A decision without a receipt is not recorded.")
}

func TestAFileCanBeReadAsInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script")
	must(t, os.WriteFile(path, []byte("appeals\r\nquit\r\n"), 0o600))
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	var output strings.Builder
	must(t, Run(context.Background(), workbenchtest.Sample(t), ui.Options{Input: file, Output: &output}))
	says(t, output.String(), "docket has ended.")
}

// waiting runs a session on a pipe without input, and returns how it ended once end has been called.
func waiting(t *testing.T, workbench *workbenchtest.Workbench, opts ui.Options, end func(cancel context.CancelCauseFunc)) error {
	t.Helper()
	in, other, err := os.Pipe()
	must(t, err)
	defer in.Close()
	defer other.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	asked := make(chan struct{}, 100)
	opts.Input, opts.Output = in, writerFunc(func(text []byte) (int, error) {
		if strings.Contains(string(text), "Start. Number or command:") {
			asked <- struct{}{}
		}
		return len(text), nil
	})
	done := make(chan error, 1)
	go func() { done <- Run(ctx, workbench, opts) }()
	<-asked
	end(cancel)
	return <-done
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

func TestAContextThatEndsEndsTheSessionWhileItWaitsForALine(t *testing.T) {
	reason := errors.New("enough")
	err := waiting(t, workbenchtest.Sample(t), ui.Options{}, func(cancel context.CancelCauseFunc) { cancel(reason) })
	if !errors.Is(err, reason) {
		t.Errorf("it ended with %v", err)
	}
}

func TestASignalEndsTheSessionAndIsReported(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		err := waiting(t, workbenchtest.Sample(t), ui.Options{}, func(context.CancelCauseFunc) {
			if err := syscall.Kill(syscall.Getpid(), s); err != nil {
				t.Error(err)
			}
		})
		var stopped *ui.StoppedError
		if !errors.As(err, &stopped) || stopped.Signal != s {
			t.Errorf("after %v it ended with %v", s, err)
		}
	}
}

func TestAPanicOfTheProofEndsTheSessionWithoutItsValue(t *testing.T) {
	begin := make(chan struct{})
	err := waiting(t, workbenchtest.Sample(t), ui.Options{Prove: func(context.Context) error {
		<-begin
		panic("a secret of the packet")
	}}, func(context.CancelCauseFunc) { close(begin) })
	isCrash(t, err)
}

func TestAPanicOfTheWorkbenchEndsTheSessionWithoutItsValue(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Panics = true
	var output strings.Builder
	err := Run(context.Background(), workbench, ui.Options{Input: strings.NewReader("AC-2041\n"), Output: &output})
	isCrash(t, err)
	saysNot(t, output.String(), "fire")
}

func isCrash(t *testing.T, err error) {
	t.Helper()
	var crashed *ui.CrashError
	if !errors.As(err, &crashed) || crashed.Stack == "" || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "fire") {
		t.Errorf("it ended with %v", err)
	}
}

func TestAnOutputThatFailsEndsTheSession(t *testing.T) {
	broken := errors.New("the paper is out")
	err := Run(context.Background(), workbenchtest.Sample(t), ui.Options{Input: strings.NewReader("appeals\n"),
		Output: writerFunc(func([]byte) (int, error) { return 0, broken })})
	if !errors.Is(err, broken) {
		t.Errorf("it ended with %v", err)
	}
}

func TestNothingIsLeftRunning(t *testing.T) {
	signals := make(chan os.Signal, 1) // the runtime's own goroutine for signals stays once it has been started
	signal.Notify(signals, syscall.SIGUSR1)
	defer signal.Stop(signals)
	workbench := workbenchtest.Sample(t)
	before := runtime.NumGoroutine()
	for range 20 {
		_ = waiting(t, workbench, ui.Options{Prove: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}, func(cancel context.CancelCauseFunc) { cancel(nil) })
	}
	for limit := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(limit) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

func TestListsAreInTheOrderOfTheSettingsAndTheNextWordReversesIt(t *testing.T) {
	var output strings.Builder
	options := ui.Options{Input: strings.NewReader("appeals\nsort -id\nsort\nsort deadline\nsort -nonsense\n"), Output: &output, Order: queue.ByID}
	must(t, Run(context.Background(), workbenchtest.Sample(t), options))
	text := output.String()
	for _, want := range []string{"by id.\n1. AC-2041", "by id, reversed.\n1. AC-2053", "by arrival.\n1. AC-2042", "by deadline.\n1. AC-2044", "deadline, -deadline, blockers, -blockers, id, -id, arrival, -arrival"} {
		_, rest, found := strings.Cut(text, want)
		if !found {
			t.Fatalf("%q does not come:\n%s", want, text)
		}
		text = rest
	}
}

func TestThatTheLogIsCheckedIsSaidOnceAndOnlyIfNothingWasFound(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		told int
		want int
	}{
		"it holds": {nil, 0, 1}, "something was found": {nil, 1, 0}, "it cannot be read": {errors.New("no disk"), 0, 0},
	} {
		h := newHarness(t, workbenchtest.Sample(t), "who", "who", "quit")
		ctx, cancel := context.WithCancelCause(t.Context())
		b := background{ctx: ctx, stop: cancel}
		h.proof, h.told = b.prove(func(context.Context) error { return test.err }), test.told
		b.running.Wait()
		output := h.works()
		same(t, name+": times it is said", strings.Count(output, "\nLog checked.\n"), test.want)
		if test.err != nil {
			says(t, output, "The log could not be checked: no disk.")
		}
	}
}
