package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/store/disk/disktest"
	"docket/ui/internal/workbenchtest"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// A childMode in the environment makes the test binary run the console on its terminal instead of tests, over the store in the
// childFolder.
const (
	childMode   = "DOCKET_UI_TEST_CHILD"
	childFolder = "DOCKET_UI_TEST_FOLDER"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	disktest.InMemory()
	os.Exit(m.Run())
}

// child runs the console and says on standard error how it ended.
func child(mode string) int {
	workbench := workbenchtest.OpenSample(os.Getenv(childFolder))
	workbench.Panics = mode == "panic"
	switch mode {
	case "signing": // the agent hangs
		workbench.Signing = func(ctx context.Context) error {
			fmt.Fprint(os.Stderr, "SIGNING")
			<-ctx.Done()
			return fmt.Errorf("not signed: %w", context.Cause(ctx))
		}
	case "appending": // the disk is slow
		workbench.Appended = func(ctx context.Context) {
			fmt.Fprint(os.Stderr, "APPENDED")
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
	return 0
}

// terminalOf is a pseudo terminal that never answers anything, with the console running on it.
type terminalOf struct {
	t             *testing.T
	master, slave *os.File
	cmd           *exec.Cmd
	mutex         sync.Mutex
	output        strings.Builder
	news          chan struct{} // there is more output
	typedAt       int           // how much output there was when keys were typed last
	before        unix.Termios
}

func startOnTerminal(t *testing.T, mode string) *terminalOf { return startInWindow(t, mode, 24) }

// startInWindow is startOnTerminal in a window with so many lines of 80 columns.
func startInWindow(t *testing.T, mode string, lines uint16) *terminalOf {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	must(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	must(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	must(t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: lines, Col: 80}))
	before, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	must(t, err)
	p := &terminalOf{t: t, master: master, slave: slave, before: *before, news: make(chan struct{}, 1)}
	self, err := os.Executable()
	must(t, err)
	p.cmd = exec.Command(self)
	p.cmd.Env = append(os.Environ(), childMode+"="+mode, childFolder+"="+workbenchtest.SampleFolder(t), "TERM=xterm-256color")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, p.cmd.Start())
	go p.read()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); slave.Close(); master.Close() })
	return p
}

func (p *terminalOf) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := p.master.Read(buffer)
		p.mutex.Lock()
		p.output.Write(buffer[:n])
		p.mutex.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (p *terminalOf) text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.output.String()
}

// until waits until the terminal has been sent a text since keys were typed last.
func (p *terminalOf) until(text string) {
	p.t.Helper()
	tooLong := time.After(time.Minute)
	for {
		if since := p.text()[p.typedAt:]; strings.Contains(since, text) || strings.Contains(ansi.Strip(since), text) {
			return
		}
		select {
		case <-p.news:
		case <-tooLong:
			p.t.Fatalf("%q was never written:\n%q", text, p.text())
		}
	}
}

func (p *terminalOf) typeKeys(keys string) {
	p.t.Helper()
	p.typedAt = len(p.text())
	if _, err := io.WriteString(p.master, keys); err != nil {
		p.t.Fatal(err)
	}
}

// ended waits for the child and checks that the terminal is as it was.
func (p *terminalOf) ended(how string) {
	p.t.Helper()
	p.until("ENDED " + how)
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("%v\n%s", err, p.text())
	}
	after, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	must(p.t, err)
	if *after != p.before {
		p.t.Errorf("the terminal is not restored: %+v, not %+v", *after, p.before)
	}
	text := p.text()
	if strings.Count(text, "\x1b[?1049h") != strings.Count(text, "\x1b[?1049l") {
		p.t.Error("the alternate screen is not left")
	}
	if strings.LastIndex(text, "\x1b[?25h") < strings.LastIndex(text, "\x1b[?25l") {
		p.t.Error("the cursor is not shown again")
	}
	if strings.Contains(text, "goroutine ") || strings.Contains(text, "on fire") {
		p.t.Errorf("a stack trace or the panic's value is on the terminal:\n%s", text)
	}
}

