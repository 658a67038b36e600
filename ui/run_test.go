package ui

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
)

func TestWithoutATerminalTheConsoleSaysSo(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "no terminal"))
	must(t, err)
	defer file.Close()
	err = Run(context.Background(), workbenchtest.New(t), Options{Input: file, Output: file})
	if !errors.Is(err, errNoTerminal) {
		t.Errorf("the error is %v", err)
	}
}

func TestAContextThatEndsEndsTheConsole(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Run(ctx, workbenchtest.New(t), Options{Input: strings.NewReader(""), Output: &strings.Builder{}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// broken panics while it is drawn.
type broken struct{}

func (broken) Place() action.Place                              { return action.InRecord }
func (broken) Title(*screen.Scene) line.Line                    { return nil }
func (broken) Handle(action.Verb, *screen.Scene) screen.Cmd     { return nil }
func (broken) View(*screen.Scene) line.Sheet                    { panic("a secret of the packet") }
func (broken) Obstacle(action.Verb, *screen.Scene) string       { return "" }
func (broken) Typing() bool                                     { return false }
func (broken) Typed(p action.Press, s *screen.Scene) screen.Cmd { return nil }

func TestAPanicWhileDrawingEndsInAnErrorWithoutItsValue(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.console.stage.Show(broken{})
	b.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	var crashed *CrashError
	if !b.quit || !errors.As(b.console.failed, &crashed) {
		t.Fatalf("quit %v with %v", b.quit, b.console.failed)
	}
	if strings.Contains(crashed.Error(), "secret") || !strings.Contains(crashed.Stack, "secret") {
		t.Errorf("the error says %q", crashed.Error())
	}
	same(t, "the frame", b.console.View(), "")
}

func TestNothingStartsOnceTheWorkIsClosed(t *testing.T) {
	w := &work{ctx: context.Background()}
	started := make(chan struct{})
	finish := make(chan struct{})
	done := make(chan tea.Msg)
	go func() {
		done <- w.do("waiting", func(context.Context) tea.Msg { close(started); <-finish; return screen.Result{} })()
	}()
	<-started
	closed := make(chan struct{})
	go func() { w.close(); close(closed) }()
	close(finish)
	if msg := <-done; msg == nil {
		t.Error("what had started did not end")
	}
	<-closed
	if msg := w.do("late", func(context.Context) tea.Msg { return screen.Result{} })(); msg != nil {
		t.Error("something started after the end")
	}
}

func TestAPanicInACommandBecomesAMessage(t *testing.T) {
	w := &work{ctx: context.Background()}
	msg := w.do("opening a packet", func(context.Context) tea.Msg { panic("a secret") })()
	failed, is := msg.(crashed)
	if !is || strings.Contains(failed.err.Error(), "secret") {
		t.Errorf("the message is %v", msg)
	}
}

// writes keeps each write apart.
type writes struct {
	all []string
	err error
}

func (w *writes) Write(text []byte) (int, error) {
	w.all = append(w.all, string(text))
	return len(text), w.err
}

// plainClipboard is that of a terminal without a multiplexer.
func plainClipboard(out io.Writer) task.Clipboard {
	return task.NewClipboard(out, func(string) string { return "" })
}

func TestIdsAndHashesAreChosenFromAList(t *testing.T) {
	b, _ := sample(t, 80, 24)
	out := &writes{}
	b.console.clipboard = plainClipboard(out)
	b.press("open AC-2041", "y", "shows copy to the clipboard", "shows 1 id", "shows 3 case hash",
		"j", "enter", "shows copied: subject id, if the terminal allows it")
	packet := b.console.stage.Top().(*packet.Screen)
	hash := packet.CaseFile.View.Record().AppealCase().Record().CaseHash.String()
	b.press("y", "3")
	for i, want := range []string{"row-8841", hash} {
		if got, _ := strings.CutPrefix(out.all[i], "\x1b]52;c;"); got != base64.StdEncoding.EncodeToString([]byte(want))+"\x07" {
			t.Errorf("copied %q", out.all[i])
		}
	}
	b.press("y", "esc", "hides copy to the clipboard")
	same(t, "copies", len(out.all), 2)
}

func TestACopyThatFailsSaysWhy(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.console.clipboard = plainClipboard(&writes{err: errors.New("the pipe is closed")})
	b.press("y", "enter", "shows ✗ not copied: the terminal: the pipe is closed")
}

func TestNoTextOfAPacketIsOfferedForCopying(t *testing.T) {
	workbench := workbenchtest.New(t)
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	record.In("evidenceScope")["statement"] = "statement"
	record["remedyGap"] = "gap"
	workbench.Add(terms.AppealCases, record, nil)
	b := newHarness(t, workbench, 80, 24)
	b.press("enter")
	for _, item := range task.Copies(b.console.stage.Top(), &b.console.scene) {
		if item.Text == "statement" || item.Text == "gap" {
			t.Errorf("it offers %q", item.Text)
		}
	}
}
