package task

import (
	"time"

	"docket/domain/terms"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// A Clock ticks at this interval, to redraw the time left and to read changes of the queue and the service; 0: never.
type Clock time.Duration

// Ticked says what time it is.
type Ticked struct {
	Now   terms.Instant
	clock Clock
}

// Wait waits for the next tick.
func (k Clock) Wait(h screen.Host) tea.Cmd {
	if k <= 0 {
		return nil
	}
	return screen.After(h, time.Duration(k), "telling the time",
		func(workbench screen.Workbench) screen.Effect { return Ticked{workbench.Now(), k} })
}

func (Ticked) Background() {}

// CarryOut asks for changes, and lets the screen on top do its timed work.
func (e Ticked) CarryOut(h screen.Host) tea.Cmd {
	h.Scene().Now = e.Now
	effects := screen.Several{screen.RefreshQueue{Area: terms.Appeals}, screen.RefreshQueue{Area: terms.Amendments}, screen.ReadHandIns{}}
	if top, is := h.Stage().Top().(screen.Ticker); is && !h.Scene().Recording {
		effects = append(effects, top.Ticked(e.Now))
	}
	return tea.Batch(e.clock.Wait(h), effects.CarryOut(h))
}
