package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/task"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

type recordScreen struct {
	widget.Page
	logged *records.LoggedRecord
	checks *Examination

	asked   bool   // for the statement of reasons
	reasons string // "" before they are read, and for none
	whole   bool   // the hashes show
}

func (x *Examination) Record(logged *records.LoggedRecord) screen.Screen {
	return &recordScreen{logged: logged, checks: x}
}

func (r *recordScreen) Fetch(s *screen.Scene) screen.Cmd {
	sequence := r.logged.Receipt.Sequence
	return tea.Batch(r.checks.examine(s, sequence, sequence+1), r.readReasons(s))
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
	case action.Fold:
		r.whole = !r.whole
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
	return r.Page.Handle(v, s)
}

func (r *recordScreen) Erased(s *screen.Scene) screen.Cmd { return readRecords(s) }

func (r *recordScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Dim, "record ").And(theme.Strong, string(r.logged.Receipt.RecordID))
}

const recordLabel = 21

// View draws the groups: an answer of the service to act on first, and mere proof last.
func (r *recordScreen) View(s *screen.Scene) line.Sheet {
	groups, at := wording.RecordGroups(r.logged, r.reasons), 1
	if r.logged.HandIn.State == records.Rejected {
		at = 0
	}
	service := wording.AtService(r.logged)
	if r.logged.HandIn.State == records.NotHandedIn {
		service.Rows = service.Rows[:1] // which says by when
	}
	groups = slices.Insert(groups, at, service)
	state := r.checks.states[r.logged.Receipt.Sequence]
	if gone := wording.ErasedMembers(state.Erased); len(gone) > 0 {
		groups = slices.Insert(groups, at+1, pages.Part{Title: "Erased", Rows: gone})
	}
	if state.Proof.Verdict == records.Holds {
		groups = append(groups, proof(&state))
	}
	var sheet line.Sheet
	for _, group := range groups {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		if group.Folded && !r.whole {
			sheet = append(sheet, line.Of(theme.Accent, "▸ ").And(theme.Dim,
				"hashes and place in the log · "+s.Key(action.Fold, action.InRecord)+" shows them"))
			break
		}
		sheet = append(sheet, widget.Heading(group.Title, s.Width))
		for _, m := range group.Rows {
			label := m.Label
			for text := range strings.SplitSeq(m.Value, "\n") {
				pair, _ := widget.Pair(nil, label, r.value(m.Label, text, s), recordLabel, s.Width)
				sheet, label = append(sheet, pair...), ""
			}
			if m.Label == wording.Standing {
				sheet = append(sheet, r.verdicts(s.Width)...)
			}
		}
	}
	return r.Scroll.Show(sheet, s.Height)
}

func (r *recordScreen) value(label, text string, s *screen.Scene) line.Line {
	switch {
	case label == wording.Answer:
		return handInWords(&r.logged.HandIn, r.logged.JudgedAgain > 0, s.Key(action.JudgeAgain, action.InRecord), s.Now)
	case text == "":
		return line.Of(theme.Dim, "none")
	case label == wording.Gate:
		return widget.GateWord(r.logged.Record.Members().Gate)
	case label != wording.Standing:
		return line.Of(theme.Plain, text)
	case r.logged.Void():
		return line.Of(theme.Bad, widget.RejectedMark+" "+text)
	case r.logged.SupersededBy.Present():
		return line.Of(theme.Warn, text)
	}
	return line.Of(theme.Pass, text)
}

func (r *recordScreen) verdicts(width int) (sheet line.Sheet) {
	state, known := r.checks.states[r.logged.Receipt.Sequence]
	for i := range wording.Sides {
		side, said := &wording.Sides[i], line.Of(theme.Dim, "checking …")
		if known {
			said = words(side, &state)
		}
		pair, _ := widget.Pair(nil, side.Label, said, recordLabel, width)
		sheet = append(sheet, pair...)
	}
	return sheet
}

func proof(state *records.State) pages.Part {
	members := []pages.Row{{Label: "leaf, recomputed", Value: state.Leaf.String()}}
	for i, hash := range state.Path {
		members = append(members, pages.Row{Label: fmt.Sprintf("path %s of %s", wording.Thousands(i+1), wording.Thousands(len(state.Path))),
			Value: hash.String()})
	}
	members = append(members, pages.Row{Label: fmt.Sprintf("root of %s", wording.Plural(int(state.Head.Size), "record", "records")),
		Value: state.Head.Root.String()})
	return pages.Part{Title: "Proof of its place in the log", Rows: members, Folded: true}
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
