package ui

import (
	"strings"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// blockerStep adds blockers. Those that the rules found are shown and cannot be taken away.
var blockerStep = step{
	rows: func(d *decideScreen) int { return len(d.found()) },
	choose: func(d *decideScreen, _ *scene) effect {
		rule, any := d.ruleAtCursor()
		switch {
		case !any:
			return say{text: "✗ nothing matches the search; Esc drops it"}
		case !d.Toggle(rule.Code):
			return say{text: "✗ nobody can take it away: " + d.Standing(rule.Code)}
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
		for i, rule := range found {
			rows[i] = d.blockerLine(rule, i == d.list().cursor, s)
		}
		question := "Does anything else block it? You can add a blocker, and nobody can remove one. Enter goes on with " +
			wording.Plural(d.Added.Len(), "added blocker", "added blockers") + "."
		return append(sheet, d.pick(question, rows, d.blockerWords(s), s, height-len(sheet))...)
	},
}

// found lists the rules of the area that match the search.
func (d *decideScreen) found() []domain.Rule {
	var found []domain.Rule
	part := strings.ToLower(strings.TrimSpace(d.search))
	for _, rule := range domain.RuleBook(d.View().Area()) {
		if strings.Contains(rule.Code.String(), part) || strings.Contains(rule.Code.Label(), part) ||
			strings.Contains(strings.ToLower(rule.Meaning), part) {
			found = append(found, rule)
		}
	}
	return found
}

func (d *decideScreen) ruleAtCursor() (domain.Rule, bool) {
	found := d.found()
	if len(found) == 0 {
		return domain.Rule{}, false
	}
	return found[clamp(d.list().cursor, len(found))], true
}

func (d *decideScreen) blockerLine(rule domain.Rule, here bool, s *scene) line.Line {
	out := checkbox(d.Added.Has(rule.Code)).And(theme.Plain, rule.Code.String())
	switch {
	case d.Standing(rule.Code) != "":
		out = line.Of(theme.Bad, "[✗] "+rule.Code.String()).And(theme.Dim, "  "+d.Standing(rule.Code))
	case d.Added.Has(rule.Code):
		out = out.And(theme.Warn, "  added by you")
	}
	return cursorLine(out, here, s.width)
}

// blockerWords says what the blocker under the cursor means, and what adding has done so far.
func (d *decideScreen) blockerWords(s *scene) line.Sheet {
	rule, any := d.ruleAtCursor()
	if !any {
		return line.Of(theme.Dim, "Nothing matches the search. Esc drops it.").Wrap(s.width, 0)
	}
	sheet := line.Sheet(line.Of(theme.Plain, rule.Meaning).Wrap(s.width, 0))
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, rule.Cure).Wrap(s.width, 2)...)
	if why := d.Missing(decision.Blockers, s.reviewer); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.width, 2)...)
	}
	if why := d.Again(); why != "" {
		text := line.Of(theme.Warn, "! "+d.Outcome.Label()+" will have to be chosen again: "+why)
		return append(sheet, text.Wrap(s.width, 2)...)
	}
	return sheet
}
