package decide

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// outcomeStep chooses the outcome of an appeal, never for the reviewer: moving the cursor chooses
// nothing, and the step can be left only with the cursor on the chosen outcome.
//
// In blind-first mode the step comes twice, the first time for the reviewer's own judgment. The
// digest that a record holds of its packet covers the whole view, the advice included: by the time
// of the final outcome all of it has been on the screen. The preliminary outcome and the order in
// which the sections were seen show that it was not before.
var outcomeStep = step{
	missing: func(d *Screen, s *screen.Scene) string {
		option := d.optionAtCursor()
		if option.Obstacle != "" {
			return decision.MayNotBeChosen(option)
		}
		if option.Outcome != d.Chosen() {
			return fmt.Sprintf("%s is not chosen: press its number or %s to choose it", option.Outcome.Label(), s.Key(action.Toggle, d.Place()))
		}
		return ""
	},
	rows: func(*Screen) int { return terms.Outcomes.Len() },
	choose: func(d *Screen, _ *screen.Scene) string {
		return d.Choose(d.optionAtCursor().Outcome)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		if d.Preliminary.Present() && !d.Blind() && !s.Covered && !slices.Contains(d.Packet.Seen, views.SectionAdvisory) {
			d.Packet.Seen = append(d.Packet.Seen, views.SectionAdvisory) // the options show it
		}
		at := d.optionAtCursor()
		below := line.Sheet(line.Of(theme.Plain, views.EffectOf(at.Outcome).Meaning).Wrap(s.Width, 0))
		if at.Obstacle != "" { // whole, where its line has no room for it
			below = append(line.Of(theme.Bad, "✗ ").And(theme.Plain, at.Obstacle).Wrap(s.Width, 2), below...)
		}
		return d.pick(d.optionLines(d.list().Cursor, s), below, s, height)
	},
}

func (d *Screen) optionAtCursor() records.Option {
	options := d.Options()
	return options[widget.Clamp(d.list().Cursor, len(options))]
}

func (d *Screen) outcomeCursor() {
	first := -1
	for i, option := range d.Options() {
		if option.Obstacle == "" && first < 0 {
			first = i
		}
		if chosen := d.Chosen(); chosen.Present() && option.Outcome == chosen {
			first = i
			break
		}
	}
	d.list().Cursor = max(first, 0)
}

// optionLines are the outcomes with the cursor on one of them; -1: on none.
func (d *Screen) optionLines(cursor int, s *screen.Scene) (sheet line.Sheet) {
	for i, option := range d.Options() {
		mark, role := line.Of(theme.Dim, "○ "), theme.Plain
		switch {
		case option.Obstacle != "":
			mark, role = line.Of(theme.Bad, "✗ "), theme.Dim
		case option.Outcome == d.Chosen():
			mark, role = line.Of(theme.Pass, "● "), theme.Strong
		}
		out, between := mark.Plus(line.Of(role, option.Outcome.Label()).Pad(outcomeWidth+1)), " "
		if option.Obstacle != "" {
			out, between = out.And(theme.Dim, between+option.Obstacle), " · "
		}
		for _, word := range d.Marks(option) {
			out, between = out.And(theme.Dim, between).And(theme.Accent, word), " · "
		}
		sheet = append(sheet, d.numbered(i, out, i == cursor, s))
	}
	return sheet
}

func (d *Screen) numbered(i int, l line.Line, here bool, s *screen.Scene) line.Line {
	return widget.CursorLine(numberOf(i).Plus(l), here && !d.reading, s.Width)
}

func numberOf(i int) line.Line {
	if i < 9 {
		return line.Of(theme.Accent, wording.Thousands(i+1)+" ")
	}
	return line.Of(theme.Dim, "  ")
}

func (d *Screen) pick(rows, below line.Sheet, s *screen.Scene, height int) line.Sheet {
	var sheet line.Sheet
	if !s.Compact {
		sheet = line.Of(theme.Dim, d.Question()).Wrap(s.Width, 0)
		below = append(line.Sheet{line.Rule(s.Width)}, below...)
	}
	if height < len(sheet)+len(below)+4 || s.Compact && height < len(below)+len(rows) {
		below = nil
	}
	room := max(min(height-len(sheet)-len(below), len(rows)), 1)
	top, end := d.list().Window(len(rows), room)
	sheet = append(sheet, rows[top:end]...)
	if more := len(rows) - end; more > 0 && len(below) > 0 && !s.Compact {
		below[0] = line.Spread(line.Rule(s.Width-12), line.Of(theme.Dim, fmt.Sprintf("↓ %s more", wording.Thousands(more))), s.Width)
	}
	return append(sheet, below...)
}

