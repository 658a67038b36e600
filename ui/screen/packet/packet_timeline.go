package packet

import (
	"docket/domain"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/wording"
)

// manyEvents is how many events a timeline has that is folded until the reader wants it.
const manyEvents = 40

// timelinePart puts everything that has a time into one order, what is still to come below a rule.
func (p *Screen) timelinePart(now domain.Instant) part {
	events := p.Dossier.Timeline()
	ahead := 0
	for i := range events {
		if now.Before(events[i].At) {
			ahead++
		}
	}
	one := part{foldable: foldable{key: "timeline", shut: len(events) > manyEvents}, title: "Timeline",
		count: wording.Plural(len(events), "event", "events") + ", " + wording.Thousands(ahead) + " ahead"}
	one.build = func(width int) []block {
		blocks := make([]block, 0, len(events)+1)
		for i := range events {
			if i == len(events)-ahead {
				rule := line.Of(theme.Accent, "── now "+wording.Moment(now)+" ").Plus(line.Rule(max(width-line.Width(wording.Moment(now))-8, 0)))
				blocks = append(blocks, block{lines: line.Sheet{rule.Fit(width)}})
			}
			blocks = append(blocks, p.eventBlock(&events[i], now, width))
		}
		if len(events) == 0 {
			text := line.Of(theme.Dim, "Nothing in the packet states a time.")
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		return blocks
	}
	return one
}

// eventBlock is one event; Enter goes to what it is about: the record, the revision, what that one changed where it is in
// view already, or the section of the packet that states it.
func (p *Screen) eventBlock(e *domain.Event, now domain.Instant, width int) block {
	one := block{lines: eventLines(e, now, width)}
	switch {
	case e.Record != nil:
		one.open, one.topics = screen.ShowRecord{Logged: e.Record}, topic.OfRecord(e.Record.Record.Members())
	case e.Revision == 0:
		one.turn = e.Section.String()
	case e.Revision != p.Key().Number:
		one.open = screen.Open{Request: screen.Request{Table: p.Request.Table, ID: p.Key().ID, Revision: e.Revision}}
	case len(p.Dossier.Revisions) > 1:
		one.open = screen.Do{Verb: action.ShowChanges}
	default:
		one.why = "this is the revision in view, and no other is held to compare it with"
	}
	return one
}

// eventMarks is indexed by kind: a glyph before what has come, and one before what is ahead.
var eventMarks = [...][2]string{
	domain.EventSource: {"●", "○"}, domain.EventDeadline: {"▲", "△"}, domain.EventEnd: {"×", "◇"}, domain.EventHere: {"■", "□"},
}

// eventLines is one event: when, how long that is from now, and what.
func eventLines(e *domain.Event, now domain.Instant, width int) line.Sheet {
	ahead := now.Before(e.At)
	role, glyph := theme.Dim, eventMarks[e.Kind][0]
	if ahead {
		role, glyph = theme.Accent, eventMarks[e.Kind][1]
	}
	if e.Kind == domain.EventDeadline || e.Kind == domain.EventEnd {
		switch {
		case !ahead && e.Kind == domain.EventDeadline:
			role = theme.Bad
		case !ahead || e.At.Sub(now) < wording.Soon:
			role = theme.Warn
		}
	}
	what := theme.Plain
	if ahead {
		what = theme.Dim
	}
	out := line.Of(role, glyph+" ")
	if width >= 40 {
		out = out.And(theme.Dim, wording.Moment(e.At)+"  ")
	}
	return out.Plus(line.Of(role, distance(e.At, now)).Pad(9)).And(theme.Plain, " ").And(what, e.What).Wrap(width, 2)
}

// distance says how far from now a time is.
func distance(at, now domain.Instant) string {
	if now.Before(at) {
		return "in " + wording.Span(at.Sub(now), wording.Soon)
	}
	return wording.Span(now.Sub(at), wording.Soon) + " ago"
}
