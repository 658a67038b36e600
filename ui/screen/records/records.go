// Package records holds the screens of the log: the list of its records, and each record with its
// state.
package records

import (
	"context"
	"errors"
	"fmt"

	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// recordsScreen lists the log, newest first, from the pages that were on the screen.
type recordsScreen struct {
	screen.Silent
	total   int                           // the number of records when last read from the start
	held    map[int]*records.LoggedRecord // by line
	asked   bool                          // a page is waited for
	read    bool
	trouble string
	list    widget.List
	checks  *Examination
	top     int // of the lines on the screen, as last drawn, up to end
	end     int
}

func (x *Examination) Open(s *screen.Scene) screen.Cmd {
	x.Begin()
	s.Show(&recordsScreen{checks: x})
	return readRecords(s)
}

// recordPage is how many records are read at once, mostHeld from how many unshown ones are dropped.
const (
	recordPage = 200
	mostHeld   = 20 * recordPage
)

// readRecords reads the newest records, and those whose pages are open.
func readRecords(s *screen.Scene) screen.Cmd {
	var open []int64
	for _, one := range s.Over {
		if record, is := one.(*recordScreen); is {
			open = append(open, record.logged.Number)
		}
	}
	return readPage(s, 0, open)
}

// readPage reads below a number, 0 for the newest, for all screens that show records.
func readPage(s *screen.Scene, before int64, open []int64) screen.Cmd {
	return s.Go("reading the records", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		page, err := workbench.Records(ctx, before, recordPage)
		var shown []records.LoggedRecord // the records whose pages are open, as they are now
		for _, number := range open {
			one, failed := workbench.Records(ctx, number+1, 1)
			shown, err = append(shown, one.Records...), errors.Join(err, failed)
		}
		now := workbench.Now()
		return func(s *screen.Scene) screen.Cmd {
			s.Pass(now)
			for _, one := range s.Over {
				switch one := one.(type) {
				case *recordsScreen:
					one.arrived(s, before, &page, err)
				case *recordScreen:
					one.renew(shown)
				}
			}
			return nil
		}
	})
}

func (r *recordsScreen) Fetch(s *screen.Scene) screen.Cmd {
	cmd := r.fetchShown(s)
	if r.top >= r.end || r.end > r.total {
		return cmd
	}
	var shown []int64
	for i := r.top; i < r.end; i++ {
		if held := r.held[i]; held != nil && held.Receipt.Sequence != notKnown {
			shown = append(shown, held.Receipt.Sequence)
		}
	}
	return tea.Batch(cmd, r.checks.examine(s, shown))
}

func (r *recordsScreen) fetchShown(s *screen.Scene) screen.Cmd {
	if !r.read || r.asked || r.trouble != "" {
		return nil
	}
	for i := r.top; i < r.end; i++ {
		if r.held[i] == nil {
			r.asked = true
			return readPage(s, int64(r.total-i/recordPage*recordPage), nil)
		}
	}
	return nil
}

func (r *recordsScreen) Answered(s *screen.Scene) screen.Cmd { return readRecords(s) }

func (r *recordsScreen) Place() action.Place { return action.InRecords }

func (r *recordsScreen) arrived(s *screen.Scene, before int64, read *records.Page, err error) {
	r.asked = false
	if err != nil {
		if r.trouble = err.Error(); r.read {
			widget.Alarm(s, "The records could not be read again", fmt.Sprintf("%s; the screen shows an earlier state", r.trouble))
		}
		return
	}
	if before == 0 {
		r.total, r.held, before = int(read.Total), nil, read.Total
		r.checks.Begin()
	}
	r.read, r.trouble = true, ""
	r.hold(before, read.Records)
}

// hold stores a page; a record that is missing in it has been removed from the log.
func (r *recordsScreen) hold(before int64, logged []records.LoggedRecord) {
	if r.held == nil || len(r.held) > mostHeld {
		r.held = map[int]*records.LoggedRecord{}
	}
	for i := range logged {
		if at := r.total - 1 - int(logged[i].Number); at >= 0 && at < r.total {
			r.held[at] = &logged[i]
		}
	}
	first := r.total - int(before)
	for at := max(first, 0); at < min(first+recordPage, r.total); at++ {
		if r.held[at] == nil {
			r.held[at] = r.without(at, "its row is not in the log; run `docket verify`")
		}
	}
}

func (r *recordsScreen) at(i int) *records.LoggedRecord {
	if held := r.held[i]; held != nil {
		return held
	}
	return r.without(i, stillRead)
}

const stillRead = "its record is still being read"

// notKnown is the position of a record that is not held, or whose entry is missing.
const notKnown = -1

func (r *recordsScreen) without(i int, why string) *records.LoggedRecord {
	return &records.LoggedRecord{Receipt: records.Receipt{Sequence: notKnown}, Number: int64(r.total - 1 - i), Unreadable: why}
}

