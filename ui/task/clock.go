package task

import (
	"time"

	"docket/domain/terms"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// A Clock ticks at this interval, for the time left and changes of queue and service; 0: never.
type Clock time.Duration

func (k Clock) Wait(s *screen.Scene) screen.Cmd {
	if k <= 0 {
		return nil
	}
	return s.After(time.Duration(k), "telling the time",
		func(workbench screen.Workbench) screen.Then { return k.Tick(workbench.Now()) })
}

// Tick asks for changes, and lets the screen on top do its timed work.
func (k Clock) Tick(now terms.Instant) screen.Then {
	return func(s *screen.Scene) screen.Cmd {
		s.Now = now
		cmds := []screen.Cmd{k.Wait(s), s.RefreshQueues(), s.ReadHandIns()}
		if d, is := s.Top().(screen.Decider); is && !s.Recording {
			cmds = append(cmds, d.Ticked(s, now))
		}
		return tea.Batch(cmds...)
	}
}
