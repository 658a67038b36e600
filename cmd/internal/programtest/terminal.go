package programtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Terminal is a tmux server with one window in which the program runs.
type Terminal struct {
	T      *testing.T
	socket string
	Ctx    context.Context
}

// OpenTerminal starts the command line in a window of that size, which stays when it has ended.
func OpenTerminal(t *testing.T, width, height int, command string) *Terminal {
	t.Helper()
	Needs(t, "tmux")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	term := &Terminal{T: t, socket: filepath.Join(t.TempDir(), "tmux"), Ctx: ctx}
	t.Cleanup(func() {
		exec.Command("tmux", "-S", term.socket, "kill-server").Run()
		term.awaitEnd()
		cancel()
	})
	home := t.TempDir()
	term.Tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"env", "-u", "NO_COLOR", "TERM=screen-256color", "HOME="+home, "XDG_DATA_HOME="+home+"/data", "XDG_CONFIG_HOME="+home+"/config",
		"XDG_STATE_HOME="+home+"/state", "sh", "-c", command+`; echo "exit status $?"; cat`)
	return term
}

// awaitEnd waits, five seconds at most, until no program could still write a file.
func (term *Terminal) awaitEnd() {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		running := false
		environments, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range environments {
			text, err := os.ReadFile(path)
			running = running || err == nil && strings.Contains(string(text), term.socket)
		}
		if !running {
			return
		}
	}
}

func (term *Terminal) Tmux(args ...string) string {
	term.T.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.T.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// Screen is what the window shows. Looking takes a moment, so that tests that wait for a screen
// leave the processor to the program.
func (term *Terminal) Screen() string {
	<-time.After(20 * time.Millisecond)
	return term.Tmux("capture-pane", "-p")
}

// WaitFor looks at the screen until it shows all the texts.
func (term *Terminal) WaitFor(texts ...string) string {
	term.T.Helper()
	screen := ""
	for term.Ctx.Err() == nil {
		screen = term.Screen()
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) }) {
			return screen
		}
	}
	term.T.Fatalf("%q did not come; the screen shows\n%s", texts, screen)
	return ""
}

// Press types keys by their tmux names.
func (term *Terminal) Press(keys ...string) { term.Tmux(append([]string{"send-keys"}, keys...)...) }

// WaitQuiet looks at the screen until it has not changed for as long as that.
func (term *Terminal) WaitQuiet(long time.Duration) {
	screen, since := term.Screen(), time.Now()
	for time.Since(since) < long && term.Ctx.Err() == nil {
		if now := term.Screen(); now != screen {
			screen, since = now, time.Now()
		}
	}
}

// ReadReview pages through the last page until all of it has been on the screen.
func (term *Terminal) ReadReview() {
	term.WaitQuiet(time.Second)
	for strings.Contains(term.Screen(), "not shown yet") && term.Ctx.Err() == nil {
		before := term.Screen()
		term.Press("NPage")
		for term.Screen() == before && term.Ctx.Err() == nil {
		}
		term.WaitQuiet(100 * time.Millisecond) // a page that is replaced at once does not count
	}
}

// Record types the word key by key, once the page has been left alone long enough to take it.
func (term *Terminal) Record() {
	term.ReadReview()
	for typed := 1; typed <= len("record"); typed++ {
		term.Press("record"[typed-1 : typed])
		term.WaitFor("record it: " + "record"[:typed])
	}
	term.Press("Enter")
}
