package ui

import (
	"strings"

	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// reviewStep restates what will be written and what it cannot do, and takes the word.
var reviewStep = step{
	missing: func(d *decideScreen, s *scene) string {
		if s.locked != "" {
			return s.locked
		}
		if d.early(s) {
			return justOpened
		}
		if why := d.unread(s); why != "" {
			return why
		}
		if d.editor.text() != decision.Word {
			return "type the word " + decision.Word + ", then Enter"
		}
		return d.Missing(decision.Review, s.reviewer)
	},
	view: func(d *decideScreen, s *scene, height int) line.Sheet {
		text := d.restate(s)
		room := max(height-2, 1)
		top := d.scroll.window(len(text), room)
		end := min(top+room, len(text))
		if s.covered {
			d.read.draw(text, 0, 0, s.clock())
		} else {
			d.read.draw(text, top, end, s.clock())
		}
		rule := line.Rule(s.width)
		if more := len(text) - end; more > 0 {
			rule = line.Spread(line.Rule(s.width-14), line.Of(theme.Dim, "↓ "+wording.Plural(more, "line", "lines")), s.width)
		}
		if why := d.whyNotTyped(); why != "" {
			rule = line.Of(theme.Warn, "! "+why).Fit(s.width)
		}
		d.editor.prompt = theQuestion
		if s.width < line.Width(theQuestion)+len(decision.Word)+2 {
			d.editor.prompt = theShortQuestion
		}
		return append(text.Window(top, room).To(end-top), rule, d.editor.view(s.width))
	},
}

// The field of the last page, and why it does not take what is typed.
const (
	theQuestion      = decision.AskWord + ": "
	theShortQuestion = "Type " + decision.Word + ": "
	justOpened       = "this page has only just opened; read it first"
	wasPasted        = "pasted; type it letter by letter"
	cameInOnePiece   = "came in one piece; type it letter by letter"
)

// openReview starts the last page. Whatever was typed before it could be read does not count.
func (d *decideScreen) openReview(s *scene) {
	d.read = shownText{}
	d.askAgain(s)
}

// askAgain puts the final question.
func (d *decideScreen) askAgain(s *scene) {
	d.scroll, d.complaint = scroll{}, ""
	d.editor = newEditor(theQuestion, "", "")
	d.quietTil = s.clock().Add(decision.Grace)
}

// early tells whether the page has just opened. A key that comes then begins the wait anew, so that one that is held down
// never gets through.
func (d *decideScreen) early(s *scene) bool { return s.clock().Before(d.quietTil) }

// unread says that not all of the page has been on the screen; "" if it has.
func (d *decideScreen) unread(s *scene) string {
	if why := d.unshown(); why != "" {
		return why
	}
	if !d.read.stood(s.clock()) {
		return justOpened
	}
	return ""
}

// unshown counts the lines that have not been on the screen; "" if there are none.
func (d *decideScreen) unshown() string {
	left, above := d.read.left()
	switch {
	case left == 0:
		return ""
	case above:
		return wording.Plural(left, "line", "lines") + " not shown yet (PgUp)"
	}
	return wording.Plural(left, "line", "lines") + " not shown yet (PgDn)"
}

// whyNotTyped says why nothing that is typed is taken, or why the last keys were not; "" if there is no reason.
func (d *decideScreen) whyNotTyped() string {
	if why := d.unshown(); why != "" {
		return why
	}
	return d.complaint
}

// typeWord takes letters of the word: no paste, no whole word at once, nothing that was typed before the page had been read.
// Letters that arrive together are letters, as a slow line delivers them.
func (d *decideScreen) typeWord(p press, s *scene) effect {
	d.complaint = ""
	switch {
	case d.early(s):
		d.quietTil = s.clock().Add(decision.Grace)
		d.complaint = justOpened
	case p.msg.Paste:
		d.complaint = wasPasted
	case strings.Contains(string(p.msg.Runes), decision.Word):
		d.complaint = cameInOnePiece
	case d.unshown() != "": // the reason stands there already
	case !d.read.stood(s.clock()):
		d.complaint = justOpened
	default:
		d.editor.take(p)
	}
	return nil
}

// refuse clears the word after the desk has refused.
func (d *decideScreen) refuse(s *scene) { d.askAgain(s) }

func (d *decideScreen) record() effect {
	d.editor.set("")
	d.ticket = 0 // what is being recorded is not evaluated again
	view := *d.View()
	return record{view: &view, choice: d.Choice(d.packet.seen), note: d.Note}
}

// restate writes out the record to be.
func (d *decideScreen) restate(s *scene) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Strong, decision.ReviewTitle).Wrap(s.width, 0))
	for _, member := range d.Restate(s.reviewer, d.packet.seen) {
		value := line.Of(theme.Plain, member.Value)
		if member.Label == "gate" {
			value = gateWord(d.Gate())
		}
		if member.Remark != "" {
			value = value.And(theme.Dim, "  "+member.Remark)
		}
		pair, _ := pair(nil, member.Label, value, restateLabel, s.width)
		sheet = append(sheet, pair...)
	}
	sheet = append(sheet, nil)
	return append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, decision.Cannot(d.View().Area())).Wrap(s.width, 2)...)
}

const restateLabel = 14
