package decide

import (
	"strings"

	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
)

// statementStep takes the public statement of reasons. What holds private details is refused when it is entered, and never
// kept.
var statementStep = step{
	missing: func(d *Screen, _ *screen.Scene) string {
		return d.StatementObstacle(strings.TrimSpace(d.editor.Text()))
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Dim, d.Question()).Wrap(s.Width, 0))
		if why := d.StatementNeeded(); why != "" {
			sheet = append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, "It is required: "+why+".").Wrap(s.Width, 2)...)
		}
		sheet = append(sheet.Window(0, max(height-2, 0)), nil)
		sheet = append(sheet.Window(0, max(height-1, 0)), d.editor.View(s.Width))
		if text := strings.TrimSpace(d.editor.Text()); text != "" && d.StatementFault(text) != "" && len(sheet) < height {
			fault := line.Of(theme.Bad, "✗ ").And(theme.Plain, d.StatementFault(text)).Wrap(s.Width, 2)
			sheet = append(sheet, fault...).Window(0, height)
		}
		return sheet
	},
}

// takeStatement keeps what is typed, unless it may not be recorded; then what was kept before stays, and why is said.
func (d *Screen) takeStatement() screen.Effect {
	text := strings.TrimSpace(d.editor.Text())
	if text == "" || d.StatementFault(text) == "" {
		d.Statement = text
		return nil
	}
	return screen.Say{Text: "✗ the text is not kept: " + d.StatementFault(text)}
}
