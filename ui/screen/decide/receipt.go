package decide

import (
	"docket/domain/packets"
	"docket/domain/pages"
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
	widget.Document
	receipt records.Receipt
	key     packets.Key
	gate    terms.Gate
	relied  string // what may be relied on now
	waits   string // that it is not handed in yet, and by when it has to be
	outcome terms.Outcome
	left    int // of other open cases of the list; negative if not known
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
	case action.Accept:
		if len(s.Over) > 1 { // over the next case
			return s.Leave()
		}
		return s.NextCase(r.key, false, nil, false)
	}
	return r.Document.Handle(v, s)
}

func (r *receiptScreen) View(s *screen.Scene) line.Sheet {
	decided := pages.Row{Label: "decision", Mark: pages.Bad, Value: r.gate.String()}
	if r.gate == terms.Pass {
		decided.Mark = pages.Good
	}
	if r.outcome.Present() {
		decided.Value = r.outcome.Label() + ", " + decided.Value
	}
	members := decision.ReceiptMembers(&r.receipt)
	rows := []pages.Row{decided, {Label: "reliance", Value: r.relied}, members[0]}
	if r.left >= 0 {
		rows = append(rows, pages.Row{Label: "left", Value: wording.Plural(r.left, "open case", "open cases") + " in the list"})
	}
	said := pages.Part{Blocks: []pages.Block{{Text: decision.Durable}}}
	if r.receipt.Caution != "" {
		said.Rows = []pages.Row{{Mark: pages.Open, Value: r.receipt.Caution}}
	}
	if s.Service.Tally.Service != "" {
		said.Blocks = append(said.Blocks, pages.Block{Text: r.waits})
	}
	return r.Show(&pages.Page{Parts: []pages.Part{{Rows: rows}, said,
		{Title: "Hashes and place in the log", Rows: members[1:], Folded: true}}}, s)
}

func (r *receiptScreen) Copies(*screen.Scene) []screen.CopyItem {
	return append(screen.ReceiptCopies(&r.receipt), screen.Copy("packet", string(r.key.ID)))
}
