package ui

// here is the stop under the cursor.
func (p *packetScreen) here(s *scene) *stop {
	l := p.laid(s)
	return &l.stops[l.find(p.cursor)]
}

// move carries out a moving verb: from block to block, or by pages; false if the verb is no move.
func (p *packetScreen) move(v verb, s *scene) bool {
	l := p.laid(s)
	p.scroll.window(len(l.sheet), s.height)
	at := l.find(p.cursor)
	switch v {
	case goUp, goDown:
		p.step(l, at, v == goDown)
	case pageUp, pageDown, goTop, goBottom:
		p.scroll.move(v)
		p.land(l, v)
	case laterSection, earlierSection:
		p.jump(l, at, v == laterSection)
	default:
		return false
	}
	return true
}

// margin is how many lines stay in sight beyond the block that the cursor is on.
func (p *packetScreen) margin() int { return min(p.scroll.height/4, 5) }

// step goes to the next block or to the one before. A block that is higher than the window is first gone through.
func (p *packetScreen) step(l *packetText, at int, down bool) {
	here, bottom := &l.stops[at], p.scroll.top+p.scroll.height
	switch {
	case down && here.last >= bottom:
		p.scroll.move(goDown)
		return
	case !down && here.first < p.scroll.top:
		p.scroll.move(goUp)
		return
	case down && at == len(l.stops)-1:
		p.scroll.move(goDown)
		return
	case down:
		at++
	case at > 0:
		at--
	}
	p.cursor = l.stops[at].spot
	p.reveal(&l.stops[at])
}

// reveal scrolls as little as it takes to show a block with some lines around it; of one that is too high, its first.
func (p *packetScreen) reveal(to *stop) {
	height, margin := p.scroll.height, p.margin()
	if to.last-to.first+1+2*margin > height {
		margin = 0
	}
	top := p.scroll.top
	top = max(top, to.last+1+margin-height)
	top = min(top, to.first-margin)
	p.scroll.top = max(min(top, p.scroll.lines-height), 0)
}

// land puts the cursor on a block of the page that shows now: the last one at the end of the packet, else the first.
func (p *packetScreen) land(l *packetText, v verb) {
	top, bottom := p.scroll.top, p.scroll.top+p.scroll.height
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
	case v == goBottom, v == pageDown && bottom >= len(l.sheet):
		first = len(l.stops) - 1
	case v == goTop, v == pageUp && top == 0:
		first = 0
	case first < 0:
		first = last
	}
	p.cursor = l.stops[first].spot
}

// jump goes to the next heading, or to the one before, and shows it first where there is enough below it.
func (p *packetScreen) jump(l *packetText, at int, forward bool) {
	step := -1
	if forward {
		step = 1
	}
	for i := at + step; i >= 0 && i < len(l.stops); i += step {
		if l.stops[i].nth == 0 {
			p.cursor = l.stops[i].spot
			p.scroll.top = max(min(l.stops[i].first, p.scroll.lines-p.scroll.height), 0)
			return
		}
	}
}

// turnTo goes to the heading of a part and unfolds that.
func (p *packetScreen) turnTo(key string, s *scene) {
	p.folds[key] = false
	p.drawn, p.cursor = drawnPacket{}, spot{key: key}
	l := p.laid(s)
	p.scroll.window(len(l.sheet), s.height)
	p.scroll.top = max(min(l.stops[l.find(p.cursor)].first, p.scroll.lines-p.scroll.height), 0)
}

// follow shows the cursor after the layout has changed.
func (p *packetScreen) follow(s *scene) {
	l := p.laid(s)
	p.scroll.window(len(l.sheet), s.height)
	p.reveal(&l.stops[l.find(p.cursor)])
}
