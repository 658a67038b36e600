package workbenchtest

import (
	"context"
	"errors"
	"strings"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/views"
)

// A Hostile is a workbench that puts a text into everything it returns apart from packet views.
type Hostile struct {
	*Workbench
	Text       string
	Unreadable string // the reason why every draft is unreadable; "": drafts are as they are
	Bare       bool   // it adds no record to a case, which would end blind-first mode
}

func (h *Hostile) Reviewer() records.Reviewer {
	who := h.Workbench.Reviewer()
	if who.KeyFingerprint != "" {
		who.KeyFingerprint += h.Text
	}
	return who
}

func (h *Hostile) Top(ctx context.Context, area terms.Area, most int) ([]queue.Row, error) {
	rows, err := h.Workbench.Top(ctx, area, most)
	return h.spoil(rows), h.wrap(err)
}

func (h *Hostile) Queue(ctx context.Context, area terms.Area, progress func(done, total int64)) (*queue.Queue,
	queue.Watermark, error) {
	docket, mark, err := h.Workbench.Queue(ctx, area, progress)
	if err != nil {
		return nil, mark, h.wrap(err)
	}
	var rows []queue.Row
	for _, row := range docket.All() {
		rows = append(rows, row)
	}
	return queue.New(area, h.spoil(rows)), mark, nil
}

func (h *Hostile) spoil(rows []queue.Row) []queue.Row {
	for i := range rows {
		rows[i].Status += terms.AnyTerm(h.Text)
		rows[i].Subject = terms.AnyTerm(h.Text) + rows[i].Subject
		rows[i].Trigger += terms.AnyTerm(h.Text)
		if rows[i].Unreadable != "" {
			rows[i].Unreadable += h.Text
			rows[i].ID += terms.ID(h.Text)
		}
		if rows[i].Skipped != "" {
			rows[i].Skipped += h.Text
		}
		if rows[i].AssignedTo != h.Who.ID {
			rows[i].AssignedTo += terms.ID(h.Text)
		}
	}
	return rows
}

func (h *Hostile) Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error) {
	file, err := h.Workbench.Open(ctx, table, id, revision)
	file.Skipped = h.Text
	file.InForce += records.RecordID(h.Text)
	if file.Draft.Present() {
		file.Draft.Note += h.Text
		file.Draft.Supersedes += records.RecordID(h.Text)
	}
	switch {
	case file.Draft.Present() && h.Unreadable != "":
		file.Draft.Unreadable = h.Unreadable
	case file.Draft.Unreadable != "":
		file.Draft.Unreadable += h.Text
	}
	h.spoilAnswer(file.Records)
	h.spoilAnswer(file.Elsewhere)
	if !h.Bare {
		file.Records = append(file.Records, records.LoggedRecord{Unreadable: h.Text})
		file.Elsewhere = append(file.Elsewhere, records.LoggedRecord{Unreadable: h.Text})
	}
	for i := range file.Related {
		row := &file.Related[i]
		row.ID, row.Trigger, row.Status = row.ID+terms.ID(h.Text), row.Trigger+terms.AnyTerm(h.Text), row.Status+terms.AnyTerm(h.Text)
	}
	file.Related = append(file.Related, queue.UnreadableRow(table, packets.Key{ID: terms.ID(h.Text), Number: 1}, h.Text))
	return file, h.wrap(err)
}

func (h *Hostile) Record(ctx context.Context, v *views.View, c records.Choice, note string) (records.Receipt, error) {
	c.Supersedes = ""
	receipt, err := h.Workbench.Record(ctx, v, c, note)
	receipt.RecordID += records.RecordID(h.Text)
	receipt.Caution = h.Text
	var stale *records.StaleError
	if errors.As(err, &stale) {
		return receipt, &records.StaleError{Changes: append(stale.Changes, h.Text)}
	}
	return receipt, h.wrap(err)
}

func (h *Hostile) Records(ctx context.Context, before int64, most int) (records.Page, error) {
	page, err := h.Workbench.Records(ctx, before, most)
	logged := page.Records
	h.spoilAnswer(logged)
	for i := range logged {
		logged[i].Receipt.RecordID += records.RecordID(h.Text)
		logged[i].SupersededBy = records.RecordID(h.Text)
		if logged[i].Unreadable != "" {
			logged[i].Unreadable += h.Text
		}
	}
	return page, h.wrap(err)
}

