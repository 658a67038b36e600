package decide

import (
	"strings"
	"time"

	"docket/ui/line"
	"docket/ui/screen"
)

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

// left counts the lines of which something has not been on the screen yet; above tells whether the first of them is above
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
