package widget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"docket/ui/screen"
)

// WriteFile writes a text to a file, and asks before it replaces one. after follows its name.
func WriteFile(s *screen.Scene, path, text, after string, replace bool) screen.Cmd {
	return s.Go("writing a file", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		err := workbench.WriteStatement(ctx, path, text, replace)
		return func(s *screen.Scene) screen.Cmd {
			switch {
			case errors.Is(err, fs.ErrExist):
				return s.Raise(&Question{Title: "Replace the file?", Text: fmt.Sprintf("%s is there already.", path),
					Yes: "replace", No: "keep it",
					Answer: func(s *screen.Scene) screen.Cmd { return WriteFile(s, path, text, after, true) }})
			case err != nil:
				return Alarm(s, "Nothing was written", err.Error())
			}
			return s.Say(fmt.Sprintf("✓ written to %s%s", path, after))
		}
	})
}
