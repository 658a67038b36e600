package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	"docket/domain/records"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// export is an export that runs in the background.
type export struct {
	folder string
	stop   context.CancelFunc
	news   chan exportStep // the newest step that was not shown yet; closed at the end
	step   exportStep      // as last shown
}

// An exportStep is how far an export has come.
type exportStep struct {
	what        string
	done, total int64
}

type (
	// exportMoved says how far the export has come.
	exportMoved struct {
		export *export
		step   exportStep
	}
	// exportEnded is its result.
	exportEnded struct {
		folder string
		head   records.LogHead
		err    error
	}
)

// exportOften is how often a step of an export is shown.
const exportOften = 50 * time.Millisecond

// askWhere asks for the folder of an export.
func (c *console) askWhere() tea.Cmd {
	return c.raise(&widget.Prompt{
		Title: "Export the log", Text: "Into which folder? A new one, or one with an earlier export of this log, which is replaced. " +
			"Private notes are not in it.", Missing: "a folder is needed",
		Editor: widget.NewEditor("❯ ", "~/docket-export", c.exportFolder),
		Answer: func(folder string) screen.Effect { return then(func() tea.Cmd { return c.startExport(folder) }) },
	})
}

// startExport runs an export in the background.
func (c *console) startExport(folder string) tea.Cmd {
	ctx, stop := context.WithCancel(c.work.ctx)
	e := &export{folder: folder, stop: stop, news: make(chan exportStep, 1)}
	c.export = e
	c.scene.StopExport = then(func() tea.Cmd {
		e.stop()
		return nil
	})
	run := c.job("exporting the log", func(context.Context) answer {
		defer stop()
		defer close(e.news)
		head, err := c.workbench.Export(ctx, folder, e.tell())
		return exportEnded{folder, head, err}
	})
	return tea.Batch(run, c.nextStep())
}

// tell passes steps on to be shown: the newest one, and not more often than can be seen.
func (e *export) tell() func(what string, done, total int64) {
	var last time.Time
	what := ""
	return func(now string, done, total int64) {
		if now == what && time.Since(last) < exportOften {
			return
		}
		last, what = time.Now(), now
		select {
		case <-e.news:
		default:
		}
		select {
		case e.news <- exportStep{now, done, total}:
		default:
		}
	}
}

// nextStep waits for news of the export.
func (c *console) nextStep() tea.Cmd {
	e := c.export
	return c.job("waiting for the export", func(ctx context.Context) answer {
		select {
		case step, more := <-e.news:
			if more {
				return exportMoved{e, step}
			}
		case <-ctx.Done():
		}
		return nil
	})
}

func (exportMoved) Background() {}

// arrive shows a step and waits for the next one.
func (msg exportMoved) arrive(c *console) tea.Cmd {
	if c.export != msg.export {
		return nil
	}
	c.export.step = msg.step
	return c.nextStep()
}

func (exportEnded) Background() {}

func (msg exportEnded) arrive(c *console) tea.Cmd {
	c.export, c.scene.StopExport = nil, nil
	return screen.Apply(c.exported(msg), c)
}

// exported says how the export ended. Success does not interrupt a reader who is typing or deciding.
func (c *console) exported(msg exportEnded) screen.Effect {
	switch {
	case errors.Is(msg.err, context.Canceled):
		return screen.Say{Text: "the export was stopped; nothing was put into place"}
	case msg.err != nil:
		return widget.Alarm{About: "Nothing was exported", Text: msg.err.Error()}
	}
	text := wording.Plural(int(msg.head.Size), "record", "records") + " exported to " + msg.folder + ", read back and checked"
	if c.stage.Overlay != nil || c.decision() != nil || c.takesText() {
		return screen.Say{Text: "✓ " + text}
	}
	return screen.Raise{Overlay: &widget.Card{Title: "✓ Exported", Lines: func(width int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Plain, text+".").Wrap(width, 0))
		sheet = append(sheet, line.Of(theme.Dim, "root ").And(theme.Plain, msg.head.Root.String()).Wrap(width, 2)...)
		return append(sheet, line.Of(theme.Dim, "SUMMARY.md in it says how to check it without docket.").Wrap(width, 0)...)
	}}}
}

// exportBar is how far the export has come, in so many columns at most.
func (c *console) exportBar(width int) line.Line {
	if c.export == nil {
		return nil
	}
	step := c.export.step
	what := step.what
	if what == "" {
		what = "exporting"
	}
	out := line.Of(theme.Plain, what+" ")
	if step.total > 0 {
		filled := int(min(step.done, step.total) * barWidth / step.total)
		out = out.And(theme.Accent, strings.Repeat("█", filled)).And(theme.Faint, strings.Repeat("·", barWidth-filled)).
			And(theme.Plain, " "+wording.Thousands(int(step.done*100/step.total))+"%")
	}
	if c.stage.Top().Place() == action.InRecords {
		out = out.And(theme.Accent, "  Esc").And(theme.Dim, " stops it")
	}
	if step.total > 0 {
		if counted := out.And(theme.Dim, "  "+wording.Thousands(int(step.done))+" of "+wording.Thousands(int(step.total))); counted.Width() <= width {
			return counted
		}
	}
	return out.Fit(width)
}

const barWidth = 20