func (r *recordsScreen) Obstacle(v action.Verb, s *screen.Scene) string {
	switch v {
	case action.ExportLog:
		switch {
		case s.Locked != "":
			return s.Locked
		case s.StopExport != nil:
			return fmt.Sprintf("an export is running; %s stops it", s.Key(action.GoBack, action.InRecords))
		case r.total == 0:
			return "there is no record to export"
		}
	case action.JudgeAgain:
		if r.total == 0 {
			return "there is no record to judge again"
		}
		return decision.WhyNotJudgeAgain(r.at(r.list.Cursor), s.Reviewer, s.Locked, s.Keyless)
	case action.Accept:
		switch {
		case r.total == 0:
			return "there is no record to show"
		case r.at(r.list.Cursor).Unreadable != "":
			return wording.RecordUnreadable + ": " + r.at(r.list.Cursor).Unreadable
		}
	}
	return ""
}

func (r *recordsScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if r.list.Move(v, r.total) {
		return nil
	}
	switch v {
	case action.Accept:
		return s.Show(s.Record(r.at(r.list.Cursor)))
	case action.JudgeAgain:
		return judgeAnew(s, r.at(r.list.Cursor))
	case action.GoBack:
		if s.StopExport != nil {
			s.StopExport()
			return nil
		}
		return s.Leave()
	case action.Reread:
		s.Await("reading the records again …")
		return tea.Batch(readRecords(s), s.ReadHandIns())
	}
	return nil
}

func (r *recordsScreen) Title(s *screen.Scene) line.Line {
	out := line.Of(theme.Accent, "records")
	if r.read && !s.Compact {
		count := wording.RecordsInLog(r.total)
		return line.Spread(out, line.Of(theme.Dim, fmt.Sprintf("%s, newest first", count)), s.Width)
	}
	return out
}

func (r *recordsScreen) View(s *screen.Scene) line.Sheet {
	if r.total == 0 {
		text := line.Of(theme.Dim, "Reading the records …")
		switch {
		case r.trouble != "":
			text = line.Of(theme.Bad, "✗ "+wording.RecordsNotRead+": ").And(theme.Plain, r.trouble+".").
				And(theme.Dim, fmt.Sprintf(" %s reads them again.", s.Key(action.Reread, action.InRecords)))
		case r.read:
			text = line.Of(theme.Dim, wording.NoRecords)
		}
		return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.Width, 2)...)
	}
	var sheet line.Sheet
	if setback := s.Service.Tally.Setback; setback.Kind.Present() && s.Height >= widget.DetailFrom {
		sheet = line.Of(theme.Bad, widget.RejectedMark+" ").And(theme.Plain, wording.SetBack(&setback)).Wrap(s.Width, 2)
	}
	if !s.Compact {
		head := line.Of(theme.Dim, "     SEQ  CHECKED  ")
		if s.Width >= handInFrom {
			head = head.Plus(line.Of(theme.Dim, "HANDED IN").Pad(handInWidth))
		}
		head = head.And(theme.Dim, "TIME               ")
		if s.Width >= gateWordFrom {
			head = head.And(theme.Dim, "GATE       ")
		} else {
			head = head.And(theme.Dim, "   ")
		}
		if s.Width >= areaFrom {
			head = head.And(theme.Dim, "AREA        ")
		}
		sheet = append(sheet, head.And(theme.Dim, "WHAT").Fit(s.Width))
	}
	below := r.detail(s, s.Height-len(sheet))
	height := s.Height - len(sheet) - len(below)
	r.top, r.end = r.list.Window(r.total, height)
	rows := r.list.Rows(r.total, height, s.Width, func(i int) line.Line { return r.recordLine(r.at(i), s) })
	return append(append(sheet, rows.To(height)...), below...)
}

func (r *recordsScreen) detail(s *screen.Scene, height int) line.Sheet {
	if s.Compact || height < widget.DetailFrom {
		return nil
	}
	logged := r.at(r.list.Cursor)
	state, known := r.checks.states[logged.Receipt.Sequence]
	sheet := line.Sheet{line.Rule(s.Width)}
	switch {
	case logged.Receipt.Sequence == notKnown && logged.Unreadable != stillRead:
		return nil // its line says all that is known
	case !known:
		return append(sheet, line.Of(theme.Dim, "Checking …"))
	}
	if r.checks.trouble != "" && state.Proof.Verdict == records.Unexamined {
		return append(sheet, line.Of(theme.Warn, "? It could not be checked: ").And(theme.Plain, r.checks.trouble).Wrap(s.Width, 2)...)
	}
	of := page.WholeRecord{LoggedRecord: logged, State: &state, Judge: s.Key(action.JudgeAgain, action.InRecords), Now: s.Now}
	sheet = append(sheet, widget.RowLines(of.InShort(), s.Width, s.ASCII)...)
	return sheet.Window(0, height-leastRows)
}

