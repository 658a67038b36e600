// Package frame draws the lines of the window around a screen: the reviewer, the title, the result
// of the last action, the state of the service, the keys; in a small window it leaves some out.
//
//	frame.go    the lines, and the overlay over them
//	footer.go   the keys
//	service.go  what is said of the service
package frame

import (
	"fmt"
	"strconv"
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// Below the least size only a sentence is drawn, below the full one fewer lines around a screen.
const (
	LeastWidth, LeastHeight = 20, 8
	fullWidth, fullHeight   = 60, 16
)

// A Frame is the window and what is drawn around the screen on top.
type Frame struct {
	Width, Height int
	// Progress shows how far the work in the background is, in at most this many columns; stops is
	// the key that stops it here, or "". It is empty if nothing runs.
	Progress func(width int, stops string) line.Line
}

// Small reports whether the window shows no page: only a sentence that says so.
func (f *Frame) Small() bool { return f.Width < LeastWidth || f.Height < LeastHeight }

// Draw lays out the window: the screen on top with the lines around it, and the overlay over it.
func (f *Frame) Draw(t *screen.Stage, s *screen.Scene) line.Sheet {
	if f.Small() {
		return f.tooSmall()
	}
	behind := f.framed(t, s)
	if t.Overlay == nil {
		return behind
	}
	box, size := t.Overlay.Box(f.Width, f.Height-1)
	sheet := line.Over(behind, box, size, f.Width, f.Height)
	sheet[f.Height-1] = f.bottom(t, s) // of the overlay or screen with the keyboard
	return sheet
}

func (f *Frame) tooSmall() (sheet line.Sheet) {
	least := strconv.Itoa(LeastWidth)
	for _, text := range []string{fmt.Sprintf("docket needs a window of at least %s by %d; ^C leaves.", least, LeastHeight),
		fmt.Sprintf("%s by %d at least; ^C leaves.", least, LeastHeight), "Too small; ^C leaves.", "^C leaves"} {
		if sheet = line.Of(theme.Warn, text).Wrap(max(f.Width, 1), 0); len(sheet) <= f.Height {
			break
		}
	}
	return sheet.To(f.Height)
}

func greets(t *screen.Stage, s *screen.Scene) bool {
	return s.Greeting != "" && !s.Compact && action.SetOf(action.InQueue, action.InFilter).Has(t.Top().Place())
}

const threeKeys = "%s opens a case, %s decides it, %s helps."

func greeting(s *screen.Scene, width int) (out line.Line) {
	keys := []string{s.Keys.KeyOf(action.Accept, action.InQueue), s.Keys.KeyOf(action.Decide,
		action.InPacket), s.Keys.KeyOf(action.OpenHelp, action.InQueue)}
	for i, words := range strings.Split(threeKeys, "%s") {
		if i > 0 {
			out = out.And(theme.Accent, keys[i-1])
		}
		out = out.And(theme.Plain, words)
	}
	if whole := line.Of(theme.Strong, s.Greeting+" ").Plus(out); whole.Width() <= width {
		return whole
	}
	return out.Fit(width)
}

func (f *Frame) framed(t *screen.Stage, s *screen.Scene) line.Sheet {
	s.Compact = f.Width < fullWidth || f.Height < fullHeight
	s.Covered = t.Overlay != nil
	s.Width = f.Width
	if s.Compact {
		s.Height = f.Height - 2
		title := t.Top().Title(s)
		if s.ReadOnly() {
			room := f.Width - line.Width(readOnlyWord) - 2
			title = line.Spread(title.Fit(max(room, 0)), line.Of(theme.Bad, readOnlyWord), f.Width)
		}
		if beside := besideTitle(s, f.Width-title.Width()-2); beside.Width() > 0 {
			title = line.Spread(title, beside, f.Width)
		}
		sheet := append(line.Sheet{title.Fit(f.Width)}, t.Top().View(s).To(s.Height)...)
		return append(sheet, f.bottom(t, s))
	}
	sheet := line.Sheet{f.heading(s), t.Top().Title(s).Fit(f.Width), f.rule(t, s)}
	if greets(t, s) {
		sheet = append(sheet, greeting(s, f.Width))
	}
	s.Height = f.Height - len(sheet) - 2
	sheet = append(sheet, t.Top().View(s).To(s.Height)...)
	return append(sheet, f.statusLine(t, s), footer(t, s, f.Width))
}

func (f *Frame) rule(t *screen.Stage, s *screen.Scene) line.Line {
	if t.Receipt == nil || !action.SetOf(action.InPacket, action.InFind).Has(t.Top().Place()) {
		return line.Rule(f.Width)
	}
	said := t.Receipt.Title(s).And(theme.Dim, " · ").And(theme.Accent, s.Key(action.ShowReceipt,
		action.InPacket)).And(theme.Dim, " receipt ")
	return said.Plus(line.Rule(max(f.Width-said.Width(), 0))).Fit(f.Width)
}

func besideTitle(s *screen.Scene, room int) line.Line {
	service, notice := &s.Service, line.Of(theme.Warn, s.Notice)
	left := room - notice.Width()
	if s.Notice != "" && left >= 0 {
		if said := serviceLine(service, s.Now, left-line.Width(widget.Gap)); said.Width() > 0 {
			return said.And(theme.Dim, widget.Gap).Plus(notice)
		}
		if serviceSilent(service) {
			return notice
		}
	}
	return serviceLine(service, s.Now, room)
}

var logWords = [...]line.Line{
	screen.NotAsked:    nil,
	screen.Checking:    line.Of(theme.Dim, "checking the log …"),
	screen.Checked:     line.Of(theme.Pass, "✓").And(theme.Dim, " "+wording.LogChecked),
	screen.CheckFailed: line.Of(theme.Warn, "? log not checked"),
	screen.Altered:     line.Of(theme.Bad, "✗ log altered"),
	screen.Unanchored:  line.Of(theme.Bad, "✗ log not accepted"),
}

func (f *Frame) heading(s *screen.Scene) line.Line {
	left := line.Of(theme.Strong, "docket")
	if s.Notice != "" {
		left = left.And(theme.Dim, "  ").And(theme.Warn, s.Notice)
	}
	right := f.who(s, true)
	if left.Width()+right.Width()+2 > f.Width {
		right = f.who(s, false)
	}
	if word := logWords[s.LogCheck]; left.Width()+word.Width()+right.Width()+5 <= f.Width && len(word) > 0 {
		right = word.And(theme.Dim, " · ").Plus(right)
	}
	return line.Spread(left, right, f.Width)
}

const readOnlyWord = "READ-ONLY"

func (f *Frame) who(s *screen.Scene, room bool) line.Line {
	reviewer := s.Reviewer
	if s.ReadOnly() {
		out, why := line.Of(theme.Bad, readOnlyWord), ""
		switch {
		case s.Locked != "" && s.LogCheck.Found():
		case s.Locked != "":
			why = "the store can only be read"
		case s.Keyless != "":
			why = "the key cannot be used"
		default:
			why = "no reviewer is set up"
		}
		if why != "" && room {
			out = out.And(theme.Dim, " · "+why)
		}
		if reviewer.Known() {
			out = line.Of(theme.Plain, string(reviewer.ID)).And(theme.Dim, " · ").Plus(out)
		}
		return out
	}
	if !s.Ready {
		return nil
	}
	out := line.Of(theme.Plain, string(reviewer.ID)).And(theme.Dim, " · "+reviewer.Role.Label())
	if f.Width >= 100 && reviewer.KeyFingerprint != "" {
		out = out.And(theme.Dim, " · ").Plus(widget.ShortKey(reviewer.KeyFingerprint))
	}
	return out
}

func (f *Frame) statusLine(t *screen.Stage, s *screen.Scene) line.Line {
	role := theme.Plain
	if s.Recording || strings.HasPrefix(t.Status, "✗") {
		role = theme.Warn
	}
	right := line.Line(nil)
	if s.Now.Present() {
		right = line.Of(theme.Dim, wording.Moment(s.Now))
	}
	left := line.Of(role, t.Status)
	if t.Status == "" {
		left = f.progress(t, s, f.Width-right.Width()-2)
	}
	if left.Width() > 0 && left.Width()+2+right.Width() > f.Width {
		return left.Fit(f.Width) // the time gives way to the result
	}
	room := f.Width - right.Width() - line.Width(widget.Gap)
	if left.Width() > 0 {
		room -= left.Width() + 2
	}
	if said := serviceLine(&s.Service, s.Now, room); said.Width() > 0 {
		right = said.And(theme.Dim, widget.Gap).Plus(right)
	}
	return line.Spread(left, right, f.Width)
}

func (f *Frame) bottom(t *screen.Stage, s *screen.Scene) line.Line {
	switch {
	case !s.Compact:
	case t.Status != "":
		return line.Of(theme.Warn, t.Status).Fit(f.Width)
	case s.StopExport != nil:
		return f.progress(t, s, f.Width)
	}
	return footer(t, s, f.Width)
}

// progress names the key that stops the work only on the list of records, where it acts.
func (f *Frame) progress(t *screen.Stage, s *screen.Scene, width int) line.Line {
	stops := ""
	if t.Top().Place() == action.InRecords {
		stops = s.Key(action.GoBack, action.InRecords)
	}
	return f.Progress(width, stops)
}
