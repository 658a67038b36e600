package queue

import (
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
	"strings"
)

func (q *Screen) View(s *screen.Scene) line.Sheet {
	d := q.current()
	var sheet line.Sheet
	if q.editor != nil || d.query.filter.String() != "" {
		sheet = append(sheet, q.filterLine(s))
		switch {
		case d.complaint != "" && !unfinished(q.editor):
			sheet = append(sheet, complaintLines(d.complaint, s)...)
		case q.editor != nil && !s.Compact:
			sheet = append(sheet, q.completion.hint(q.editor, s.Width, q.Saved))
		}
	}
	list, preview, contract := shares(s.Width)
	if s.Compact {
		list, preview, contract = s.Width, 0, 0
	}
	q.previews.beside, q.previews.drawn = preview > 0, preview > 0
	side := *s
	side.Width, side.Height = list, s.Height-len(sheet)
	rows := q.listSheet(&side)
	if preview == 0 {
		return append(sheet, rows...)
	}
	side.Width = preview
	return append(sheet, line.Beside(rows, q.previewSheet(&side, contract), list, side.Height)...)
}

const (
	listLeast     = 98 // beside a preview: it shows no fewer columns than a window of 100
	previewFrom   = 160
	previewMost   = 80
	contractLeast = 40
)

// shares splits a window; 0: that part does not show.
func shares(width int) (list, preview, contract int) {
	if width < previewFrom {
		return width, 0, 0
	}
	preview = min(width-listLeast-line.BesideGap, previewMost)
	list = width - preview - line.BesideGap
	if contract = list - listLeast - line.BesideGap; contract < contractLeast {
		return list, preview, 0
	}
	contract = min(contract, widget.ProseWidth)
	return list - contract - line.BesideGap, preview, contract
}

// listSheet has the blockers of the case under the cursor if no preview stands beside the list.
func (q *Screen) listSheet(s *screen.Scene) line.Sheet {
	d := q.current()
	columns := layout(d, s.Width-widget.CursorWidth)
	var sheet line.Sheet
	if !s.Compact {
		sheet = append(sheet, heads(q.Area, columns, q.order, widget.CursorWidth))
	}
	detail := q.detail(s, s.Height-len(sheet))
	height := s.Height - len(sheet) - len(detail)
	if len(d.Shown) == 0 {
		d.list.Window(0, height)
		return append(append(sheet, q.nothing(s).To(height)...), detail...)
	}
	top, end := d.list.Window(len(d.Shown), height)
	closed := d.Queue.ClosedFrom(d.Shown)
	headed := closed < len(d.Shown) && top <= closed && closed < end && height > leastHeaded
	if headed {
		height--
		top, end = d.list.Window(len(d.Shown), height)
	}
	marks := d.Filter.Marks()
	for i := top; i < end; i++ {
		if headed && i == closed {
			title := line.Of(theme.Dim, "── ").And(theme.Plain, wording.ClosedTitle(d.Tally.Reassigned)+": "+
				wording.Thousands(len(d.Shown)-closed)+" ")
			sheet = append(sheet, title.Plus(line.Rule(s.Width-title.Width())).Fit(s.Width))
		}
		row := d.Row(i)
		sheet = append(sheet, rowLine(columns, row, s, marks, i == d.list.Cursor))
	}
	if headed && closed >= end { // the row that it stands before has just left the window
		sheet = append(sheet, nil)
	}
	return append(sheet.To(len(sheet)+height-(end-top)), detail...)
}

const leastHeaded = 3

func (q *Screen) filterLine(s *screen.Scene) line.Line {
	d := q.current()
	left := line.Of(theme.Accent, "/ ").And(theme.Input, d.query.filter.String())
	if q.editor != nil {
		left = q.editor.View(s.Width)
	}
	right := line.Of(theme.Dim, fmt.Sprintf("%s of %s", wording.Thousands(len(d.Shown)), wording.Thousands(d.Queue.Len())))
	return line.Spread(left, right, s.Width)
}

const mostComplaint = 4

func complaintLines(text string, s *screen.Scene) line.Sheet {
	sheet := line.Of(theme.Warn, "✗ "+text).Wrap(s.Width, 2)
	if most := max(min(mostComplaint, s.Height-3), 1); len(sheet) > most {
		sheet = sheet[:most]
		sheet[most-1] = sheet[most-1].Fit(s.Width-1).And(theme.Warn, "…")
	}
	return sheet
}

func (q *Screen) nothing(s *screen.Scene) line.Sheet {
	d := q.current()
	text := line.Of(theme.Dim, "Reading the queue …")
	switch {
	case d.trouble != "":
		text = line.Of(theme.Bad, "✗ The queue cannot be read: ").And(theme.Plain, d.trouble+".").
			And(theme.Dim, fmt.Sprintf(" %s tries again.", s.Key(action.Reread, action.InQueue)))
	case d.counted() && d.Queue.Len() == 0:
		text = line.Of(theme.Dim, fmt.Sprintf("There are no %s here yet. Import packets with `docket import FILE`, then press %s.",
			q.Area, s.Key(action.Reread, action.InQueue)))
	case d.counted():
		text = line.Of(theme.Dim, fmt.Sprintf("Nothing matches the filter. %s clears it.", s.Key(action.GoBack, action.InQueue)))
		if d.query.filter.InCodes() {
			text = text.And(theme.Dim, " "+wording.SearchTexts)
		}
	}
	return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.Width, 2)...)
}

