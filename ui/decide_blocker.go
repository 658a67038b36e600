package ui

import (
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// blockerStep adds blockers. Those that the rules found are shown and cannot be taken away.
var blockerStep = step{
	rows: func(d *decideScreen) int { return len(d.found()) },
	choose: func(d *decideScreen, _ *scene) effect {
		row, any := d.blockerAtCursor()
		if !any {
			return say{text: "✗ nothing matches the search; Esc drops it"}
		}
		if why := d.Toggle(row.Code); why != "" {
			return say{text: "✗ " + why}
		}
		return nil
	},
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		var sheet line.Sheet
		if d.editor != nil {
			sheet = append(sheet, d.editor.view(s.width))
		} else if d.search != "" {
			sheet = append(sheet, line.Of(theme.Accent, "/ ").And(theme.Input, d.search).Fit(s.width))
		}
		found := d.found()
		rows := make(line.Sheet, len(found))
		for i := range found {
			rows[i] = blockerLine(&found[i], i == d.list().cursor, s)
		}
		question := d.Question() + " Enter goes on with " +
			wording.Plural(d.Added.Len(), "added blocker", "added blockers") + "."
		return append(sheet, d.pick(question, rows, d.blockerWords(s), s, height-len(sheet))...)
	},
}

// found lists the blockers that match the search.
func (d *decideScreen) found() []decision.BlockerRow { return d.BlockerRows(d.search) }

func (d *decideScreen) blockerAtCursor() (decision.BlockerRow, bool) {
	found := d.found()
	if len(found) == 0 {
		return decision.BlockerRow{}, false
	}
	return found[clamp(d.list().cursor, len(found))], true
}

func blockerLine(row *decision.BlockerRow, here bool, s *scene) line.Line {
	out := checkbox(row.Added).And(theme.Plain, row.Code.String())
	switch {
	case row.Fixed != "":
		out = line.Of(theme.Bad, "[✗] "+row.Code.String()).And(theme.Dim, "  "+row.State())
	case row.Added:
		out = out.And(theme.Warn, "  "+row.State())
	}
	return cursorLine(out, here, s.width)
}

// blockerWords says what the blocker under the cursor means, and what adding has done so far.
func (d *decideScreen) blockerWords(s *scene) line.Sheet {
	row, any := d.blockerAtCursor()
	if !any {
		return line.Of(theme.Dim, "Nothing matches the search. Esc drops it.").Wrap(s.width, 0)
	}
	sheet := line.Sheet(line.Of(theme.Plain, row.Meaning).Wrap(s.width, 0))
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, row.Cure).Wrap(s.width, 2)...)
	if why := d.Missing(decision.Blockers, s.reviewer); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.width, 2)...)
	}
	if why := d.Again(); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.width, 2)...)
	}
	return sheet
}