func TestTheMouseIsTurnedOnBySettingOnlyAndGivenBack(t *testing.T) {
	for mode, want := range map[string]int{"well": 0, "mouse": 1} {
		p := startOnTerminal(t, mode)
		p.until("AC-2041")
		if want > 0 {
			p.until("\x1b[?1002h")
			p.typeKeys("\x1b[<0;5;8M")
			p.until("No blockers. Ready for your decision.") // the case under the click passes
		}
		p.typeKeys("q")
		p.ended("well")
		if text := p.text(); strings.Count(text, "\x1b[?1002h") != want || want > 0 && strings.LastIndex(text, "\x1b[?1002l") < strings.LastIndex(text, "\x1b[?1002h") {
			t.Errorf("%s: the mouse is on at the end, or was never", mode)
		}
	}
}

func TestSignalsRestoreTheTerminalAndAreReported(t *testing.T) {
	for s, name := range map[syscall.Signal]string{syscall.SIGHUP: "hangup", syscall.SIGTERM: "terminated", syscall.SIGINT: "interrupt"} {
		p := startOnTerminal(t, "signal")
		p.until("AC-2041")
		must(t, p.cmd.Process.Signal(s))
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
			p.typeKeys("y")
		default:
			must(t, p.cmd.Process.Signal(map[string]os.Signal{"hangup": syscall.SIGHUP, "terminated": syscall.SIGTERM}[end]))
		}
		p.until(`KEPT "ask first, please"`)
		p.ended(told)
	}
}

// steps types keys, and waits after each for what they bring.
func (p *terminalOf) steps(steps ...[2]string) {
	p.t.Helper()
	for _, step := range steps {
		p.typeKeys(step[0])
		p.until(step[1])
	}
}

// toDecision opens a decision on the sample appeal, toNote goes on to its note.
func (p *terminalOf) toDecision() {
	p.t.Helper()
	p.until("AC-2041")
	p.steps([2]string{"j", "❯"}, [2]string{"\r", "PASS"}, [2]string{"d", "Which outcome?"})
}

func (p *terminalOf) toNote() {
	p.t.Helper()
	p.toDecision()
	p.steps([2]string{" ", "● "}, [2]string{"\r", "Your reasons"}, [2]string{"because", "because"}, [2]string{"\r", "This will be signed"},
		[2]string{"5", "A note for yourself"})
}

// toRecording takes a decision to the word and Enter, and waits until the workbench says that it is there.
func (p *terminalOf) toRecording(there string) {
	p.t.Helper()
	p.toNote()
	p.steps([2]string{"\r", "public metric"})
	<-time.After(600 * time.Millisecond)
	for typed := range "record" { // by hand: the next letter once the one before shows
		p.typeKeys("record"[typed : typed+1])
		p.until("record it: " + "record"[:typed+1])
	}
	p.typeKeys("\r")
	p.until(there)
}

func TestAHangingSignatureIsLeftAtOnceAndARecordThatIsAppendedIsReported(t *testing.T) {
	interrupt := func(p *terminalOf) { p.typeKeys("\x03") }
	terminate := func(p *terminalOf) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }
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
			p.typeKeys("\x03")
		}, nil, "well"},
		"a request while it is appended": {"appending", "APPENDED", terminate,
			[]string{"WITH the decision on AC-2041 revision 2 is recorded: record 019cadc6-9a80-7", ", sequence 0"},
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
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.ended("by terminated, drafts false")
}

func TestAPanicInACommandRestoresTheTerminalAndIsAnError(t *testing.T) {
	p := startOnTerminal(t, "panic")
	p.ended("with a crash: the console failed reading a preview")
	p = startInWindow(t, "panic", 14) // without room for a preview
	p.until("AC-2041")
	p.typeKeys("\r")
	p.ended("with a crash: the console failed opening a packet")
}

func TestATerminalThatNeverAnswersIsNotAskedAndIsRestored(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.until("AC-2041")
	p.typeKeys("q")
	p.ended("well")
	for name, query := range map[string]string{"background": "\x1b]11;?", "foreground": "\x1b]10;?", "cursor": "\x1b[6n", "attributes": "\x1b[c"} {
		if strings.Contains(p.text(), query) {
			t.Errorf("the terminal was asked for its %s", name)
		}
	}
}

func TestWithNoColorNoColoursAreWritten(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	p := startOnTerminal(t, "well")
	p.until("AC-2041")
	p.typeKeys("q")
	p.ended("well")
	if got := regexp.MustCompile(`\x1b\[[0-9;:]*m`).FindString(strings.ReplaceAll(p.text(), "\x1b[0m", "")); got != "" {
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
			p.typeKeys("y")
			p.ended("well")
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("left in memory: %v, %v", left, err)
			}
		})
	}
}
