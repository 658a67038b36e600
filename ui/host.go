package ui

import (
	"context"
	"fmt"
	"strings"

	"docket/domain/ordered"
	"docket/domain/records"
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

// The console is the host of its screens.

// Ask runs a job in a command and carries out the effect that comes back as a message.
func (c *console) Ask(about string, job func(context.Context, screen.Workbench) screen.Effect) tea.Cmd {
	return c.work.do(about, func(ctx context.Context) tea.Msg {
		if e := job(ctx, c.workbench); e != nil {
			return e
		}
		return nil
	})
}

// Scene is what screens know about the world.
func (c *console) Scene() *screen.Scene { return &c.scene }

// Stage is the screens that show.
func (c *console) Stage() *screen.Stage { return &c.stage }

// Packet makes the screen of a packet.
func (c *console) Packet(of screen.OpenPacket) screen.Screen { return decide.NewPacket(of) }

// Record makes the screen of a record.
func (c *console) Record(logged *records.LoggedRecord) screen.Screen { return c.records.Record(logged) }

// Append records a decision.
func (c *console) Append(e screen.Append) tea.Cmd { return c.recording.Start(c, e) }

// Erase erases text that a person wrote.
func (c *console) Erase(e records.Erasure) tea.Cmd { return c.recording.Erase(c, e) }

// Do runs an action on the screen on top, or says why it cannot run.
func (c *console) Do(v action.Verb) tea.Cmd {
	if why := c.obstacle(v); why != "" {
		return screen.Refused(why).CarryOut(c)
	}
	top := c.stage.Top()
	switch v {
	case action.OpenHelp:
		return c.list("What can be done here", c.scene.Keys.Of(top.Place()))
	case action.OpenPalette:
		return c.list("Every action", c.everyAction())
	case action.QuitProgram, action.Interrupt:
		return c.quit()
	case action.SuspendProgram:
		return tea.Suspend
	case action.Explain:
		return topic.Explanation(top, &c.scene).CarryOut(c)
	case action.CopyOut:
		return c.clipboard.Choose(top, &c.scene).CarryOut(c)
	case action.OpenEditor:
		return c.edit(top.(*decide.Screen))
	case action.ExportLog:
		return c.export.Ask().CarryOut(c)
	case action.ShowBoard:
		if top.Place() != action.InQueue {
			c.stage.Over = nil
		}
		return board.Open(c.queue.Shows(), c.queue.QueueOf).CarryOut(c)
	case action.ShowRejected:
		list, _ := c.queue.Rejected()
		return screen.Apply(list, c)
	case action.ShowContracts:
		return contracts.Open().CarryOut(c)
	case action.ShowStats:
		return stats.Open(c.scene.Now).CarryOut(c)
	case action.ShowRecords:
		return c.records.Open().CarryOut(c)
	}
	return screen.Apply(top.Handle(v, &c.scene), c)
}

func raise(c *console, over screen.Overlay) tea.Cmd { return screen.Raise{Overlay: over}.CarryOut(c) }

// obstacle says why an action cannot run now; "" if it can.
func (c *console) obstacle(v action.Verb) string {
	top := c.stage.Top()
	for _, a := range c.scene.Keys.Of(top.Place()) {
		if a.Verb == v {
			return c.obstacleOn(top, v)
		}
	}
	return fmt.Sprintf("not in the %s", action.PlaceNames[top.Place()])
}

// obstacleOn says why an action cannot run on a screen that has it; "" if it can.
func (c *console) obstacleOn(on screen.Screen, v action.Verb) string {
	switch why := on.Obstacle(v, &c.scene); {
	case why != "":
		return why
	case v == action.Explain && len(topic.On(on, &c.scene)) == 0:
		return "there is no blocker, trigger or transition here"
	case v == action.ShowRejected:
		_, why := c.queue.Rejected()
		return why
	case v == action.OpenEditor:
		return c.editor.Obstacle()
	case v == action.CopyOut && len(task.Copies(on, &c.scene)) == 0:
		return "there is no id or hash here to copy"
	}
	return ""
}

// why says why an action cannot run now; "" if it can. An action of another place differs from the action of this place even if the verb is the same.
func (c *console) why(a *action.Action) string {
	if place := c.stage.Top().Place(); !a.In.Has(place) {
		return fmt.Sprintf("not in the %s", action.PlaceNames[place])
	}
	return c.obstacle(a.Verb)
}

// edit has the statement of a decision edited. An editor leaves the mouse to itself.
func (c *console) edit(d *decide.Screen) tea.Cmd {
	return c.editor.Edit(d.StatementTyped(), func(edited string) screen.Effect {
		return screen.Then(func(h screen.Host) tea.Cmd {
			cmd := screen.Apply(d.Edited(edited, h.Scene()), h)
			if c.mouse {
				cmd = tea.Batch(cmd, tea.EnableMouseCellMotion)
			}
			return cmd
		})
	})
}

// list lists actions, of which the chosen one runs.
func (c *console) list(title string, actions []*action.Action) tea.Cmd {
	var rows []widget.Row
	for _, a := range actions {
		labels := make([]string, len(a.Keys))
		for i, key := range a.Keys {
			labels[i] = action.KeyLabel(key)
		}
		rows = append(rows, widget.Row{Label: a.Label, Codes: strings.Join(labels, " "), Text: a.Meaning,
			Why: c.why(a), Does: screen.Do{Verb: a.Verb}})
	}
	return raise(c, widget.NewMenu(title, "run", rows))
}

// everyAction lists the whole table, each action once by its name, those that can run now first.
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
	ordered.Sort(all, func(a, b *action.Action) int { return min(len(c.why(a)), 1) - min(len(c.why(b)), 1) })
	return all
}

// quit ends the program, after a question if a decision or an export is under way.
func (c *console) quit() tea.Cmd {
	text := ""
	switch d := c.stage.Decision(); {
	case d != nil && d.Touched():
		text = "The decision you are making is not recorded. It is kept as a draft; deciding on the case again resumes it."
	case c.scene.StopExport != nil:
		text = "An export is running. Leaving stops it, and the folder stays unchanged."
	default:
		return screen.Quit{}.CarryOut(c)
	}
	return raise(c, &widget.Question{Title: "Leave docket?", Text: text, Yes: "leave", No: "stay", Answer: screen.Quit{}})
}
