package widget

import (
	"context"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/screen"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// SetAside asks for the reason of a skip, or takes back the one there is.
func SetAside(table terms.Table, key packets.Key, reason string) screen.Effect {
	if reason != "" {
		return Skip{table: table, Key: key}
	}
	return screen.Raise{Overlay: &Prompt{
		Title: "Skip " + string(key.ID), Text: "Why is it put aside? The reason stays on this machine; the case comes back " +
			"with its next revision.", Missing: wording.ReasonNeeded,
		Editor: NewEditor("❯ ", "waiting for …", ""),
		Answer: func(text string) screen.Effect { return Skip{table, key, text} },
	}}
}

// Skip puts a revision aside; with no reason it takes that back.
type Skip struct {
	table  terms.Table
	Key    packets.Key
	Reason string
}

func (e Skip) CarryOut(h screen.Host) tea.Cmd {
	return h.Ask("skipping", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		return Skipped{e, workbench.Skip(ctx, e.table, e.Key, e.Reason)}
	})
}

// Skipped is the result of a skip.
type Skipped struct {
	Skip Skip
	Err  error
}

// A skipper is a screen that shows whether a revision is skipped.
type skipper interface{ NoteSkip(s Skip) }

func (e Skipped) CarryOut(h screen.Host) tea.Cmd {
	if e.Err != nil {
		return Alarm{"Not skipped", e.Err.Error()}.CarryOut(h)
	}
	h.Scene().Session.Skipped(e.Skip.Key, e.Skip.Reason)
	for _, s := range h.Stage().Over {
		if one, is := s.(skipper); is {
			one.NoteSkip(e.Skip)
		}
	}
	text := "skipped; it is at the end of the queue, where s takes it back"
	if e.Skip.Reason == "" {
		text = "the skip is taken back"
	}
	return screen.Several{screen.Say{Text: text}, screen.RefreshQueue{Area: terms.AreaOf(e.Skip.table),
		IDs: []terms.ID{e.Skip.Key.ID}}}.CarryOut(h)
}
