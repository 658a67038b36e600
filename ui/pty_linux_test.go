package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/ui/internal/workbenchtest"

	"github.com/charmbracelet/x/ansi"
)

func TestMain(m *testing.M) { workbenchtest.Main(m, child) }

// child runs the console and says on standard error how it ended.
func child(mode string, workbench *workbenchtest.Workbench) {
	if mode == "appending" { // the disk is slow
		workbench.Appended = func(ctx context.Context) {
			fmt.Print("APPENDED")
			<-ctx.Done()
		}
	}
	err := Run(context.Background(), workbench, Options{Mouse: mode == "mouse"})
	if kept := workbench.Draft(packets.Key{ID: "AC-2041", Number: 2}); kept.Present() {
		fmt.Fprintf(os.Stderr, "KEPT %q\n", kept.Note)
	}
	var stopped *StoppedError
	var crashed *CrashError
	switch {
	case err == nil:
		fmt.Fprintln(os.Stderr, "ENDED well")
	case errors.As(err, &stopped):
		fmt.Fprintf(os.Stderr, "ENDED by %s, drafts %t\n", stopped.Signal, stopped.Drafts)
		if stopped.Recording != "" {
			fmt.Fprintln(os.Stderr, "WITH", stopped.Recording)
		}
	case errors.As(err, &crashed):
		fmt.Fprintln(os.Stderr, "ENDED with a crash:", err)
	default:
		fmt.Fprintln(os.Stderr, "ENDED otherwise:", err)
	}
}

// terminalOf is a terminal with the console running on it.
type terminalOf struct{ *workbenchtest.Terminal }

func startOnTerminal(t *testing.T, mode string) *terminalOf { return startInWindow(t, mode, 24) }

// startInWindow is startOnTerminal in a window with so many lines of 80 columns.
func startInWindow(t *testing.T, mode string, lines uint16) *terminalOf {
	t.Helper()
	return &terminalOf{workbenchtest.OnTerminal(t, mode, "xterm-256color", lines, 80, nil)}
}

// until waits until the terminal has been sent a text since keys were typed last.
func (p *terminalOf) until(text string) {
	p.T.Helper()
	p.Wait(text, func(shown string) bool {
		since := shown[p.TypedAt:]
		return strings.Contains(since, text) || strings.Contains(ansi.Strip(since), text)
	})
}

// ended waits for the child and checks that the terminal is as it was.
func (p *terminalOf) ended(how string) {
	p.T.Helper()
	p.until("ENDED " + how)
	p.Ended()
	text := p.Text()
	if strings.Count(text, "\x1b[?1049h") != strings.Count(text, "\x1b[?1049l") {
		p.T.Error("the alternate screen is not left")
	}
	if strings.LastIndex(text, "\x1b[?25h") < strings.LastIndex(text, "\x1b[?25l") {
		p.T.Error("the cursor is not shown again")
	}
	if strings.Contains(text, "goroutine ") || strings.Contains(text, "on fire") {
		p.T.Errorf("a stack trace or the panic's value is on the terminal:\n%s", text)
	}
}

func TestTheMouseIsTurnedOnBySettingOnlyAndGivenBack(t *testing.T) {
	for mode, want := range map[string]int{"well": 0, "mouse": 1} {
		p := startOnTerminal(t, mode)
		p.until("AC-2041")
		if want > 0 {
			p.until("\x1b[?1002h")
			p.Type("\x1b[<0;5;8M")
			p.until("No blockers. Ready for your decision.") // the case under the click passes
		}
		p.Type("q")
		p.ended("well")
		if text := p.Text(); strings.Count(text, "\x1b[?1002h") != want || want > 0 && strings.LastIndex(text, "\x1b[?1002l") < strings.LastIndex(text, "\x1b[?1002h") {
			t.Errorf("%s: the mouse is on at the end, or was never", mode)
		}
	}
}

func TestSignalsRestoreTheTerminalAndAreReported(t *testing.T) {
	for s, name := range map[syscall.Signal]string{syscall.SIGHUP: "hangup", syscall.SIGTERM: "terminated", syscall.SIGINT: "interrupt"} {
		p := startOnTerminal(t, "signal")
		p.until("AC-2041")
		p.Signal(s)
		p.ended("by " + name + ", drafts false")
	}
}

func TestADecisionIsKeptToTheLastLetterByEveryEndOfTheConsole(t *testing.T) {
	for end, told := range map[string]string{"hangup": "by hangup, drafts true", "terminated": "by terminated, drafts true", "quit": "well"} {
		p := startOnTerminal(t, "decision")
		p.toNote()
		p.steps([2]string{"ask first, please", "please"})
		switch end {
		case "quit":
			p.steps([2]string{"\x03", "Leave docket?"})
			p.Type("y")
		default:
			p.Signal(map[string]os.Signal{"hangup": syscall.SIGHUP, "terminated": syscall.SIGTERM}[end])
		}
		p.until(`KEPT "ask first, please"`)
		p.ended(told)
	}
}

// steps types keys, and waits after each for what they bring.
func (p *terminalOf) steps(steps ...[2]string) {
	p.T.Helper()
	for _, step := range steps {
		p.Type(step[0])
		p.until(step[1])
	}
}

