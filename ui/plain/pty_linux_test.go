package plain_test

import (
	"bytes"
	"context"
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
	"docket/ui"
	"docket/ui/internal/workbenchtest"
	"docket/ui/plain"

	"golang.org/x/sys/unix"
)

// A childMode in the environment makes the test binary run the console on its terminal instead of tests, over the store in the
// childFolder.
const (
	childMode   = "DOCKET_PLAIN_TEST_CHILD"
	childFolder = "DOCKET_PLAIN_TEST_FOLDER"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	disktest.InMemory()
	os.Exit(m.Run())
}

// child runs the console and says on standard error how it ended and how much was recorded.
func child(mode string) int {
	workbench := workbenchtest.OpenSample(os.Getenv(childFolder))
	workbench.Panics = mode == "panic"
	if mode == "signing" { // the agent hangs
		workbench.Signing = func(ctx context.Context) error {
			fmt.Print("SIGNING")
			<-ctx.Done()
			return fmt.Errorf("not signed: %w", context.Cause(ctx))
		}
	}
	err := plain.Run(context.Background(), workbench, ui.Options{})
	fmt.Fprintf(os.Stderr, "ENDED with %v and %d records\n", err, len(workbench.Choices()))
	if mode == "draft" {
		kept := workbench.Draft(packets.Key{ID: "AC-2041", Number: 2})
		fmt.Fprintf(os.Stderr, "kept at the %s with %q and %q\n", kept.Step, kept.Statement, kept.Note)
	}
	return 0
}

// terminalOf is a pseudo terminal with the console running on it.
type terminalOf struct {
	t             *testing.T
	master, slave *os.File
	cmd           *exec.Cmd
	stderr        bytes.Buffer
	mutex         sync.Mutex
	output        strings.Builder
	news          chan struct{} // there is more output
	typedAt       int           // how much output there was when keys were typed last
	before        unix.Termios
}

func startOnTerminal(t *testing.T, mode string) *terminalOf {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	p := &terminalOf{t: t, master: master, news: make(chan struct{}, 1)}
	number := 0
	p.atMaster(func(fd int) (err error) {
		if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		}
		return err
	})
	p.slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	p.must(err)
	p.atMaster(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100})
	})
	p.before = p.settings()
	self, err := os.Executable()
	p.must(err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	p.cmd = exec.CommandContext(ctx, self)
	p.cmd.Env = append(os.Environ(), childMode+"="+mode, childFolder+"="+workbenchtest.SampleFolder(t), "TERM=dumb")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.slave, p.slave, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.must(p.cmd.Start())
	go p.read()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); p.slave.Close(); p.master.Close() })
	return p
}

// atMaster sets up the master's end without making it wait in the kernel, where closing would not end a read.
func (p *terminalOf) atMaster(do func(fd int) error) {
	p.t.Helper()
	raw, err := p.master.SyscallConn()
	p.must(err)
	var failed error
	p.must(raw.Control(func(fd uintptr) { failed = do(int(fd)) }))
	p.must(failed)
}

func (p *terminalOf) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *terminalOf) settings() unix.Termios {
	p.t.Helper()
	settings, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	p.must(err)
	return *settings
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

// until waits until a text is the last thing on the terminal that is not blank, and stands there since keys were typed.
func (p *terminalOf) until(text string) {
	p.t.Helper()
	p.wait(text, func(shown string) bool {
		shown = strings.TrimRight(shown, " ")
		return len(shown) > p.typedAt && strings.HasSuffix(shown, text)
	})
}

// has waits until a text is on the terminal.
func (p *terminalOf) has(text string) {
	p.t.Helper()
	p.wait(text, func(shown string) bool { return strings.Contains(shown, text) })
}

func (p *terminalOf) wait(text string, there func(string) bool) {
	p.t.Helper()
	tooLong := time.After(2 * time.Minute)
	for !there(p.text()) {
		select {
		case <-p.news:
		case <-tooLong:
			p.t.Fatalf("%q did not come:\n%s", text, p.text())
		}
	}
}

// quiet waits until nothing has been written for longer than the grace.
func (p *terminalOf) quiet() {
	for {
		select {
		case <-p.news:
		case <-time.After(600 * time.Millisecond):
			return
		}
	}
}

func (p *terminalOf) typeKeys(keys string) {
	p.t.Helper()
	p.typedAt = len(p.text())
	_, err := io.WriteString(p.master, keys)
	p.must(err)
}

// typeWord types letter by letter, each once the one before shows, which it does once it has been taken.
func (p *terminalOf) typeWord(word string) {
	p.t.Helper()
	for i := range word {
		p.typeKeys(word[i : i+1])
		p.until("record it: " + word[:i+1])
		<-time.After(20 * time.Millisecond) // no person types a word within the blink that a paste takes
	}
	p.typeKeys("\r")
}

const theQuestion = "Type record to record it:"

// toTheStatement takes a decision to the statement of reasons, toTheQuestion to its last question.
func (p *terminalOf) toTheStatement() {
	p.t.Helper()
	p.toTheQuestion()
	p.answer([][2]string{{"statement", "A statement, or Enter for none:"}})
}

func (p *terminalOf) toTheQuestion() {
	p.t.Helper()
	p.until("Start. Number or command:")
	p.answer([][2]string{{"AC-2041", "or a number or command:"}, {"decide", "by number or name:"}, {"8", theQuestion}})
	p.quiet()
}

// answer types lines and waits for the end of the question after each.
func (p *terminalOf) answer(steps [][2]string) {
	p.t.Helper()
	for _, step := range steps {
		p.typeKeys(step[0] + "\r")
		p.until(step[1])
	}
}

// ended waits for the child and checks how it ended and that the terminal is as it was.
func (p *terminalOf) ended(how string, records int) {
	p.t.Helper()
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("%v\n%s%s", err, p.text(), p.stderr.String())
	}
	if want := fmt.Sprintf("ENDED with %s and %d records\n", how, records); p.stderr.String() != want {
		p.t.Errorf("it %s, not %s, after\n%s", p.stderr.String(), want, p.text())
	}
	if after := p.settings(); after != p.before {
		p.t.Errorf("the terminal is not restored: %+v, not %+v", after, p.before)
	}
	plain.OnlyText(p.t, strings.ReplaceAll(p.text(), "\r\n", "\n"))
}

