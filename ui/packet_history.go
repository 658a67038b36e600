package ui

import (
	"time"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// recordsPart lists the revisions that are held and the records on this id, those on this revision first.
func (p *packetScreen) recordsPart() part {
	d := p.dossier
	count := len(d.Records) + len(d.Elsewhere)
	one := part{foldable: foldable{key: "records"}, title: "Revisions and records",
		count: plural(len(d.Revisions), "revision", "revisions") + ", " + plural(count, "record", "records")}
	one.build = func(width int) []block {
		held := line.Of(theme.Dim, "held: ")
		for _, number := range d.Revisions {
			if number == p.key().Number {
				held = held.And(theme.Accent, "["+thousands(int(number))+"] ")
			} else {
				held = held.And(theme.Plain, thousands(int(number))+" ")
			}
		}
		if len(d.Revisions) > 1 {
			held = held.And(theme.Dim, " [ and ] go through them, = compares")
		}
		blocks := []block{{lines: held.Wrap(width, 6)}}
		if len(d.Records) == 0 {
			text := line.Of(theme.Dim, "No record on this revision yet.")
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		for i := range d.Records {
			blocks = append(blocks, recordBlock(&d.Records[i], 0, width))
		}
		for i := len(d.Elsewhere) - 1; i >= 0; i-- {
			blocks = append(blocks, recordBlock(&d.Elsewhere[i], p.key().Number, width))
		}
		return blocks
	}
	return one
}

// recordBlock sums up a record; Enter opens it. here is the revision in view if the record may be on another one.
func recordBlock(logged *domain.LoggedRecord, here int64, width int) block {
	number := thousands(int(logged.Receipt.Sequence))
	if logged.Unreadable != "" {
		text := line.Of(theme.Warn, "? record "+number+" cannot be read: ").And(theme.Plain, logged.Unreadable)
		return block{lines: text.Wrap(width, 2), why: "this record cannot be read: " + logged.Unreadable}
	}
	m := logged.Record.Members()
	out := gateMark(m.Gate).And(theme.Plain, " "+orDash(m.Outcome.Label()))
	if m.Area == domain.Amendments {
		out = gateWord(m.Gate)
	}
	if here != 0 {
		out = out.And(theme.Dim, "  revision ").And(theme.Plain, thousands(int(m.Key.Number)))
	}
	if logged.SupersededBy.Present() {
		out = out.And(theme.Warn, "  superseded").And(theme.Dim, " by "+string(logged.SupersededBy))
	} else {
		out = out.And(theme.Pass, "  in force")
	}
	out = out.And(theme.Dim, "  "+moment(m.RecordedAt)+" by "+string(m.Reviewer.ID)+", number "+number+" in the log, "+
		string(m.RecordID))
	return block{lines: out.Wrap(width, 2), open: show{&recordScreen{logged: logged}}, topics: recordTopics(m)}
}

// manyEvents is how many events a timeline has that is folded until the reader wants it.
const manyEvents = 40

// timelinePart puts everything that has a time into one order, what is still to come below a rule.
func (p *packetScreen) timelinePart(now domain.Instant) part {
	events := p.dossier.Timeline()
	ahead := 0
	for i := range events {
		if now.Before(events[i].At) {
			ahead++
		}
	}
	one := part{foldable: foldable{key: "timeline", shut: len(events) > manyEvents}, title: "Timeline",
		count: plural(len(events), "event", "events") + ", " + thousands(ahead) + " ahead"}
	one.build = func(width int) []block {
		blocks := make([]block, 0, len(events)+1)
		for i := range events {
			if i == len(events)-ahead {
				rule := line.Of(theme.Accent, "── now "+moment(now)+" ").Plus(line.Rule(max(width-line.Width(moment(now))-8, 0)))
				blocks = append(blocks, block{lines: line.Sheet{rule.Fit(width)}})
			}
			blocks = append(blocks, block{lines: eventLines(&events[i], now, width)})
		}
		if len(events) == 0 {
			text := line.Of(theme.Dim, "Nothing in the packet states a time.")
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		return blocks
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
		case !ahead || e.At.Sub(now) < soon:
			role = theme.Warn
		}
	}
	what := theme.Plain
	if ahead {
		what = theme.Dim
	}
	out := line.Of(role, glyph+" ")
	if width >= 40 {
		out = out.And(theme.Dim, moment(e.At)+"  ")
	}
	return out.Plus(line.Of(role, distance(e.At, now)).Pad(9)).And(theme.Plain, " ").And(what, e.What).Wrap(width, 2)
}

// distance says how far from now a time is.
func distance(at, now domain.Instant) string {
	if now.Before(at) {
		return "in " + span(at.Sub(now), 48*time.Hour)
	}
	return span(now.Sub(at), 48*time.Hour) + " ago"
}

// relatedPart lists what else is about the same, as it stands now; Enter opens one.
func (p *packetScreen) relatedPart(s *scene) part {
	d := p.dossier
	by := domain.RelatedBy(d.View.Record())
	noun, about, title := "case", "subject ", "Related cases"
	if d.View.Area() == domain.Amendments {
		noun, about, title = "amendment", "agreement ", "Related amendments"
	}
	count := plural(len(d.Related), "other "+noun, "other "+noun+"s")
	if d.Unlisted {
		count = "more than " + count
	}
	one := part{foldable: foldable{key: "related"}, title: title, count: count}
	one.build = func(width int) []block {
		if len(d.Related) == 0 {
			text := line.Of(theme.Dim, "No other "+noun+" on the "+about+orDash(string(by))+" is held here.")
			if !by.Present() {
				text = line.Of(theme.Dim, "The packet names no "+trimmed(about)+", so nothing can be related to it.")
			}
			return []block{{lines: text.Wrap(width, 0)}}
		}
		var blocks []block
		for i := range d.Related {
			blocks = append(blocks, relatedBlock(&d.Related[i], s, width))
		}
		if d.Unlisted {
			text := line.Of(theme.Dim, "… and more; the queue's filter finds them by id")
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		return blocks
	}
	return one
}

func relatedBlock(row *domain.QueueRow, s *scene, width int) block {
	out := gateMark(row.Gate).And(theme.Strong, " "+string(row.ID)).And(theme.Dim, " r"+thousands(int(row.Revision)))
	if row.Unreadable != "" {
		out = out.And(theme.Warn, "  cannot be read: ").And(theme.Plain, row.Unreadable)
		return block{lines: out.Wrap(width, 2), why: "this packet cannot be read: " + row.Unreadable}
	}
	out = out.And(theme.Plain, "  "+orDash(row.Trigger.Label())).And(theme.Dim, "  "+orDash(row.Status.Label()))
	switch done, is := doneCell(row); {
	case is:
		out = out.And(theme.Plain, "  ").Plus(done)
	case row.Deadline.Present():
		out = out.And(theme.Plain, "  ").Plus(timeLeft(row.Deadline, s.now))
	}
	if codes := row.Blockers.List(); len(codes) > 0 {
		out = out.And(theme.Dim, "  "+codes[0].String())
		if len(codes) > 1 {
			out = out.And(theme.Bad, " +"+thousands(len(codes)-1))
		}
	}
	return block{lines: out.Wrap(width, 2), open: openRow(row), topics: queueTopics(row)}
}