// toDecision opens a decision on the sample appeal, toNote goes on to its note.
func (p *terminalOf) toDecision() {
	p.T.Helper()
	p.until("AC-2041")
	p.steps([2]string{"j", "❯"}, [2]string{"\r", "PASS"}, [2]string{"d", "Which outcome?"})
}

func (p *terminalOf) toNote() {
	p.T.Helper()
	p.toDecision()
	p.steps([2]string{" ", "● "}, [2]string{"\r", "Your reasons"}, [2]string{"because", "because"}, [2]string{"\r", "This will be signed"},
		[2]string{"5", "A note for yourself"})
}

// toRecording takes a decision to the word and Enter, and waits until the workbench says that it is there.
func (p *terminalOf) toRecording(there string) {
	p.T.Helper()
	p.toNote()
	p.steps([2]string{"\r", "public metric"})
	<-time.After(600 * time.Millisecond)
	for typed := range "record" { // by hand: the next letter once the one before shows
		p.Type("record"[typed : typed+1])
		p.until("record it: " + "record"[:typed+1])
	}
	p.Type("\r")
	p.until(there)
}

func TestAHangingSignatureIsLeftAtOnceAndARecordThatIsAppendedIsReported(t *testing.T) {
	interrupt := func(p *terminalOf) { p.Type("\x03") }
	terminate := func(p *terminalOf) { p.Signal(syscall.SIGTERM) }
	for name, c := range map[string]struct {
		mode, there string
		stop        func(*terminalOf)
		says        []string
		ends        string
	}{
		"Control-C while it is signed": {"signing", "SIGNING", interrupt,
			[]string{"KEPT", "The decision on AC-2041 revision 2 is not recorded."}, "well"},
		"a request while it is signed": {"signing", "SIGNING", terminate,
			[]string{"KEPT", "WITH the decision on AC-2041 revision 2 is not recorded"}, "by terminated, drafts true"},
		"Control-C while it is appended": {"appending", "APPENDED", func(p *terminalOf) {
			p.steps([2]string{"\x03", "✓ recorded"})
			p.Type("\x03")
		}, nil, "well"},
		"a request while it is appended": {"appending", "APPENDED", terminate,
			[]string{"WITH the decision on AC-2041 revision 2 is recorded: record 019cadc6-9a80-7", ", sequence 20"},
			"by terminated, drafts false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startOnTerminal(t, c.mode)
			p.toRecording(c.there)
			c.stop(p)
			for _, text := range c.says {
				p.until(text)
			}
			p.ended(c.ends)
		})
	}
}

func TestADecisionInWhichNothingWasChosenIsNotSaidToBeKept(t *testing.T) {
	p := startOnTerminal(t, "decision")
	p.toDecision()
	p.Signal(syscall.SIGTERM)
	p.ended("by terminated, drafts false")
}

func TestAPanicInACommandRestoresTheTerminalAndIsAnError(t *testing.T) {
	p := startOnTerminal(t, "panic")
	p.ended("with a crash: the console failed reading a preview")
	p = startInWindow(t, "panic", 14) // without room for a preview
	p.until("AC-2041")
	p.Type("\r")
	p.ended("with a crash: the console failed opening a packet")
}

func TestATerminalThatNeverAnswersIsNotAskedAndIsRestored(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.until("AC-2041")
	p.Type("q")
	p.ended("well")
	for name, query := range map[string]string{"background": "\x1b]11;?", "foreground": "\x1b]10;?", "cursor": "\x1b[6n", "attributes": "\x1b[c"} {
		if strings.Contains(p.Text(), query) {
			t.Errorf("the terminal was asked for its %s", name)
		}
	}
}

func TestWithNoColorNoColoursAreWritten(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	p := startOnTerminal(t, "well")
	p.until("AC-2041")
	p.Type("q")
	p.ended("well")
	if got := regexp.MustCompile(`\x1b\[[0-9;:]*m`).FindString(strings.ReplaceAll(p.Text(), "\x1b[0m", "")); got != "" {
		t.Errorf("a colour is written: %q", got)
	}
}

func TestAStatementIsEditedInTheReviewersEditor(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", folder)
	t.Setenv("VISUAL", "")
	for name, test := range map[string]struct{ editor, types, shows string }{
		"added to":             {`sh -c 'test -t 1 && printf " and more" >>"$1"' sh`, "two", "❯ two and more"},
		"left as it is":        {"true", "two receipts", "❯ two receipts"},
		"an editor that fails": {"false", "two", "the statement is as it was: the editor: exit status 1"},
		"no editor":            {"", "two", "no editor is named; set EDITOR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("EDITOR", test.editor)
			p := startOnTerminal(t, "well")
			p.toDecision()
			p.steps([2]string{" ", "● "}, [2]string{"\r", "Your reasons"}, [2]string{test.types, test.types},
				[2]string{"\x07", test.shows}, [2]string{"\x03", "Leave docket?"})
			p.Type("y")
			p.ended("well")
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left in memory: %v, %v", left, err)
			}
		})
	}
}
