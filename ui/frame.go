package ui

import (
	"strings"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// The window: below the least size only a sentence is drawn, below the full one the lines around a screen shrink.
const (
	leastWidth, leastHeight = 20, 8
	fullWidth, fullHeight   = 60, 16
)

// framed draws the screen on top with the lines around it: who sits here, what is shown, how the last action went,
// which keys there are.
func (c *console) framed() line.Sheet {
	s := &c.scene
	s.Compact = c.width < fullWidth || c.height < fullHeight
	s.Covered = c.stage.Overlay != nil
	s.Width = c.width
	if s.Compact {
		s.Height = c.height - 2
		title := c.stage.Top().Title(s)
		if s.ReadOnly() {
			room := c.width - line.Width(readOnlyWord) - 2
			title = line.Spread(title.Fit(max(room, 0)), line.Of(theme.Bad, readOnlyWord), c.width)
		}
		if beside := c.besideTitle(c.width - title.Width() - 2); beside.Width() > 0 {
			title = line.Spread(title, beside, c.width)
		}
		sheet := append(line.Sheet{title.Fit(c.width)}, c.stage.Top().View(s).To(s.Height)...)
		return append(sheet, c.bottom())
	}
	s.Height = c.height - 5
	sheet := line.Sheet{c.heading(), c.stage.Top().Title(s).Fit(c.width), line.Rule(c.width)}
	sheet = append(sheet, c.stage.Top().View(s).To(s.Height)...)
	return append(sheet, c.statusLine(), c.footer())
}

// besideTitle is what fits beside the title of a small window: the state of the service, which has no other place there, and
// the notice.
func (c *console) besideTitle(room int) line.Line {
	service, notice := &c.scene.Service, line.Of(theme.Warn, c.notice)
	left := room - notice.Width()
	if c.notice != "" && left >= 0 {
		if said := serviceLine(service, c.scene.Now, left-line.Width(widget.Gap)); said.Width() > 0 {
			return said.And(theme.Dim, widget.Gap).Plus(notice)
		}
		if serviceSilent(service) {
			return notice
		}
	}
	return serviceLine(service, c.scene.Now, room)
}

// heading says whose console this is.
func (c *console) heading() line.Line {
	left := line.Of(theme.Strong, "docket")
	if c.notice != "" {
		left = left.And(theme.Dim, "  ").And(theme.Warn, c.notice)
	}
	right := c.who(true)
	if left.Width()+right.Width()+2 > c.width {
		right = c.who(false)
	}
	if word := proofWords[c.proof]; left.Width()+word.Width()+right.Width()+5 <= c.width && len(word) > 0 {
		right = word.And(theme.Dim, " · ").Plus(right)
	}
	return line.Spread(left, right, c.width)
}

// readOnlyWord is on every screen while nothing can be recorded.
const readOnlyWord = "READ-ONLY"

// who names the reviewer and says whether nothing can be recorded; with room, also why.
func (c *console) who(room bool) line.Line {
	reviewer := c.scene.Reviewer
	if c.scene.ReadOnly() {
		out, why := line.Of(theme.Bad, readOnlyWord), ""
		switch {
		case c.scene.Locked != "" && c.proof == proofFound:
		case c.scene.Locked != "":
			why = "the store can only be read"
		case c.scene.Keyless != "":
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
	if !c.scene.Ready {
		return nil
	}
	out := line.Of(theme.Plain, string(reviewer.ID)).And(theme.Dim, " · "+reviewer.Role.Label())
	if c.width >= 100 && reviewer.KeyFingerprint != "" {
		out = out.And(theme.Dim, " · ").Plus(line.Of(theme.Dim, reviewer.KeyFingerprint).Fit(20))
	}
	return out
}

// statusLine shows the result of the last action and the time.
func (c *console) statusLine() line.Line {
	role := theme.Plain
	if c.recording != nil || strings.HasPrefix(c.stage.Status, "✗") {
		role = theme.Warn
	}
	right := line.Line(nil)
	if c.scene.Now.Present() {
		right = line.Of(theme.Dim, wording.Moment(c.scene.Now))
	}
	left := line.Of(role, c.stage.Status)
	if c.stage.Status == "" {
		left = c.exportBar(c.width - right.Width() - 2)
	}
	room := c.width - right.Width() - line.Width(widget.Gap)
	if left.Width() > 0 {
		room -= left.Width() + 2
	}
	if said := serviceLine(&c.scene.Service, c.scene.Now, room); said.Width() > 0 {
		right = said.And(theme.Dim, widget.Gap).Plus(right)
	}
	return line.Spread(left, right, c.width)
}

// bottom is the last line of the window: the footer, or in a small window the status.
func (c *console) bottom() line.Line {
	switch {
	case !c.scene.Compact:
	case c.stage.Status != "":
		return line.Of(theme.Warn, c.stage.Status).Fit(c.width)
	case c.export != nil:
		return c.exportBar(c.width)
	}
	return c.footer()
}

// footer shows the most useful keys of what has the keyboard, as many as fit: those of the overlay, or of the screen, from the
// table of actions. One that cannot be used now is dimmed.
func (c *console) footer() line.Line {
	switch {
	case c.recording != nil:
		return keyLine([]screen.Key{{Key: "ctrl+c", Label: "cancel"}}, c.width)
	case c.stage.Overlay != nil:
		return keyLine(c.stage.Overlay.Keys(), c.width)
	}
	var out line.Line
	ranked := action.Ranked(action.Of(c.stage.Top().Place()))
	for i, a := range ranked {
		key := theme.Accent
		if c.stage.Top().Obstacle(a.Verb, &c.scene) != "" {
			key = theme.Dim
		}
		next := line.Of(key, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label)
		if out.Width()+2+next.Width() > c.width {
			return c.squeeze(ranked, i)
		}
		if len(out) > 0 {
			next = line.Of(theme.Dim, "  ").Plus(next)
		}
		out = out.Plus(next)
	}
	return out
}

// keyLine lists keys, as many as fit.
func keyLine(keys []screen.Key, width int) line.Line {
	var out line.Line
	for _, k := range keys {
		next := line.Of(theme.Accent, action.KeyLabel(k.Key)).And(theme.Dim, " "+k.Label)
		if len(out) > 0 {
			next = line.Of(theme.Dim, "  ").Plus(next)
		}
		if out.Width()+next.Width() > width {
			break
		}
		out = out.Plus(next)
	}
	return out.Fit(width)
}

// squeeze keeps the key for help in a footer in which not every key fits.
func (c *console) squeeze(ranked []*action.Action, fit int) line.Line {
	help := line.Line(nil)
	for _, a := range ranked {
		if a.Verb == action.OpenHelp {
			help = line.Of(theme.Accent, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label)
		}
	}
	var out line.Line
	for _, a := range ranked[:fit] {
		if a.Verb == action.OpenHelp {
			continue // it stands at the end
		}
		next := line.Of(theme.Accent, action.KeyLabel(a.Keys[0])).And(theme.Dim, " "+a.Label+"  ")
		if c.stage.Top().Obstacle(a.Verb, &c.scene) != "" {
			next = next.As(theme.Dim)
		}
		if out.Width()+next.Width()+help.Width() > c.width {
			break
		}
		out = out.Plus(next)
	}
	return out.Plus(help).Fit(c.width)
}

// LeastSize is the smallest window, in columns and rows, in which the console draws its screens.
func LeastSize() (width, height int) { return leastWidth, leastHeight }

// A serviceWord is one thing that is said of the service, the shorter text for where there is no room for the other.
type serviceWord struct {
	turn        int // 1 comes first and leaves last
	full, short line.Line
}

// serviceWords are the parts of what is said of the service, from left to right.
func serviceWords(t *screen.Service, now terms.Instant) []serviceWord {
	if serviceSilent(t) {
		return nil
	}
	var out []serviceWord
	if n := t.Tally.Rejected; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{1, line.Of(theme.Bad, widget.RejectedMark+" "+count+" "+wording.Rejected),
			line.Of(theme.Bad, widget.RejectedMark+count)})
	}
	if n := t.Tally.Waiting; n > 0 {
		count := wording.Thousands(int(n))
		out = append(out, serviceWord{2, line.Of(theme.Warn, widget.WaitingMark).And(theme.Plain, " "+count+" "+wording.NotHandedIn),
			line.Of(theme.Warn, widget.WaitingMark).And(theme.Plain, count)})
	}
	if t.Trouble != "" {
		word := line.Of(theme.Warn, "? no later news of it")
		out = append(out, serviceWord{3, word, word})
	}
	offline, pulled := line.Of(theme.Dim, "offline"), line.Of(theme.Dim, pulledText(t.Tally.Pulled, now))
	return append(out, serviceWord{5, offline, offline}, serviceWord{4, pulled, pulled})
}

// pulledText says when packets were last pulled.
func pulledText(at, now terms.Instant) string {
	if !at.Present() {
		return "never pulled"
	}
	return "pulled " + wording.Span(max(now.Sub(at), 0), wording.Soon) + " ago"
}

// serviceLine says as much of the service as fits; the most important part is dropped last.
func serviceLine(t *screen.Service, now terms.Instant, width int) line.Line {
	words := serviceWords(t, now)
	chosen := make([]line.Line, len(words))
	room := width
	for turn := 1; turn <= serviceTurns; turn++ {
		for i := range words {
			if words[i].turn != turn {
				continue
			}
			between := 0
			if room < width {
				between = line.Width(widget.Gap)
			}
			text := words[i].full
			if text.Width()+between > room {
				text = words[i].short
			}
			if text.Width()+between > room {
				return widget.Joined(chosen)
			}
			chosen[i], room = text, room-text.Width()-between
		}
	}
	return widget.Joined(chosen)
}

const (
	serviceTurns = 5
)

// serviceSilent tells whether there is nothing to say: this store never met a service, and nothing waits for one.
func serviceSilent(t *screen.Service) bool {
	return !t.Read || t.Tally.Service == "" && t.Tally.Waiting == 0 && t.Tally.Rejected == 0
}
