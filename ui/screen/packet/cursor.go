package packet

import (
	"maps"

	"docket/ui/action"
	"docket/ui/screen"
)

func (p *Screen) here(s *screen.Scene) *stop {
	l := p.laid(s)
	return &l.stops[l.find(p.cursor)]
}

func (p *Screen) fitted(s *screen.Scene) *packetText {
	l := p.laid(s)
	p.scroll.Window(len(l.sheet), s.Height)
	return l
}

func (p *Screen) move(v action.Verb, s *screen.Scene) bool {
	l := p.fitted(s)
	at := l.find(p.cursor)
	switch v {
	case action.GoUp, action.GoDown:
		p.step(l, at, v == action.GoDown)
	case action.PageUp, action.PageDown, action.GoTop, action.GoBottom:
		p.scroll.Move(v)
		p.land(l, v)
	case action.LaterSection, action.EarlierSection:
		p.jump(l, at, v == action.LaterSection)
	default:
		return false
	}
	return true
}

// step goes through a block that is higher than the window before it leaves it.
func (p *Screen) step(l *packetText, at int, down bool) {
	here, bottom := &l.stops[at], p.scroll.Top+p.scroll.Height
	switch {
	case down && here.last >= bottom:
		p.scroll.Move(action.GoDown)
		return
	case !down && here.first < p.scroll.Top:
		p.scroll.Move(action.GoUp)
		return
	case down && at == len(l.stops)-1:
		p.scroll.Move(action.GoDown)
		return
	case down:
		at++
	case at > 0:
		at--
	}
	p.cursor = l.stops[at].spot
	p.reveal(&l.stops[at])
}

// reveal scrolls as little as it takes to show a block with lines around it, or its first.
func (p *Screen) reveal(to *stop) {
	height := p.scroll.Height
	margin := min(height/4, 5)
	if to.last-to.first+1+2*margin > height {
		margin = 0
	}
	p.scroll.To(min(max(p.scroll.Top, to.last+1+margin-height), to.first-margin))
}

// land puts the cursor on a block that shows: the last one at the end, else the first.
func (p *Screen) land(l *packetText, v action.Verb) {
	top, bottom := p.scroll.Top, p.scroll.Top+p.scroll.Height
	first, last := -1, len(l.stops)-1
	for i := range l.stops {
		if first < 0 && l.stops[i].first >= top && l.stops[i].first < bottom {
			first = i
		}
		if first < 0 && l.stops[i].last >= top {
			last = min(last, i)
		}
	}
	switch {
	case v == action.GoBottom, v == action.PageDown && bottom >= len(l.sheet):
		first = len(l.stops) - 1
	case v == action.GoTop, v == action.PageUp && top == 0:
		first = 0
	case first < 0:
		first = last
	}
	p.cursor = l.stops[first].spot
}

func (p *Screen) jump(l *packetText, at int, forward bool) {
	step := -1
	if forward {
		step = 1
	}
	for i := at + step; i >= 0 && i < len(l.stops); i += step {
		if l.stops[i].nth == 0 {
			p.cursor = l.stops[i].spot
			p.scroll.To(l.stops[i].first)
			return
		}
	}
}

func (p *Screen) turnTo(key string, s *screen.Scene) {
	p.folds[key] = false
	p.drawn, p.cursor = drawnPacket{}, spot{key: key}
	l := p.fitted(s)
	p.scroll.To(l.stops[l.find(p.cursor)].first)
}

func (p *Screen) follow(s *screen.Scene) {
	l := p.fitted(s)
	p.reveal(&l.stops[l.find(p.cursor)])
}

type foldable struct {
	key  string // the key of its fold; "" for the banner, which never folds
	bad  int    // how many of its rows do not meet the rules
	shut bool   // folded unless the reader wants it otherwise
}

// folded reports whether a part shows its heading only: as the reader set it on this packet; else
// not if something in it blocks; else as last set on any packet; else the default.
func (p *Screen) folded(f foldable, s *screen.Scene) bool {
	if f.key == "" {
		return false
	}
	if here, said := p.folds[f.key]; said {
		return here
	}
	if f.bad > 0 {
		return false
	}
	if everywhere, said := s.Folds[f.key]; said {
		return everywhere
	}
	return f.shut
}

func (p *Screen) fold(s *screen.Scene) screen.Cmd {
	f := p.here(s).part
	if f.key == "" {
		return s.Say("✗ nothing folds here: a line under a heading does")
	}
	shut := !p.folded(f, s)
	p.setFolds([]foldable{f}, shut, s)
	return nil
}

// foldAll unfolds every part, or, where none is folded, folds them all.
func (p *Screen) foldAll(s *screen.Scene) {
	var parts []foldable
	shut := true
	for _, one := range p.laid(s).stops {
		if one.nth == 0 && one.key != "" {
			parts = append(parts, one.part)
			shut = shut && !p.folded(one.part, s)
		}
	}
	p.setFolds(parts, shut, s)
}

func (p *Screen) setFolds(parts []foldable, shut bool, s *screen.Scene) {
	if s.Folds == nil {
		s.Folds = map[string]bool{}
	}
	for _, f := range parts {
		p.folds[f.key], s.Folds[f.key] = shut, shut
	}
	if shut {
		p.cursor.nth = 0
	}
	p.drawn = drawnPacket{}
	p.follow(s)
}

// unfold also folds again; the rows of the list's part then count as not seen.
func (p *Screen) unfold(list string, s *screen.Scene) {
	p.unfolded[list] = !p.unfolded[list]
	key := p.cursor.key
	maps.DeleteFunc(p.lit, func(at spot, _ bool) bool { return at.key == key })
	p.drawn = drawnPacket{}
	p.follow(s)
}
