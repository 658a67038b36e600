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
	does := skip{Skip: mark.Skip{Keys: []packets.Key{key}, Back: reason != ""}, table: table}
	return does.begin(s, fmt.Sprintf("Skip %s", key.ID))
}

// SetMarkedAside asks for one reason to skip the cases, or undoes the skips if all are skipped.
func SetMarkedAside(s *screen.Scene, table terms.Table, rows []queue.Row) screen.Cmd {
	does := skip{Skip: mark.SkipOf(rows), table: table}
	return does.begin(s, fmt.Sprintf("Skip %s", wording.Plural(len(does.Keys), "case", "cases")))
}

const mostPassed = 5

// A skip skips revisions, all of them or, on failure, none; with no reason it undoes the skips.
type skip struct {
	mark.Skip
	table  terms.Table
	reason string
}

func (e skip) begin(s *screen.Scene, title string) screen.Cmd {
	if e.Back {
		return e.carryOut(s)
	}
	return s.Raise(&Prompt{Title: title, Text: e.Asks(mostPassed), Missing: wording.ReasonNeeded, Editor: NewEditor("❯ ", "waiting for …", ""),
		Answer: func(reason string, s *screen.Scene) screen.Cmd {
			e.reason = reason
			return e.carryOut(s)
		}})
}

type skipper interface {
	NoteSkip(table terms.Table, keys []packets.Key, reason string)
}

func (e skip) carryOut(s *screen.Scene) screen.Cmd {
	return s.Go("skipping", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		err := workbench.Skip(ctx, e.table, e.Keys, e.reason)
		return func(s *screen.Scene) screen.Cmd {
			if err != nil {
				return Alarm(s, "Not skipped", err.Error())
			}
			return e.done(s)
		}
	})
}

func (e skip) done(s *screen.Scene) screen.Cmd {
	ids := make([]terms.ID, len(e.Keys))
	for i, key := range e.Keys {
		ids[i] = key.ID
	}
	for _, one := range append([]screen.Screen{s.Queue}, s.Over...) {
		if shows, is := one.(skipper); is {
			shows.NoteSkip(e.table, e.Keys, e.reason)
		}
	}
	said := e.Done(s.Key(action.SetAside, action.InQueue))
	s.Say(said)
	if len(e.Passed) > mostPassed { // the question named the others
		Alarm(s, said, fmt.Sprintf("Passed over: %s", mark.Listed(e.Passed, len(e.Passed))))
	}
	return s.Queue.Refresh(s, terms.AreaOf(e.table), ids...)
}
