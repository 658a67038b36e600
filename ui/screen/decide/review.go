package decide

import (
	"slices"

	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
)

// reviewStep restates the decision and what its record cannot do, and takes the word.
var reviewStep = step{
	missing: func(d *Screen, s *screen.Scene) string {
		if s.Locked != "" {
			return s.Locked
		}
		if why := d.word.Missing(s.Clock()); why != "" {
			return why
		}
		return d.Missing(decision.Review)
	},
	view: func(d *Screen, s *screen.Scene, height int) line.Sheet {
		return d.word.View(d.restate(s), s.Width, height, s.Covered, s.Clock())
	},
}

// openReview starts the last page. Keys typed before it could be read do not count.
func (d *Screen) openReview(s *screen.Scene) {
	d.word = widget.NewWord(decision.Word, decision.AskWord, s.Clock())
	d.seen, d.said = slices.Clone(d.Packet.Seen), d.Packet.Said
}

func (d *Screen) record() screen.Effect {
	d.word.Clear()
	d.Ticket = 0 // what is being recorded is not evaluated again
	view := *d.Decision.View()
	return screen.Append{View: &view, Choice: d.Choice(d.seen), Note: d.Note}
}

// restate lists what will be recorded.
func (d *Screen) restate(s *screen.Scene) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Strong, decision.ReviewTitle).Wrap(s.Width, 0))
	for _, member := range d.Restate(s.Reviewer, d.seen, d.said) {
		value := line.Written(theme.Plain, member.Value)
		if member.Label == decision.LabelDeparts || member.Label == decision.LabelUnseen {
			value = line.Of(theme.Warn, "! "+member.Value)
		}
		if member.Label == "gate" {
			value = widget.GateWord(d.Gate())
		}
		if member.Remark != "" {
			value = value.And(theme.Dim, "  "+member.Remark)
		}
		pair, _ := widget.Pair(nil, member.Label, value, restateLabel, s.Width)
		sheet = append(sheet, pair...)
	}
	sheet = append(sheet, nil)
	return append(sheet, line.Of(theme.Warn, "! ").And(theme.Plain, views.Cannot(d.Decision.View().Area())).Wrap(s.Width, 2)...)
}

const restateLabel = 14
