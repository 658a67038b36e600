package widget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// WriteFile writes a text to a file, and asks before it replaces one. after is said behind its name.
func WriteFile(path, text, after string, replace bool) screen.Effect {
	return screen.Then(func(h screen.Host) tea.Cmd {
		return h.Ask("writing a file", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
			err := workbench.WriteStatement(ctx, path, text, replace)
			return screen.Then(func(h screen.Host) tea.Cmd { return written(path, text, after, err).CarryOut(h) })
		})
	})
}

func written(path, text, after string, err error) screen.Effect {
	switch {
	case errors.Is(err, fs.ErrExist):
		return screen.Raise{Overlay: &Question{Title: "Replace the file?", Text: fmt.Sprintf("%s is there already.", path),
			Yes: "replace", No: "keep it", Answer: WriteFile(path, text, after, true)}}
	case err != nil:
		return Alarm{About: "Nothing was written", Text: err.Error()}
	}
	return screen.Say{Text: fmt.Sprintf("✓ written to %s%s", path, after)}
}
