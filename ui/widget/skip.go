package widget

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/screen"
	"docket/ui/wording"
)

// SetAside asks for the reason of a skip, or undoes the skip that has one.
func SetAside(s *screen.Scene, table terms.Table, key packets.Key, reason string) screen.Cmd {
	if reason != "" {
		return skip(s, table, key, "")
	}
	return s.Raise(&Prompt{Title: fmt.Sprintf("Skip %s", key.ID), Text: wording.WhySkip, Missing: wording.ReasonNeeded,
		Editor: NewEditor("❯ ", "waiting for …", ""),
		Answer: func(reason string, s *screen.Scene) screen.Cmd { return skip(s, table, key, reason) }})
}

type skipper interface {
	NoteSkip(table terms.Table, key packets.Key, reason string)
}

// skip skips a revision; with no reason it undoes the skip.
func skip(s *screen.Scene, table terms.Table, key packets.Key, reason string) screen.Cmd {
	return s.Go("skipping", func(ctx context.Context, workbench screen.Workbench) screen.Then {
		err := workbench.Skip(ctx, table, key, reason)
		return func(s *screen.Scene) screen.Cmd {
			if err != nil {
				return Alarm(s, "Not skipped", err.Error())
			}
			for _, one := range s.Over {
				if shows, is := one.(skipper); is {
					shows.NoteSkip(table, key, reason)
				}
			}
			s.Say(wording.Skipped(reason, s.Key(action.SetAside, action.InQueue)))
			return s.Queue.Refresh(s, terms.AreaOf(table), key.ID)
		}
	})
}
