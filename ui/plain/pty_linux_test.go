package plain_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/ui"
	"docket/ui/internal/workbenchtest"
	"docket/ui/plain"
)

func TestMain(m *testing.M) { workbenchtest.Main(m, child) }

// child runs the console and says on standard error how it ended and how much was recorded.
func child(mode string, workbench *workbenchtest.Workbench) {
	err := plain.Run(context.Background(), workbench, ui.Options{})
	fmt.Fprintf(os.Stderr, "ENDED with %v and %d records\n", err, len(workbench.Choices()))
	if mode == "draft" {
		kept := workbench.Draft(packets.Key{ID: "AC-2041", Number: 2})
		fmt.Fprintf(os.Stderr, "kept at the %s with %q and %q\n", kept.Step, kept.Statement, kept.Note)
	}
}

// terminalOf is a terminal with the console running on it.
type terminalOf struct {
	*workbenchtest.Terminal
	stderr bytes.Buffer
}

func startOnTerminal(t *testing.T, mode string) *terminalOf {
	t.Helper()
	p := &terminalOf{}
	p.Terminal = workbenchtest.OnTerminal(t, mode, "dumb", 24, 100, &p.stderr)
	return p
}

// until waits until a text is the last thing on the terminal that is not blank, and stands there since keys were typed.
func (p *terminalOf) until(text string) {
	p.T.Helper()
	p.Wait(text, func(shown string) bool {
		shown = strings.TrimRight(shown, " ")
		return len(shown) > p.TypedAt && strings.HasSuffix(shown, text)
	})
}

// has waits until a text is on the terminal.
func (p *terminalOf) has(text string) {
	p.T.Helper()
	p.Wait(text, func(shown string) bool { return strings.Contains(shown, text) })
}

// typeWord types letter by letter, each once the one before shows, which it does once it has been taken.
func (p *terminalOf) typeWord(word string) {
	p.T.Helper()
	for i := range word {
		p.Type(word[i : i+1])
		p.until("record it: " + word[:i+1])
		<-time.After(20 * time.Millisecond) // no person types a word within the blink that a paste takes
	}
	p.Type("\r")
}

const theQuestion = "Type record to record it:"

// toTheStatement takes a decision to the statement of reasons, toTheQuestion to its last question.
func (p *terminalOf) toTheStatement() {
	p.T.Helper()
	p.toTheQuestion()
	p.answer([][2]string{{"statement", "A statement, or Enter for none:"}})
}

func (p *terminalOf) toTheQuestion() {
	p.T.Helper()
	p.until("Start. Number or command:")
	p.answer([][2]string{{"AC-2041", "or a number or command:"}, {"decide", "by number or name:"}, {"8", theQuestion}})
	p.Quiet()
}

// answer types lines and waits for the end of the question after each.
func (p *terminalOf) answer(steps [][2]string) {
	p.T.Helper()
	for _, step := range steps {
		p.Type(step[0] + "\r")
		p.until(step[1])
	}
}

// ended waits for the child and checks how it ended and that the terminal is as it was.
func (p *terminalOf) ended(how string, records int) {
	p.T.Helper()
	p.Ended()
	if want := fmt.Sprintf("ENDED with %s and %d records\n", how, records); p.stderr.String() != want {
		p.T.Errorf("it %s, not %s, after\n%s", p.stderr.String(), want, p.Text())
	}
	plain.OnlyText(p.T, strings.ReplaceAll(p.Text(), "\r\n", "\n"))
}

const (
	interrupted = `the console was stopped by the signal "interrupt"; a decision without a receipt is not recorded`
	draftKept   = ", a decision that was begun is kept as a draft"
	hungUp      = `the console was stopped by the signal "hangup"; a decision without a receipt is not recorded`
)

func TestADecisionIsRecordedAtATerminalByThePersonWhoTypesTheWord(t *testing.T) {
	t.Parallel()
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.typeWord("record")
	p.until("or a number or command:")
	p.Type("quit\r")
	p.ended("<nil>", 1)
}

func TestAPasteAtTheQuestionDoesNotRecord(t *testing.T) {
	t.Parallel()
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.Type("record\r")
	first := p.number()
	p.Quiet()
	p.Type("record\rrecord 0000\r")
	if p.number() == first {
		t.Errorf("a pasted answer leaves the number as it was:\n%s", p.Text())
	}
	p.Quiet()
	p.Type("\x1b[2J\u202e\u009b\r") // ended checks that only escapes of it are written
	p.until(theQuestion)
	p.Quiet()
	p.Type("leave\r")
	p.until("or a number or command:")
	p.Type("quit\r")
	p.ended("<nil>", 0)
}

// number waits until the question is asked again after what was typed last, and returns the number that it then shows,
// which a terminal that sends whole lines needs.
func (p *terminalOf) number() (number string) {
	p.T.Helper()
	p.Wait("a number", func(shown string) bool {
		asked := askedWithNumber.FindStringSubmatch(shown[p.TypedAt:])
		if asked != nil {
			number = asked[1]
		}
		return asked != nil
	})
	return number
}

var askedWithNumber = regexp.MustCompile(`or record (\d{4}): *$`)

func TestATerminalThatSendsWholeLinesRecordsWithTheNumberItIsShown(t *testing.T) {
	t.Parallel()
	p := startOnTerminal(t, "well")
	p.toTheQuestion()
	p.Type("record\r")
	number := p.number()
	p.Quiet()
	p.Type("record " + number + "\r")
	p.until("or a number or command:")
	p.Type("quit\r")
	p.ended("<nil>", 1)
}

