package packet

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// recordsPart lists the revisions that are held and the records on this id, those on this revision first.
func (p *Screen) recordsPart() part {
	d := p.Dossier
	count := len(d.Records) + len(d.Elsewhere)
	one := part{foldable: foldable{key: "records"}, title: "Revisions and records",
		count: wording.Plural(len(d.Revisions), "revision", "revisions") + ", " + wording.Plural(count, "record", "records")}
	one.build = func(width int) []block {
		held := line.Of(theme.Dim, "held: ")
		for _, number := range d.Revisions {
			if number == p.Key().Number {
				held = held.And(theme.Accent, "["+wording.Thousands(int(number))+"] ")
			} else {
				held = held.And(theme.Plain, wording.Thousands(int(number))+" ")
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
			blocks = append(blocks, recordBlock(&d.Elsewhere[i], p.Key().Number, width))
		}
		return blocks
	}
	return one
}

// recordBlock sums up a record; Enter opens it. here is the revision in view if the record may be on another one.
func recordBlock(logged *domain.LoggedRecord, here int64, width int) block {
	number := wording.Thousands(int(logged.Receipt.Sequence))
	if logged.Unreadable != "" {
		text := line.Of(theme.Warn, "? record "+number+" cannot be read: ").And(theme.Plain, logged.Unreadable)
		return block{lines: text.Wrap(width, 2), why: "this record cannot be read: " + logged.Unreadable}
	}
	m := logged.Record.Members()
	out := widget.GateMark(m.Gate).And(theme.Plain, " "+wording.OrDash(m.Outcome.Label()))
	if m.Area == domain.Amendments {
		out = widget.GateWord(m.Gate)
	}
	if here != 0 {
		out = out.And(theme.Dim, "  revision ").And(theme.Plain, wording.Thousands(int(m.Key.Number)))
	}
	switch {
	case logged.HandIn.State == domain.Rejected:
		out = out.And(theme.Plain, "  ").Plus(widget.RejectedWord())
	case logged.SupersededBy.Present():
		out = out.And(theme.Warn, "  superseded").And(theme.Dim, " by "+string(logged.SupersededBy))
	default:
		out = out.And(theme.Pass, "  in force")
	}
	out = out.And(theme.Dim, "  "+wording.Moment(m.RecordedAt)+" by "+string(m.Reviewer.ID)+", number "+number+" in the log, "+
		string(m.RecordID))
	return block{lines: out.Wrap(width, 2), open: screen.ShowRecord{Logged: logged}, topics: topic.OfRecord(m)}
}
