package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A Word takes the word that confirms an action that cannot be undone. It counts only if the whole
// text has been on the screen, and if it is typed letter by letter after that.
type Word struct {
	word, question string
	editor         *Editor
	scroll         Scroll
	read           shownText
	quietUntil     time.Time // keys before that were typed before the text could be read
	complaint      string    // why the last keys were not accepted
	lost           bool      // they came before the whole text had been on the screen
}

// NewWord asks for a word with a question, which has no colon.
func NewWord(word, question string, now time.Time) *Word {
	w := &Word{word: word, question: question}
	w.Ask(now)
	return w
}

const (
	justOpened = "this page has only just opened; read it first"
	wasPasted  = "pasted text does not count; type it"
)

// Ask puts the question, possibly again.
func (w *Word) Ask(now time.Time) {
	w.scroll, w.complaint, w.lost = Scroll{}, "", false
	w.editor = NewEditor("", "", "")
	w.quietUntil = now.Add(decision.Grace)
}

func (w *Word) Clear() { w.editor.Set("") }

func (w *Word) Move(v action.Verb) bool { return w.scroll.Move(v) }

// Missing says what is still missing; "" once the word is typed.
func (w *Word) Missing(now time.Time) string {
	switch why := w.unshown(); {
	case w.early(now):
		return justOpened
	case why != "":
		return why
	case !w.read.stood(now):
		return justOpened
	case w.editor.Text() != w.word:
		return fmt.Sprintf("type the word %s, then Enter", w.word)
	}
	return ""
}

// early: a key then restarts the wait, so that one held down never gets through.
func (w *Word) early(now time.Time) bool { return now.Before(w.quietUntil) }

// unshown counts the lines that have not been on the screen; "" if there are none.
func (w *Word) unshown() string {
	left, first := w.read.left()
	if left == 0 {
		return ""
	}
	key := "PgDn"
	if first < w.read.top {
		key = "PgUp"
	}
	return fmt.Sprintf("%s not shown yet (%s)", wording.Plural(left, "line", "lines"), key)
}

// Take takes letters of the word: no paste, no whole word at once, nothing typed before the text
// had been read. Letters that arrive together are letters, as a slow line delivers them.
func (w *Word) Take(p action.Press, now time.Time) {
	w.complaint, w.lost = "", w.unshown() != ""
	switch {
	case w.early(now):
		w.quietUntil = now.Add(decision.Grace)
		w.complaint = justOpened
	case p.Msg.Paste, strings.Contains(string(p.Msg.Runes), w.word):
		w.complaint = wasPasted
	case w.lost: // View says so
	case !w.read.stood(now):
		w.complaint = justOpened
	default:
		w.editor.Take(p)
	}
}

// WordRoom is how many lines of the text show at once in a window of a height.
func WordRoom(height int) int { return max(height-2, 1) }

// View draws the visible part of the text and the field below it. covered: an overlay hides it.
func (w *Word) View(text line.Sheet, width, height int, covered bool, now time.Time) line.Sheet {
	room := WordRoom(height)
	top := w.scroll.Window(len(text), room)
	end := min(top+room, len(text))
	if covered {
		w.read.draw(text, 0, 0, now)
	} else {
		w.read.draw(text, top, end, now)
	}
	rule := line.Rule(width)
	if more := len(text) - end; more > 0 {
		rule = line.Spread(line.Rule(width-14), line.Of(theme.Dim, "↓ "+wording.Plural(more, "line", "lines")), width)
	}
	why := cmp.Or(w.unshown(), w.complaint)
	if left, first := w.read.left(); left > 0 && w.lost {
		why = fmt.Sprintf("%s; not taken, read on from “%s”", why, strings.Join(strings.Fields(text[first].String()), " "))
	}
	if why != "" {
		rule = line.Of(theme.Warn, "! "+why).Fit(width)
	}
	w.editor.prompt = w.question + ": "
	if width < line.Width(w.editor.prompt)+len(w.word)+2 {
		w.editor.prompt = fmt.Sprintf("Type %s: ", w.word)
	}
	return append(text.Window(top, room).To(end-top), rule, w.editor.View(width))
}

// A shownText counts characters without blanks, which stay valid when another width wraps the text
// elsewhere; a changed text counts as not shown.
type shownText struct {
	text  string
	shown []bool // of each byte of text
	ends  []int  // of each line: where it ends in text
	top   int    // the lines on the screen, as last drawn, up to end
	end   int
	fresh []int     // first shown with the last frame
	since time.Time // when that was
}

// aFrame: a frame that is replaced earlier may never have been on the terminal.
const aFrame = 2 * time.Second / screen.FramesPerSecond

// draw notes that the lines from top up to end are on the screen; none if an overlay covers them.
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

func (r *shownText) begin(at int) int {
	if at == 0 {
		return 0
	}
	return r.ends[at-1]
}

// settle decides whether the new text of the last frame was on the terminal.
func (r *shownText) settle(now time.Time) {
	if !r.stood(now) {
		for _, at := range r.fresh {
			r.shown[at] = false
		}
	}
	r.fresh = nil
}

// stood reports whether the last frame was current long enough to have been seen.
func (r *shownText) stood(now time.Time) bool { return len(r.fresh) == 0 || now.Sub(r.since) >= aFrame }

// left counts the lines that have not been wholly on the screen yet; first is the first of them.
func (r *shownText) left() (count, first int) {
	for i := range r.ends {
		if slices.Contains(r.shown[r.begin(i):r.ends[i]], false) {
			if count == 0 {
				first = i
			}
			count++
		}
	}
	return count, first
}
