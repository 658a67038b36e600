package packet

import (
	"fmt"
	"slices"
	"strings"

	"docket/ui/action"
	"docket/ui/screen"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A search looks for a text in the whole packet, folded parts included.
type search struct {
	text   string
	editor *widget.Editor // while the text is typed
	begun  spot           // where the cursor was then
	made   *packetText    // the unfolded packet that was searched; nil: not yet
	finds  []find
	at     int // the find that the cursor went to last
}

type find struct {
	spot
	line int    // of its block
	list string // the list to unfold to show it; "" for none
}

func (p *Screen) Typing() bool { return p.search.editor != nil }

// Typed takes a key, and goes to the first find from where the search began.
func (p *Screen) Typed(key action.Press, s *screen.Scene) screen.Cmd {
	refused := p.search.editor.Take(key)
	if text := p.search.editor.Text(); text != p.search.text {
		p.search.text = text
		p.look(s)
		p.cursor = p.search.begun
		p.search.at = p.firstFind() - 1
		p.toFind(1, s)
	}
	return s.Refuse(refused)
}

func (p *Screen) endSearch(keep bool, s *screen.Scene) screen.Cmd {
	p.search.editor = nil
	if !keep || p.search.text == "" {
		p.cursor, p.search = p.search.begun, search{}
		p.follow(s)
		return nil
	}
	return p.found(s)
}

// seek begins the search that the filter of the queue asked for; none without a match.
func (p *Screen) seek(s *screen.Scene) {
	if p.opened.Sought == "" || s.Width <= 0 {
		return
	}
	p.search = search{text: p.opened.Sought, at: -1}
	if p.look(s); len(p.search.finds) == 0 {
		p.search = search{}
	}
}

func (p *Screen) found(s *screen.Scene) screen.Cmd {
	if len(p.search.finds) == 0 {
		return s.Say("✗ nothing in this packet matches")
	}
	return s.Say(fmt.Sprintf("%s of %s", wording.Thousands(p.search.at+1), wording.Plural(len(p.search.finds), "match", "matches")))
}

func (p *Screen) look(s *screen.Scene) {
	p.search.finds = nil
	text := p.search.text
	if strings.TrimSpace(text) == "" {
		return
	}
	if p.search.made == nil { // nothing folded and no list cut
		width, _ := textColumn(s)
		all := *p
		all.entire = true
		whole := lay(width, false, all.parts(s, p.drawn.refusal, width), func(foldable) bool { return false })
		p.search.made = &whole
	}
	l := p.search.made
	for i := range l.stops {
		at := &l.stops[i]
		lines := l.sheet[at.first : at.last+1]
		for n, found := range lines.With(text) {
			if found {
				p.search.finds = append(p.search.finds, find{at.spot, n, at.list})
			}
		}
	}
}

// firstFind is the first find at the cursor or below it.
func (p *Screen) firstFind() int {
	l := p.search.made
	if l == nil {
		return 0
	}
	from := l.find(p.cursor)
	return max(slices.IndexFunc(p.search.finds, func(one find) bool { return l.find(one.spot) >= from }), 0)
}

func (p *Screen) toFind(step int, s *screen.Scene) {
	count := len(p.search.finds)
	if count == 0 {
		return
	}
	p.search.at = ((p.search.at+step)%count + count) % count
	to := p.search.finds[p.search.at]
	l := p.laid(s)
	if at := l.find(to.spot); l.stops[at].spot != to.spot || p.folded(l.stops[at].part, s) {
		p.folds[to.key] = false
		p.drawn = drawnPacket{}
	}
	if to.list != "" && !p.unfolded[to.list] {
		p.unfolded[to.list], p.drawn = true, drawnPacket{}
	}
	p.cursor = to.spot
	l = p.fitted(s)
	here := &l.stops[l.find(p.cursor)]
	p.reveal(here)
	if row := here.first + to.line; row < p.scroll.Top || row >= p.scroll.Top+p.scroll.Height {
		p.scroll.To(row - p.scroll.Height/2)
	}
}
