package decide

import (
	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
)

type receiptScreen struct {
	widget.Document
	receipt records.Receipt
	key     packets.Key
	page    pages.Page
}

func (r *receiptScreen) Place() action.Place { return action.InReceipt }

func (r *receiptScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Pass, "✓ recorded ").And(theme.Strong, r.page.Title)
}

func (r *receiptScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	switch {
	case v != action.Accept:
		return r.Document.Handle(v, s)
	case len(s.Over) > 1: // over the next case
		return s.Leave()
	}
	return s.NextCase(r.key, false, nil, false)
}

func (r *receiptScreen) View(s *screen.Scene) line.Sheet { return r.Show(&r.page, s) }

func (r *receiptScreen) Copies(*screen.Scene) []screen.CopyItem {
	return append(screen.ReceiptCopies(&r.receipt), screen.Copy("packet", string(r.key.ID)))
}
