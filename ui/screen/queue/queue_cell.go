package queue

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// The cells of the queue's columns.

func gateCell(row *domain.QueueRow, _ *screen.Scene, width int) line.Line {
	if width < 9 {
		return widget.GateMark(row.Gate)
	}
	return widget.GateWord(row.Gate)
}

// wholeID is how wide a cell has to be for the whole id, with its marks as glyphs.
func wholeID(row *domain.QueueRow) int {
	width := line.Width(string(row.ID))
	if row.Rejected {
		width += 1 + line.Width(widget.RejectedMark)
	}
	if row.Draft && !row.Decided {
		width += 1 + line.Width(widget.DraftMark)
	}
	return width
}

func idCell(row *domain.QueueRow, _ *screen.Scene, width int) line.Line {
	id := line.Of(theme.Strong, string(row.ID))
	var mark line.Line
	with := func(of theme.Role, glyph string, word line.Line) {
		mark = mark.And(of, " "+glyph)
		if full := mark.And(theme.Plain, " ").Plus(word); id.Width()+full.Width() <= width {
			mark = full
		}
	}
	if row.Rejected {
		with(theme.Bad, widget.RejectedMark, line.Of(theme.Bad, wording.Rejected))
	}
	if row.Draft && !row.Decided {
		with(theme.Accent, widget.DraftMark, line.Of(theme.Dim, "draft"))
	}
	return id.Fit(width - mark.Width()).Plus(mark)
}

func revisionCell(row *domain.QueueRow, _ *screen.Scene, width int) line.Line {
	return line.Of(theme.Dim, wording.Thousands(int(row.Revision))).Right(width)
}

func subjectCell(row *domain.QueueRow, _ *screen.Scene, _ int) line.Line {
	return line.Of(theme.Plain, wording.OrDash(row.Subject.Label()))
}

func triggerCell(row *domain.QueueRow, _ *screen.Scene, _ int) line.Line {
	return line.Of(theme.Plain, wording.OrDash(row.Trigger.Label()))
}

// blockerCell names the first blocker and how many others hold.
func blockerCell(row *domain.QueueRow, _ *screen.Scene, width int) line.Line {
	codes := row.Blockers.List()
	switch {
	case row.Unreadable != "":
		return line.Of(theme.Warn, row.Unreadable)
	case len(codes) == 0:
		return line.Of(theme.Dim, "–")
	case len(codes) == 1:
		return line.Of(theme.Plain, codes[0].String())
	}
	more := line.Of(theme.Bad, " +"+wording.Thousands(len(codes)-1))
	return line.Of(theme.Plain, codes[0].String()).Fit(width - more.Width()).Plus(more)
}

func timeCell(row *domain.QueueRow, s *screen.Scene, _ int) line.Line {
	if done, is := widget.DoneCell(row); is {
		return done
	}
	return widget.TimeLeft(row.Due(), s.Now)
}

func stateCell(row *domain.QueueRow, _ *screen.Scene, _ int) line.Line {
	if row.Closed() {
		return line.Of(theme.Dim, widget.ClosedMark(row.Decided)+" "+row.Status.Label())
	}
	if done, is := widget.DoneCell(row); is {
		return done
	}
	return line.Of(theme.Plain, wording.OrDash(row.Status.Label()))
}

func assignedCell(row *domain.QueueRow, s *screen.Scene, width int) line.Line {
	switch {
	case !row.AssignedTo.Present():
		return line.Of(theme.Dim, "nobody").Fit(width)
	case s.Reviewer.Known() && row.AssignedTo == s.Reviewer.ID:
		return line.Of(theme.Accent, "you")
	case width < 10, width < line.Width(string(row.AssignedTo)):
		return line.Of(theme.Dim, "other") // an id is whole or not there
	}
	return line.Of(theme.Dim, string(row.AssignedTo))
}
