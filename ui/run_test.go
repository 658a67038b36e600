package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
)

func TestWithoutATerminalTheConsoleSaysSo(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "no terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	err = Run(context.Background(), workbenchtest.New(), Options{Input: file, Output: file})
	if !errors.Is(err, errNoTerminal) {
		t.Errorf("the error is %v", err)
	}
}

func TestAContextThatEndsEndsTheConsole(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Run(ctx, workbenchtest.New(), Options{Input: strings.NewReader(""), Output: &strings.Builder{}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// broken panics while it is drawn.
type broken struct{}

func (broken) Place() action.Place                                 { return action.InRecord }
func (broken) Title(*screen.Scene) line.Line                       { return nil }
func (broken) Handle(action.Verb, *screen.Scene) screen.Effect     { return nil }
func (broken) View(*screen.Scene) line.Sheet                       { panic("a secret of the packet") }
func (broken) Obstacle(action.Verb, *screen.Scene) string          { return "" }
func (broken) Typing() bool                                        { return false }
func (broken) Typed(p action.Press, s *screen.Scene) screen.Effect { return nil }

func TestAPanicWhileDrawingEndsInAnErrorWithoutItsValue(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.run(screen.Show{Screen: broken{}}.CarryOut(b.console))
	b.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	var crashed *CrashError
	if !b.quit || !errors.As(b.console.failed, &crashed) {
		t.Fatalf("quit %v with %v", b.quit, b.console.failed)
	}
	if strings.Contains(crashed.Error(), "secret") || !strings.Contains(crashed.Stack, "secret") {
		t.Errorf("the error says %q", crashed.Error())
	}
	if b.console.View() != "" {
		t.Error("there still is a frame")
	}
}

func TestNothingStartsOnceTheWorkIsClosed(t *testing.T) {
	w := &work{ctx: context.Background()}
	started := make(chan struct{})
	finish := make(chan struct{})
	done := make(chan tea.Msg)
	go func() {
		done <- w.do("waiting", func(context.Context) tea.Msg { close(started); <-finish; return task.Ticked{} })()
	}()
	<-started
	closed := make(chan struct{})
	go func() { w.close(); close(closed) }()
	close(finish)
	if msg := <-done; msg == nil {
		t.Error("what had started did not end")
	}
	<-closed
	if msg := w.do("late", func(context.Context) tea.Msg { return task.Ticked{} })(); msg != nil {
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

// The router keeps a screen as one of the interfaces that it declares or that package screen does.
func TestTheRouterHoldsNoScreenByItsType(t *testing.T) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[console]()) {
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if strings.HasPrefix(of.PkgPath(), "docket/ui/screen/") {
			t.Errorf("the router holds %s, a %s", field.Name, field.Type)
		}
	}
}
