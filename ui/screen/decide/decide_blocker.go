package decide

import (
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// blockerStep adds blockers. Those that the rules found are shown and cannot be taken away.
var blockerStep = step{
	rows: func(d *Screen) int { return len(d.found()) },
	choose: func(d *Screen, _ *screen.Scene) screen.Effect {
		row, any := d.blockerAtCursor()
		if !any {
			return screen.Say{Text: "✗ nothing matches the search; Esc drops it"}
		}
		if why := d.Toggle(row.Code); why != "" {
			return screen.Say{Text: "✗ " + why}
		}
		return nil
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		var sheet line.Sheet
		if d.editor != nil {
			sheet = append(sheet, d.editor.View(s.Width))
		} else if d.search != "" {
			sheet = append(sheet, line.Of(theme.Accent, "/ ").And(theme.Input, d.search).Fit(s.Width))
		}
		found := d.found()
		rows := make(line.Sheet, len(found))
		for i := range found {
			rows[i] = blockerLine(&found[i], i == d.list().Cursor, s)
		}
		question := d.Question() + " Enter goes on with " +
			wording.Plural(d.Added.Len(), "added blocker", "added blockers") + "."
		return append(sheet, d.pick(question, rows, d.blockerWords(s), s, height-len(sheet))...)
	},
}

// found lists the blockers that match the search.
func (d *Screen) found() []decision.BlockerRow { return d.BlockerRows(d.search) }

func (d *Screen) blockerAtCursor() (decision.BlockerRow, bool) {
	found := d.found()
	if len(found) == 0 {
		return decision.BlockerRow{}, false
	}
	return found[widget.Clamp(d.list().Cursor, len(found))], true
}

func blockerLine(row *decision.BlockerRow, here bool, s *screen.Scene) line.Line {
	out := checkbox(row.Added).And(theme.Plain, row.Code.String())
	switch {
	case row.Fixed != "":
		out = line.Of(theme.Bad, "[✗] "+row.Code.String()).And(theme.Dim, "  "+row.State())
	case row.Added:
		out = out.And(theme.Warn, "  "+row.State())
	}
	return widget.CursorLine(out, here, s.Width)
}

// blockerWords says what the blocker under the cursor means, and what adding has done so far.
func (d *Screen) blockerWords(s *screen.Scene) line.Sheet {
	row, any := d.blockerAtCursor()
	if !any {
		return line.Of(theme.Dim, "Nothing matches the search. Esc drops it.").Wrap(s.Width, 0)
	}
	sheet := line.Sheet(line.Of(theme.Plain, row.Meaning).Wrap(s.Width, 0))
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, row.Cure).Wrap(s.Width, 2)...)
	if why := d.Missing(decision.Blockers, s.Reviewer); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.Width, 2)...)
	}
	if why := d.Again(); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.Width, 2)...)
	}
	return sheet
}
