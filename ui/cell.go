package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// gateMark is a gate as a glyph, gateWord as glyph and word.
func gateMark(gate domain.Gate) line.Line {
	if gate == domain.Pass {
		return line.Of(theme.Pass, "✓")
	}
	return line.Of(theme.Bad, "✗")
}

func gateWord(gate domain.Gate) line.Line {
	if gate == domain.Pass {
		return line.Of(theme.Pass, "✓ "+gate.String())
	}
	return line.Of(theme.Bad, "✗ "+gate.String())
}

// draftMark stands for a decision that was begun.
const draftMark = "✎"

// awaitsMark stands before a corrected case that waits for its record.
const awaitsMark = "◇"

// closedMark stands before what is closed: full where there is a record, as with what is decided.
func closedMark(decided bool) string {
	if decided {
		return "■"
	}
	return "□"
}

// doneCell stands where the time left would, once that no longer matters.
func doneCell(row *domain.QueueRow) (line.Line, bool) {
	switch {
	case row.Closed():
		return line.Of(theme.Dim, closedMark(row.Decided)+" closed"), true
	case row.Decided:
		return line.Of(theme.Dim, "■ decided"), true
	case row.Skipped != "":
		return line.Of(theme.Dim, "↷ skipped"), true
	case row.Unreadable != "":
		return line.Of(theme.Warn, "? unreadable"), true
	case row.AwaitsRecord():
		return line.Of(theme.Warn, awaitsMark+" no record"), true
	}
	return nil, false
}

// The glyphs of what the service said to a record, each with a word beside it where there is room for one.
const (
	handedInMark = "✓"
	waitingMark  = "⇡"
	rejectedMark = "⊘"
)

// rejectedWord is what stands at whatever was rejected.
func rejectedWord() line.Line { return line.Of(theme.Bad, rejectedMark+" "+wording.Rejected) }

// timeLeft says how long until a deadline: with a glyph and words, so that the colour only repeats it.
func timeLeft(deadline, now domain.Instant) line.Line {
	text := wording.TimeLeft(deadline, now)
	switch {
	case text == "":
		return line.Of(theme.Dim, "– no deadline")
	case deadline.Before(now):
		return line.Of(theme.Bad, "▲ "+text)
	case deadline.Sub(now) < wording.Soon:
		return line.Of(theme.Warn, "△ "+text)
	}
	return line.Of(theme.Plain, "○ "+text)
}
