package records

import (
	"context"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/task"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

type recordScreen struct {
	widget.Document
	logged *records.LoggedRecord
	checks *Examination

	asked   bool   // for the statement of reasons
	reasons string // "" before they are read, and for none
}

func (x *Examination) Record(logged *records.LoggedRecord) screen.Screen {
	return &recordScreen{logged: logged, checks: x}
}

func (r *recordScreen) Fetch(s *screen.Scene) screen.Cmd {
	sequence := r.logged.Receipt.Sequence
	return tea.Batch(r.checks.examine(s, []int64{sequence}), r.readReasons(s))
}

func (r *recordScreen) readReasons(s *screen.Scene) screen.Cmd {
	if r.asked || !r.logged.Record.Members().StatementDigest.Present() {
		return nil
	}
	r.asked, r.reasons = true, "reading …"
	id := r.logged.Record.Members().RecordID
	return s.Background("reading a statement of reasons", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		text, err := workbench.Reasons(ctx, id)
		switch {
		case err != nil:
			text = "not read: " + err.Error()
		case text == "":
			text = "not kept here any more"
		}
		return func(*screen.Scene) screen.Cmd {
			r.reasons = text
			return nil
		}
	})
}

func (r *recordScreen) Place() action.Place { return action.InRecord }

// Obstacle says why a record cannot be superseded, as far as is known without its packet.
func (r *recordScreen) Obstacle(v action.Verb, s *screen.Scene) string {
	if v == action.JudgeAgain {
		return decision.WhyNotJudgeAgain(r.logged, s.Reviewer, s.Locked, s.Keyless)
	}
	if v == action.Erase {
		return task.WhyNotErase(s)
	}
	if v != action.Decide {
		return ""
	}
	return decision.WhyNotSupersede(r.logged, s.Reviewer, s.Locked, s.Keyless, s.Key(action.JudgeAgain, action.InRecord))
}

func (r *recordScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	switch v {
	case action.Erase:
		return task.AskErase(s, records.ErasuresOfRecord(r.logged.Receipt.RecordID))
	case action.JudgeAgain:
		return judgeAnew(s, r.logged)
	case action.ShowStatement:
		return openStatement(s, r.logged.Receipt.RecordID)
	case action.Decide:
		m := r.logged.Record.Members()
		return s.OpenPacket(screen.OpenPacket{Request: screen.Request{Table: terms.RecordTable(m.Area), ID: m.Key.ID, Revision: m.Key.Number},
			Replaces: m.RecordID})
	}
	return r.Document.Handle(v, s)
}

func (r *recordScreen) Erased(s *screen.Scene) screen.Cmd { return readRecords(s) }

func (r *recordScreen) Title(*screen.Scene) line.Line {
	m := r.logged.Record.Members()
	return widget.GateMark(m.Gate).And(theme.Dim, " record ").And(theme.Strong, string(r.logged.Receipt.RecordID))
}

func (r *recordScreen) View(s *screen.Scene) line.Sheet {
	of := page.WholeRecord{LoggedRecord: r.logged, Reasons: r.reasons, Judge: s.Key(action.JudgeAgain, action.InRecord), Now: s.Now}
	if state, known := r.checks.states[r.logged.Receipt.Sequence]; known {
		of.State = &state
	}
	p := of.Page()
	return r.Show(&p, s)
}

// judgeAnew shows the latest revision first, as it may have changed.
func judgeAnew(s *screen.Scene, logged *records.LoggedRecord) screen.Cmd {
	m := logged.Record.Members()
	return s.OpenPacket(screen.OpenPacket{Request: screen.Request{Table: terms.RecordTable(m.Area), ID: m.Key.ID}, Rejected: m.RecordID})
}

func (r *recordScreen) renew(records []records.LoggedRecord) {
	for i := range records {
		if one := &records[i]; one.Receipt.Sequence == r.logged.Receipt.Sequence && one.Unreadable == "" {
			r.logged = one
			return
		}
	}
}

func (r *recordScreen) Topics(*screen.Scene) []topic.Topic {
	return topic.OfRecord(r.logged.Record.Members())
}
