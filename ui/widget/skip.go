package widget

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/mark"
	"docket/ui/screen"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// SetAside asks for the reason of a skip, or undoes the skip.
func SetAside(table terms.Table, key packets.Key, reason string) screen.Effect {
	skip := Skip{Table: table, Keys: []packets.Key{key}}
	if reason != "" {
		return skip
	}
	return askReason(fmt.Sprintf("Skip %s", key.ID), wording.SkipReason, skip)
}

// SetMarkedAside asks for one reason to skip the marked cases, or undoes the skips if all of them are skipped.
func SetMarkedAside(table terms.Table, rows []queue.Row) screen.Effect {
	does := mark.SkipOf(rows)
	skip := Skip{Table: table, Keys: does.Keys, passed: does.Passed}
	if does.Back {
		return skip
	}
	text := "Why do you skip them? The one reason stays on this machine; each case comes back with its next revision."
	if len(does.Passed) > 0 {
		text += fmt.Sprintf(" Passed over: %s.", mark.Listed(does.Passed, mostPassed))
	}
	return askReason(fmt.Sprintf("Skip %s", wording.Plural(len(does.Keys), "case", "cases")), text, skip)
}

// mostPassed is how many passed-over cases a question names.
const mostPassed = 5

func askReason(title, text string, skip Skip) screen.Effect {
	return screen.Raise{Overlay: &Prompt{Title: title, Text: text, Missing: wording.ReasonNeeded, Editor: NewEditor("❯ ", "waiting for …", ""),
		Answer: func(reason string) screen.Effect {
			skip.Reason = reason
			return skip
		}}}
}

// Skip skips revisions, all of them or, on failure, none; with no reason it undoes the skips.
type Skip struct {
	Table  terms.Table
	Keys   []packets.Key
	Reason string
	passed []mark.Passed // marked cases that it passes over
}

func (e Skip) CarryOut(h screen.Host) tea.Cmd {
	return h.Ask("skipping", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		err := workbench.Skip(ctx, e.Table, e.Keys, e.Reason)
		return screen.Then(func(h screen.Host) tea.Cmd { return e.done(h, err) })
	})
}

// A skipper is a screen that shows whether a revision is skipped.
type skipper interface{ NoteSkip(s Skip) }

func (e Skip) done(h screen.Host, err error) tea.Cmd {
	if err != nil {
		return Alarm{"Not skipped", err.Error()}.CarryOut(h)
	}
	ids := make([]terms.ID, len(e.Keys))
	for i, key := range e.Keys {
		ids[i] = key.ID
	}
	for _, s := range append([]screen.Screen{h.Stage().Queue}, h.Stage().Over...) {
		if one, is := s.(skipper); is {
			one.NoteSkip(e)
		}
	}
	effects := screen.Several{screen.Say{Text: e.said(h.Scene().Key(action.SetAside, action.InQueue))}, screen.RefreshQueue{Area: terms.AreaOf(e.Table), IDs: ids}}
	if len(e.passed) > mostPassed { // the question named the others
		effects = append(effects, Alarm{e.said(h.Scene().Key(action.SetAside, action.InQueue)), fmt.Sprintf("Passed over: %s",
			mark.Listed(e.passed, len(e.passed)))})
	}
	return effects.CarryOut(h)
}

// said names the skipped cases.
func (e Skip) said(key string) string {
	count, one := wording.Thousands(len(e.Keys)), len(e.Keys) == 1
	switch {
	case e.Reason == "" && one:
		return "the skip is undone"
	case e.Reason == "":
		return fmt.Sprintf("%s skips are undone", count)
	case one:
		return fmt.Sprintf("skipped; it is at the end of the queue, where %s undoes it", key)
	}
	text := fmt.Sprintf("%s cases are skipped; they are at the end of the queue, where %s undoes that", count, key)
	if passed := len(e.passed); passed > 0 {
		text += fmt.Sprintf("; %s passed over", wording.Thousands(passed))
	}
	return text
}
