package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// receiptScreen shows what a reviewer gets for a record once it is durable.
type receiptScreen struct {
	silent
	receipt domain.Receipt
	key     domain.Key
	gate    domain.Gate
	outcome domain.Outcome
	scroll  scroll
}

func newReceiptScreen(d *decideScreen, receipt domain.Receipt) *receiptScreen {
	return &receiptScreen{receipt: receipt, key: d.packet.key(), gate: d.Gate(), outcome: d.Outcome}
}

func (r *receiptScreen) place() place { return inReceipt }

func (r *receiptScreen) title(*scene) line.Line {
	return line.Of(theme.Pass, "✓ recorded ").And(theme.Strong, string(r.key.ID)).
		And(theme.Dim, " revision "+wording.Thousands(int(r.key.Number)))
}

func (r *receiptScreen) handle(v verb, _ *scene) effect {
	if r.scroll.move(v) {
		return nil
	}
	switch v {
	case accept:
		return nextCase{after: r.key}
	case goBack:
		return home{}
	}
	return nil
}

func (r *receiptScreen) view(s *scene) line.Sheet {
	sheet := line.Sheet{nil}
	add := func(label string, value line.Line) {
		pair, _ := pair(nil, label, value, receiptLabel, s.width)
		sheet = append(sheet, pair...)
	}
	gate := gateWord(r.gate)
	if r.outcome.Present() {
		gate = gate.And(theme.Dim, " · ").And(theme.Strong, r.outcome.Label())
	}
	add("decision", gate)
	for i, member := range decision.ReceiptMembers(&r.receipt) {
		role := theme.Plain
		if i == 0 {
			role = theme.Strong // the record's id
		}
		add(member.Label, line.Of(role, member.Value))
	}
	sheet = append(sheet, nil)
	if r.receipt.Caution != "" {
		sheet = append(sheet, line.Of(theme.Warn, "! "+r.receipt.Caution).Wrap(s.width, 2)...)
	}
	sheet = append(sheet, line.Of(theme.Dim, decision.Durable).Wrap(s.width, 0)...)
	if s.service.tally.Service != "" {
		sheet = append(sheet, line.Of(theme.Warn, waitingMark).And(theme.Dim, " "+decision.NotHandedIn).Wrap(s.width, 2)...)
	}
	return sheet.Window(r.scroll.window(len(sheet), s.height), s.height)
}

const receiptLabel = 9

func (r *receiptScreen) copies(*scene) []copyItem {
	return append(receiptCopies(&r.receipt), copyItem{"packet", string(r.key.ID)})
}
