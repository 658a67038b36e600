package ui

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/screen"
	"docket/ui/wording"
)

// keepDraft, called after every message, saves the decision on the screen within saveEvery of a
// change, so that it survives every end of the program.
func (c *console) keepDraft() screen.Cmd {
	d := c.stage.Decision()
	if d != nil && d.Touched() {
		c.autosave.Note(d.Draft())
	}
	switch {
	case !c.autosave.Due() || c.scene.Recording || c.stage.Closing:
		return nil
	case !keepsDraft(c):
		return saveDraft(c)
	case c.saving:
		return nil
	}
	c.saving = true
	return c.stage.After(c.saveEvery, "waiting to keep the draft", func(screen.Workbench) screen.Then {
		return func(*screen.Scene) screen.Cmd {
			if c.saving = false; c.scene.Recording {
				return nil
			}
			return saveDraft(c)
		}
	})
}

func keepsDraft(c *console) bool {
	d := c.stage.Decision()
	if d == nil {
		return false
	}
	table, key, _ := d.Draft()
	return c.autosave.Of(table, key)
}

func saveDraft(c *console) screen.Cmd {
	draft, due := c.autosave.Take()
	if !due {
		return nil
	}
	return c.stage.Background("keeping the draft", func(ctx context.Context, _ screen.Workbench) screen.Then {
		return draftKept(draft.Table, draft.Key.ID, false, c.autosave.Save(ctx, draft))
	})
}

func (c *console) dropDraft(table terms.Table, key packets.Key) screen.Cmd {
	drop := c.autosave.Drop(table, key)
	return c.stage.Background("dropping the draft", func(ctx context.Context, _ screen.Workbench) screen.Then {
		return draftKept(table, key.ID, true, drop(ctx))
	})
}

func draftKept(table terms.Table, id terms.ID, dropped bool, err error) screen.Then {
	return func(s *screen.Scene) screen.Cmd {
		switch {
		case err != nil && dropped:
			return s.Refuse(wording.DraftNotDropped + ": " + err.Error())
		case err != nil:
			return s.Refuse(fmt.Sprintf("the draft could not be saved: %s", err))
		}
		s.Queue.MarkDraft(table, id, !dropped)
		return nil
	}
}
