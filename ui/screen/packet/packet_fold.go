package packet

import (
	"docket/ui/screen"
)

// A foldable is what folding has to know of a part.
type foldable struct {
	key  string // what its fold goes by; "" for the banner, which never folds
	bad  int    // how many of its rows are not as the rules want them
	shut bool   // folded unless the reader wants it otherwise
}

// folded tells whether a part shows its heading only: as the reader wants it on this packet; else, where something in it
// blocks, never; else as the reader last wanted it anywhere; else by default.
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

// fold folds the part under the cursor, or unfolds it. The cursor stays on its heading.
func (p *Screen) fold(s *screen.Scene) {
	f := p.here(s).part
	if f.key == "" {
		return
	}
	shut := !p.folded(f, s)
	p.setFold(f, shut, s)
	if shut {
		p.cursor.nth = 0
	}
	p.drawn = drawnPacket{}
	p.follow(s)
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
	for _, f := range parts {
		p.setFold(f, shut, s)
	}
	if shut {
		p.cursor.nth = 0
	}
	p.drawn = drawnPacket{}
	p.follow(s)
}

func (p *Screen) setFold(f foldable, shut bool, s *screen.Scene) {
	p.folds[f.key] = shut
	if s.Folds == nil {
		s.Folds = map[string]bool{}
	}
	s.Folds[f.key] = shut
}
