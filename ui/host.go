package ui

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/ui/action"
	"docket/ui/screen"
	"docket/ui/screen/board"
	"docket/ui/screen/contracts"
	"docket/ui/screen/decide"
	"docket/ui/screen/stats"
	"docket/ui/task"
	"docket/ui/topic"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (c *console) do(v action.Verb) tea.Cmd {
	s := &c.scene
	if why := c.obstacle(v); why != "" {
		return s.Refuse(why)
	}
	top := s.Top()
	switch v {
	case action.OpenHelp:
		return c.list("What can be done here", s.Keys.Of(top.Place()))
	case action.OpenPalette:
		return c.list("Every action", c.everyAction())
	case action.QuitProgram, action.Interrupt:
		return c.quit()
	case action.SuspendProgram:
		return tea.Suspend
	case action.Explain:
		return topic.Explanation(top, s)
	case action.CopyOut:
		return c.clipboard.Choose(top, s)
	case action.OpenEditor:
		return c.edit(top.(*decide.Screen))
	case action.ExportLog:
		return c.export.Ask(s)
	case action.ShowBoard:
		if top.Place() != action.InQueue {
			s.Home()
		}
		return board.Open(s, c.queue.Area, c.queue.QueueOf)
	case action.ShowRejected:
		list, _ := c.queue.Rejected()
		return list(s)
	case action.ShowContracts:
		return contracts.Open(s)
	case action.ShowStats:
		return stats.Open(s)
	case action.ShowRecords:
		return c.records.Open(s)
	}
	return top.Handle(v, s)
}

func (c *console) obstacle(v action.Verb) string {
	top := c.stage.Top()
	if !slices.ContainsFunc(c.scene.Keys.Of(top.Place()), func(a *action.Action) bool { return a.Verb == v }) {
		return fmt.Sprintf("not in the %s", action.PlaceNames[top.Place()])
	}
	switch why := top.Obstacle(v, &c.scene); {
	case why != "":
		return why
	case v == action.Explain && len(topic.On(top, &c.scene)) == 0:
		return "there is no blocker, trigger or transition here"
	case v == action.ShowRejected:
		_, why := c.queue.Rejected()
		return why
	case v == action.OpenEditor:
		return c.editor.Obstacle()
	case v == action.CopyOut && len(task.Copies(top, &c.scene)) == 0:
		return "there is no id or hash here to copy"
	}
	return ""
}

func (c *console) why(a *action.Action) string {
	if place := c.stage.Top().Place(); !a.In.Has(place) {
		return fmt.Sprintf("not in the %s", action.PlaceNames[place])
	}
	return c.obstacle(a.Verb)
}

// edit has the statement of a decision edited; an editor leaves the mouse to itself.
func (c *console) edit(d *decide.Screen) tea.Cmd {
	return c.editor.Edit(d.StatementTyped(), func(s *screen.Scene, edited string) tea.Cmd {
		cmd := d.Edited(s, edited)
		if c.mouse {
			cmd = tea.Batch(cmd, tea.EnableMouseCellMotion)
		}
		return cmd
	})
}

func (c *console) list(title string, actions []*action.Action) tea.Cmd {
	var rows []widget.Row
	for _, a := range actions {
		labels := make([]string, len(a.Keys))
		for i, key := range a.Keys {
			labels[i] = action.KeyLabel(key)
		}
		rows = append(rows, widget.Row{Label: a.Label, Codes: strings.Join(labels, " "), Text: a.Meaning,
			Why: c.why(a), Does: func(s *screen.Scene) tea.Cmd { return s.Do(a.Verb) }})
	}
	return c.scene.Raise(widget.NewMenu(title, "run", rows))
}

func (c *console) everyAction() []*action.Action {
	var all []*action.Action
	seen := map[string]bool{}
	rows := c.scene.Keys.Rows()
	for i := range rows {
		a := &rows[i]
		if !seen[a.Label+a.Meaning] {
			seen[a.Label+a.Meaning] = true
			all = append(all, a)
		}
	}
	json.Sort(all, func(a, b *action.Action) int { return min(len(c.why(a)), 1) - min(len(c.why(b)), 1) })
	return all
}

func (c *console) quit() tea.Cmd {
	text := ""
	switch d := c.stage.Decision(); {
	case d != nil && d.Touched():
		text = "The decision you are making is not recorded. It is kept as a draft; deciding on the case again resumes it."
	case c.scene.StopExport != nil:
		text = "An export is running. Leaving stops it, and the folder stays unchanged."
	default:
		return c.scene.Quit()
	}
	return c.scene.Raise(&widget.Question{Title: "Leave docket?", Text: text, Yes: "leave", No: "stay", Answer: (*screen.Scene).Quit})
}
