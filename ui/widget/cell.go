package widget

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// GateMark is a gate as a glyph, GateWord as glyph and word.
func GateMark(gate terms.Gate) line.Line {
	if gate == terms.Pass {
		return line.Of(theme.Pass, "✓")
	}
	return line.Of(theme.Bad, "✗")
}

func GateWord(gate terms.Gate) line.Line {
	if gate == terms.Pass {
		return line.Of(theme.Pass, "✓ "+gate.String())
	}
	return line.Of(theme.Bad, "✗ "+gate.String())
}

// Bar draws a count of a total as a bar of room columns.
func Bar(count, of, room int, role theme.Role, ascii bool) line.Line {
	full, none := "█", "·"
	if ascii {
		full, none = "#", "."
	}
	filled := 0
	if of > 0 && count > 0 {
		filled = min(max(count*room/of, 1), room)
	}
	return line.Of(role, strings.Repeat(full, filled)).And(theme.Faint, strings.Repeat(none, room-filled))
}

// DraftMark stands for a decision that was begun.
const DraftMark = "✎"

// ErasedMark stands for texts that were erased.
const ErasedMark = "∅"

// AwaitsMark marks a corrected case that waits for its record.
const AwaitsMark = "◇"

// GivenMark marks a case that the service reassigned.
const GivenMark = "⇢"

// ClosedMark marks a closed case: full if there is a record, as for decided cases.
func ClosedMark(decided bool) string {
	if decided {
		return "■"
	}
	return "□"
}

// DoneCell takes the place of the time left once that no longer matters.
func DoneCell(row *queue.Row, now terms.Instant) (line.Line, bool) {
	switch {
	case row.Reassigned:
		return line.Of(theme.Dim, fmt.Sprintf("%s given away", GivenMark)), true
	case row.Closed():
		return line.Of(theme.Dim, fmt.Sprintf("%s closed", ClosedMark(row.Decided))), true
	case row.Decided:
		return line.Of(theme.Dim, "■ "+wording.Waits(row, now)), true
	case row.Skipped != "":
		return line.Of(theme.Dim, "↷ skipped"), true
	case row.Unreadable != "":
		return line.Of(theme.Warn, "? unreadable"), true
	case row.AwaitsRecord():
		return line.Of(theme.Warn, fmt.Sprintf("%s no record", AwaitsMark)), true
	}
	return nil, false
}

const (
	HandedInMark = "✓"
	WaitingMark  = "⇡"
	RejectedMark = "⊘"
)

func RejectedWord() line.Line { return line.Of(theme.Bad, RejectedMark+" "+wording.Rejected) }

func RevokedWord() line.Line { return line.Of(theme.Bad, RejectedMark+" "+wording.RevokedKey) }

// TimeLeft says how long until a deadline in glyph and words: the colour only repeats it.
func TimeLeft(deadline, now terms.Instant) line.Line {
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
