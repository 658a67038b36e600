package plain

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"docket/domain/visible"
	"docket/ui"
	"docket/ui/tty"
)

// A typist is a keyboard at which a script types. Lines are taken as they are. At the final question a line is typed
// letter by letter by a person who has read it, unless it begins with one of the marks below.
type typist struct {
	script []string
	now    time.Time
	keys   []typedKeys
	taking bool
	blind  error    // letters answers it
	rest   []string // of a line of the script that has several
	lost   string
	before func(line string)
}

// The marks of lines at the final question.
const (
	pasted  = "pasted:" // arrives in one piece, after a while
	ahead   = "ahead:"  // is typed before the question can have been read
	burst   = "burst:"  // letter by letter, faster than a person types
	pieces  = "pieces:" // in the pieces between the bars, as a slow line delivers them
	half    = "half:"   // is a line without an end, at which the input ends
	openEnd = "open:"   // the last line of a paste, without an end until the next line of the script is typed behind it
)

// typedKeys are keys that came together, so long after what came before.
type typedKeys struct {
	after time.Duration
	keys  string
}

func (p *typist) next() (string, error) {
	if len(p.script) == 0 {
		return "", io.EOF
	}
	line := p.script[0]
	p.script = p.script[1:]
	if p.before != nil {
		p.before(line)
	}
	return line, nil
}

func (p *typist) Line() (string, error) {
	p.now = p.now.Add(time.Second)
	if len(p.rest) == 0 {
		line, err := p.next()
		if err != nil {
			return "", err
		}
		p.rest = strings.Split(strings.TrimPrefix(line, ahead), "\n")
	}
	line := p.rest[0]
	p.rest = p.rest[1:]
	if after, is := strings.CutPrefix(line, openEnd); is {
		typed, err := p.next()
		if err != nil {
			return "", err
		}
		line = after + typed
	}
	if len(line) >= tty.LongestLine {
		return "", tty.ErrLongLine
	}
	if line, is := strings.CutPrefix(line, half); is {
		p.script, p.rest = nil, nil
		return line, io.EOF
	}
	return line, nil
}

func (p *typist) Waiting(time.Duration) bool {
	if len(p.rest) > 0 {
		return !strings.HasPrefix(p.rest[0], openEnd)
	}
	return len(p.script) > 0 && strings.HasPrefix(p.script[0], ahead)
}

func (p *typist) End(time.Duration) (is bool) {
	if len(p.rest) > 0 {
		p.rest[0], is = strings.CutPrefix(p.rest[0], openEnd)
	}
	return is
}

func (p *typist) Dropped() string {
	lost := p.lost
	p.lost = ""
	return lost
}

func (p *typist) Echoes() bool { return false }

func (p *typist) Letters() (tty.Letters, error) {
	if p.blind != nil {
		return nil, p.blind
	}
	p.taking, p.keys = true, nil
	p.lost, p.rest = strings.Join(p.rest, "\n"), nil
	return typistLetters{p}, nil
}

type typistLetters struct{ *typist }

func (l typistLetters) Next() ([]byte, error) {
	p := l.typist
	if !p.taking {
		panic("keys are taken from a terminal that hands out lines")
	}
	if len(p.keys) == 0 {
		line, err := p.next()
		if err != nil {
			return nil, err
		}
		p.keys = keysOf(line)
	}
	one := p.keys[0]
	p.keys, p.now = p.keys[1:], p.now.Add(one.after)
	return []byte(one.keys), nil
}

func (l typistLetters) Hidden() bool { return false }

func (l typistLetters) Done() error {
	l.typist.taking = false
	return nil
}

// keysOf takes a line of the script apart as its mark says.
func keysOf(line string) []typedKeys {
	if text, is := strings.CutPrefix(line, pasted); is {
		return []typedKeys{{time.Second, text + "\n"}}
	}
	if text, is := strings.CutPrefix(line, pieces); is {
		var keys []typedKeys
		for piece := range strings.SplitSeq(text, "|") {
			keys = append(keys, typedKeys{time.Second, piece})
		}
		return keys
	}
	gap, wait := 80*time.Millisecond, time.Second
	if text, is := strings.CutPrefix(line, ahead); is {
		line, wait = text, 10*time.Millisecond
	} else if text, is := strings.CutPrefix(line, burst); is {
		line, gap = text, time.Millisecond
	}
	var keys []typedKeys
	for _, key := range line + "\n" {
		keys = append(keys, typedKeys{gap, string(key)})
	}
	keys[0].after = wait
	return keys
}

// A harness is a session with a typist.
type harness struct {
	t      *testing.T
	keys   *typist
	output *strings.Builder
	*session
}

func newHarness(t *testing.T, workbench ui.Workbench, script ...string) *harness {
	t.Helper()
	keys, output := &typist{script: script, now: time.Unix(0, 0)}, &strings.Builder{}
	p := &printer{out: output, width: func() int { return 80 }}
	s := newSession(context.Background(), workbench, keys, p, ui.Options{Clock: func() time.Time { return keys.now }})
	s.number = func() string { return "4711" }
	return &harness{t, keys, output, s}
}

// when runs do once, before the line is typed.
func (h *harness) when(line string, do func()) {
	done := false
	h.keys.before = func(typed string) {
		if typed == line && !done {
			done = true
			do()
		}
	}
}

// works runs the session to the end of the script.
func (h *harness) works(findings ...ui.Finding) string {
	h.t.Helper()
	if err := h.run(findings); err != nil && !ended(err) {
		h.t.Fatalf("it ended with %v after\n%s", err, h.output)
	}
	return h.output.String()
}

// works returns what a session says to a script.
func works(t *testing.T, workbench ui.Workbench, script ...string) string {
	t.Helper()
	return newHarness(t, workbench, script...).works()
}

// flat undoes the breaking of lines.
func flat(text string) string { return strings.ReplaceAll(text, "\n  ", " ") }

func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(flat(text), part) {
			t.Errorf("%q is not said in\n%s", part, text)
		}
	}
}

func saysNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(flat(text), part) {
			t.Errorf("%q is said in\n%s", part, text)
		}
	}
}

// onlyText fails if there is anything in what was written but clean text in lines.
func onlyText(t *testing.T, output string) {
	t.Helper()
	for i := range len(output) {
		if output[i] < ' ' && output[i] != '\n' {
			t.Fatalf("byte %#x is written: %q", output[i], output[max(i-40, 0):min(i+40, len(output))])
		}
	}
	for shown := range strings.SplitSeq(output, "\n") {
		if !visible.Clean(shown) {
			t.Fatalf("a line is not clean: %q", shown)
		}
	}
}

// toReview are the answers that take a decision on the sample appeal to its last question, with reasons where the outcome is
// not the advised one.
func toReview(outcome string) []string {
	if outcome == "8" || outcome == "correct record" {
		return []string{"decide", outcome}
	}
	return []string{"decide", outcome, "two receipts"}
}

// lines puts scripts one behind another.
func lines(parts ...any) []string {
	var all []string
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			all = append(all, part)
		case []string:
			all = append(all, part...)
		}
	}
	return all
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[V comparable](t testing.TB, about string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, not %v", about, got, want)
	}
}
