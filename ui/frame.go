package ui

import (
	"strings"

	"docket/ui/line"
	"docket/ui/theme"
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
	s.compact = c.width < fullWidth || c.height < fullHeight
	s.covered = c.stage.overlay != nil
	s.width = c.width
	if s.compact {
		s.height = c.height - 2
		title := c.stage.top().title(s)
		if s.readOnly() {
			room := c.width - line.Width(readOnlyWord) - 2
			title = line.Spread(title.Fit(max(room, 0)), line.Of(theme.Bad, readOnlyWord), c.width)
		}
		if beside := c.besideTitle(c.width - title.Width() - 2); beside.Width() > 0 {
			title = line.Spread(title, beside, c.width)
		}
		sheet := append(line.Sheet{title.Fit(c.width)}, c.stage.top().view(s).To(s.height)...)
		return append(sheet, c.bottom())
	}
	s.height = c.height - 5
	sheet := line.Sheet{c.heading(), c.stage.top().title(s).Fit(c.width), line.Rule(c.width)}
	sheet = append(sheet, c.stage.top().view(s).To(s.height)...)
	return append(sheet, c.statusLine(), c.footer())
}

// besideTitle is what a small window has room for of what else has to be said: how it stands with the service, which has no
// other place there, and the notice.
func (c *console) besideTitle(room int) line.Line {
	service, notice := &c.scene.service, line.Of(theme.Warn, c.notice)
	left := room - notice.Width()
	if c.notice != "" && left >= 0 {
		if said := serviceLine(service, c.scene.now, left-line.Width(gap)); said.Width() > 0 {
			return said.And(theme.Dim, gap).Plus(notice)
		}
		if serviceSilent(service) {
			return notice
		}
	}
	return serviceLine(service, c.scene.now, room)
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

// who says who works here and, where nothing can be recorded, that and, with room, why.
func (c *console) who(room bool) line.Line {
	reviewer := c.scene.reviewer
	if c.scene.readOnly() {
		out, why := line.Of(theme.Bad, readOnlyWord), ""
		switch {
		case c.scene.locked != "" && c.proof == proofFound:
		case c.scene.locked != "":
			why = "the store can only be read"
		case c.scene.keyless != "":
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
	if !c.scene.ready {
		return nil
	}
	out := line.Of(theme.Plain, string(reviewer.ID)).And(theme.Dim, " · "+reviewer.Role.Label())
	if c.width >= 100 && reviewer.KeyFingerprint != "" {
		out = out.And(theme.Dim, " · ").Plus(line.Of(theme.Dim, reviewer.KeyFingerprint).Fit(20))
	}
	return out
}

// statusLine is how the last action went and what time it is.
func (c *console) statusLine() line.Line {
	role := theme.Plain
	if c.recording != nil || strings.HasPrefix(c.stage.status, "✗") {
		role = theme.Warn
	}
	right := line.Line(nil)
	if c.scene.now.Present() {
		right = line.Of(theme.Dim, wording.Moment(c.scene.now))
	}
	left := line.Of(role, c.stage.status)
	if c.stage.status == "" {
		left = c.exportBar(c.width - right.Width() - 2)
	}
	room := c.width - right.Width() - line.Width(gap)
	if left.Width() > 0 {
		room -= left.Width() + 2
	}
	if said := serviceLine(&c.scene.service, c.scene.now, room); said.Width() > 0 {
		right = said.And(theme.Dim, gap).Plus(right)
	}
	return line.Spread(left, right, c.width)
}

// bottom is the last line: in a small window the one that there is room for besides the title.
func (c *console) bottom() line.Line {
	switch {
	case !c.scene.compact:
	case c.stage.status != "":
		return line.Of(theme.Warn, c.stage.status).Fit(c.width)
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
		return keyLine([]overlayKey{{"ctrl+c", "cancel"}}, c.width)
	case c.stage.overlay != nil:
		return keyLine(c.stage.overlay.keys(), c.width)
	}
	var out line.Line
	ranked := ranked(actionsIn(c.stage.top().place()))
	for i, a := range ranked {
		key := theme.Accent
		if c.stage.top().obstacle(a.verb, &c.scene) != "" {
			key = theme.Dim
		}
		next := line.Of(key, keyLabel(a.keys[0])).And(theme.Dim, " "+a.label)
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
func keyLine(keys []overlayKey, width int) line.Line {
	var out line.Line
	for _, k := range keys {
		next := line.Of(theme.Accent, keyLabel(k.key)).And(theme.Dim, " "+k.label)
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
func (c *console) squeeze(ranked []*action, fit int) line.Line {
	help := line.Line(nil)
	for _, a := range ranked {
		if a.verb == openHelp {
			help = line.Of(theme.Accent, keyLabel(a.keys[0])).And(theme.Dim, " "+a.label)
		}
	}
	var out line.Line
	for _, a := range ranked[:fit] {
		if a.verb == openHelp {
			continue // it stands at the end
		}
		next := line.Of(theme.Accent, keyLabel(a.keys[0])).And(theme.Dim, " "+a.label+"  ")
		if c.stage.top().obstacle(a.verb, &c.scene) != "" {
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
