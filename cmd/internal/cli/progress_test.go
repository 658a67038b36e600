package cli_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/cli"

	"github.com/adrg/xdg"
)

func TestProgressIsDrawnOnlyOnATerminalThatCanMoveItsCursor(t *testing.T) {
	for kind, drawn := range map[string]bool{"dumb": false, "xterm": true} {
		folder := t.TempDir()
		t.Setenv("XDG_STATE_HOME", folder)
		xdg.Reload()
		file := filepath.Join(folder, "packets.jsonl")
		if err := os.WriteFile(file, []byte(strings.Repeat("{}\n", 10)), 0o600); err != nil {
			t.Fatal(err)
		}
		var messages bytes.Buffer
		cli.Main([]string{"import", "--db", filepath.Join(folder, "docket.db"), file}, cli.System{
			In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &messages, ErrTerminal: true, Now: time.Now,
			Getenv:       func(name string) string { return map[string]string{"TERM": kind}[name] },
			TerminalSize: func() (int, int, error) { return 0, 0, errors.New("no terminal") },
		})
		if strings.Contains(messages.String(), "\x1b") != drawn || !strings.Contains(messages.String(), "10 refused") {
			t.Errorf("TERM=%s: %q", kind, messages.String())
		}
	}
}
