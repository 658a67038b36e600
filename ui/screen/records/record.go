package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	screen.Silent
	logged *records.LoggedRecord
	checks *Examination
	scroll widget.Scroll

	asked   bool   // for the statement of reasons
	reasons string // "" before they are read, and for none
	whole   bool   // the hashes show
}

// Record makes the page of a record.
func (x *Examination) Record(logged *records.LoggedRecord) screen.Screen {
	return &recordScreen{logged: logged, checks: x}
}

func (r *recordScreen) Fetch(s *screen.Scene) screen.Cmd {
	return tea.Batch(r.checks.examine(s, r), r.readReasons(s))
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

func (r *recordScreen) unexamined() (from, to int64) {
	sequence := r.logged.Receipt.Sequence
	return r.checks.unknown(sequence, sequence+1)
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
	switch {
	case s.Locked != "":
		return s.Locked
	case s.Keyless != "":
		return wording.Unsigned(s.Keyless)
	case r.logged.HandIn.State == records.Rejected:
		return fmt.Sprintf("the service rejected it, so it is not in force; %s judges its packet again", s.Key(action.JudgeAgain, action.InRecord))
	case r.logged.Revoked:
		return fmt.Sprintf("%s, so it is not in force; %s judges its packet again", wording.SignerRevoked, s.Key(action.JudgeAgain, action.InRecord))
	case r.logged.SupersededBy.Present():
		return fmt.Sprintf("it is superseded by %s", r.logged.SupersededBy)
	case !s.Reviewer.Known():
		return decision.NoReviewer
	}
	return ""
}

func (r *recordScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if r.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.GoBack:
		return s.Leave()
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
	return nil
}

func (r *recordScreen) Erased(s *screen.Scene) screen.Cmd { return readRecords(s) }

func (r *recordScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Dim, "record ").And(theme.Strong, string(r.logged.Receipt.RecordID))
}

func (r *recordScreen) View(s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	for _, group := range r.groups(s) {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		if group.folded && !r.whole {
			sheet = append(sheet, line.Of(theme.Accent, "▸ ").And(theme.Dim,
				"hashes and place in the log · "+s.Key(action.Fold, action.InRecord)+" shows them"))
			break
		}
		sheet = append(sheet, widget.Heading(group.title, s.Width))
		for _, m := range group.members {
			if m.value == nil {
				m.value = line.Of(theme.Dim, "none")
			}
			pair, _ := widget.Pair(nil, m.label, m.value, recordLabel, s.Width)
			sheet = append(sheet, pair...)
		}
	}
	return sheet.Window(r.scroll.Window(len(sheet), s.Height), s.Height)
}

// groups are the members in the order of the page: an answer of the service that calls for
// something first, and last what only proves the rest.
func (r *recordScreen) groups(s *screen.Scene) []memberGroup {
	groups := recordGroups(r.logged, r.reasons)
	checked, path := r.checked()
	at := slices.IndexFunc(groups[0].members, func(m memberLine) bool { return m.label == wording.Standing })
	groups[0].members = slices.Insert(groups[0].members, at+1, checked...)
	place := 1
	if r.logged.HandIn.State == records.Rejected {
		place = 0
	}
	groups = slices.Insert(groups, place, r.service(s))
	if gone := wording.ErasedMembers(r.checks.states[r.logged.Receipt.Sequence].Erased); len(gone) > 0 {
		groups = slices.Insert(groups, place+1, groupOf(wording.Group{Title: "Erased", Members: gone}))
	}
	if len(path.members) > 0 {
		groups = append(groups, path)
	}
	return groups
}

const recordLabel = 21

type memberLine struct {
	label string
	value line.Line
}

type memberGroup struct {
	title   string
	members []memberLine
	folded  bool
}

func recordGroups(logged *records.LoggedRecord, reasons string) (groups []memberGroup) {
	for _, group := range wording.RecordGroups(logged, reasons) {
		groups = append(groups, groupOf(group))
	}
	for i, m := range groups[0].members {
		switch m.label {
		case wording.Gate:
			groups[0].members[i].value = widget.GateWord(logged.Record.Members().Gate)
		case wording.Standing:
			groups[0].members[i].value = standing(logged, m.value)
		}
	}
	return groups
}

func groupOf(group wording.Group) memberGroup {
	drawn := memberGroup{title: group.Title, folded: group.Folded}
	for _, m := range group.Members {
		for text := range strings.SplitSeq(m.Value, "\n") {
			drawn.members = append(drawn.members, memberLine{m.Label, value(text)})
			m.Label = ""
		}
	}
	return drawn
}

func standing(logged *records.LoggedRecord, text line.Line) line.Line {
	switch {
	case logged.Void():
		return line.Of(theme.Bad, widget.RejectedMark+" "+text.String())
	case logged.SupersededBy.Present():
		return line.Of(theme.Warn, text.String())
	}
	return line.Of(theme.Pass, text.String())
}

func (r *recordScreen) checked() (verdicts []memberLine, path memberGroup) {
	state, known := r.checks.states[r.logged.Receipt.Sequence]
	for i := range sides {
		words := line.Of(theme.Dim, "checking …")
		if known {
			words = sides[i].words(&state)
		}
		verdicts = append(verdicts, memberLine{sides[i].label, words})
	}
	if state.Proof.Verdict != records.Holds {
		return verdicts, memberGroup{}
	}
	members := []memberLine{{"leaf, recomputed", value(state.Leaf.String())}}
	for i, hash := range state.Path {
		members = append(members, memberLine{fmt.Sprintf("path %s of %s", wording.Thousands(i+1), wording.Thousands(len(state.Path))),
			value(hash.String())})
	}
	members = append(members, memberLine{fmt.Sprintf("root of %s", wording.Plural(int(state.Head.Size), "record", "records")),
		value(state.Head.Root.String())})
	return verdicts, memberGroup{title: "Proof of its place in the log", members: members, folded: true}
}

func value(text string) line.Line {
	if text == "" {
		return nil
	}
	return line.Of(theme.Plain, text)
}

// judgeAnew opens the latest revision of the packet of a record, to decide on it. The packet shows first: it may have changed.
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