const (
	interrupted = `the console was stopped by the signal "interrupt"; a decision without a receipt is not recorded`
	draftKept   = ", a decision that was begun is kept as a draft"
	hungUp      = `the console was stopped by the signal "hangup"; a decision without a receipt is not recorded`
)

func TestADecisionIsRecordedAtATerminalByThePersonWhoTypesTheWord(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.typeWord("record")
	p.until("or a number or command:")
	p.typeKeys("quit\r")
	p.ended("<nil>", 1)
}

func TestAPasteAtTheQuestionDoesNotRecord(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.typeKeys("record\r")
	first := p.number()
	p.quiet()
	p.typeKeys("record\rrecord 0000\r")
	if p.number() == first {
		t.Errorf("a pasted answer leaves the number as it was:\n%s", p.text())
	}
	p.quiet()
	p.typeKeys("\x1b[2J\u202e\u009b\r") // ended checks that only escapes of it are written
	p.until(theQuestion)
	p.quiet()
	p.typeKeys("leave\r")
	p.until("or a number or command:")
	p.typeKeys("quit\r")
	p.ended("<nil>", 0)
}

// number waits until the question is asked again after what was typed last, and returns the number that it then shows,
// which a terminal that sends whole lines needs.
func (p *terminalOf) number() string {
	p.t.Helper()
	tooLong := time.After(2 * time.Minute)
	for {
		if asked := askedWithNumber.FindStringSubmatch(p.text()[p.typedAt:]); asked != nil {
			return asked[1]
		}
		select {
		case <-p.news:
		case <-tooLong:
			p.t.Fatalf("no number came:\n%s", p.text())
		}
	}
}

var askedWithNumber = regexp.MustCompile(`or record (\d{4}): *$`)

func TestATerminalThatSendsWholeLinesRecordsWithTheNumberItIsShown(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.typeKeys("record\r")
	number := p.number()
	p.quiet()
	p.typeKeys("record " + number + "\r")
	p.until("or a number or command:")
	p.typeKeys("quit\r")
	p.ended("<nil>", 1)
}

func TestTextTypedAheadDoesNotRecord(t *testing.T) {
	p := startOnTerminal(t, "well")
	p.until("Start. Number or command:")
	p.typeKeys("AC-2041\rdecide\r8\rrecord\rquit\rrec")
	p.until(theQuestion)
	p.has("Typed ahead, so not taken: record; quit; rec.")
	p.quiet()
	p.typeKeys("\x04")
	p.ended("<nil>", 0)
	if strings.Contains(p.text(), "Recorded") {
		t.Errorf("it was recorded:\n%s", p.text())
	}
}

func TestAPasteOfSeveralLinesIsOneTextAndNoLineOfItIsCut(t *testing.T) {
	for paste, text := range map[string]string{
		"The receipt stands.\rBack to the school.\rQuit claims were signed.\r": "The receipt stands. Back to the school. Quit claims were signed.",
		"The receipt stands.\rBack to the school.\rQuit claims were signed.":   "The receipt stands. Back to the school. Quit claims were signed.",
		"The receipt stands.\rBack to the school.":                             "The receipt stands. Back to the school.",
		"The receipt stands.\r\nBack to the school.\r\n\r":                     "The receipt stands. Back to the school.",
		"The receipt stands.\r\rBack to the school.\rAll of it.\r\r":           "The receipt stands. Back to the school. All of it.",
	} {
		p := startOnTerminal(t, "well")
		p.toTheStatement()
		p.typeKeys(paste)
		p.until("what you type stands in its place:")
		p.typeKeys("\r")
		p.until(theQuestion)
		p.quiet()
		p.typeKeys("statement\r")
		p.until("or Enter to keep it:")
		p.wait(text, func(shown string) bool {
			return strings.Contains(strings.Join(strings.Fields(shown), " "), "The statement so far: "+text)
		})
		p.typeKeys(strings.Repeat("x", 5000) + "\r")
		p.until("or Enter to keep it:")
		p.has("Nothing of the answer is taken.")
		p.typeKeys("quit\r")
		p.ended("<nil>", 0)
	}
}

