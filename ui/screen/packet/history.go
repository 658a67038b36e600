package packet

import (
	"fmt"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

func (p *Screen) recordsPart() part {
	d := p.CaseFile
	count := len(d.Records) + len(d.AtService) + len(d.Elsewhere)
	return part{foldable: foldable{key: "records"}, title: "Revisions and records",
		count: wording.Plural(len(d.Revisions), "revision", "revisions") + ", " + wording.Plural(count,
			"record", "records"), build: func(width int) []block {
			held := line.Of(theme.Dim, "held: ")
			for _, number := range d.Revisions {
				if number == p.Key().Number {
					held = held.And(theme.Accent, "["+wording.Thousands(int(number))+"] ")
				} else {
					held = held.And(theme.Plain, wording.Thousands(int(number))+" ")
				}
			}
			if len(d.Revisions) > 1 {
				held = held.And(theme.Dim, " "+p.keys.revisions)
			}
			blocks := []block{{lines: held.Wrap(width, 6)}}
			if len(d.Records)+len(d.AtService) == 0 {
				blocks = append(blocks, remark("No record on this revision yet.", width))
			}
			for i := range d.Records {
				blocks = append(blocks, recordBlock(&d.Records[i], 0, width))
			}
			for i := range d.AtService {
				blocks = append(blocks, theirBlock(d, d.AtService[i].Members(), width))
			}
			for i := len(d.Elsewhere) - 1; i >= 0; i-- {
				blocks = append(blocks, recordBlock(&d.Elsewhere[i], p.Key().Number, width))
			}
			return blocks
		}}
}

func remark(text string, width int) block {
	return block{lines: line.Of(theme.Dim, text).Wrap(width, 0)}
}

// recordBlock sums up a record; here is the revision in view if the record may be on another one.
func recordBlock(logged *records.LoggedRecord, here int64, width int) block {
	number := wording.Thousands(int(logged.Receipt.Sequence))
	if logged.Unreadable != "" {
		text := line.Of(theme.Warn, fmt.Sprintf("? record %s cannot be read: ", number)).And(theme.Plain, logged.Unreadable)
		return block{lines: text.Wrap(width, 2), why: wording.RecordUnreadable + ": " + logged.Unreadable}
	}
	m := logged.Record.Members()
	out := widget.GateMark(m.Gate).And(theme.Plain, " "+wording.OrDash(m.Outcome.Label()))
	if m.Area == terms.Amendments {
		out = widget.GateWord(m.Gate)
	}
	if here != 0 {
		out = out.And(theme.Dim, "  revision ").And(theme.Plain, wording.Thousands(int(m.Key.Number)))
	}
	switch {
	case logged.HandIn.State == records.Rejected:
		out = out.And(theme.Plain, "  ").Plus(widget.RejectedWord())
	case logged.Revoked:
		out = out.And(theme.Plain, "  ").Plus(widget.RevokedWord())
	case logged.SupersededBy.Present():
		out = out.And(theme.Warn, "  superseded").And(theme.Dim, fmt.Sprintf(" by %s", logged.SupersededBy))
	default:
		out = out.And(theme.Pass, "  in force")
	}
	out = out.And(theme.Dim, fmt.Sprintf("  %s by %s, number %s in the log, %s",
		wording.Moment(m.RecordedAt), m.Reviewer.ID, number, m.RecordID))
	return block{lines: out.Wrap(width, 2), open: showRecord(logged), topics: topic.OfRecord(m)}
}

func showRecord(logged *records.LoggedRecord) screen.Then {
	return func(s *screen.Scene) screen.Cmd { return s.Show(s.Record(logged)) }
}

func theirBlock(d *queue.CaseFile, m *records.Members, width int) block {
	out := widget.GateMark(m.Gate).And(theme.Plain, " "+wording.ServiceRecordInShort(m))
	if m.RecordID == d.InForce {
		out = out.And(theme.Pass, "  in force").And(theme.Plain, " at the service")
	}
	out = out.And(theme.Dim, "  "+string(m.RecordID))
	return block{lines: out.Wrap(width, 2), why: wording.NotInThisLog, topics: topic.OfRecord(m)}
}

const manyEvents = 40

func (p *Screen) timelinePart(now terms.Instant) part {
	events := p.CaseFile.Timeline()
	ahead := 0
	for i := range events {
		if now.Before(events[i].At) {
			ahead++
		}
	}
	return part{foldable: foldable{key: "timeline", shut: len(events) > manyEvents}, title: wording.TimelineTitle,
		count: wording.Events(len(events), ahead), build: func(width int) []block {
			blocks := make([]block, 0, len(events)+1)
			for i := range events {
				if i == len(events)-ahead {
					rule := line.Of(theme.Accent, fmt.Sprintf("── now %s ", wording.Moment(now))).
						Plus(line.Rule(max(width-line.Width(wording.Moment(now))-8, 0)))
					blocks = append(blocks, block{lines: line.Sheet{rule.Fit(width)}})
				}
				blocks = append(blocks, p.eventBlock(&events[i], now, width))
			}
			if len(events) == 0 {
				return []block{remark(wording.NoEvents, width)}
			}
			return blocks
		}}
}

// eventBlock: Enter goes to a record, a section, a revision or, if that is in view, its changes.
func (p *Screen) eventBlock(e *queue.Event, now terms.Instant, width int) block {
	one := block{lines: eventLines(e, now, width)}
	switch {
	case e.Record != nil:
		one.open, one.topics = showRecord(e.Record), topic.OfRecord(e.Record.Record.Members())
	case e.ServiceRecord != nil:
		one.why, one.topics = wording.NotInThisLog, topic.OfRecord(e.ServiceRecord)
	case e.Revision == 0:
		one.turn = partOf(&p.CaseFile.View, e)
	case e.Revision != p.Key().Number:
		one.open = func(s *screen.Scene) screen.Cmd { return p.load(s, e.Revision) }
	case len(p.CaseFile.Revisions) > 1:
		one.open = func(s *screen.Scene) screen.Cmd { return s.Do(action.ShowChanges) }
	default:
		one.why = "this is the revision in view, and no other is held to compare it with"
	}
	return one
}

// partOf is the part that states an event: what is said for the deadline, else the section's rest.
func partOf(v *views.View, e *queue.Event) (key string) {
	for _, part := range v.Parts() {
		for _, row := range part.Rows {
			if row.Section == e.Section {
				key = part.Name.String()
			}
			if row.Label == views.LabelDeadline && e.Kind == queue.EventDeadline {
				return key
			}
		}
	}
	return key
}

var eventMarks = [...][2]string{
	queue.EventSource: {"●", "○"}, queue.EventDeadline: {"▲", "△"}, queue.EventEnd: {"×", "◇"}, queue.EventHere: {"■", "□"},
}

func eventLines(e *queue.Event, now terms.Instant, width int) line.Sheet {
	ahead := now.Before(e.At)
	role, glyph, what := theme.Dim, eventMarks[e.Kind][0], theme.Plain
	distance := fmt.Sprintf("%s ago", wording.Span(now.Sub(e.At), wording.Soon))
	if ahead {
		role, glyph, what = theme.Accent, eventMarks[e.Kind][1], theme.Dim
		distance = fmt.Sprintf("in %s", wording.Span(e.At.Sub(now), wording.Soon))
	}
	switch due := e.Kind == queue.EventDeadline; {
	case !due && e.Kind != queue.EventEnd:
	case due && !ahead:
		role = theme.Bad
	case !ahead || e.At.Sub(now) < wording.Soon:
		role = theme.Warn
	}
	out := line.Of(role, glyph+" ")
	if width >= 40 {
		out = out.And(theme.Dim, wording.Moment(e.At)+"  ")
	}
	return out.Plus(line.Of(role, distance).Pad(len("1d 23h ago"))).And(theme.Plain, " ").And(what, e.What).Wrap(width, 2)
}

func (p *Screen) relatedPart(of page.Part, s *screen.Scene) part {
	d := p.CaseFile
	return part{foldable: foldable{key: of.Key}, title: of.Title, count: of.State, build: func(width int) (blocks []block) {
		for i := range d.Related {
			blocks = append(blocks, relatedBlock(&d.Related[i], s, width))
		}
		for _, row := range of.Rows[len(d.Related):] {
			blocks = append(blocks, remark(row.Value, width))
		}
		return blocks
	}}
}

func relatedBlock(row *queue.Row, s *screen.Scene, width int) block {
	out := widget.GateMark(row.Gate).And(theme.Strong, " "+string(row.ID)).And(theme.Dim,
		fmt.Sprintf(" r%s", wording.Thousands(int(row.Revision))))
	if row.Unreadable != "" {
		out = out.And(theme.Warn, "  cannot be read: ").And(theme.Plain, row.Unreadable)
		return block{lines: out.Wrap(width, 2), why: fmt.Sprintf("this packet cannot be read: %s", row.Unreadable)}
	}
	out = out.And(theme.Plain, "  "+wording.OrDash(row.Trigger.Label())).And(theme.Dim, "  "+wording.OrDash(row.Status.Label()))
	switch done, is := widget.DoneCell(row, s.Now); {
	case is:
		out = out.And(theme.Plain, "  ").Plus(done)
	case row.Due().Present():
		out = out.And(theme.Plain, "  ").Plus(widget.TimeLeft(row.Due(), s.Now))
	}
	if codes := row.Blockers.List(); len(codes) > 0 {
		out = out.And(theme.Dim, "  "+codes[0].String())
		if len(codes) > 1 {
			out = out.And(theme.Bad, " +"+wording.Thousands(len(codes)-1))
		}
	}
	open := func(s *screen.Scene) screen.Cmd { return s.OpenPacket(screen.OfRow(row)) }
	return block{lines: out.Wrap(width, 2), open: open, topics: topic.OfRow(row)}
}