func (h *Hostile) spoilAnswer(logged []records.LoggedRecord) {
	for i := range logged {
		answer := &logged[i].HandIn
		answer.Rejection.Origin += h.Text
		if answer.Rejection.InForce.Present() {
			answer.Rejection.InForce += records.RecordID(h.Text)
		}
		answer.Changes = append(append([]string(nil), answer.Changes...), h.Text)
		answer.Receipt.Caution = h.Text
	}
}

func (h *Hostile) HandIns(ctx context.Context) (records.HandInTally, error) {
	tally, err := h.Workbench.HandIns(ctx)
	if tally.Service != "" {
		tally.Service += h.Text
	}
	return tally, h.wrap(err)
}

func (h *Hostile) Examine(ctx context.Context, from, to int64) ([]records.State, error) {
	states, err := h.Workbench.Examine(ctx, from, to)
	for i := range states {
		states[i].Proof.Found = append(states[i].Proof.Found, h.Text)
		states[i].Replay = records.Check{Verdict: records.Fails, Found: []string{h.Text, h.Text}}
	}
	return states, h.wrap(err)
}

func (h *Hostile) Stats(ctx context.Context, period stats.Period, progress func(int64)) (stats.Figures, error) {
	figures, err := h.Workbench.Stats(ctx, period, progress)
	for _, group := range figures.Groups {
		for i := range group.Rows {
			group.Rows[i].Word += h.Text
		}
	}
	return figures, h.wrap(err)
}

func (h *Hostile) Reasons(ctx context.Context, id records.RecordID) (string, error) {
	text, err := h.Workbench.Reasons(ctx, records.RecordID(strings.ReplaceAll(string(id), h.Text, "")))
	return text + h.Text, h.wrap(err)
}

func (h *Hostile) Statement(ctx context.Context, id records.RecordID) (pages.Page, bool, error) {
	laid, sound, err := h.Workbench.Statement(ctx, records.RecordID(strings.ReplaceAll(string(id), h.Text, "")))
	laid.Title += h.Text
	laid.Notices = append(laid.Notices, h.Text)
	laid.Parts = append(laid.Parts, pages.Part{Title: h.Text, Blocks: []pages.Block{{Text: h.Text}, {Items: []string{h.Text}},
		{Quote: []string{h.Text}}, {Command: h.Text}, {Table: &pages.Table{Caption: h.Text, Rows: [][]string{{h.Text, h.Text, h.Text}}}}}})
	return laid, sound, h.wrap(err)
}

func (h *Hostile) WriteStatement(ctx context.Context, path, text string, replace bool) error {
	return h.wrap(h.Workbench.WriteStatement(ctx, path, text, replace))
}

func (h *Hostile) Export(ctx context.Context, folder string, progress func(string, int64, int64)) (records.LogHead, error) {
	progress(h.Text, 1, 3)
	head, err := h.Workbench.Export(ctx, folder, progress)
	return head, h.wrap(err)
}

func (h *Hostile) wrap(err error) error {
	if err == nil {
		return nil
	}
	return &records.Refusal{Reason: err.Error() + h.Text}
}

// HostileTexts do something to a terminal, or to the order in which it shows what follows.
var HostileTexts = []string{
	"\x1b]0;owned\x07", "\x1b]52;c;b3duZWQ=\x1b\\", "\x1b[2J\x1b[H", "\x1bP+q544e\x1b\\", "\x1b]8;;http://x\x1b\\x",
	"\u009b2J", "\u0090x\u009c", "a\rb", "a\nb\nc", "a\tb", "a\x08\x08b", "\x00", "\x7f", "\x0e\x0f", "\u202eevil\u202c", "\u2066x\u2069",
	"\u200b\u200d\u2060\ufeff", "\u2028\u2029", "\ue000", "\U000e0041", "\xff\xfe", "e" + strings.Repeat("\u0301", 60), "\u3164\u115f",
}
