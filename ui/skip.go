package ui

import (
	"context"
	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// setAsideEffect asks for the reason of a skip, or takes back the one there is.
func setAsideEffect(table domain.Table, key domain.Key, reason string) effect {
	if reason != "" {
		return skip{table: table, key: key}
	}
	return raise{&prompt{
		title: "Skip " + string(key.ID), text: "Why is it put aside? The reason stays on this machine; the case comes back " +
			"with its next revision.", missing: "a reason is needed",
		editor: newEditor("❯ ", "waiting for …", ""),
		answer: func(text string) effect { return skip{table, key, text} },
	}}
}

// skip puts a revision aside, or, with no reason, takes that back.
type skip struct {
	table  domain.Table
	key    domain.Key
	reason string
}

func (e skip) carryOut(h Host) tea.Cmd {
	return h.Ask("skipping", func(ctx context.Context, desk Desk) effect {
		return skipped{e, desk.Skip(ctx, e.table, e.key, e.reason)}
	})
}

// skipped is what has become of putting a revision aside.
type skipped struct {
	skip skip
	err  error
}

// A skipper is a screen that shows whether a revision is skipped.
type skipper interface{ noteSkip(s skip) }

func (e skipped) carryOut(h Host) tea.Cmd {
	if e.err != nil {
		return alarm{"Not skipped", e.err.Error()}.carryOut(h)
	}
	for _, s := range h.Stage().over {
		if one, is := s.(skipper); is {
			one.noteSkip(e.skip)
		}
	}
	text := "skipped; it is at the end of the queue, where s takes it back"
	if e.skip.reason == "" {
		text = "the skip is taken back"
	}
	return several{say{text: text}, judgeAgain{domain.AreaOf(e.skip.table), []domain.ID{e.skip.key.ID}}}.carryOut(h)
}
