package decide

import (
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// noteStep takes the private note.
var noteStep = step{
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Dim, d.Question()).Wrap(s.Width, 0))
		sheet = append(sheet.Window(0, max(height-2, 0)), nil)
		return append(sheet.Window(0, max(height-1, 0)), d.editor.View(s.Width))
	},
}
