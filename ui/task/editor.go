package task

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"docket/store/disk"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// An Editor runs the reviewer's own editor on a long statement. The text lies in a file of the
// folder that the session keeps in memory, and the file is removed when the editor ends.
type Editor struct {
	command, folder string
	terminal        io.Writer
}

// NewEditor takes the editor of VISUAL or EDITOR, and the folder of XDG_RUNTIME_DIR.
func NewEditor(terminal io.Writer, getenv func(string) string) Editor {
	return Editor{cmp.Or(getenv("VISUAL"), getenv("EDITOR")), getenv("XDG_RUNTIME_DIR"), terminal}
}

// Obstacle says why the editor cannot be run; "" if it can.
func (e *Editor) Obstacle() string {
	switch {
	case e.command == "":
		return "no editor is named; set EDITOR"
	case e.folder == "":
		return "the text would land on a disk: XDG_RUNTIME_DIR names no folder in memory"
	}
	return ""
}

// mostEdited is the largest file that is taken from the editor, in bytes.
const mostEdited = 1 << 20

// Edit runs the editor on a text, and then carries out what follows from the edited one.
func (e *Editor) Edit(text string, then func(s *screen.Scene, edited string) screen.Cmd) screen.Cmd {
	folder, err := os.MkdirTemp(e.folder, "docket-")
	name := filepath.Join(folder, "statement.md")
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	done := func(err error) tea.Msg {
		var edited []byte
		if err == nil {
			edited, err = disk.ReadRegular(name, mostEdited)
		}
		err = errors.Join(err, os.RemoveAll(folder))
		return screen.Result{Then: func(s *screen.Scene) screen.Cmd {
			if err != nil {
				return s.Refuse(fmt.Sprintf("the statement is as it was: the editor: %s", err))
			}
			return then(s, string(edited))
		}}
	}
	if err != nil {
		return func() tea.Msg { return done(err) }
	}
	cmd := exec.Command("sh", "-c", e.command+` "$1"`, "sh", name)
	if file, is := e.terminal.(*os.File); is { // not through the display
		cmd.Stdout = file
	}
	return tea.ExecProcess(cmd, done)
}
