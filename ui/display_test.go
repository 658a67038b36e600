package ui

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// written returns what has come since the last call.
func written(out *bytes.Buffer) string {
	defer out.Reset()
	return out.String()
}

func TestADisplaySendsOnlyTheLinesThatChanged(t *testing.T) {
	var out bytes.Buffer
	d := newDisplay(t.Context(), &out)
	frame := func(text string, width int) string {
		t.Helper()
		d.show(text, width)
		_, err := d.send(nil)
		must(t, err)
		return written(&out)
	}
	control := func(sequence string) string {
		t.Helper()
		_, err := d.Write([]byte(sequence))
		must(t, err)
		return written(&out)
	}
	if sent := frame("before\nthe screen", 20); sent != "" {
		t.Errorf("without its own screen it sends %q", sent)
	}
	if sent := control(ansi.SetModeAltScreenSaveCursor); !strings.HasPrefix(sent, ansi.SetModeAltScreenSaveCursor) || !strings.Contains(sent, "before") || !strings.Contains(sent, "the screen") {
		t.Errorf("with its own screen it sends %q", sent)
	}
	if sent := frame("before\nthe change", 20); strings.Contains(sent, "before") || !strings.Contains(sent, ansi.CursorPosition(1, 2)+"the change"+ansi.EraseLineRight) {
		t.Errorf("one changed line is sent as %q", sent)
	}
	if sent := frame("before\nthe change", 20); sent != "" {
		t.Errorf("an unchanged frame is sent as %q", sent)
	}
	if sent := frame("before\nthe change", 10); !strings.Contains(sent, "before") || !strings.HasSuffix(sent, "the change"+ansi.CursorPosition(1, 2)) {
		t.Errorf("after the width changed it sends %q", sent)
	}
	if sent := frame("before", 10); !strings.Contains(sent, "before") {
		t.Errorf("after the height changed it sends %q", sent)
	}
	if sent := frame("", 10); sent != "" {
		t.Errorf("an empty frame is sent as %q", sent)
	}
	if sent := control(ansi.HideCursor); !strings.HasPrefix(sent, ansi.HideCursor) || !strings.Contains(sent, "before") {
		t.Errorf("after a control sequence it sends %q", sent)
	}
	if sent := control(ansi.ResetModeAltScreenSaveCursor) + frame("after", 10); sent != ansi.EraseEntireScreen+ansi.CursorHomePosition+ansi.ResetModeAltScreenSaveCursor {
		t.Errorf("when the screen is given back it sends %q", sent)
	}
}

// A refusal is a terminal that takes nothing.
type refusal struct{}

func (refusal) Write([]byte) (int, error) { return 0, context.Canceled }

func TestALineThatTheTerminalDidNotTakeIsSentAgain(t *testing.T) {
	var out bytes.Buffer
	d := newDisplay(t.Context(), refusal{})
	d.alternate = true
	d.show("a line", 10)
	if _, err := d.send(nil); err == nil {
		t.Fatal("it is taken")
	}
	d.out = &out
	if _, err := d.send(nil); err != nil || !strings.Contains(written(&out), "a line") {
		t.Errorf("it is not sent again: %v", err)
	}
}

// A takenLine tells of each write.
type takenLine chan string

func (c takenLine) Write(text []byte) (int, error) { c <- string(text); return len(text), nil }

func TestADisplaySendsAFrameWithoutWaitingAndEndsWithItsContext(t *testing.T) {
	out := make(takenLine)
	d := newDisplay(t.Context(), out)
	d.alternate = true
	ctx, stop := context.WithCancelCause(t.Context())
	ended := d.start(ctx, stop, nil)
	for _, text := range []string{"first", "second", "third"} {
		d.show(text, 10)
		if sent := <-out; !strings.Contains(sent, text) {
			t.Errorf("%s is sent as %q", text, sent)
		}
	}
	stop(nil)
	<-ended
}
