package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// differenceScreen shows what changed between two revisions, both judged now. It compares what the packet views show and
// looks at nothing else.
type differenceScreen struct {
	silent
	table         domain.Table
	id            domain.ID
	held          []int64 // ascending, at least two
	before, after int64
	views         map[int64]*domain.View // as they arrive
	tickets       map[int]int64          // of what is waited for: the revision
	trouble       map[int64]string
	scroll        scroll
	drawn         drawnDifference
}

// A drawnDifference is a difference as laid out, with what it was made for.
type drawnDifference struct {
	from, to *domain.View
	width    int
	sheet    line.Sheet
}

// lines lays the difference out, unless that has been done.
func (d *drawnDifference) lines(from, to *domain.View, width int) line.Sheet {
	if d.from != from || d.to != to || d.width != width {
		*d = drawnDifference{from, to, width, differenceLines(domain.Differences(from, to), width)}
	}
	return d.sheet
}

// compareRevisions shows the difference to the revision before the one in view, or, of the first one, to the next.
func compareRevisions(p *packetScreen) effect {
	here := p.key().Number
	d := &differenceScreen{table: p.request.table, id: p.key().ID, held: p.dossier.Revisions,
		views: map[int64]*domain.View{here: &p.dossier.View}, tickets: map[int]int64{}, trouble: map[int64]string{}}
	if older, ok := p.otherRevision(false); ok {
		d.before, d.after = older, here
	} else {
		d.after, _ = p.otherRevision(true)
		d.before = here
	}
	return append(several{show{d}}, d.missing()...)
}

// missing asks for what is to be compared and is not there yet.
func (d *differenceScreen) missing() several {
	var effects several
	for _, number := range [...]int64{d.before, d.after} {
		if d.views[number] == nil {
			effects = append(effects, open{request{table: d.table, id: d.id, revision: number}})
		}
	}
	return effects
}

func (d *differenceScreen) place() place { return inDifference }

// asked, awaits and arrived are those of a reader.
func (d *differenceScreen) asked(r request) { d.tickets[r.ticket] = r.revision }

func (d *differenceScreen) awaits(ticket int) bool { return d.tickets[ticket] != 0 }

func (d *differenceScreen) arrived(msg opened, _ *scene) effect {
	number := d.tickets[msg.request.ticket]
	delete(d.tickets, msg.request.ticket)
	delete(d.trouble, number)
	if msg.err != nil {
		d.trouble[number] = msg.err.Error()
		return nil
	}
	d.views[number] = &msg.dossier.View
	return nil
}

// neighbour is the revision next to one of the pair that is not the other one of it; false if there is none.
func (d *differenceScreen) neighbour(v verb) (int64, bool) {
	here, other := d.before, d.after
	if v == laterOther || v == earlierOther {
		here, other = other, here
	}
	newer := v == laterOther || v == laterRevision
	next, ok := neighbouring(d.held, here, newer)
	if ok && next == other {
		next, ok = neighbouring(d.held, next, newer)
	}
	return next, ok
}

func (d *differenceScreen) obstacle(v verb, _ *scene) string {
	switch v {
	case earlierRevision, laterRevision, earlierOther, laterOther:
		if _, ok := d.neighbour(v); !ok {
			return "no other revision is held on that side"
		}
	}
	return ""
}

func (d *differenceScreen) handle(v verb, _ *scene) effect {
	if d.scroll.move(v) {
		return nil
	}
	switch v {
	case goBack:
		return leave{}
	case earlierRevision, laterRevision:
		d.before, _ = d.neighbour(v)
	case earlierOther, laterOther:
		d.after, _ = d.neighbour(v)
	default:
		return nil
	}
	d.scroll.top = 0
	return d.missing()
}

func (d *differenceScreen) title(s *scene) line.Line {
	pair := line.Of(theme.Dim, "revision ").And(theme.Accent, wording.Thousands(int(d.before))).And(theme.Dim, " → ").
		And(theme.Accent, wording.Thousands(int(d.after)))
	name := line.Of(theme.Strong, string(d.id))
	if s.compact {
		return name.And(theme.Plain, " ").Plus(pair)
	}
	return line.Spread(line.Of(theme.Dim, "what changed in ").Plus(name).And(theme.Plain, " ").Plus(pair),
		line.Of(theme.Dim, wording.Plural(len(d.held), "revision", "revisions")+" held, both judged now"), s.width)
}

func (d *differenceScreen) view(s *scene) line.Sheet {
	var sheet line.Sheet
	from, to := d.views[d.before], d.views[d.after]
	for _, number := range [...]int64{d.before, d.after} {
		text := line.Of(theme.Dim, "Opening revision "+wording.Thousands(int(number))+" …")
		if why := d.trouble[number]; why != "" {
			text = line.Of(theme.Bad, "✗ Revision "+wording.Thousands(int(number))+" cannot be opened: ").And(theme.Plain, why)
		}
		if d.views[number] == nil {
			sheet = append(sheet, text.Wrap(s.width, 2)...)
		}
	}
	if from != nil && to != nil {
		sheet = d.drawn.lines(from, to, s.width)
	}
	return sheet.Window(d.scroll.window(len(sheet), s.height), s.height)
}

// topics are the blockers that came or went, then those of both revisions.
func (d *differenceScreen) topics(*scene) []topic {
	from, to := d.views[d.before], d.views[d.after]
	if from == nil || to == nil {
		return nil
	}
	return append(changedTopics(from, to), append(viewTopics(to), viewTopics(from)...)...)
}

// changedTopics are the blockers that hold in one view only.
func changedTopics(from, to *domain.View) []topic {
	area := to.Area()
	came := to.Judgment().BlockerSet().Minus(from.Judgment().BlockerSet())
	went := from.Judgment().BlockerSet().Minus(to.Judgment().BlockerSet())
	return append(codeTopics(area, domain.Codes{Area: area, Set: came}.List(), to),
		codeTopics(area, domain.Codes{Area: area, Set: went}.List(), from)...)
}

// copies are the hashes of both revisions.
func (d *differenceScreen) copies(*scene) []copyItem {
	var items []copyItem
	for _, number := range [...]int64{d.before, d.after} {
		if v := d.views[number]; v != nil {
			for _, item := range viewCopies(v) {
				if item.what != "id" {
					item.what += " of revision " + wording.Thousands(int(number))
				}
				items = append(items, item)
			}
		}
	}
	return items
}