func TestTextTypedAheadDoesNotRecord(t *testing.T) {
	t.Parallel()
	p := startOnTerminal(t, "well")
	p.until("Start. Number or command:")
	p.Type("AC-2041\rdecide\r8\rrecord\rquit\rrec")
	p.until(theQuestion)
	p.has("Typed ahead, so not taken: record; quit; rec.")
	p.Quiet()
	p.Type("\x04")
	p.ended("<nil>", 0)
	if strings.Contains(p.Text(), "Recorded") {
		t.Errorf("it was recorded:\n%s", p.Text())
	}
}

func TestAPasteOfSeveralLinesIsOneTextAndNoLineOfItIsCut(t *testing.T) {
	t.Parallel()
	for paste, text := range map[string]string{
		"The receipt stands.\rBack to the school.\rQuit claims were signed.\r": "The receipt stands. Back to the school. Quit claims were signed.",
		"The receipt stands.\rBack to the school.\rQuit claims were signed.":   "The receipt stands. Back to the school. Quit claims were signed.",
		"The receipt stands.\rBack to the school.":                             "The receipt stands. Back to the school.",
		"The receipt stands.\r\nBack to the school.\r\n\r":                     "The receipt stands. Back to the school.",
		"The receipt stands.\r\rBack to the school.\rAll of it.\r\r":           "The receipt stands. Back to the school. All of it.",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			p := startOnTerminal(t, "well")
			p.toTheStatement()
			p.Type(paste)
			p.until("what you type stands in its place:")
			p.Type("\r")
			p.until(theQuestion)
			p.Quiet()
			p.Type("statement\r")
			p.until("or Enter to keep it:")
			p.Wait(text, func(shown string) bool {
				return strings.Contains(strings.Join(strings.Fields(shown), " "), "The statement so far: "+text)
			})
			p.Type(strings.Repeat("x", 5000) + "\r")
			p.until("or Enter to keep it:")
			p.has("Nothing of the answer is taken.")
			p.Type("quit\r")
			p.ended("<nil>", 0)
		})
	}
}

func TestHalfATextIsKeptInItsFieldAndTheDecisionGoesOnThere(t *testing.T) {
	t.Parallel()
	toTheNote := func(p *terminalOf) {
		p.answer([][2]string{{"", theQuestion}})
		p.Quiet()
		p.answer([][2]string{{"note", "A note, or Enter for none:"}})
	}
	half := func(p *terminalOf) { p.Type("half a sentence\x04\x04") }
	hungUp := func(p *terminalOf) {
		p.Type("half a sentence")
		p.until("half a sentence")
		p.HangUp()
	}
	stopped := func(p *terminalOf) {
		p.Type("half and stopped")
		p.until("half and stopped")
		p.Signal(syscall.SIGTERM)
	}
	for want, steps := range map[string][]func(*terminalOf){
		`kept at the statement with "half and stopped" and ""`: {stopped},
		`kept at the note with "" and "half and stopped"`:      {toTheNote, stopped},
		`kept at the statement with "half a sentence" and ""`:  {half},
		`kept at the note with "" and "half a sentence"`:       {toTheNote, half},
		`kept at the statement with "" and ""`:                 {hungUp},
		`kept at the note with "" and ""`:                      {toTheNote, hungUp},
		`kept at the statement with "one\ntwo" and ""`: {func(p *terminalOf) {
			p.Type("one\rtwo\r")
			p.until("what you type stands in its place:")
			p.Type("\x04")
		}},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			p := startOnTerminal(t, "draft")
			p.toTheStatement()
			for _, step := range steps {
				step(p)
			}
			if err := p.Process.Wait(); err != nil || !strings.Contains(p.stderr.String(), want) {
				t.Errorf("not %s: %v, %s", want, err, p.stderr.String())
			}
		})
	}
}

func TestTheWaysToStopRestoreTheTerminalAndAreReported(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stop  func(*terminalOf)
		how   string
		draft string // what is added where a decision was begun
	}{
		"Control-C": {func(p *terminalOf) { p.Type("\x03") }, interrupted, draftKept},
		"Control-D": {func(p *terminalOf) { p.Type("\x04") }, "<nil>", ""},
		"a hang-up": {func(p *terminalOf) { p.Signal(syscall.SIGHUP) }, hungUp, draftKept},
		"a request": {func(p *terminalOf) { p.Signal(syscall.SIGTERM) },
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
	t.Parallel()
	for name, test := range map[string]struct {
		stop func(*terminalOf)
		how  string
	}{
		"Control-C": {func(p *terminalOf) { p.Type("\x03") }, "interrupt"},
		"a request": {func(p *terminalOf) { p.Signal(syscall.SIGTERM) }, "terminated"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
	t.Parallel()
	for _, question := range []bool{false, true} {
		p, how := startOnTerminal(t, "well"), hungUp
		if question {
			p.toTheQuestion()
			how += draftKept
		} else {
			p.until("Start. Number or command:")
		}
		p.HangUp()
		if err := p.Process.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, p.stderr.String())
		}
		if want := "ENDED with " + how + " and 0 records\n"; p.stderr.String() != want {
			t.Errorf("it %s", p.stderr.String())
		}
	}
}

func TestAPanicAtATerminalRestoresItAndIsAnError(t *testing.T) {
	t.Parallel()
	p := startOnTerminal(t, "panic")
	p.until("Start. Number or command:")
	p.Type("AC-2041\r")
	p.ended("the console failed at the start and has stopped; a decision is recorded only if its receipt was shown, see `docket records`", 0)
	if strings.Contains(p.Text(), "fire") {
		t.Errorf("the panic's value is on the terminal:\n%s", p.Text())
	}
}