// factorStep starts with all codes of the outcome; some are always required.
var factorStep = step{
	rows: func(d *Screen) int { return len(d.Codes()) },
	choose: func(d *Screen, _ *screen.Scene) string {
		codes := d.Codes()
		return d.ToggleFactor(codes[widget.Clamp(d.list().Cursor, len(codes))].Code)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		codes := d.Codes()
		here := codes[widget.Clamp(d.list().Cursor, len(codes))]
		below := line.Sheet(line.Of(theme.Plain, views.FactorMeaning(here.Code)).Wrap(s.Width, 0))
		below = append(below, line.Of(theme.Pass, "✓ ").And(theme.Dim, whyFactor(here)+".").Wrap(s.Width, 2)...)
		return d.pick(d.factorLines(d.list().Cursor, s), below, s, height)
	},
}

// factorLines are the codes with the cursor on one of them; -1: on none.
func (d *Screen) factorLines(cursor int, s *screen.Scene) (sheet line.Sheet) {
	for i, one := range d.Codes() {
		mark := checkbox(d.Factors.Has(one.Code))
		if one.Always {
			mark = line.Of(theme.Pass, "[✓] ")
		}
		out := mark.Plus(line.Of(theme.Plain, one.Code.String()).Pad(factorWidth)).And(theme.Dim, "  "+whyFactor(one))
		if cursor < 0 { // there is no line below that says all of the reason
			out = line.Of(theme.Plain, widget.Spaces(widget.CursorWidth)).Plus(numberOf(i)).Plus(out)
			sheet = append(sheet, out.Wrap(s.Width, widget.CursorWidth+line.Width("1 [x] "))...)
			continue
		}
		sheet = append(sheet, d.numbered(i, out, i == cursor, s))
	}
	return sheet
}

func whyFactor(one rules.FactorReason) string {
	if one.Always && one.Why != decision.AlwaysRequired {
		return decision.AlwaysRequired + ": " + one.Why
	}
	return one.Why
}

var (
	outcomeWidth = widget.Widest(terms.Outcomes.Texts())
	factorWidth  = widget.Widest(terms.FactorCodes.Texts())
)

func checkbox(chosen bool) line.Line {
	if chosen {
		return line.Of(theme.Accent, "[x] ")
	}
	return line.Of(theme.Dim, "[ ] ")
}

// blockerStep adds blockers; those that the rules found are shown and cannot be removed.
var blockerStep = step{
	rows: func(d *Screen) int { return len(d.found()) },
	choose: func(d *Screen, s *screen.Scene) string {
		row, any := d.blockerAtCursor()
		if !any {
			return fmt.Sprintf("nothing matches the search; %s drops it", s.Key(action.GoBack, action.InSearch))
		}
		return d.Toggle(row.Code)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		var sheet line.Sheet
		if d.editor != nil {
			sheet = append(sheet, d.editor.View(s.Width))
		} else if d.search != "" {
			sheet = append(sheet, line.Of(theme.Accent, "/ ").And(theme.Input, d.search).Fit(s.Width))
		}
		var rows line.Sheet
		for i, row := range d.found() {
			out := checkbox(row.Added).And(theme.Plain, row.Code.String())
			switch {
			case row.Fixed != "":
				out = line.Of(theme.Bad, "[✗] "+row.Code.String()).And(theme.Dim, "  "+row.State())
			case row.Added, row.Earlier:
				out = out.And(theme.Warn, "  "+row.State())
			}
			rows = append(rows, d.numbered(i, out, i == d.list().Cursor, s))
		}
		return append(sheet, d.pick(rows, d.blockerWords(s), s, height-len(sheet))...)
	},
}

func (d *Screen) found() []decision.BlockerRow {
	rows := d.BlockerRows(d.search)
	earlier := slices.DeleteFunc(slices.Clone(rows), func(r decision.BlockerRow) bool { return !r.Earlier })
	return append(earlier, slices.DeleteFunc(rows, func(r decision.BlockerRow) bool { return r.Earlier })...)
}

func (d *Screen) blockerAtCursor() (decision.BlockerRow, bool) {
	found := d.found()
	if len(found) == 0 {
		return decision.BlockerRow{}, false
	}
	return found[widget.Clamp(d.list().Cursor, len(found))], true
}

func (d *Screen) blockerWords(s *screen.Scene) line.Sheet {
	row, any := d.blockerAtCursor()
	if !any {
		return line.Of(theme.Dim, fmt.Sprintf("Nothing matches the search. %s drops it.",
			s.Key(action.GoBack, action.InSearch))).Wrap(s.Width, 0)
	}
	sheet := line.Sheet(line.Of(theme.Plain, row.Meaning).Wrap(s.Width, 0))
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, row.Cure).Wrap(s.Width, 2)...)
	if why := d.Missing(decision.Blockers); why != "" {
		return append(sheet, line.Of(theme.Warn, "! "+why).Wrap(s.Width, 2)...)
	}
	return sheet
}

const statementHint = "your reasons; ^J starts a new line, ^_ undoes"

