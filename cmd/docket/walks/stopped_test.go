package walks_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// Ctrl-C while the sample docket is being made ends the program without a word and leaves nothing behind.
func TestInterruptingTheMakingOfTheDemoIsQuiet(t *testing.T) {
	folder := t.TempDir()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), programtest.Built(t), "demo", "--cases", "5000000")
	cmd.Env = append(os.Environ(), "TMPDIR="+folder, "HOME="+folder)
	cmd.Stdout, cmd.Stderr = &said, &said
	must(t, cmd.Start())
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		if made, _ := filepath.Glob(filepath.Join(folder, "docket-demo-*", "demo.db-wal")); len(made) > 0 {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("it never began")
		}
	}
	must(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 || said.Len() > 0 {
		t.Errorf("%v, it said %q", err, said.String())
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "docket-demo-*")); len(left) > 0 {
		t.Errorf("it left %s", left)
	}
}

// A console on a store that is not there says what to do and makes none.
func TestTheConsoleMakesNoStore(t *testing.T) {
	folder := t.TempDir()
	term := programtest.OpenTerminal(t, 120, 24, programtest.Built(t)+" --db "+filepath.Join(folder, "typo.db"))
	through(term, "sees there is no store; make one by import", "sees exit status 3")
	if made, _ := os.ReadDir(folder); len(made) > 0 {
		t.Errorf("it made %v", made)
	}
}
