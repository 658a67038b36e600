package task

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"docket/domain/records"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// An Export writes the log as a bundle into a folder, in the background, one at a time.
type Export struct {
	Program context.Context // ends with the program
	Folder  string          // where one goes unless its reader says otherwise
	running *exportRun      // nil: none
}

// An exportRun is an export under way.
type exportRun struct {
	folder string
	news   chan exportStep // the newest step that was not shown yet; closed at the end
	step   exportStep      // as last shown
}

// An exportStep is the progress of an export.
type exportStep struct {
	what        string
	done, total int64
}

type (
	// startExport starts an export into a folder.
	startExport struct {
		export *Export
		folder string
	}
	// stopExport stops the one under way.
	stopExport struct{ stop context.CancelFunc }
	// exportMoved is a step of the export.
	exportMoved struct {
		export *Export
		run    *exportRun
		step   exportStep
	}
	// exportEnded is its result.
	exportEnded struct {
		export *Export
		folder string
		head   records.LogHead
		err    error
	}
)

// exportOften is how often a step of an export is shown.
const exportOften = 50 * time.Millisecond

// Ask asks for the folder of an export, and then starts it.
func (x *Export) Ask() screen.Effect {
	return screen.Raise{Overlay: &widget.Prompt{
		Title: "Export the log", Text: "Into which folder? A new one, or one with an earlier export of this log, which is replaced. " +
			"Private notes are not in it.", Missing: "a folder is needed",
		Editor: widget.NewEditor("❯ ", "~/docket-export", x.Folder),
		Answer: func(folder string) screen.Effect { return startExport{x, folder} },
	}}
}

// CarryOut runs the export in the background.
func (e startExport) CarryOut(h screen.Host) tea.Cmd {
	ctx, stop := context.WithCancel(e.export.Program)
	run := &exportRun{folder: e.folder, news: make(chan exportStep, 1)}
	e.export.running = run
	h.Scene().StopExport = stopExport{stop}
	export := h.Ask("exporting the log", func(_ context.Context, workbench screen.Workbench) screen.Effect {
		defer stop()
		defer close(run.news)
		head, err := workbench.Export(ctx, run.folder, run.tell())
		return exportEnded{e.export, run.folder, head, err}
	})
	return tea.Batch(export, e.export.nextStep(h))
}

func (e stopExport) CarryOut(screen.Host) tea.Cmd {
	e.stop()
	return nil
}

// tell passes on the newest step to be shown, no more often than a person can see.
func (e *exportRun) tell() func(what string, done, total int64) {
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
func (x *Export) nextStep(h screen.Host) tea.Cmd {
	run := x.running
	return h.Ask("waiting for the export", func(ctx context.Context, _ screen.Workbench) screen.Effect {
		select {
		case step, more := <-run.news:
			if more {
				return exportMoved{x, run, step}
			}
		case <-ctx.Done():
		}
		return nil
	})
}

func (exportMoved) Background() {}

// CarryOut shows a step and waits for the next one.
func (e exportMoved) CarryOut(h screen.Host) tea.Cmd {
	if e.export.running != e.run {
		return nil
	}
	e.run.step = e.step
	return e.export.nextStep(h)
}

func (exportEnded) Background() {}

func (e exportEnded) CarryOut(h screen.Host) tea.Cmd {
	e.export.running, h.Scene().StopExport = nil, nil
	return e.said(h.Stage()).CarryOut(h)
}

// said shows how the export ended. Success does not interrupt a reader who is typing or deciding.
func (e exportEnded) said(t *screen.Stage) screen.Effect {
	switch {
	case errors.Is(e.err, context.Canceled):
		return screen.Say{Text: "the export was stopped; the folder is unchanged"}
	case e.err != nil:
		return widget.Alarm{About: "Nothing was exported", Text: e.err.Error()}
	}
	text := fmt.Sprintf("%s exported to %s, read back and checked", wording.Plural(int(e.head.Size), "record", "records"), e.folder)
	if t.Overlay != nil || t.Decision() != nil || t.TakesText() {
		return screen.Say{Text: "✓ " + text}
	}
	return screen.Raise{Overlay: &widget.Card{Title: "✓ Exported", Lines: func(width int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Plain, text+".").Wrap(width, 0))
		sheet = append(sheet, line.Of(theme.Dim, "root ").And(theme.Plain, e.head.Root.String()).Wrap(width, 2)...)
		return append(sheet, line.Of(theme.Dim, "SUMMARY.md in it says how to check it without docket.").Wrap(width, 0)...)
	}}}
}

// Bar is the progress of the export, in at most this many columns; stops is the key that stops it here, or "".
func (x *Export) Bar(width int, stops string) line.Line {
	if x.running == nil {
		return nil
	}
	step := x.running.step
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
	if stops != "" {
		out = out.And(theme.Accent, "  "+stops).And(theme.Dim, " stops it")
	}
	if step.total > 0 {
		if counted := out.And(theme.Dim, fmt.Sprintf("  %s of %s",
			wording.Thousands(int(step.done)), wording.Thousands(int(step.total)))); counted.Width() <= width {
			return counted
		}
	}
	return out.Fit(width)
}

const barWidth = 20