// statementStep refuses a statement with private details when it is entered, and never keeps it.
var statementStep = step{
	missing: func(d *Screen, _ *screen.Scene) string {
		return d.StatementObstacle(strings.TrimSpace(d.area.Text()))
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Dim, d.Question()).Wrap(s.Width, 0))
		if why := d.StatementNeeded(); why != "" {
			sheet = append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, fmt.Sprintf("It is required: %s.", why)).Wrap(s.Width, 2)...)
		}
		text := strings.TrimSpace(d.area.Text())
		var fault line.Sheet
		if text != "" && d.StatementFault(text) != "" {
			fault = line.Of(theme.Bad, "✗ ").And(theme.Plain, d.StatementFault(text)).Wrap(s.Width, 2)
		}
		typed := d.area.View(s.Width, max(height-len(fault)-min(len(sheet), max(height/2, 0)), 1))
		sheet = append(sheet.Window(0, max(height-len(fault)-len(typed), 0)), typed...)
		sheet = append(sheet, fault...).Window(0, height)
		return sheet
	},
}

func (d *Screen) prepared(s *screen.Scene) screen.Cmd {
	var rows []widget.Row
	for _, p := range d.PreparedFor(s.Prepared) {
		rows = append(rows, widget.Row{Label: p.Heading, Text: strings.ReplaceAll(p.Text, "\n", " "),
			Does: func(s *screen.Scene) screen.Cmd { return s.Refuse(d.paste(p.Text)) }})
	}
	return s.Raise(widget.NewMenu("Texts of your own", "insert", rows))
}

func (d *Screen) StatementTyped() string { return d.area.Text() }

// Edited takes the statement from an editor, all of it or nothing.
func (d *Screen) Edited(s *screen.Scene, text string) screen.Cmd {
	before := d.area
	d.area = widget.NewArea(statementHint, "")
	why := d.paste(strings.TrimRight(text, "\r\n"))
	if why != "" {
		d.area = before
	}
	return s.Refuse(why)
}

func (d *Screen) paste(text string) (refused string) {
	return d.write(action.Press{Msg: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}})
}

// write edits the statement, of which the draft holds as much as may be recorded.
func (d *Screen) write(p action.Press) (refused string) {
	refused = d.area.Take(p)
	d.Statement = decision.Drafted(d.area.Text())
	return refused
}

var noteStep = step{
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Dim, d.Question()).Wrap(s.Width, 0))
		sheet = append(sheet.Window(0, max(height-2, 0)), nil)
		return append(sheet.Window(0, max(height-1, 0)), d.editor.View(s.Width))
	},
}

var reviewStep = step{
	missing: func(d *Screen, s *screen.Scene) string {
		if s.Locked != "" {
			return s.Locked
		}
		if why := d.word.Missing(s.Clock()); why != "" {
			return why
		}
		return d.Missing(decision.Review)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		text := d.restate(s, false)
		if room := widget.WordRoom(height); len(text) > room {
			if short := d.restate(s, true); len(short) <= room {
				text = short
			}
		}
		return d.word.View(text, s.Width, height, s.Covered, s.Clock())
	},
}

// openReview starts the last page; keys typed before it could be read do not count.
func (d *Screen) openReview(s *screen.Scene) {
	d.word = widget.NewWord(decision.Word, decision.AskWord, s.Clock())
	d.seen, d.said = slices.Clone(d.Packet.Seen), d.Packet.Said
}

func (d *Screen) record(s *screen.Scene) screen.Cmd {
	d.word.Clear()
	d.awaits = 0 // what is being recorded is not evaluated again
	view := *d.Decision.View()
	return s.Append(s, &view, d.Choice(d.seen), d.Note)
}

// restate counts parts that were not on the screen if short, so that it fits. The gate stands in the
// title, and what the outcome means in its step.
func (d *Screen) restate(s *screen.Scene, short bool) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Strong, decision.ReviewTitle).Wrap(s.Width, 0))
	for _, member := range d.Restate(s.Reviewer, d.seen, d.said) {
		value := line.Written(theme.Plain, member.Value)
		switch member.Label {
		case decision.LabelLimits:
			sheet = append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, member.Value).Wrap(s.Width, 2)...)
			continue
		case decision.LabelDeparts:
			value = line.Of(theme.Warn, "! "+member.Value)
		case decision.LabelUnseen:
			if short {
				member.Value = d.UnseenCount(d.seen, d.said)
			}
			value = line.Of(theme.Warn, "! "+member.Value)
		case decision.LabelGate:
			continue
		case decision.LabelOutcome:
			member.Remarks = nil
		}
		for _, remark := range member.Remarks {
			text := line.Of(theme.Dim, remark.Text)
			if member.Label == decision.LabelSigner {
				text = widget.ShortKey(remark.Text)
			}
			value = value.And(theme.Dim, "  ").Plus(text)
		}
		pair, _ := widget.Pair(nil, member.Label, value, restateLabel, s.Width)
		sheet = append(sheet, pair...)
	}
	return sheet
}

const restateLabel = 14