const leastRows = 4 // of the list, above the remarks of the record under the cursor

const pointerWidth = 2

const (
	areaFrom     = 100
	gateWordFrom = 140
)

func (r *recordsScreen) recordLine(logged *records.LoggedRecord, s *screen.Scene) line.Line {
	position := ""
	if logged.Receipt.Sequence != notKnown {
		position = wording.Thousands(int(logged.Receipt.Sequence))
	}
	out := line.Of(theme.Dim, position).Right(6).And(theme.Plain, "  ").
		Plus(r.checks.mark(logged.Receipt.Sequence).Pad(len("CHECKED"))).And(theme.Plain, "  ")
	if s.Width >= handInFrom {
		out = out.Plus(handInCell(&logged.HandIn))
	}
	if s.Compact {
		out = nil
	}
	if logged.Unreadable == stillRead {
		return out.And(theme.Dim, "reading …")
	}
	if logged.Unreadable != "" {
		return out.And(theme.Warn, "? cannot be read: ").And(theme.Plain, logged.Unreadable)
	}
	m := logged.Record.Members()
	if !s.Compact {
		out = out.And(theme.Dim, wording.Moment(m.RecordedAt)+"  ")
		if s.Width >= gateWordFrom {
			out = out.Plus(widget.GateWord(m.Gate).Pad(9)).And(theme.Plain, "  ")
		} else {
			out = out.Plus(widget.GateMark(m.Gate)).And(theme.Plain, "  ")
		}
	} else {
		out = widget.GateMark(m.Gate).And(theme.Plain, " ")
	}
	if s.Width >= areaFrom {
		out = out.Plus(line.Of(theme.Dim, m.Area.String()).Pad(12))
	}
	out = out.And(theme.Strong, string(m.Key.ID)).And(theme.Dim, fmt.Sprintf(" r%s", wording.Thousands(int(m.Key.Number))))
	if logged.HandIn.State == records.Rejected && s.Width < handInFrom {
		out = out.And(theme.Plain, "  ").Plus(widget.RejectedWord())
	}
	if logged.Revoked {
		out = out.And(theme.Plain, "  ").Plus(widget.RevokedWord())
	}
	if len(r.checks.states[logged.Receipt.Sequence].Erased) > 0 {
		out = out.And(theme.Dim, "  "+widget.ErasedMark+" "+wording.Erased)
	}
	if m.Outcome.Present() {
		out = out.And(theme.Plain, "  "+m.Outcome.Label())
	} else if m.Transition.Present() {
		out = out.And(theme.Dim, "  "+m.Transition.Label())
	}
	if len(m.ReviewerBlockers) > 0 {
		out = out.And(theme.Warn, "  +"+wording.Plural(len(m.ReviewerBlockers), "blocker", "blockers"))
	}
	if m.Supersedes.Present() {
		out = out.And(theme.Dim, "  supersedes another")
	}
	if logged.SupersededBy.Present() {
		out = out.And(theme.Warn, "  superseded")
	}
	if logged.HandIn.State == records.NotHandedIn && s.Width < handInFrom {
		out = out.And(theme.Warn, "  "+widget.WaitingMark).And(theme.Plain, " "+wording.NotHandedIn)
	}
	if by := line.Of(theme.Dim, fmt.Sprintf("  by %s", m.Reviewer.ID)); out.Width()+by.Width() <= s.Width-pointerWidth {
		out = out.Plus(by)
	}
	return out
}

func (r *recordsScreen) Copies(*screen.Scene) []screen.CopyItem {
	if r.total == 0 {
		return nil
	}
	return recordCopies(r.at(r.list.Cursor))
}

func (r *recordScreen) Copies(*screen.Scene) []screen.CopyItem { return recordCopies(r.logged) }

func recordCopies(logged *records.LoggedRecord) []screen.CopyItem {
	items := screen.ReceiptCopies(&logged.Receipt)
	if logged.Unreadable != "" {
		return items
	}
	m := logged.Record.Members()
	return append(items, screen.Copy("packet", string(m.Key.ID)), screen.Copy("content hash", m.ContentHash.String()),
		screen.Copy("policy id", string(m.Policy.ID)), screen.Copy("policy hash", m.PolicyHash.String()),
		screen.Copy("packet digest", m.PacketDigest.String()), screen.Copy("supersedes", string(m.Supersedes)),
		screen.Copy("superseded by", string(logged.SupersededBy)), screen.Copy("reviewer's key", m.Reviewer.KeyFingerprint),
		screen.Copy("record in force at the service", string(logged.HandIn.Rejection.InForce)),
		screen.Copy("root of the service's log", logged.HandIn.Receipt.Root.String()))
}

func (r *recordsScreen) Topics(*screen.Scene) []topic.Topic {
	if r.total == 0 || r.at(r.list.Cursor).Unreadable != "" {
		return nil
	}
	return topic.OfRecord(r.at(r.list.Cursor).Record.Members())
}