func TestHalfATextIsKeptInItsFieldAndTheDecisionGoesOnThere(t *testing.T) {
	toTheNote := func(p *terminalOf) {
		p.answer([][2]string{{"", theQuestion}})
		p.quiet()
		p.answer([][2]string{{"note", "A note, or Enter for none:"}})
	}
	half := func(p *terminalOf) { p.typeKeys("half a sentence\x04\x04") }
	hungUp := func(p *terminalOf) {
		p.typeKeys("half a sentence")
		p.until("half a sentence")
		p.slave.Close()
		p.master.Close()
	}
	stopped := func(p *terminalOf) {
		p.typeKeys("half and stopped")
		p.until("half and stopped")
		p.must(p.cmd.Process.Signal(syscall.SIGTERM))
	}
	for want, steps := range map[string][]func(*terminalOf){
		`kept at the statement with "half and stopped" and ""`: {stopped},
		`kept at the note with "" and "half and stopped"`:      {toTheNote, stopped},
		`kept at the statement with "half a sentence" and ""`:  {half},
		`kept at the note with "" and "half a sentence"`:       {toTheNote, half},
		`kept at the statement with "" and ""`:                 {hungUp},
		`kept at the note with "" and ""`:                      {toTheNote, hungUp},
		`kept at the statement with "one\ntwo" and ""`: {func(p *terminalOf) {
			p.typeKeys("one\rtwo\r")
			p.until("what you type stands in its place:")
			p.typeKeys("\x04")
		}},
	} {
		p := startOnTerminal(t, "draft")
		p.toTheStatement()
		for _, step := range steps {
			step(p)
		}
		if err := p.cmd.Wait(); err != nil || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("not %s: %v, %s", want, err, p.stderr.String())
		}
	}
}

func TestTheWaysToStopRestoreTheTerminalAndAreReported(t *testing.T) {
	for name, test := range map[string]struct {
		stop  func(*terminalOf)
		how   string
		draft string // what is added where a decision was begun
	}{
		"Control-C": {func(p *terminalOf) { p.typeKeys("\x03") }, interrupted, draftKept},
		"Control-D": {func(p *terminalOf) { p.typeKeys("\x04") }, "<nil>", ""},
		"a hang-up": {func(p *terminalOf) { p.must(p.cmd.Process.Signal(syscall.SIGHUP)) }, hungUp, draftKept},
		"a request": {func(p *terminalOf) { p.must(p.cmd.Process.Signal(syscall.SIGTERM)) },
			`the console was stopped by the signal "terminated"; a decision without a receipt is not recorded`, draftKept},
	} {
		t.Run(name+" at a command", func(t *testing.T) {
			p := startOnTerminal(t, "well")
			p.until("Start. Number or command:")
			test.stop(p)
			p.ended(test.how, 0)
		})
		t.Run(name+" at the question", func(t *testing.T) {
			p := startOnTerminal(t, "well")
			p.toTheQuestion()
			test.stop(p)
			p.ended(test.how+test.draft, 0)
		})
	}
}

func TestAHangingSignatureIsLeftAtOnceAndNothingIsRecorded(t *testing.T) {
	for name, test := range map[string]struct {
		stop func(*terminalOf)
		how  string
	}{
		"Control-C": {func(p *terminalOf) { p.typeKeys("\x03") }, "interrupt"},
		"a request": {func(p *terminalOf) { p.must(p.cmd.Process.Signal(syscall.SIGTERM)) }, "terminated"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startOnTerminal(t, "signing")
			p.toTheQuestion()
			p.typeWord("record")
			p.until("SIGNING")
			test.stop(p)
			p.ended(`the console was stopped by the signal "`+test.how+`"; a decision without a receipt is not recorded`+draftKept, 0)
			p.has("Nothing is recorded.")
		})
	}
}

func TestATerminalThatGoesAwayIsAHangUp(t *testing.T) {
	for _, question := range []bool{false, true} {
		p, how := startOnTerminal(t, "well"), hungUp
		if question {
			p.toTheQuestion()
			how += draftKept
		} else {
			p.until("Start. Number or command:")
		}
		p.slave.Close()
		p.master.Close()
		if err := p.cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, p.stderr.String())
		}
		if want := "ENDED with " + how + " and 0 records\n"; p.stderr.String() != want {
			t.Errorf("it %s", p.stderr.String())
		}
	}
}

func TestAPanicAtATerminalRestoresItAndIsAnError(t *testing.T) {
	p := startOnTerminal(t, "panic")
	p.until("Start. Number or command:")
	p.typeKeys("AC-2041\r")
	p.ended("the console failed at the start and has stopped; a decision is recorded only if its receipt was shown, see `docket records`", 0)
	if strings.Contains(p.text(), "fire") {
		t.Errorf("the panic's value is on the terminal:\n%s", p.text())
	}
}
