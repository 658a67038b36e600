package decide

import (
	"slices"
	"strings"
	"time"

	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// reviewStep restates what will be written and what it cannot do, and takes the word.
var reviewStep = step{
	missing: func(d *Screen, s *screen.Scene) string {
		if s.Locked != "" {
			return s.Locked
		}
		if d.early(s) {
			return justOpened
		}
		if why := d.unread(s); why != "" {
			return why
		}
		if d.editor.Text() != decision.Word {
			return "type the word " + decision.Word + ", then Enter"
		}
		return d.Missing(decision.Review, s.Reviewer)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		text := d.restate(s)
		room := max(height-2, 1)
		top := d.scroll.Window(len(text), room)
		end := min(top+room, len(text))
		if s.Covered {
			d.read.draw(text, 0, 0, s.Clock())
		} else {
			d.read.draw(text, top, end, s.Clock())
		}
		rule := line.Rule(s.Width)
		if more := len(text) - end; more > 0 {
			rule = line.Spread(line.Rule(s.Width-14), line.Of(theme.Dim, "↓ "+wording.Plural(more, "line", "lines")), s.Width)
		}
		if why := d.whyNotTyped(); why != "" {
			rule = line.Of(theme.Warn, "! "+why).Fit(s.Width)
		}
		d.editor.Prompt = theQuestion
		if s.Width < line.Width(theQuestion)+len(decision.Word)+2 {
			d.editor.Prompt = theShortQuestion
		}
		return append(text.Window(top, room).To(end-top), rule, d.editor.View(s.Width))
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

// openReview starts the last page. Keys typed before it could be read do not count.
func (d *Screen) openReview(s *screen.Scene) {
	d.read, d.seen = shownText{}, slices.Clone(d.Packet.Seen)
	d.askAgain(s)
}

// askAgain puts the final question.
func (d *Screen) askAgain(s *screen.Scene) {
	d.scroll, d.complaint = widget.Scroll{}, ""
	d.editor = widget.NewEditor(theQuestion, "", "")
	d.quietUntil = s.Clock().Add(decision.Grace)
}

// early tells whether the page has just opened. A key that comes then restarts the wait, so that one that is held down
// never gets through.
func (d *Screen) early(s *screen.Scene) bool { return s.Clock().Before(d.quietUntil) }

// unread says that not all of the page has been on the screen; "" if it has.
func (d *Screen) unread(s *screen.Scene) string {
	if why := d.unshown(); why != "" {
		return why
	}
	if !d.read.stood(s.Clock()) {
		return justOpened
	}
	return ""
}

// unshown counts the lines that have not been on the screen; "" if there are none.
func (d *Screen) unshown() string {
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
func (d *Screen) whyNotTyped() string {
	if why := d.unshown(); why != "" {
		return why
	}
	return d.complaint
}

// typeWord takes letters of the word: no paste, no whole word at once, nothing that was typed before the page had been read.
// Letters that arrive together are letters, as a slow line delivers them.
func (d *Screen) typeWord(p action.Press, s *screen.Scene) screen.Effect {
	d.complaint = ""
	switch {
	case d.early(s):
		d.quietUntil = s.Clock().Add(decision.Grace)
		d.complaint = justOpened
	case p.Msg.Paste:
		d.complaint = wasPasted
	case strings.Contains(string(p.Msg.Runes), decision.Word):
		d.complaint = cameInOnePiece
	case d.unshown() != "": // the reason stands there already
	case !d.read.stood(s.Clock()):
		d.complaint = justOpened
	default:
		d.editor.Take(p)
	}
	return nil
}

func (d *Screen) record() screen.Effect {
	d.editor.Set("")
	d.ticket = 0 // what is being recorded is not evaluated again
	view := *d.Decision.View()
	return screen.Append{View: &view, Choice: d.Choice(d.seen), Note: d.Note}
}

// restate writes out the record to be.
func (d *Screen) restate(s *screen.Scene) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Strong, decision.ReviewTitle).Wrap(s.Width, 0))
	for _, member := range d.Restate(s.Reviewer, d.seen) {
		value := line.Of(theme.Plain, member.Value)
		if member.Label == decision.LabelDeparts || member.Label == decision.LabelUnseen {
			value = line.Of(theme.Warn, "! "+member.Value)
		}
		if member.Label == "gate" {
			value = widget.GateWord(d.Gate())
		}
		if member.Remark != "" {
			value = value.And(theme.Dim, "  "+member.Remark)
		}
		pair, _ := widget.Pair(nil, member.Label, value, restateLabel, s.Width)
		sheet = append(sheet, pair...)
	}
	sheet = append(sheet, nil)
	return append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, decision.Cannot(d.Decision.View().Area())).Wrap(s.Width, 2)...)
}

const restateLabel = 14

// A shownText knows how much of a text has been on the screen. It counts characters and no lines, and leaves blanks out, so
// that what was on the screen stays known when the window changes its width and the text wraps at other places. A text that
// has changed has not been on the screen.
type shownText struct {
	text  string
	shown []bool // of each byte of text
	ends  []int  // of each line: where it ends in text
	top   int    // the lines on the screen, as last drawn, up to end
	end   int
	fresh []int     // what came on the screen with the last frame
	since time.Time // when that was
}

// aFrame is how long a frame stands before it surely was on the terminal, which is sent framesPerSecond of them: one that is
// replaced earlier may never have been there.
const aFrame = 2 * time.Second / screen.FramesPerSecond

// draw notes that the lines from top up to end are on the screen; none are where something lies over them.
func (r *shownText) draw(text line.Sheet, top, end int, now time.Time) {
	r.lay(text)
	from, to := r.begin(top), r.begin(end)
	if top != r.top || end != r.end {
		r.settle(now)
	}
	for at := from; at < to; at++ {
		if !r.shown[at] {
			r.shown[at], r.since = true, now
			r.fresh = append(r.fresh, at)
		}
	}
	r.top, r.end = top, end
}

// lay takes the text over as it wraps now.
func (r *shownText) lay(sheet line.Sheet) {
	var text strings.Builder
	r.ends = r.ends[:0]
	for _, l := range sheet {
		for word := range strings.FieldsSeq(l.String()) {
			text.WriteString(word)
		}
		r.ends = append(r.ends, text.Len())
	}
	if text.String() != r.text {
		r.text, r.shown, r.fresh = text.String(), make([]bool, text.Len()), nil
	}
}

// begin is where a line begins in the text.
func (r *shownText) begin(at int) int {
	if at == 0 {
		return 0
	}
	return r.ends[at-1]
}

func (r *shownText) anyNew(from, to int) bool {
	for at := from; at < to; at++ {
		if !r.shown[at] {
			return true
		}
	}
	return false
}

// settle decides whether what the last frame showed for the first time was on the terminal.
func (r *shownText) settle(now time.Time) {
	if !r.stood(now) {
		for _, at := range r.fresh {
			r.shown[at] = false
		}
	}
	r.fresh = nil
}

// stood tells whether the last frame has stood long enough to have been seen.
func (r *shownText) stood(now time.Time) bool { return len(r.fresh) == 0 || now.Sub(r.since) >= aFrame }

// left counts the lines that have not been wholly on the screen yet; above tells whether the first of them is above
// the screen.
func (r *shownText) left() (count int, above bool) {
	for i := range r.ends {
		if r.anyNew(r.begin(i), r.ends[i]) {
			above = above || count == 0 && i < r.top
			count++
		}
	}
	return count, above
}
