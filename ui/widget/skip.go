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
)

// SetAside asks for the reason of a skip, or undoes the skip.
func SetAside(s *screen.Scene, table terms.Table, key packets.Key, reason string) screen.Cmd {
	does := skip{table: table, keys: []packets.Key{key}}
	if reason != "" {
		return does.carryOut(s)
	}
	return does.ask(s, fmt.Sprintf("Skip %s", key.ID), wording.SkipReason)
}

// SetMarkedAside asks for one reason to skip the marked cases, or undoes the skips if all of them are skipped.
func SetMarkedAside(s *screen.Scene, table terms.Table, rows []queue.Row) screen.Cmd {
	of := mark.SkipOf(rows)
	does := skip{table: table, keys: of.Keys, passed: of.Passed}
	if of.Back {
		return does.carryOut(s)
	}
	text := "Why do you skip them? The one reason stays on this machine; each case comes back with its next revision."
	if len(of.Passed) > 0 {
		text += fmt.Sprintf(" Passed over: %s.", mark.Listed(of.Passed, mostPassed))
	}
	return does.ask(s, fmt.Sprintf("Skip %s", wording.Plural(len(of.Keys), "case", "cases")), text)
}

const mostPassed = 5

// A skip skips revisions, all of them or, on failure, none; with no reason it undoes the skips.
type skip struct {
	table  terms.Table
	keys   []packets.Key
	reason string
	passed []mark.Passed // marked cases that it passes over
}

func (e skip) ask(s *screen.Scene, title, text string) screen.Cmd {
	return s.Raise(&Prompt{Title: title, Text: text, Missing: wording.ReasonNeeded, Editor: NewEditor("❯ ", "waiting for …", ""),
		Answer: func(reason string, s *screen.Scene) screen.Cmd {
			e.reason = reason
			return e.carryOut(s)
		}})
}

// A skipper is a screen that shows whether a revision is skipped.
type skipper interface {
	NoteSkip(table terms.Table, keys []packets.Key, reason string)
}

func (e skip) carryOut(s *screen.Scene) screen.Cmd {
	return s.Go("skipping", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		err := workbench.Skip(ctx, e.table, e.keys, e.reason)
		return func(s *screen.Scene) screen.Cmd {
			if err != nil {
				return Alarm(s, "Not skipped", err.Error())
			}
			return e.done(s)
		}
	})
}

func (e skip) done(s *screen.Scene) screen.Cmd {
	ids := make([]terms.ID, len(e.keys))
	for i, key := range e.keys {
		ids[i] = key.ID
	}
	for _, one := range append([]screen.Screen{s.Queue}, s.Over...) {
		if shows, is := one.(skipper); is {
			shows.NoteSkip(e.table, e.keys, e.reason)
		}
	}
	said := e.said(s.Key(action.SetAside, action.InQueue))
	s.Say(said)
	if len(e.passed) > mostPassed { // the question named the others
		Alarm(s, said, fmt.Sprintf("Passed over: %s", mark.Listed(e.passed, len(e.passed))))
	}
	return s.Queue.Refresh(s, terms.AreaOf(e.table), ids...)
}

func (e skip) said(key string) string {
	count, one := wording.Thousands(len(e.keys)), len(e.keys) == 1
	switch {
	case e.reason == "" && one:
		return "the skip is undone"
	case e.reason == "":
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