const (
	detailShare = 3
	detailMost  = 7
)

func (q *Screen) detail(s *screen.Scene, height int) line.Sheet {
	row, any := q.current().selected()
	if s.Compact || q.previews.beside || height < widget.DetailFrom || !any {
		return nil
	}
	q.previews.drawn = true
	room := min(height/detailShare, detailMost)
	sheet := line.Sheet{line.Rule(s.Width), caseHead(&row, true, s.Width)}
	switch {
	case row.Unreadable != "":
		sheet = append(sheet, line.Of(theme.Bad, "✗ "+wording.Capital(wording.RowUnreadable)+": ").And(
			theme.Plain, row.Unreadable).Wrap(s.Width, 2)...)
	case row.Skipped != "":
		sheet = append(sheet, line.Of(theme.Dim, "↷ skipped: ").And(theme.Plain, row.Skipped).Wrap(s.Width, 2)...)
	}
	if earlier := wording.EarlierCodes(&row); earlier != "" {
		sheet = append(sheet, line.Of(theme.Warn, "! "+earlier).Fit(s.Width))
	}
	sheet = append(sheet, q.detailBlockers(&row, s.Width, room+1-len(sheet))...)
	if row.Gate == terms.Pass {
		sheet = append(sheet, line.Of(theme.Pass, "✓ ").And(theme.Plain, wording.RowPassed(&row, s.Reviewer.ID)))
	}
	if one := q.under(); one != nil && one.preview != nil && len(sheet) <= room {
		sheet = append(sheet, markedTexts(one.preview.Said(s), q.current().Filter.Marks())...)
	}
	if len(sheet) > room+1 {
		if last := sheet[room].Fit(s.Width - 2); strings.HasSuffix(last.String(), "…") {
			sheet[room] = last
		} else {
			sheet[room] = last.And(theme.Dim, " …")
		}
	}
	return sheet.To(room + 1)
}

func (q *Screen) detailBlockers(row *queue.Row, width, room int) line.Sheet {
	var full, short line.Sheet
	codes := row.Blockers.List()
	for i, code := range codes {
		rule, _ := rules.RuleFor(q.Area, code)
		if one := q.under(); one != nil && one.preview != nil {
			rule = one.preview.Rule(code) // what is possible on this packet only
		}
		text := line.Of(theme.Bad, "✗ "+code.String()).And(theme.Plain, "  "+rule.Meaning)
		full = append(full, text.Wrap(width, 2)...)
		full = append(full, line.Of(theme.Pass, "  → ").And(theme.Dim, rule.Cure).Wrap(width, 4)...)
		if left := len(codes) - i; len(short) == room-1 && left > 1 {
			short = append(short, line.Of(theme.Dim, fmt.Sprintf("  and %s more", wording.Thousands(left))))
		} else if len(short) < room {
			short = append(short, text.Fit(width))
		}
	}
	if len(full) <= room {
		return full
	}
	return short
}

// caseHead leaves out the status first, then the subject, where words have no room.
func caseHead(row *queue.Row, due bool, width int) (out line.Line) {
	words := []terms.AnyTerm{row.Status, row.Subject, row.Trigger}
	for left := range len(words) + 1 {
		if out = caseWords(row, words[left:], due); out.Width() <= width {
			return out
		}
	}
	return out
}

func caseWords(row *queue.Row, words []terms.AnyTerm, due bool) line.Line {
	out := line.Of(theme.Strong, string(row.ID)).And(theme.Dim, fmt.Sprintf(" revision %s", wording.Thousands(int(row.Revision))))
	if row.Rejected {
		out = out.And(theme.Dim, " · ").Plus(widget.RejectedWord()).And(theme.Plain, " by the service: judge it again")
	}
	for _, word := range words {
		if word != "" {
			out = out.And(theme.Dim, " · "+word.Label())
		}
	}
	switch {
	case row.Reassigned:
		out = out.And(theme.Warn, " · "+widget.GivenMark+" "+queue.GivenAway)
	case row.Closed():
		out = out.And(theme.Dim, " · closed")
	case row.AwaitsRecord():
		out = out.And(theme.Warn, " · "+queue.RelianceWaits)
	case due && row.Due().Present():
		out = out.And(theme.Dim, fmt.Sprintf(" · due %s", wording.Moment(row.Due())))
	}
	if row.Draft && !row.Decided {
		out = out.And(theme.Accent, " · "+widget.DraftMark+" "+wording.DraftBegun)
	}
	if row.Erased {
		out = out.And(theme.Dim, " · "+widget.ErasedMark+" "+wording.TextsErased)
	}
	return out
}

func (q *Screen) Copies(*screen.Scene) []screen.CopyItem {
	if row, any := q.current().selected(); any {
		return []screen.CopyItem{{What: "id", Text: string(row.ID)}, {What: "assigned to", Text: string(row.AssignedTo)}}
	}
	return nil
}

func (q *Screen) Topics(*screen.Scene) []topic.Topic {
	if row, any := q.current().selected(); any {
		return topic.OfRow(&row)
	}
	return nil
}
