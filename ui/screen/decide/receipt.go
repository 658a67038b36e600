package decide

import (
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
)

type receiptScreen struct {
	widget.Page
	receipt records.Receipt
	key     packets.Key
	gate    terms.Gate
	relied  string // what may be relied on now
	waits   string // that it is not handed in yet, and by when it has to be
	outcome terms.Outcome
	left    int  // of other open cases of the list; negative if not known
	whole   bool // the hashes and the place in the log show
}

func (r *receiptScreen) Place() action.Place { return action.InReceipt }

func (r *receiptScreen) Title(*screen.Scene) line.Line {
	said := fmt.Sprintf(" revision %s · %s", wording.Thousands(int(r.key.Number)), r.gate)
	if r.outcome.Present() {
		said += " · " + r.outcome.Label()
	}
	return line.Of(theme.Pass, "✓ recorded ").And(theme.Strong, string(r.key.ID)).And(theme.Dim, said)
}

func (r *receiptScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	switch v {
	case action.Fold:
		r.whole = !r.whole
	case action.Accept:
		if len(s.Over) > 1 { // over the next case
			return s.Leave()
		}
		return s.NextCase(r.key, false, nil, false)
	}
	return r.Page.Handle(v, s)
}

func (r *receiptScreen) View(s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	add := func(label string, value line.Line) {
		pair, _ := widget.Pair(nil, label, value, receiptLabel, s.Width)
		sheet = append(sheet, pair...)
	}
	gate := widget.GateWord(r.gate)
	if r.outcome.Present() {
		gate = line.Of(theme.Strong, r.outcome.Label()).And(theme.Dim, " · ").Plus(gate)
	}
	add("decision", gate)
	add("reliance", line.Of(theme.Plain, r.relied))
	if r.left >= 0 {
		add("left", line.Of(theme.Strong, wording.Plural(r.left, "open case", "open cases")).And(theme.Dim, " in the list"))
	}
	members := decision.ReceiptMembers(&r.receipt)
	add(members[0].Label, line.Of(theme.Plain, members[0].Value))
	if r.whole {
		for _, member := range members[1:] {
			add(member.Label, line.Of(theme.Plain, member.Value))
		}
	} else {
		add("", line.Of(theme.Accent, "▸ ").And(theme.Dim, fmt.Sprintf("hashes and place in the log · %s shows them",
			s.Key(action.Fold, action.InReceipt))))
	}
	sheet = append(sheet, nil)
	if r.receipt.Caution != "" {
		sheet = append(sheet, line.Of(theme.Warn, "! "+r.receipt.Caution).Wrap(s.Width, 2)...)
	}
	sheet = append(sheet, line.Of(theme.Dim, decision.Durable).Wrap(s.Width, 0)...)
	if s.Service.Tally.Service != "" {
		sheet = append(sheet, line.Of(theme.Warn, widget.WaitingMark).And(theme.Dim, " "+r.waits).Wrap(s.Width, 2)...)
	}
	return r.Scroll.Show(sheet, s.Height)
}

const receiptLabel = 9

func (r *receiptScreen) Copies(*screen.Scene) []screen.CopyItem {
	return append(screen.ReceiptCopies(&r.receipt), screen.Copy("packet", string(r.key.ID)))
}
