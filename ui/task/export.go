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

type exportRun struct {
	news chan exportStep // the newest step that was not shown yet; closed at the end
	step exportStep      // as last shown
}

type exportStep struct {
	what        string
	done, total int64
}

const exportOften = 50 * time.Millisecond

func (x *Export) Ask(s *screen.Scene) screen.Cmd {
	return s.Raise(&widget.Prompt{
		Title: "Export the log", Text: "Into which folder? A new one, or one with an earlier export of this log, which is replaced. " +
			"Private notes are not in it.", Missing: "a folder is needed",
		Editor: widget.NewEditor("❯ ", "~/docket-export", x.Folder),
		Answer: x.start,
	})
}

func (x *Export) start(folder string, s *screen.Scene) screen.Cmd {
	ctx, stop := context.WithCancel(x.Program)
	run := &exportRun{news: make(chan exportStep, 1)}
	x.running, s.StopExport = run, stop
	export := s.Background("exporting the log", func(_ context.Context, workbench screen.Workbench) screen.Then {
		defer stop()
		defer close(run.news)
		head, err := workbench.Export(ctx, folder, run.tell())
		return func(s *screen.Scene) screen.Cmd {
			x.running, s.StopExport = nil, nil
			return exported(s, folder, &head, err)
		}
	})
	return tea.Batch(export, x.nextStep(s))
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

func (x *Export) nextStep(s *screen.Scene) screen.Cmd {
	run := x.running
	return s.Background("waiting for the export", func(ctx context.Context, _ screen.Workbench) screen.Then {
		select {
		case step, more := <-run.news:
			if !more {
				return nil
			}
			return func(s *screen.Scene) screen.Cmd {
				if x.running != run {
					return nil
				}
				run.step = step
				return x.nextStep(s)
			}
		case <-ctx.Done():
			return nil
		}
	})
}

// exported does not interrupt a reader who is typing or deciding, unless it failed.
func exported(s *screen.Scene, folder string, head *records.LogHead, err error) screen.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
		return s.Say("the export was stopped; the folder is unchanged")
	case err != nil:
		return widget.Alarm(s, wording.NotExported, err.Error())
	}
	text := wording.Exported(head, folder)
	if s.Overlay != nil || s.Decision() != nil || s.TakesText() {
		return s.Say("✓ " + text)
	}
	return s.Raise(&widget.Card{Title: "✓ Exported", Lines: func(width int) line.Sheet {
		sheet := line.Sheet(line.Of(theme.Plain, text+".").Wrap(width, 0))
		sheet = append(sheet, line.Of(theme.Dim, "root ").And(theme.Plain, head.Root.String()).Wrap(width, 2)...)
		return append(sheet, line.Of(theme.Dim, "SUMMARY.md in it says how to check it without docket.").Wrap(width, 0)...)
	}})
}

// Bar is the progress of the export, at most width columns; stops is the key that stops it, or "".
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
