package ui

import (
	"strings"

	"docket/ui/line"
	"docket/ui/theme"
)

// statementStep takes the public statement of reasons. What holds private details is refused when it is entered, and never
// kept.
var statementStep = step{
	missing: func(d *decideScreen, _ *scene) string { return d.StatementObstacle(strings.TrimSpace(d.editor.text())) },
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Dim, d.Question()).Wrap(s.width, 0))
		if why := d.StatementNeeded(); why != "" {
			sheet = append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, "It is required: "+why+".").Wrap(s.width, 2)...)
		}
		sheet = append(sheet.Window(0, max(height-2, 0)), nil)
		sheet = append(sheet.Window(0, max(height-1, 0)), d.editor.view(s.width))
		if text := strings.TrimSpace(d.editor.text()); text != "" && d.StatementFault(text) != "" && len(sheet) < height {
			fault := line.Of(theme.Bad, "✗ ").And(theme.Plain, d.StatementFault(text)).Wrap(s.width, 2)
			sheet = append(sheet, fault...).Window(0, height)
		}
		return sheet
	},
}

// takeStatement keeps what is typed, unless it may not be recorded; then what was kept before stays, and why is said.
func (d *decideScreen) takeStatement() effect {
	text := strings.TrimSpace(d.editor.text())
	if text == "" || d.StatementFault(text) == "" {
		d.Statement = text
		return nil
	}
	return say{text: "✗ the text is not kept: " + d.StatementFault(text)}
}
