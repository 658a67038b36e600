package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/phrase"
	"docket/ui/theme"
)

// recordsScreen lists the log, newest first.
type recordsScreen struct {
	silent
	records []domain.LoggedRecord // oldest first, as the desk lists them
	read    bool
	trouble string
	list    list
	checks  *examination
	top     int // of the lines on the screen, as last drawn, up to end
	end     int
}

func newRecordsScreen(checks *examination) *recordsScreen {
	checks.begin()
	return &recordsScreen{checks: checks}
}

func (r *recordsScreen) unexamined() (from, to int64) {
	if r.top >= r.end || r.end > len(r.records) {
		return 0, 0
	}
	return r.checks.unknown(r.at(r.end-1).Receipt.Sequence, r.at(r.top).Receipt.Sequence+1)
}

func (r *recordsScreen) place() place { return inRecords }

func (r *recordsScreen) arrived(msg recordsRead) effect {
	if msg.err != nil {
		r.trouble = msg.err.Error()
		if r.read {
			return alarm{"The records could not be read again", r.trouble + "; what is on the screen is older"}
		}
		return nil
	}
	r.records, r.read, r.trouble = msg.records, true, ""
	r.checks.begin()
	return nil
}

// at is a line of the list: the newest record is line 0.
func (r *recordsScreen) at(i int) *domain.LoggedRecord { return &r.records[len(r.records)-1-i] }

func (r *recordsScreen) obstacle(v verb, s *scene) string {
	switch v {
	case exportLog:
		switch {
		case s.locked != "":
			return s.locked
		case s.exporting:
			return "an export is under way; Esc stops it"
		case len(r.records) == 0:
			return "there is no record to export"
		}
	case judgeAfresh:
		if len(r.records) == 0 {
			return "there is no record to judge again"
		}
		return whyNotJudgeAgain(r.records, r.at(r.list.cursor), s)
	case accept:
		switch {
		case len(r.records) == 0:
			return "there is no record to show"
		case r.at(r.list.cursor).Unreadable != "":
			return "this record cannot be read: " + r.at(r.list.cursor).Unreadable
		}
	}
	return ""
}

func (r *recordsScreen) handle(v verb, s *scene) effect {
	if r.list.move(v, len(r.records)) {
		return nil
	}
	switch v {
	case accept:
		return openRecord{r.at(r.list.cursor)}
	case judgeAfresh:
		return judgeAnew(r.at(r.list.cursor))
	case goBack:
		if s.exporting {
			return stopExport{}
		}
		return leave{}
	case reread:
		return several{readRecords{}, readHandIns{}, say{text: "reading the records again …", waiting: true}}
	}
	return nil
}

func (r *recordsScreen) title(s *scene) line.Line {
	out := line.Of(theme.Accent, "records")
	if r.read && !s.compact {
		count := plural(len(r.records), "record in the log", "records in the log")
		return line.Spread(out, line.Of(theme.Dim, count+", newest first"), s.width)
	}
	return out
}

func (r *recordsScreen) view(s *scene) line.Sheet {
	if len(r.records) == 0 {
		text := line.Of(theme.Dim, "Reading the records …")
		switch {
		case r.trouble != "":
			text = line.Of(theme.Bad, "✗ The records cannot be read: ").And(theme.Plain, r.trouble+".").
				And(theme.Dim, " R reads them again.")
		case r.read:
			text = line.Of(theme.Dim, "Nothing has been recorded yet.")
		}
		return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.width, 2)...)
	}
	var sheet line.Sheet
	wide := s.width >= areaFrom
	if !s.compact {
		head := line.Of(theme.Dim, "     SEQ  "+sideHeads(wide)+handInHeads(s.width)+" TIME               GATE       ")
		if wide {
			head = head.And(theme.Dim, "AREA        ")
		}
		sheet = append(sheet, head.And(theme.Dim, "WHAT").Fit(s.width))
	}
	below := r.detail(s, s.height-len(sheet))
	height := s.height - len(sheet) - len(below)
	r.top, r.end = r.list.window(len(r.records), height)
	for i := r.top; i < r.end; i++ {
		sheet = append(sheet, cursorLine(r.recordLine(r.at(i), s), i == r.list.cursor, s.width))
	}
	return append(sheet.To(len(sheet)+height-(r.end-r.top)), below...)
}

// detail says in words how the record under the cursor stands.
func (r *recordsScreen) detail(s *scene, height int) line.Sheet {
	if s.compact || height < detailFrom {
		return nil
	}
	logged := r.at(r.list.cursor)
	state, known := r.checks.states[logged.Receipt.Sequence]
	sheet := line.Sheet{line.Rule(s.width)}
	if !known {
		return append(sheet, line.Of(theme.Dim, "Looking at it …"))
	}
	if r.checks.trouble != "" && state.Proof.Verdict == domain.Unexamined {
		return append(sheet, line.Of(theme.Warn, "? It could not be looked at: ").And(theme.Plain, r.checks.trouble).Wrap(s.width, 2)...)
	}
	for i := range sides {
		sheet = append(sheet, sides[i].words(&state).Fit(s.width))
	}
	return append(sheet, handInWords(&logged.HandIn, phrase.JudgedLater(r.records, logged) != nil).Fit(s.width))
}

// areaFrom is the width from which the list says which docket a record belongs to.
const areaFrom = 100

// recordLine is one record in the list.
func (r *recordsScreen) recordLine(logged *domain.LoggedRecord, s *scene) line.Line {
	out := line.Of(theme.Dim, thousands(int(logged.Receipt.Sequence))).Right(6).And(theme.Plain, "  ").
		Plus(r.checks.cells(logged.Receipt.Sequence, s.width >= areaFrom)).
		Plus(handInCell(&logged.HandIn, s.width >= handInFrom)).And(theme.Plain, " ")
	if s.compact {
		out = nil
	}
	if logged.Unreadable != "" {
		return out.And(theme.Warn, " ? cannot be read: ").And(theme.Plain, logged.Unreadable)
	}
	m := logged.Record.Members()
	if !s.compact {
		out = out.And(theme.Dim, " "+moment(m.RecordedAt)+"  ").Plus(gateWord(m.Gate).Pad(9)).And(theme.Plain, "  ")
	} else {
		out = gateMark(m.Gate).And(theme.Plain, " ")
	}
	if s.width >= areaFrom {
		out = out.Plus(line.Of(theme.Dim, m.Area.String()).Pad(12))
	}
	out = out.And(theme.Strong, string(m.Key.ID)).And(theme.Dim, " r"+thousands(int(m.Key.Number)))
	if logged.HandIn.State == domain.Rejected && s.width < handInFrom {
		out = out.And(theme.Plain, "  ").Plus(rejectedWord())
	}
	if m.Outcome.Present() {
		out = out.And(theme.Plain, "  "+m.Outcome.Label())
	} else if m.Transition.Present() {
		out = out.And(theme.Dim, "  "+m.Transition.Label())
	}
	if len(m.ReviewerBlockers) > 0 {
		out = out.And(theme.Warn, "  +"+plural(len(m.ReviewerBlockers), "blocker", "blockers"))
	}
	if m.Supersedes.Present() {
		out = out.And(theme.Dim, "  supersedes another")
	}
	if logged.SupersededBy.Present() {
		out = out.And(theme.Warn, "  superseded")
	}
	return out.And(theme.Dim, "  by "+string(m.Reviewer.ID))
}
